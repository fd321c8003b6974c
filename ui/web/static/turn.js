// A question with its answer and the actions on them.

import { Checks } from "./check.js";
import { copy, fillSafely, make } from "./dom.js";

const WHOLE = new Set(["answered", "declined"]);
const THUMB_UP = "M2 10h4v11H2zM22 11c0-1.1-.9-2-2-2h-6.3l1-4.6v-.3c0-.4-.2-.8-.4-1.1L13.200 2 6.600 8.600C6.200 9 6 9.500 6 10v9c0 1.100.900 2 2 2h9c.800 0 1.500-.500 1.800-1.200l3-7.100c.1-.2.2-.5.2-.7z";

export class TurnView {
  /**
   * @param turn has id, question, state, html, panel, markdown, record, rating, checks, verdicts
   * @param owner provides words(), language(), show(turn, number, options), retry(turn), edit(turn), checked(turn),
   *     rate(turn, good, reason, comment)
   */
  constructor(turn, owner) {
    this.turn = turn;
    this.owner = owner;
    this.question = make("div", { class: "tn-plain" }, turn.question);
    this.edit = make("button", { type: "button", class: "tn-act tn-edit", onclick: () => owner.edit(turn) }, "✎");
    this.reply = make("div", { class: "tn-reply" });
    this.tools = make("div", { class: "tn-actions" });
    this.checks = new Checks(turn, {
      words: owner.words,
      language: () => owner.language(),
      kept: () => owner.checked(turn),
    });
    this.element = make(
      "article",
      { class: "tn-turn", "data-turn": turn.id },
      make("div", { class: "tn-asked" }, this.question, this.edit),
      this.reply,
      this.checks.element,
      this.tools,
    );
    this.element.addEventListener("click", (event) => this._pick(event, true));
    this.element.addEventListener("pointerover", (event) => this._hover(event));
    this.element.addEventListener("pointerout", () => clearTimeout(this.resting));
    this.update();
  }

  /** Render the current state of the turn. */
  update() {
    const { turn } = this;
    const words = this.owner.words();
    const open = [...this.reply.querySelectorAll("details")].map((details) => details.open);
    if (this.drawn !== turn.html) {
      fillSafely(this.reply, turn.html);
      this.drawn = turn.html;
      this.reply.querySelectorAll("details").forEach((details, place) => (details.open = open[place] ?? false));
      for (const mark of this.reply.querySelectorAll("a.tn-cite")) {
        mark.setAttribute("aria-label", words.source.replace("{number}", mark.dataset.source));
      }
    }
    const busy = turn.state === "waiting" || turn.state === "growing";
    this.element.setAttribute("aria-busy", String(busy));
    this.element.setAttribute("aria-label", turn.question.slice(0, 80));
    this.edit.setAttribute("aria-label", words.edit);
    this.edit.title = words.edit;
    this.edit.hidden = busy;
    this.checks.update();
    this.tools.replaceChildren(...(busy ? [] : this._tools(words)));
  }

  _tools(words) {
    const { turn, owner } = this;
    const retry = this._button(words.retry, () => owner.retry(turn));
    if (turn.state === "stopped" || turn.state === "lost") {
      const line = { stopped: words.stopped, lost: words.offline }[turn.state];
      return [make("span", { class: "tn-quiet", role: "status" }, line), retry];
    }
    if (!WHOLE.has(turn.state)) return [retry];
    const copying = this._button(words.copy, async () => {
      await copy(markdownOf(turn));
      copying.textContent = words.copied;
      setTimeout(() => (copying.textContent = words.copy), 2000);
    });
    const thumbs = [this._thumb(true, words.good), this._thumb(false, words.bad)];
    this.said = make("span", { class: "tn-quiet", role: "status" });
    return [copying, retry, ...thumbs, this.said];
  }

  _button(name, act) {
    return make("button", { type: "button", class: "tn-act", onclick: act }, name);
  }

  _thumb(good, name) {
    const pressed = this.turn.rating?.good === good;
    const button = make("button", {
      type: "button",
      class: "tn-act tn-thumb",
      "aria-label": name,
      title: name,
      "aria-pressed": String(pressed),
      onclick: () => (pressed ? this._say(null) : good ? this._say(true) : this._ask()),
    });
    button.innerHTML = `<svg viewBox="0 0 24 24" width="15" height="15" aria-hidden="true" ${good ? "" : 'transform="rotate(180)"'}><path fill="currentColor" d="${THUMB_UP}"/></svg>`;
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
      make("button", { type: "submit", class: "tn-act" }, words.submit),
    );
    this.tools.querySelector("form")?.remove();
    this.tools.append(form);
    form.querySelector("input").focus();
  }

  async _say(good, reason = "", comment = "") {
    const error = await this.owner.rate(this.turn, good, reason, comment);
    this.update();
    this.said.textContent = error ?? (good === null ? "" : this.owner.words().thanks);
  }

  /** Show the passage of a clicked mark or source; Enter triggers a click as well. */
  _pick(event, focus) {
    const chosen = event.target.closest("[data-source]");
    if (!chosen) return;
    event.preventDefault();
    this.owner.show(this.turn, chosen.dataset.source, { opener: chosen, focus });
  }

  /** Show the passage of a mark after a short hover. */
  _hover(event) {
    clearTimeout(this.resting);
    const mark = event.pointerType === "mouse" && event.target.closest("a.tn-cite");
    if (mark) this.resting = setTimeout(() => this.owner.glance(this.turn, mark.dataset.source), 150);
  }
}

/** Format an answer with its sources and verdicts as Markdown. */
export function markdownOf(turn) {
  return [turn.markdown, ...Object.values(turn.verdicts ?? {}).map((verdict) => verdict.markdown)].join("\n\n");
}
