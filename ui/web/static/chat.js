// The chat: the browser keeps the conversation, sends one question at a time, and renders the growing answer.

import { make } from "./dom.js";
import { History } from "./history.js";
import { beside, Panel } from "./panel.js";
import { Store } from "./store.js";
import { TurnView } from "./turn.js";

const BUSY = new Set(["waiting", "growing"]);
const BEAT = 2000; // milliseconds between health checks while the server answers
const LAST = "torchnotes-conversation"; // key in sessionStorage, so that a reload restores the conversation

class Chat {
  constructor(element, bridge) {
    this.bridge = bridge;
    this.store = new Store();
    this.views = new Map();
    this.words = () => bridge.props.words[bridge.props.lang] ?? bridge.props.words.en;
    this.panel = new Panel(this.words);
    this.history = new History(this);
    this.log = make("div", { class: "tn-log", role: "log", tabindex: "0" });
    element.querySelector(".tn-chat").replaceChildren(this.log, this.panel.element);
    document.querySelector(".tn-tools").append(this.history.element);
    bridge.watch("value", () => this.receive(bridge.props.value));
    bridge.watch("lang", () => this.translate());
    addEventListener("hashchange", () => this.follow());
    setInterval(() => this._watch(), BEAT);
    this.conversation = blank();
    this.draw();
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
    const turn = this.current;
    if (!turn) return;
    this.bridge.trigger("stop");
    this._end(turn, "stopped");
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
    this.panel.clear();
    this.draw();
  }

  // Called by turns.

  show(turn, number, options) {
    this.panel.show(turn, number, options);
  }

  glance(turn, number) {
    if (beside()) this.panel.show(turn, number);
  }

  /** Ask again; later turns, which depend on the answer, are removed. */
  retry(turn) {
    if (this.current) return;
    this._cut(turn);
    this.ask(turn.question);
  }

  /** Remove a turn and the later ones, and put its question into the input. */
  edit(turn) {
    if (this.current) return;
    this._cut(turn);
    this._save();
    type(turn.question);
  }

  /** Store a rating; returns an error message, or null. */
  async rate(turn, good, reason, comment) {
    const answer = { ...turn.record, good, reason, comment };
    const { error } = await this.bridge.server.rate(answer).catch(() => ({ error: this.words().offline }));
    if (error) return error;
    turn.rating = good === null ? null : { good, reason };
    this._save();
    return null;
  }

  /** Save a turn after a verdict, and show it in the panel. */
  checked(turn) {
    this._save();
    if (beside() && this.panel.turn?.id === turn.id) this.panel.follow(turn);
  }

  language() {
    return this.bridge.props.lang === "zh" ? "zh" : "en";
  }

  // Processing of a question.

  get current() {
    return this.conversation?.turns.find((turn) => BUSY.has(turn.state)) ?? null;
  }

  ask(question) {
    const { turns } = this.conversation;
    const history = turns.filter((turn) => turn.markdown).map((turn) => turn.question);
    const turn = { id: identifier(), question, state: "waiting", html: "", panel: "", markdown: "", record: {} };
    turns.push(turn);
    this.conversation.title ||= question.slice(0, 80);
    this._add(turn);
    this._busy();
    this.views.get(turn.id).element.scrollIntoView({ block: "start" });
    this._save();
    this.bridge.trigger("submit", { id: turn.id, question, history });
    this._watch();
  }

  receive(reply) {
    const turn = this.conversation.turns.find((each) => each.id === reply?.id);
    if (!turn || !BUSY.has(turn.state)) return; // stopped, or from another conversation
    Object.assign(turn, reply);
    this.views.get(turn.id).update();
    if (beside() && turn.panel) this.panel.follow(turn);
    if (!BUSY.has(turn.state)) this._end(turn, turn.state);
  }

  _end(turn, state) {
    turn.state = state;
    this.views.get(turn.id)?.update();
    this._busy();
    this._save();
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

  _cut(turn) {
    const place = this.conversation.turns.indexOf(turn);
    for (const gone of this.conversation.turns.splice(place)) {
      this.views.get(gone.id).element.remove();
      this.views.delete(gone.id);
    }
    if (!this.conversation.turns.length) this.draw();
  }

  _busy() {
    document.body.classList.toggle("tn-busy", this.current !== null);
  }

  async _save() {
    if (!this.conversation.turns.length) return;
    this.conversation.updated = Date.now();
    sessionStorage.setItem(LAST, this.conversation.id);
    await this.store.put(this.conversation);
  }

  // Rendering.

  async restore() {
    const last = sessionStorage.getItem(LAST);
    const found = last && (await this.store.get(last));
    if (found && !this.conversation.turns.length) this.open(found);
    this.follow({ only: "fill" });
  }

  /** Show a stored conversation. */
  open(conversation) {
    this.stop();
    for (const turn of conversation.turns) if (BUSY.has(turn.state)) turn.state = "lost";
    this.conversation = conversation;
    sessionStorage.setItem(LAST, conversation.id);
    this.panel.clear();
    this.draw();
    const shown = conversation.turns.findLast((turn) => turn.panel);
    if (shown) this.panel.follow(shown);
    this.log.lastElementChild?.scrollIntoView({ block: "start" });
  }

  translate() {
    this.log.setAttribute("aria-label", this.words().log);
    this.panel.translate();
    this.history.translate();
    if (!this.conversation.turns.length) this.draw();
    for (const view of this.views.values()) view.update();
  }

  draw() {
    this.views.clear();
    this.log.replaceChildren();
    this.log.setAttribute("aria-label", this.words().log);
    if (this.conversation.turns.length) this.conversation.turns.forEach((turn) => this._add(turn));
    else this.log.append(this._empty());
    this._busy();
  }

  _add(turn) {
    this.log.querySelector(".tn-empty")?.remove();
    const view = new TurnView(turn, this);
    this.views.set(turn.id, view);
    this.log.append(view.element);
  }

  _empty() {
    const words = this.words();
    const examples = words.examples.map((text) =>
      make("button", { type: "button", class: "tn-example", onclick: () => this.ask(text) }, text),
    );
    return make("div", { class: "tn-empty" }, make("p", {}, words.empty), make("div", {}, ...examples));
  }

  /** Handle "#ask=question": ask, or only fill the input when the page is opened with it. */
  follow({ only = "" } = {}) {
    const match = /^#ask=(.+)$/.exec(location.hash);
    if (!match) return;
    history.replaceState(null, "", location.pathname + location.search);
    const question = decode(match[1]);
    document.getElementById("tn-tab-chat-button")?.click();
    if (only === "fill" || this.current) type(question);
    else this.ask(question);
  }
}

function blank() {
  return { id: identifier(), title: "", updated: 0, turns: [] };
}

function identifier() {
  return `${Date.now().toString(36)}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
}

function decode(text) {
  try {
    return decodeURIComponent(text).slice(0, 4000);
  } catch {
    return ""; // an invalid percent-encoding
  }
}

/** Set the text of the input as if it were typed. */
function type(text) {
  const box = document.querySelector("#tn-question textarea, #tn-question input");
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  box.focus();
}

export function connect(element, bridge) {
  window.torchnotes = new Chat(element, bridge);
}
