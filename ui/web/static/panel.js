// The sources of an answer, next to the chat on wide screens, over its lower part on narrow ones.

import { drawn } from "./check.js";
import { fill, fillSafely, make, skeleton } from "./dom.js";
import { icon } from "./icons.js";

const WIDE = matchMedia("(min-width: 1100px)");

export class Panel {
  /** @param words returns the texts of the interface; called each time, because the language may change. */
  constructor(words) {
    this.words = words;
    this.turn = null;
    this.opener = null;
    this.title = make("h2", { class: "tn-head", tabindex: "-1" });
    this.close = make("button", { type: "button", class: "tn-icon-button tn-close", onclick: () => this.hide() }, icon("close"));
    this.body = make("div", { class: "tn-panel-body", tabindex: "0" });
    this.element = make(
      "aside",
      { class: "tn-panel", id: "tn-panel", "aria-live": "off" },
      make("div", { class: "tn-panel-top" }, this.title, this.close),
      this.body,
    );
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation(); // it does not also stop an answer
      this.hide();
    });
    this.translate();
  }

  translate() {
    const words = this.words();
    this.element.setAttribute("aria-label", words.sources);
    this.body.setAttribute("aria-label", words.sources);
    this.close.setAttribute("aria-label", words.close);
    this._tell();
  }

  /** Update the panel with the sources of a turn, without opening it over the chat. */
  follow(turn) {
    if (this.turn?.id !== turn.id) this.body.scrollTop = 0;
    this._draw(turn);
  }

  /** Open the panel at a source of a turn and highlight its quote. */
  show(turn, number, { opener = null, focus = false } = {}) {
    this._draw(turn);
    this.element.classList.add("tn-open");
    for (const marked of this.body.querySelectorAll("mark.tn-chosen")) marked.classList.remove("tn-chosen");
    const quotes = this.body.querySelectorAll(`mark[data-source="${Number(number)}"]`);
    for (const quote of quotes) quote.classList.add("tn-chosen");
    const place = quotes[0] ?? this.body.querySelector(`#source-${CSS.escape(turn.id)}-${Number(number)}`);
    place?.scrollIntoView({ block: "center", inline: "nearest" });
    if (focus) {
      this.opener = opener;
      this.title.textContent = fill(this.words().source, { number });
      this.title.focus({ preventScroll: true });
    }
  }

  /** Whether the panel lies over the chat. */
  get over() {
    return !WIDE.matches && this.element.classList.contains("tn-open");
  }

  /** Show that sources are on their way, instead of those of another answer. */
  await() {
    this.clear();
    this.body.replaceChildren(skeleton());
  }

  /** Empty and close the panel. */
  clear() {
    this.turn = null;
    this._tell();
    this.hide();
  }

  /** Close the panel and return the focus to the element that opened it. */
  hide() {
    this.element.classList.remove("tn-open");
    this.opener?.focus();
    this.opener = null;
  }

  _draw(turn) {
    if (this.turn?.id === turn.id && this.drawn === turn.panel && this.verdicts === turn.verdicts) return;
    this.turn = turn;
    this._tell();
  }

  _tell() {
    const words = this.words();
    this.title.textContent = words.sources;
    this.drawn = this.turn?.panel;
    this.verdicts = this.turn?.verdicts;
    fillSafely(this.body, this.turn?.panel);
    for (const verdict of Object.values(this.verdicts ?? {})) this._beside(verdict);
    if (!this.turn?.panel) this.body.append(make("p", { class: "tn-quiet" }, words.noSources));
  }

  /** Add a verdict below the passage of its claim. */
  _beside(verdict) {
    const [number] = verdict.numbers;
    const place = number && this.body.querySelector(`#source-${CSS.escape(this.turn.id)}-${Number(number)}`);
    place?.closest("article").append(drawn(verdict.html));
  }
}

/** Return whether the panel is next to the chat. */
export const beside = () => WIDE.matches;
