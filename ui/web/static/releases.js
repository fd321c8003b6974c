// The filter of the composer: which releases are searched.

import { fill, make } from "./dom.js";
import { Popover } from "./popover.js";

export class Releases extends Popover {
  constructor(chat) {
    super("filter", "releases");
    this.chat = chat;
    this.boxes = new Map();
    this.list = make("div", { class: "tn-release-list" });
    this.all = make("button", { type: "button", class: "tn-act", onclick: () => this.choose([]) });
    this.title = make("p", { class: "tn-head" });
    this.body.append(this.title, this.list, this.all);
    this.chosen = [];
  }

  /** Search only these releases; none: all. */
  choose(releases) {
    this.chosen = [...releases];
    this.translate();
  }

  translate() {
    const words = this.chat.words().filter;
    const known = this.chat.bridge.props.releases ?? [];
    // A link may name a release that is not in the index; it is shown, so that it can be taken away.
    const rows = [...known, ...this.chosen.filter((each) => !known.includes(each))].map((release) => this._row(release));
    this.list.replaceChildren(...rows);
    this.title.textContent = words.title;
    this.all.textContent = words.all;
    this.all.hidden = !this.chosen.length;
    this._tell();
  }

  _tell() {
    const words = this.chat.words().filter;
    this.label.textContent = this.chosen.length ? fill(words.only, { releases: this.chosen.join(", ") }) : words.all;
    this.button.classList.toggle("tn-set", this.chosen.length > 0);
    this.button.title = words.title;
    this.all.hidden = !this.chosen.length;
  }

  _row(release) {
    const box = make("input", { type: "checkbox", value: release });
    box.checked = this.chosen.includes(release);
    box.addEventListener("change", () => {
      this.chosen = box.checked ? [...this.chosen, release] : this.chosen.filter((each) => each !== release);
      this._tell();
    });
    return make("label", {}, box, ` ${release}`);
  }
}
