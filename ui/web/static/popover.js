// Small windows that open from a button.

import { make } from "./dom.js";
import { icon } from "./icons.js";

/** A button that opens a small window above it; Escape or a click elsewhere closes it. */
export class Popover {
  constructor(name, title) {
    this.label = make("span", { class: "tn-chip-label" });
    this.button = make("summary", { class: "tn-chip" }, icon(name), this.label);
    this.body = make("div", { class: "tn-pop-body" });
    this.element = make("details", { class: `tn-pop tn-pop-${title}` }, this.button, this.body);
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.element.open) return;
      event.stopPropagation(); // it does not also stop an answer
      this.close({ focus: true });
    });
    document.addEventListener("click", (event) => {
      // The clicked element may already have been removed, so the path is checked.
      if (event.isTrusted && !event.composedPath().includes(this.element)) this.close();
    });
  }

  close({ focus = false } = {}) {
    this.element.open = false;
    if (focus) this.button.focus();
  }
}
