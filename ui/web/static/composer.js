// The input with what belongs to a question: releases, environment, and the components that gradio draws.

import { make } from "./dom.js";
import { Environment } from "./environment.js";
import { icon } from "./icons.js";
import { Releases } from "./releases.js";

export class Composer {
  constructor(chat) {
    this.chat = chat;
    this.releases = new Releases(chat);
    this.environment = new Environment(chat);
    this.tools = document.querySelector(".tn-tools");
    this.tools.prepend(this.releases.element, this.environment.element);
    for (const [id, name] of [["tn-send", "upgrade"], ["tn-stop", "close"]]) {
      const button = document.getElementById(id);
      button.prepend(icon(name));
    }
  }

  get box() {
    return document.querySelector("#tn-question textarea, #tn-question input");
  }

  /** Set the text of the input as if it were typed. */
  type(text) {
    this.box.value = text;
    this.box.dispatchEvent(new Event("input", { bubbles: true }));
    this.focus();
  }

  focus() {
    this.box?.focus();
  }

  translate() {
    this.releases.translate();
    this.environment.translate();
  }
}
