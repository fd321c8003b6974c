// A question with its answer, and the versions of both.

import { Actions } from "./actions.js";
import { Checks } from "./check.js";
import { addCopying } from "./code.js";
import { fill, fillSafely, make, name, skeleton } from "./dom.js";
import { icon } from "./icons.js";

export const BUSY = new Set(["waiting", "growing"]);

export class TurnView {
  /**
   * @param turn has id, parent, question, state, html, panel, markdown, record, rating, suggestions, checks, verdicts
   * @param owner provides words(), language(), show(turn, number, options), again(turn, question), versions(turn),
   *     choose(turn), checked(turn), ask(question), rate(turn, good, reason, comment)
   */
  constructor(turn, owner) {
    this.turn = turn;
    this.owner = owner;
    this.asked = make("div", { class: "tn-asked" });
    this.question = make("div", { class: "tn-plain" }, turn.question);
    this.edit = make("button", { type: "button", class: "tn-icon-button tn-edit", onclick: () => this._edit() }, icon("edit"));
    this.versions = make("div", { class: "tn-versions", role: "group" });
    this.reply = make("div", { class: "tn-reply" });
    this.next = make("div", { class: "tn-next" });
    this.actions = new Actions(turn, owner);
    this.checks = new Checks(turn, {
      words: owner.words,
      language: () => owner.language(),
      kept: () => owner.checked(turn),
    });
    this.asked.append(this.question, this.edit);
    this.element = make(
      "article",
      { class: "tn-turn", "data-turn": turn.id },
      this.asked,
      this.versions,
      this.reply,
      this.checks.element,
      this.actions.element,
      this.next,
    );
    this.element.addEventListener("click", (event) => this._pick(event));
    this.element.addEventListener("pointerover", (event) => this._hover(event));
    this.element.addEventListener("pointerout", () => clearTimeout(this.resting));
    this.update();
  }

  /** Render the current state of the turn. */
  update() {
    const { turn } = this;
    const words = this.owner.words();
    const busy = BUSY.has(turn.state);
    if (this.drawn !== turn.state + turn.html) this._draw(turn.html, busy);
    for (const mark of this.reply.querySelectorAll("a.tn-cite")) {
      mark.setAttribute("aria-label", fill(words.source, { number: mark.dataset.source }));
    }
    for (const button of this.reply.querySelectorAll(".tn-copy-code")) name(button, words.copyCode);
    this.element.setAttribute("aria-busy", String(busy));
    this.element.setAttribute("aria-label", turn.question.slice(0, 80));
    name(this.edit, words.edit);
    this.edit.hidden = busy;
    this._tellVersions(words, busy);
    this.checks.update();
    this.actions.update(busy);
    const suggestions = busy ? [] : (turn.suggestions ?? []);
    this.next.setAttribute("aria-label", words.next);
    this.next.setAttribute("role", "group");
    this.next.replaceChildren(
      ...suggestions.map((text) => make("button", { type: "button", class: "tn-suggestion", onclick: () => this.owner.ask(text) }, text)),
    );
  }

  focusVersions() {
    this.versions.querySelector("button:not([disabled])")?.focus();
  }

  _draw(html, busy) {
    const open = [...this.reply.querySelectorAll("details")].map((details) => details.open);
    fillSafely(this.reply, html);
    if (this.turn.state === "waiting") this.reply.append(skeleton());
    this.drawn = this.turn.state + html;
    this.reply.querySelectorAll("details").forEach((details, place) => (details.open = open[place] ?? false));
    if (!busy) addCopying(this.reply, () => this.owner.words());
  }

  /** Show which of several versions this is, with arrows to the others. */
  _tellVersions(words, busy) {
    const all = this.owner.versions(this.turn);
    const place = all.indexOf(this.turn);
    this.versions.hidden = all.length < 2;
    if (all.length < 2) return this.versions.replaceChildren();
    const arrow = (drawn, said, to) => {
      const options = { type: "button", class: "tn-icon-button", disabled: busy || !all[to], onclick: () => this.owner.choose(all[to]) };
      return name(make("button", options, icon(drawn)), said);
    };
    const told = make("span", {}, `${place + 1}/${all.length}`);
    this.versions.setAttribute("aria-label", words.versions);
    this.versions.replaceChildren(arrow("previous", words.previousVersion, place - 1), told, arrow("next", words.nextVersion, place + 1));
  }

  /** Edit the question in its place; sending it adds a version, and nothing is changed before. */
  _edit() {
    const words = this.owner.words();
    const box = make("textarea", { rows: "2", maxlength: "4000", "aria-label": words.edit });
    box.value = this.turn.question;
    const back = () => {
      this.asked.replaceChildren(this.question, this.edit);
      this.edit.focus();
    };
    const send = () => {
      const question = box.value.trim();
      if (!question || this.owner.current) return;
      this.asked.replaceChildren(this.question, this.edit);
      this.owner.again(this.turn, question);
    };
    const form = make(
      "form",
      { class: "tn-edit-form", onsubmit: (event) => (event.preventDefault(), send()) },
      box,
      make("p", { class: "tn-quiet" }, words.editHint),
      make("button", { type: "submit", class: "tn-act tn-main-act" }, words.send),
      make("button", { type: "button", class: "tn-act", onclick: back }, words.cancel),
    );
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        back();
      } else if (event.target === box && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        send();
      }
    });
    this.asked.replaceChildren(form);
    box.focus();
  }

  /** Show the passage of a clicked mark or source; Enter triggers a click as well. */
  _pick(event) {
    const chosen = event.target.closest("[data-source]");
    if (!chosen) return;
    event.preventDefault();
    this.owner.show(this.turn, chosen.dataset.source, { opener: chosen, focus: true });
  }

  /** Show the passage of a mark after a short hover. */
  _hover(event) {
    clearTimeout(this.resting);
    const mark = event.pointerType === "mouse" && event.target.closest("a.tn-cite");
    if (mark) this.resting = setTimeout(() => this.owner.glance(this.turn, mark.dataset.source), 150);
  }
}
