// The conversations stored in this browser: opened, searched, named, pinned, exported and deleted.

import { download, fill, make } from "./dom.js";
import { icon } from "./icons.js";
import { agreed, offerUndo } from "./notices.js";
import { markdownOf } from "./sharing.js";
import { path } from "./tree.js";

const DAY = 24 * 60 * 60 * 1000;

export class Conversations {
  constructor(chat, sidebar) {
    this.chat = chat;
    this.sidebar = sidebar;
    this.query = make("input", { type: "search", class: "tn-search", maxlength: "200", oninput: () => this.draw() });
    this.list = make("div", { class: "tn-list" });
    this.all = make("button", { type: "button", class: "tn-act tn-delete-all", onclick: () => this._clear() });
    this.element = make("section", { class: "tn-conversations" }, this.query, this.list, this.all);
  }

  translate() {
    const words = this.chat.words();
    this.element.setAttribute("aria-label", words.history);
    this.query.placeholder = words.search;
    this.query.setAttribute("aria-label", words.search);
    this.all.textContent = words.deleteAll;
    this.draw();
  }

  async draw() {
    const words = this.chat.words();
    const drawing = (this.drawing = Symbol());
    const kept = await this.chat.store.list();
    if (drawing !== this.drawing || this.list.querySelector("form")) return; // a newer one, or one that is being named
    const found = kept.filter((each) => matches(each, this.query.value));
    this.all.hidden = !kept.length;
    if (!found.length) {
      this.list.replaceChildren(make("p", { class: "tn-quiet" }, kept.length ? words.noneFound : words.noHistory));
      return;
    }
    const recent = Date.now() - DAY;
    const groups = [
      [words.pinned, found.filter((each) => each.pinned)],
      [words.today, found.filter((each) => !each.pinned && each.updated >= recent)],
      [words.earlier, found.filter((each) => !each.pinned && each.updated < recent)],
    ];
    const focused = document.activeElement?.closest(".tn-list") && document.activeElement.getAttribute("aria-label");
    this.list.replaceChildren(
      ...groups.filter(([, rows]) => rows.length).flatMap(([name, rows]) => [
        make("h2", {}, name),
        make("ul", {}, ...rows.map((each) => this._row(each, words))),
      ]),
    );
    if (focused) this.list.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
  }

  _row(conversation, words) {
    const { title } = conversation;
    const opened = conversation.id === this.chat.conversation.id;
    const open = make(
      "button",
      { type: "button", class: "tn-open-chat", title, "aria-current": opened && "true", onclick: () => this._open(conversation) },
      title,
    );
    const act = (name, drawn, done) =>
      make("button", { type: "button", class: "tn-icon-button", "aria-label": `${name}: ${title}`, title: name, onclick: done }, icon(drawn));
    const row = make(
      "li",
      { class: conversation.pinned && "tn-pinned" },
      open,
      make(
        "span",
        { class: "tn-row-acts" },
        act(conversation.pinned ? words.unpin : words.pin, "pin", () => this._label(conversation, { pinned: !conversation.pinned })),
        act(words.rename, "edit", () => this._rename(conversation, row, words)),
        act(words.export, "download", () => download(`${conversation.id}.md`, this.markdown(conversation))),
        act(words.delete, "bin", () => this._delete([conversation], fill(words.deleted, { title }))),
      ),
    );
    return row;
  }

  _open(conversation) {
    this.sidebar.go("chat");
    this.sidebar.close();
    if (conversation.id !== this.chat.conversation.id) this.chat.open(conversation);
  }

  async _label(conversation, label) {
    if (conversation.id === this.chat.conversation.id) Object.assign(this.chat.conversation, label);
    await this.chat.store.label(conversation.id, label);
    await this.draw();
  }

  _rename(conversation, row, words) {
    const box = make("input", { type: "text", maxlength: "80", "aria-label": words.rename });
    box.value = conversation.title;
    let ended = false; // removing the form takes the focus from the box, which ends it once more
    const end = (title) => {
      if (ended) return;
      ended = true;
      form.remove();
      if (title && title !== conversation.title) this._label(conversation, { title });
      else this.draw();
    };
    const form = make("form", { onsubmit: (event) => (event.preventDefault(), end(box.value.trim())) }, box);
    box.addEventListener("keydown", (event) => event.key === "Escape" && (event.stopPropagation(), end("")));
    box.addEventListener("blur", () => end(box.value.trim()));
    row.replaceChildren(form);
    box.select();
    box.focus();
  }

  async _clear() {
    const words = this.chat.words();
    const kept = await this.chat.store.list();
    const question = fill(words.deleteAllAsk, { count: kept.length });
    if (await agreed(question, words.deleteAll, words.cancel)) await this._delete(kept, fill(words.deletedAll, { count: kept.length }));
  }

  /** Delete conversations; a notice offers to bring them back. */
  async _delete(gone, line) {
    const shown = gone.find((each) => each.id === this.chat.conversation.id);
    if (shown) this.chat.begin();
    for (const each of gone) await this.chat.store.remove(each.id);
    await this.draw();
    this.query.focus();
    offerUndo(line, this.chat.words(), async () => {
      for (const each of gone) await this.chat.store.put(each);
      if (shown && !this.chat.conversation.turns.length) this.chat.open(shown);
      await this.draw();
    });
  }

  /** Format a conversation with its sources as Markdown. */
  markdown(conversation) {
    const { you } = this.chat.words();
    const told = path(conversation).map((turn) => {
      const asked = turn.question.split("\n").map((line) => `> ${line}`).join("\n");
      return `**${you}**\n\n${asked}\n\n${markdownOf(turn)}`;
    });
    return `# ${conversation.title}\n\n${told.join("\n\n---\n\n")}\n`;
  }
}

function matches(conversation, query) {
  const told = [conversation.title, ...conversation.turns.flatMap((turn) => [turn.question, turn.markdown])].join("\n").toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => told.includes(word));
}
