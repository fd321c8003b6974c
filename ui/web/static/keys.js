// Keys: / goes to the input, Ctrl+K to the search, Escape stops, [ and ] step through the citations of an answer.

const TYPING = "input, textarea, select, [contenteditable]";

export function listen(chat) {
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && key.toLowerCase() === "k") {
      event.preventDefault();
      chat.sidebar.search();
    } else if (key === "Escape") escape(chat);
    else if (!ctrlKey && !metaKey && !altKey && !event.target.closest?.(TYPING)) {
      if (key === "/") {
        event.preventDefault();
        chat.sidebar.go("chat");
        chat.composer.focus();
      } else if (key === "[" || key === "]") step(chat, key === "]" ? 1 : -1);
    }
  });
}

/** Close what lies over the page, or else stop the answer. */
function escape(chat) {
  if (chat.sidebar.opened) chat.sidebar.close({ focus: true });
  else if (chat.panel.over) chat.panel.hide();
  else if (document.activeElement?.closest("form")) return; // its own key
  else chat.stop();
}

/** Go to the next citation of the answer that has the focus, or else of the last one. */
function step(chat, by) {
  const focused = document.activeElement;
  const turn = focused?.closest(".tn-turn") ?? chat.log.querySelector(".tn-turn:last-child");
  const marks = [...(turn?.querySelectorAll("a.tn-cite") ?? [])];
  if (!marks.length) return;
  const place = marks.indexOf(focused);
  const next = place < 0 ? (by > 0 ? 0 : marks.length - 1) : (place + by + marks.length) % marks.length;
  marks[next].focus();
  marks[next].scrollIntoView({ block: "nearest" });
  const owner = chat.views.get(turn.dataset.turn);
  chat.glance(owner.turn, marks[next].dataset.source);
}
