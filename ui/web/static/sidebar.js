// The side of the page: a new chat, the views, and the conversations stored in this browser. A drawer on narrow pages.

import { Conversations } from "./conversations.js";
import { make } from "./dom.js";
import { icon } from "./icons.js";

const NARROW = matchMedia("(max-width: 900px)");
const THEME = "torchnotes-theme"; // key in localStorage: "dark" or "light"

export class Sidebar {
  constructor(chat) {
    this.chat = chat;
    this.view = "chat";
    this.place = document.querySelector(".tn-side");
    this.opener = this._button("menu", "tn-open-side", () => this.open());
    this.short = this._button("plus", "tn-new-short", () => this._new());
    this.closer = this._button("close", "tn-close-side", () => this.close({ focus: true }));
    this.fresh = make("button", { type: "button", id: "tn-new", onclick: () => this._new() });
    this.nav = make("nav", { class: "tn-nav" });
    this.conversations = new Conversations(chat, this);
    this.theme = make("button", { type: "button", class: "tn-theme", onclick: () => this._theme() });
    this.tongue = make("button", { type: "button", class: "tn-theme tn-tongue", onclick: () => this._speak() });
    const foot = make("div", { class: "tn-foot-acts" }, this.theme, this.tongue);
    const brand = this.place.querySelector(".tn-brand");
    this.drawer = make("div", { class: "tn-drawer" }, this.closer, this.fresh, this.nav, this.conversations.element, foot);
    this.place.append(this.drawer);
    brand.prepend(this.opener);
    brand.append(this.short);
    this.skip = this.place.querySelector(".tn-skip");
    this.skip.addEventListener("click", (event) => (event.preventDefault(), this.go("chat"), chat.composer.focus()));
    const chosen = localStorage.getItem(THEME);
    if (chosen && !location.search.includes("__theme")) document.body.classList.toggle("dark", chosen === "dark");
  }

  get opened() {
    return this.place.classList.contains("tn-opened");
  }

  open() {
    this.place.classList.add("tn-opened");
    this.opener.setAttribute("aria-expanded", "true");
    this.fresh.focus();
  }

  close({ focus = false } = {}) {
    this.place.classList.remove("tn-opened");
    this.opener.setAttribute("aria-expanded", "false");
    if (focus) this.opener.focus();
  }

  /** Go to a view. */
  go(view) {
    this.close();
    if (this.view === view) return;
    this.view = view;
    document.getElementById(`tn-tab-${view}-button`)?.click();
    this._mark();
  }

  /** Go to the search over conversations. */
  search() {
    if (NARROW.matches) this.open();
    this.conversations.query.focus();
    this.conversations.query.select();
  }

  draw() {
    this.conversations.draw();
  }

  translate() {
    const words = this.chat.words();
    for (const [button, name] of [[this.opener, words.menu], [this.short, words.newChat], [this.closer, words.close]]) {
      button.setAttribute("aria-label", name);
      button.title = name;
    }
    this.opener.setAttribute("aria-expanded", String(this.opened));
    this.skip.textContent = words.skip;
    this.fresh.replaceChildren(icon("plus"), make("span", {}, words.newChat));
    this.nav.setAttribute("aria-label", words.viewsName);
    this.nav.replaceChildren(
      ...Object.entries(words.views).map(([id, name]) =>
        make("button", { type: "button", "data-view": id, onclick: () => this.go(id) }, icon(id), make("span", {}, name)),
      ),
    );
    this._mark();
    this._tellTheme();
    this.tongue.textContent = this.chat.language() === "zh" ? "English" : "中文";
    this.tongue.lang = this.chat.language() === "zh" ? "en" : "zh";
    this.conversations.translate();
  }

  _button(name, kind, act) {
    return make("button", { type: "button", class: `tn-icon-button ${kind}`, onclick: act }, icon(name));
  }

  _new() {
    this.go("chat");
    this.close();
    this.chat.begin();
  }

  _mark() {
    for (const button of this.nav.children) {
      if (button.dataset.view === this.view) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
  }

  /** Choose the other language, in the composer, which has the choice. */
  _speak() {
    const place = this.chat.language() === "zh" ? 2 : 1;
    document.querySelectorAll("#tn-language input")[place].click();
  }

  _theme() {
    const dark = document.body.classList.toggle("dark");
    localStorage.setItem(THEME, dark ? "dark" : "light");
    this._tellTheme();
  }

  _tellTheme() {
    const words = this.chat.words();
    const dark = document.body.classList.contains("dark");
    this.theme.replaceChildren(icon("moon"), make("span", {}, dark ? words.light : words.dark));
  }
}
