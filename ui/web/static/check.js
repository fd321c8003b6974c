// Checks below an answer: offered, shown with the program, run after consent, and replaced by the verdict.

import { fill, fillSafely, make } from "./dom.js";

export class Checks {
  /**
   * @param turn answered turn: checks has the offered ones, verdicts the results by id
   * @param owner provides words(), language(), and kept(), called after a verdict
   */
  constructor(turn, owner) {
    this.turn = turn;
    this.owner = owner;
    this.rows = new Map();
    this.told = make("summary", {});
    this.body = make("div", { class: "tn-checks-body" });
    this.element = make("details", { class: "tn-checks" }, this.told, this.body);
  }

  /** Render the offered checks without interrupting a run. */
  update() {
    const { turn } = this;
    const offered = turn.checks ?? [];
    for (const check of offered) {
      if (!this.rows.has(check.id)) this.rows.set(check.id, new CheckRow(check, this));
    }
    const rows = offered.map((check) => this.rows.get(check.id));
    rows.forEach((row) => row.update());
    const asking = turn.propose && !offered.length ? [this._proposal()] : [];
    this.element.hidden = !offered.length && !asking.length;
    const words = this.owner.words().checks;
    const run = Object.keys(turn.verdicts ?? {}).length;
    this.told.hidden = !offered.length; // a button by itself needs no line that opens
    if (asking.length) this.element.open = true;
    this.told.textContent = fill(run ? words.summaryRun : words.summary, { count: offered.length, run });
    const drawn = offered.map((check) => check.id).join(" ");
    if (this.drawn === drawn && !asking.length) return; // unchanged elements keep the focus
    this.drawn = drawn;
    this.body.replaceChildren(...rows.map((row) => row.element), ...asking);
  }

  _proposal() {
    const words = this.owner.words().checks;
    const said = make("span", { class: "tn-quiet", role: "status" });
    const ask = async () => {
      button.disabled = true;
      const headers = { "content-type": "application/json" };
      const question = { method: "POST", headers, body: JSON.stringify(this.turn.propose) };
      const { checks, error } = await send(`checks?language=${this.owner.language()}`, question, words);
      button.disabled = false;
      if (checks?.length) {
        this.turn.checks = checks;
        this.owner.kept();
        this.update();
      } else said.textContent = error ?? words.none;
    };
    const button = make("button", { type: "button", class: "tn-act", onclick: ask }, words.propose);
    return make("div", { class: "tn-check" }, button, said);
  }
}

class CheckRow {
  constructor(check, checks) {
    this.check = check;
    this.checks = checks;
    this.open = make("button", { type: "button", class: "tn-act tn-offer", onclick: () => this.show() });
    this.claim = make("span", { class: "tn-check-claim" }, check.claim);
    this.cost = make("span", { class: "tn-quiet" }, check.cost);
    const [first] = check.numbers;
    const told = check.numbers.length > 1 ? `${first}–${check.numbers.at(-1)}` : String(first);
    this.source = first ? make("button", { type: "button", class: "tn-number", "data-source": first }, told) : null;
    this.place = make("div", { class: "tn-check-place" });
    this.element = make(
      "section",
      { class: "tn-check", "data-check": check.id },
      make("div", { class: "tn-check-row" }, this.open, ...(this.source ? [this.source] : []), this.claim, this.cost),
      this.place,
    );
  }

  get words() {
    return this.checks.owner.words().checks;
  }

  update() {
    const verdict = this.checks.turn.verdicts?.[this.check.id];
    const { source } = this.checks.owner.words();
    this.source?.setAttribute("aria-label", fill(source, { number: this.source.textContent }));
    this.open.textContent = verdict ? this.words.again : this.words.offer;
    if (verdict && !this.busy) this.place.replaceChildren(drawn(verdict.html));
  }

  /** Show the program and its requirements. */
  async show() {
    if (this.busy) return;
    this.busy = true;
    this.place.replaceChildren(make("p", { class: "tn-quiet", role: "status" }, this.words.looking));
    const shown = await send(this._address(), {}, this.words);
    this.busy = false;
    if (shown.error) return this._tell(shown.error);
    const cancel = make("button", { type: "button", class: "tn-act", onclick: () => this._close() }, this.words.cancel);
    const run = make("button", { type: "button", class: "tn-act tn-run", onclick: () => this.run(shown) }, this.words.run);
    const agreed = make("input", { type: "checkbox", onchange: () => (run.disabled = !agreed.checked) });
    const agree = shown.weaker && shown.runs ? [make("label", { class: "tn-agree" }, agreed, " ", this.words.agree)] : [];
    run.disabled = agree.length > 0;
    const acts = make("div", { class: "tn-actions" }, ...agree, ...(shown.runs ? [run] : []), cancel);
    const card = make("div", { class: "tn-consent", role: "group", "aria-label": this.check.claim }, drawn(shown.html), acts);
    this.place.replaceChildren(card);
    (shown.runs ? run : cancel).focus();
  }

  /** Run the shown program. */
  async run({ program, weaker }) {
    this.busy = true;
    this.stopping = new AbortController();
    const said = make("span", { role: "status" }, fill(this.words.running, { seconds: 0 }));
    const bar = make("span", { class: "tn-working", "aria-hidden": "true" });
    const cancel = make("button", { type: "button", class: "tn-act", onclick: () => this.stopping.abort() }, this.words.cancel);
    this.place.replaceChildren(make("div", { class: "tn-running" }, bar, said, cancel));
    cancel.focus();
    const headers = { "x-torchnotes-program": program, ...(weaker ? { "x-torchnotes-weaker": "yes" } : {}) };
    const { signal } = this.stopping;
    try {
      const reply = await fetch(this._address(), { method: "POST", headers, signal });
      if (!reply.ok) throw new Error((await told(reply)).error ?? this.words.lost);
      for await (const line of lines(reply.body)) {
        if (line.seconds !== undefined) said.textContent = fill(this.words.running, { seconds: line.seconds });
        else if (line.error) throw new Error(line.error);
        else this._keep(line);
      }
      if (this.busy) throw new Error(this.words.lost);
    } catch (error) {
      this.busy = false;
      if (signal.aborted) this._close();
      else this._tell(error instanceof TypeError ? this.words.lost : error.message);
    }
  }

  _keep(verdict) {
    this.busy = false;
    const { turn, owner } = this.checks;
    turn.verdicts = { ...turn.verdicts, [this.check.id]: { ...verdict, numbers: this.check.numbers } };
    owner.kept();
    this.update();
    this.open.focus();
  }

  _close() {
    this.place.replaceChildren();
    this.update();
    this.open.focus();
  }

  _tell(line) {
    this.place.replaceChildren(make("p", { class: "tn-error", role: "alert" }, line));
  }

  _address() {
    return `checks/${this.check.id}?language=${this.checks.owner.language()}`;
  }
}

/** Create an element for a verdict or a program, with the widths of its bars. */
export function drawn(html) {
  const element = make("div", {});
  fillSafely(element, html);
  for (const bar of element.querySelectorAll(".tn-bar")) {
    const { low, middle, high } = bar.dataset;
    const whole = make("span", { class: "tn-bar-fill" });
    const spread = make("span", { class: "tn-bar-spread" });
    whole.style.width = `${Number(middle)}%`;
    spread.style.left = `${Number(low)}%`;
    spread.style.width = `${Math.max(Number(high) - Number(low), 0.5)}%`;
    bar.append(whole, spread);
  }
  return element;
}

async function send(address, options, words) {
  try {
    return await told(await fetch(address, options));
  } catch {
    return { error: words.lost };
  }
}

/** Parse a response; other text than JSON becomes an error message. */
async function told(reply) {
  const text = await reply.text();
  try {
    return JSON.parse(text);
  } catch {
    return { error: text.trim() };
  }
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part);
  }
}
