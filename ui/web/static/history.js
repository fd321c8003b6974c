// The menu of conversations stored in this browser.

import { download, make } from "./dom.js";
import { markdownOf } from "./turn.js";

export class History {
  constructor(chat) {
    this.chat = chat;
    this.button = make("summary", { class: "tn-act" });
    this.list = make("div", { class: "tn-menu" });
    this.element = make("details", { class: "tn-history" }, this.button, this.list);
    this.element.addEventListener("toggle", () => this.element.open && this.draw());
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close({ focus: true });
    });
    document.addEventListener("click", (event) => {
      // The clicked element may already have been removed, so the path is checked.
      if (event.isTrusted && !event.composedPath().includes(this.element)) this.close();
    });
    this.translate();
  }

  translate() {
    this.button.textContent = this.chat.words().history;
  }

  close({ focus = false } = {}) {
    this.element.open = false;
    if (focus) this.button.focus();
  }

  async draw() {
    const words = this.chat.words();
    const kept = await this.chat.store.list();
    if (!kept.length) {
      this.list.replaceChildren(make("p", { class: "tn-quiet" }, words.noHistory));
      return;
    }
    const rows = kept.map((conversation) => make("li", {}, ...this._row(conversation, words)));
    const all = make("button", { type: "button", class: "tn-act", onclick: () => this._forget() }, words.deleteAll);
    this.list.replaceChildren(make("ul", {}, ...rows), all);
  }

  _row(conversation, words) {
    const when = new Date(conversation.updated).toLocaleString(this.chat.bridge.props.lang);
    const open = make(
      "button",
      { type: "button", class: "tn-open-chat", onclick: () => (this.chat.open(conversation), this.close({ focus: true })) },
      make("span", {}, conversation.title),
      make("small", { class: "tn-quiet" }, when),
    );
    const act = (name, sign, done) =>
      make("button", { type: "button", class: "tn-act", "aria-label": `${name}: ${conversation.title}`, title: name, onclick: done }, sign);
    return [
      open,
      act(words.export, "⤓", () => download(`${conversation.id}.md`, this.markdown(conversation))),
      act(words.delete, "×", () => this._delete(conversation)),
    ];
  }

  async _delete(conversation) {
    if (conversation.id === this.chat.conversation.id) this.chat.begin();
    await this.chat.store.remove(conversation.id);
    await this.draw();
  }

  async _forget() {
    this.chat.begin();
    await this.chat.store.clear();
    await this.draw();
  }

  /** Format a conversation with its sources as Markdown. */
  markdown(conversation) {
    const { you } = this.chat.words();
    const told = conversation.turns.map((turn) => {
      const asked = turn.question.split("\n").map((line) => `> ${line}`).join("\n");
      return `**${you}**\n\n${asked}\n\n${markdownOf(turn)}`;
    });
    return `# ${conversation.title}\n\n${told.join("\n\n---\n\n")}\n`;
  }
}
