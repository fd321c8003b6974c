// Buttons that copy the code of an answer.

import { copy, make } from "./dom.js";
import { icon } from "./icons.js";

/** Put a button on each block of code in an element. */
export function addCopying(element, words) {
  for (const block of element.querySelectorAll("pre")) {
    const button = make("button", { type: "button", class: "tn-icon-button tn-copy-code" }, icon("copy"));
    button.addEventListener("click", async () => {
      await copy(block.textContent.replace(/\n$/, ""));
      button.replaceChildren(icon("check"));
      button.setAttribute("aria-label", words().copied);
      setTimeout(() => {
        button.replaceChildren(icon("copy"));
        button.setAttribute("aria-label", words().copyCode);
      }, 2000);
    });
    const frame = make("div", { class: "tn-code" });
    block.replaceWith(frame);
    block.setAttribute("tabindex", "0"); // it scrolls
    frame.append(block, button);
  }
}
