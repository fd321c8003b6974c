// What can be done with an answer: copy, link, save, ask again, rate.

import { copy, download, make } from "./dom.js";
import { icon } from "./icons.js";
import { linkTo, markdownOf, sharedMarkdown } from "./sharing.js";

const WHOLE = new Set(["answered", "declined"]);

export class Actions {
  constructor(turn, owner) {
    this.turn = turn;
    this.owner = owner;
    this.element = make("div", { class: "tn-actions" });
  }

  update(busy) {
    const { turn } = this;
    const words = this.owner.words();
    const drawn = [busy, turn.state, turn.rating?.good, words.copy].join(" ");
    if (drawn === this.drawn) return; // unchanged elements keep the focus, and a form what was typed
    this.drawn = drawn;
    this.element.replaceChildren(...(busy ? [] : this._tools(words)));
  }

  _tools(words) {
    const { turn, owner } = this;
    const retry = this._button("retry", words.retry, () => owner.again(turn, turn.question));
    if (turn.state === "stopped" || turn.state === "lost") {
      const line = { stopped: words.stopped, lost: words.offline }[turn.state];
      return [make("span", { class: "tn-quiet", role: "status" }, line), retry];
    }
    if (!WHOLE.has(turn.state)) return [retry];
    this.said = make("span", { class: "tn-quiet", role: "status" });
    const said = (line) => (this.said.textContent = line);
    return [
      this._button("copy", words.copy, async () => (await copy(markdownOf(turn)), said(words.copied))),
      this._button("link", words.link, async () => (await copy(linkTo(turn)), said(words.linkCopied))),
      this._button("download", words.save, () => download(`torchnotes-${turn.id}.md`, sharedMarkdown(turn))),
      retry,
      this._thumb(true, words.good),
      this._thumb(false, words.bad),
      this.said,
    ];
  }

  _button(drawn, name, act) {
    return make("button", { type: "button", class: "tn-icon-button", "aria-label": name, title: name, onclick: act }, icon(drawn));
  }

  _thumb(good, name) {
    const pressed = this.turn.rating?.good === good;
    const button = this._button("thumb", name, () => (pressed ? this._say(null) : good ? this._say(true) : this._ask()));
    button.classList.add("tn-thumb", good ? "tn-up" : "tn-down");
    button.setAttribute("aria-pressed", String(pressed));
    return button;
  }

  /** Show a form that asks what is wrong. */
  _ask() {
    const words = this.owner.words();
    const name = `reason-${this.turn.id}`;
    const choices = Object.entries(words.reasons).map(([value, text]) =>
      make("label", {}, make("input", { type: "radio", name, value }), " ", text),
    );
    const comment = make("textarea", { rows: "2", maxlength: "2000", "aria-label": words.comment, placeholder: words.comment });
    const form = make(
      "form",
      {
        class: "tn-why",
        onsubmit: (event) => {
          event.preventDefault();
          this._say(false, new FormData(form).get(name) ?? "", comment.value.trim());
        },
      },
      make("fieldset", {}, make("legend", {}, words.reason), ...choices),
      comment,
      make("button", { type: "submit", class: "tn-act tn-main-act" }, words.submit),
    );
    this.element.querySelector("form")?.remove();
    this.element.append(form);
    form.querySelector("input").focus();
  }

  async _say(good, reason = "", comment = "") {
    const error = await this.owner.rate(this.turn, good, reason, comment);
    this.drawn = "";
    this.update(false);
    this.said.textContent = error ?? (good === null ? "" : this.owner.words().thanks);
  }
}
