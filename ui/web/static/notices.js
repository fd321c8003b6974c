// Notices that offer to undo, and questions before what cannot be undone easily.

import { make } from "./dom.js";

const SHOWN = 15_000; // milliseconds

/** The region in which notices appear; screen readers announce what is added to it. */
const region = make("div", { class: "tn-notices", role: "status", "aria-live": "polite" });

/** Show a line with a button that undoes what was done. */
export function offerUndo(line, words, undo) {
  if (!region.isConnected) document.querySelector("main.contain").append(region);
  const close = () => notice.remove();
  const back = make("button", { type: "button", class: "tn-act", onclick: () => (close(), undo()) }, words.undo);
  const notice = make("div", { class: "tn-notice-line" }, make("span", {}, line), back);
  region.replaceChildren(notice);
  setTimeout(() => !notice.matches(":hover, :focus-within") && close(), SHOWN);
}

/** Ask a question with two answers; resolves to whether it was agreed to. */
export function agreed(question, yes, no) {
  const button = (name, value) => make("button", { value, class: value ? "tn-act tn-danger" : "tn-act" }, name);
  const form = make("form", { method: "dialog" }, make("p", {}, question), button(yes, "yes"), button(no, ""));
  const dialog = make("dialog", { class: "tn-dialog", "aria-label": question }, form);
  document.querySelector("main.contain").append(dialog);
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes");
      dialog.remove();
    }),
  );
}
