// What an empty conversation shows.

import { make } from "./dom.js";

export function welcome(chat) {
  const words = chat.words();
  const examples = words.examples.map((text) =>
    make("button", { type: "button", class: "tn-example", onclick: () => chat.ask(text) }, text),
  );
  return make(
    "div",
    { class: "tn-empty" },
    make("img", { src: "page/logo.svg", alt: "", width: "52", height: "52" }),
    make("h2", {}, words.welcome),
    make("p", {}, words.empty),
    make("div", {}, ...examples),
  );
}
