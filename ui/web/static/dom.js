// Small helpers for making and finding elements.

/** An element; `on...` options are listeners, `false` and `null` leave an attribute out. */
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

/** A text with its {names} filled in. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Put text on the clipboard; where the page may not use it, by way of a selection. */
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

/** Offer text as a file. */
export function download(name, text, type = "text/markdown") {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000); // the download has begun by then
}
