// DOM helpers.

/** Create an element; `on...` options are listeners, `false` and `null` omit an attribute. */
export function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === null || value === false || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

// What our own server makes; it looks through its HTML with the same lists (components/safe.py). What this browser
// has kept may be another's, who was at this address before, and a policy stops neither <meta> nor <form> in it.
const TAGS = new Set(
  ("a abbr article blockquote br button caption code details div em h1 h2 h3 h4 h5 h6 hr li mark ol p pre " +
    "section small span strong summary table tbody td th thead tr ul").split(" "),
);
const ATTRIBUTES = new Set(
  "aria-describedby aria-label class hidden href id lang rel role scope start tabindex target title type".split(" "),
);

/** Put HTML into an element, without anything active in it. */
export function fillSafely(element, html) {
  const parsed = new DOMParser().parseFromString(String(html ?? ""), "text/html").body; // runs and loads nothing
  for (const node of [...parsed.querySelectorAll("*")]) {
    if (!TAGS.has(node.localName)) {
      Element.prototype.remove.call(node); // the inputs of a form stand for its own names
      continue;
    }
    for (const { name, value } of [...node.attributes]) {
      const known = ATTRIBUTES.has(name) || name.startsWith("data-");
      if (!known || (name === "href" && !/^(?:https?:|#)/i.test(value))) node.removeAttribute(name);
    }
  }
  element.replaceChildren(...parsed.childNodes);
}

/** A text with its {names} filled in. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Copy text to the clipboard, through a selection if the Clipboard API is not available. */
export async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = make("textarea", { class: "tn-offstage", readonly: true });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Download text as a file. */
export function download(name, text, type = "text/markdown") {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000); // the download has started by then
}

/** Wait until there are elements for all selectors. */
export function present(...selectors) {
  const there = () => selectors.every((each) => document.querySelector(each));
  return new Promise((resolve) => {
    if (there()) return resolve();
    const watching = new MutationObserver(() => {
      if (!there()) return;
      watching.disconnect();
      resolve();
    });
    watching.observe(document.documentElement, { childList: true, subtree: true });
  });
}

/** Grey lines where an answer will be. */
export function skeleton() {
  return make("div", { class: "tn-skeleton", "aria-hidden": "true" }, make("span", {}), make("span", {}), make("span", {}));
}

/** Name a button that shows an icon only. */
export function name(button, words) {
  button.setAttribute("aria-label", words);
  button.title = words;
  return button;
}
