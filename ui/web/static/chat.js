// The chat: the browser keeps the conversation, sends one question at a time, and renders the growing answer.

import { Composer } from "./composer.js";
import { make, present } from "./dom.js";
import { listen } from "./keys.js";
import { readLink } from "./sharing.js";
import { beside, Panel } from "./panel.js";
import { Sidebar } from "./sidebar.js";
import { Store } from "./store.js";
import { absorb, blank, choose, identifier, path, versions } from "./tree.js";
import { TurnView } from "./turn.js";
import { welcome } from "./welcome.js";

const BUSY = new Set(["waiting", "growing"]);
const BEAT = 2000; // milliseconds between health checks while the server answers
const FOLLOWS = 1000; // milliseconds from a click to the change of the address that it makes
const LAST = "torchnotes-conversation"; // key in sessionStorage, so that a reload restores the conversation

class Chat {
  constructor(element, bridge) {
    this.bridge = bridge;
    this.store = new Store((id) => this.heard(id));
    this.views = new Map();
    this.current = null; // the turn that this page is asking
    this.clicked = -Infinity; // when the reader clicked last
    this.words = () => bridge.props.words[bridge.props.lang] ?? bridge.props.words.en;
    this.panel = new Panel(this.words);
    this.sidebar = new Sidebar(this);
    this.composer = new Composer(this);
    this.log = make("div", { class: "tn-log", role: "log", tabindex: "0" });
    this.place = element.querySelector(".tn-chat");
    this.place.replaceChildren(this.log, this.panel.element);
    bridge.watch("value", () => this.receive(bridge.props.value));
    bridge.watch("lang", () => this.translate());
    addEventListener("hashchange", () => this.follow({ asks: performance.now() - this.clicked < FOLLOWS }));
    document.addEventListener("click", (event) => event.isTrusted && (this.clicked = performance.now()), { capture: true });
    listen(this);
    setInterval(() => this._watch(), BEAT);
    this.conversation = blank();
    this.translate();
    this.restore();
  }

  // Called by the components of the page.

  /** Ask the typed question; returns the new content of the input. */
  take(text) {
    if (!text.trim()) return text;
    if (this.current) return text; // one question at a time; the input is kept
    this.ask(text.trim());
    return "";
  }

  /** Stop the answer in progress. */
  stop() {
    if (!this.current) return;
    this.bridge.trigger("stop");
    this._end(this.current, "stopped");
  }

  /** Mark the answer in progress as lost. */
  lost() {
    if (this.current) this._end(this.current, "lost");
  }

  /** Start a new conversation. */
  begin() {
    this.stop();
    this.conversation = blank();
    sessionStorage.removeItem(LAST);
    this._reset();
    this.composer.focus();
  }

  // Called by turns.

  show(turn, number, options) {
    this.panel.show(turn, number, options);
  }

  glance(turn, number) {
    if (beside()) this.panel.show(turn, number);
  }

  /** Ask once more, as a new version of the turn; the turns that followed stay with the older one. */
  again(turn, question) {
    if (!this.current) this.ask(question, turn.parent);
  }

  versions(turn) {
    return versions(this.conversation, turn);
  }

  /** Show another version of a turn. */
  choose(turn) {
    if (this.current) return;
    choose(this.conversation, turn);
    this.draw();
    this._save();
    this.views.get(turn.id).focusVersions();
  }

  /** Store a rating; returns an error message, or null. */
  async rate(turn, good, reason, comment) {
    const answer = { ...turn.record, good, reason, comment };
    const { error } = await this.bridge.server.rate(answer).catch(() => ({ error: this.words().offline }));
    if (error) return error;
    turn.rating = good === null ? null : { good, reason };
    this._save(turn);
    return null;
  }

  /** Save a turn after a verdict, and show it in the panel. */
  checked(turn) {
    this._save(turn);
    if (beside() && this.panel.turn?.id === turn.id) this.panel.follow(turn);
  }

  language() {
    return this.bridge.props.lang === "zh" ? "zh" : "en";
  }

  // Processing of a question.

  ask(question, parent = path(this.conversation).at(-1)?.id ?? "") {
    const { conversation } = this;
    const shown = path(conversation);
    const before = shown.slice(0, shown.findIndex((turn) => turn.id === parent) + 1);
    const history = before.filter((turn) => turn.markdown).map((turn) => turn.question);
    const releases = this.composer.releases.chosen;
    const turn = { id: identifier(), parent, question, releases, state: "waiting", html: "", panel: "", markdown: "", record: {} };
    conversation.turns.push(turn);
    choose(conversation, turn);
    conversation.title ||= question.slice(0, 80);
    this.current = turn;
    this.sidebar.go("chat");
    this.draw();
    this.panel.await();
    this.views.get(turn.id).element.scrollIntoView({ block: "start" });
    this._save(turn);
    this.bridge.trigger("submit", { id: turn.id, question, history, releases, machine: this.composer.environment.facts });
    this._watch();
  }

  receive(reply) {
    const turn = this.current;
    if (!turn || turn.id !== reply?.id) return; // stopped, or from another conversation
    Object.assign(turn, reply);
    this.views.get(turn.id).update();
    if (turn.panel) this._follow(turn);
    if (!BUSY.has(turn.state)) this._end(turn, turn.state);
  }

  _end(turn, state) {
    turn.state = state;
    this.current = null;
    this.draw();
    this._follow(turn);
    this._save(turn);
  }

  /** Mark the answer as lost if the server is unreachable or has been restarted. */
  async _watch() {
    const turn = this.current;
    if (!turn) return;
    const started = await fetch("healthz")
      .then((reply) => reply.json())
      .then((state) => state.started)
      .catch(() => "");
    turn.server ??= started;
    if ((!started || started !== turn.server) && turn === this.current) this._end(turn, "lost");
  }

  async _save(turn) {
    const { conversation } = this;
    if (!conversation.turns.length) return;
    conversation.updated = Date.now();
    if (turn) turn.changed = conversation.updated;
    sessionStorage.setItem(LAST, conversation.id);
    const stored = await this.store.put(conversation);
    if (stored && conversation === this.conversation && absorb(conversation, stored)) this.draw();
    this.sidebar.draw();
  }

  /** Another page has changed a conversation. */
  async heard(id) {
    this.sidebar.draw();
    const { conversation } = this;
    if (id !== conversation.id) return;
    const stored = await this.store.get(id);
    if (stored && absorb(conversation, stored) && conversation === this.conversation) this.draw();
  }

  // Rendering.

  async restore() {
    const last = sessionStorage.getItem(LAST);
    const found = last && (await this.store.get(last));
    if (found && !this.conversation.turns.length) this.open(found);
    this.follow();
  }

  /** Show a stored conversation. */
  open(conversation) {
    this.stop();
    for (const turn of conversation.turns) if (BUSY.has(turn.state)) turn.state = "lost";
    this.conversation = conversation;
    sessionStorage.setItem(LAST, conversation.id);
    this._reset();
    const shown = path(conversation).findLast((turn) => turn.panel);
    if (shown) this._follow(shown);
    this.log.lastElementChild?.scrollIntoView({ block: "start" });
  }

  translate() {
    this.log.setAttribute("aria-label", this.words().log);
    this.panel.translate();
    this.composer.translate();
    this.sidebar.translate();
    for (const view of this.views.values()) view.update();
    if (!this.conversation.turns.length) this._reset();
  }

  _reset() {
    this.views.clear();
    this.log.replaceChildren();
    this.panel.clear();
    this.draw();
    this.sidebar.draw();
  }

  /** Show the turns of the chosen versions; those that are there already stay as they are. */
  draw() {
    const turns = path(this.conversation);
    document.body.classList.toggle("tn-busy", this.current !== null);
    this.place.classList.toggle("tn-talking", turns.length > 0);
    if (!turns.length) {
      this.log.replaceChildren(welcome(this));
      return;
    }
    this.views = new Map(turns.map((turn) => [turn.id, this.views.get(turn.id) ?? new TurnView(turn, this)]));
    const elements = [...this.views.values()].map((view) => view.element);
    const same = elements.findIndex((element, place) => this.log.children[place] !== element);
    const from = same < 0 ? elements.length : same;
    for (const gone of [...this.log.children].slice(from)) gone.remove();
    this.log.append(...elements.slice(from));
    for (const view of this.views.values()) view.update();
    if (this.panel.turn && !this.views.has(this.panel.turn.id)) this.panel.clear();
  }

  /** Show the sources of a turn, next to the chat only: on narrow pages they open on request. */
  _follow(turn) {
    if (beside() && this.views.has(turn.id)) this.panel.follow(turn);
  }

  /** Handle "#ask=question": ask after a click in this page, else fill the input, as whoever opened it can set its address. */
  follow({ asks = false } = {}) {
    const link = readLink(location.hash);
    if (!link) return;
    history.replaceState(null, "", location.pathname + location.search);
    this.sidebar.go("chat");
    this.composer.releases.choose(link.releases);
    if (asks && !this.current) this.ask(link.question);
    else this.composer.type(link.question);
  }
}

/** Begin as soon as the components around the chat are there: gradio makes them in an order of its own. */
export async function connect(element, bridge) {
  await present(".tn-side", ".tn-tools #tn-send", ".tn-tools #tn-stop", "#tn-question textarea");
  window.torchnotes = new Chat(element, bridge);
}
