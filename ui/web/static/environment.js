// The reader's environment, kept in this browser: with it, answers say which statements apply to it.

import { make } from "./dom.js";
import { Popover } from "./popover.js";

const KEY = "torchnotes-environment";
export const FIELDS = ["torch", "python", "cuda", "gpu", "system"];
const LONGEST = 100; // characters of a field
/** Where `python -m torch.utils.collect_env` tells a field. */
const REPORT = {
  torch: /^PyTorch version:\s*(\d\S*)/m,
  python: /^Python version:\s*(\d[\d.]*)/m,
  cuda: /^CUDA used to build PyTorch:\s*(\d[\d.]*)/m,
  rocm: /^ROCM used to build PyTorch:\s*(\d\S*)/m,
  gpu: /^(?:GPU models and configuration:\s*)?GPU 0:\s*([^\n(]+)/m,
  system: /^OS:\s*([^\n]+)/m,
};

/** The fields that a report of collect_env tells; {} if the text is none. */
export function readReport(text) {
  const found = {};
  for (const [name, pattern] of Object.entries(REPORT)) {
    const value = pattern.exec(text)?.[1].trim().slice(0, LONGEST);
    if (value) found[name] = value;
  }
  return found.torch ? found : {};
}

export class Environment extends Popover {
  constructor(chat) {
    super("chip", "environment");
    this.chat = chat;
    this.facts = stored();
    this.fields = Object.fromEntries([...FIELDS, "rocm"].map((name) => [name, make("input", { type: "text", maxlength: LONGEST })]));
    this.names = Object.fromEntries(FIELDS.map((name) => [name, make("span", {})]));
    this.report = make("textarea", { rows: "3", oninput: () => this._paste() });
    this.title = make("p", { class: "tn-head" });
    this.hint = make("p", { class: "tn-quiet" });
    this.said = make("p", { class: "tn-quiet", role: "status" });
    this.here = make("button", { type: "button", class: "tn-act", onclick: () => this._look() });
    this.keep = make("button", { type: "submit", class: "tn-act tn-main-act" });
    this.forget = make("button", { type: "button", class: "tn-act", onclick: () => this.set(null) });
    const rows = FIELDS.map((name) => make("label", {}, this.names[name], this.fields[name]));
    const acts = make("div", { class: "tn-pop-acts" }, this.keep, this.here, this.forget);
    const save = (event) => (event.preventDefault(), this.set(this._typed()), this.close({ focus: true }));
    this.body.append(make("form", { onsubmit: save }, this.title, this.hint, this.report, ...rows, acts, this.said));
    this._fill(this.facts ?? {});
  }

  /** Keep these facts; null forgets them. */
  set(facts) {
    this.facts = facts && Object.values(facts).some(Boolean) ? facts : null;
    if (this.facts) localStorage.setItem(KEY, JSON.stringify(this.facts));
    else localStorage.removeItem(KEY);
    this._fill(this.facts ?? {});
    this.translate();
  }

  translate() {
    const words = this.chat.words().environment;
    const { torch, gpu, cuda } = this.facts ?? {};
    const told = [torch && `torch ${torch}`, gpu || (cuda && `CUDA ${cuda}`)].filter(Boolean).join(" · ");
    this.label.textContent = this.facts ? told || words.title : words.title;
    this.button.classList.toggle("tn-set", this.facts !== null);
    this.button.title = words.title;
    this.title.textContent = words.title;
    this.hint.textContent = words.hint;
    this.report.placeholder = words.paste;
    this.report.setAttribute("aria-label", words.paste);
    for (const name of FIELDS) this.names[name].textContent = words.fields[name];
    this.fields.torch.placeholder = "2.8.0";
    this.keep.textContent = words.keep;
    this.here.textContent = words.here;
    this.here.hidden = !this.chat.bridge.props.own_machine;
    this.forget.textContent = words.forget;
    this.forget.hidden = this.facts === null;
  }

  _typed() {
    return Object.fromEntries(Object.entries(this.fields).map(([name, field]) => [name, field.value.trim()]));
  }

  _fill(facts) {
    for (const [name, field] of Object.entries(this.fields)) field.value = facts[name] ?? "";
  }

  _paste() {
    const words = this.chat.words().environment;
    const found = readReport(this.report.value);
    const known = Object.keys(found).length > 0;
    if (known) {
      this._fill(found);
      this.report.value = "";
    }
    this.said.textContent = known ? words.read : this.report.value.trim() ? words.unread : "";
  }

  /** Read the facts of the machine that serves, which is the reader's own. */
  async _look() {
    const words = this.chat.words();
    this.said.textContent = words.checks.looking;
    const found = await this.chat.bridge.server.environment().catch(() => null);
    this.said.textContent = found?.torch ? "" : words.environment.unknown;
    if (found?.torch) this._fill(found);
  }
}

function stored() {
  try {
    const facts = JSON.parse(localStorage.getItem(KEY));
    const known = Object.entries(facts ?? {}).filter(([, value]) => typeof value === "string");
    return known.length ? Object.fromEntries(known) : null;
  } catch {
    return null; // not of this version
  }
}
