// A conversation as a tree. Asking a question again, edited or not, adds a version of its turn; none is removed.
//
// A turn names the one before it as `parent`, "" for the first. Turns of one parent are versions of each other, and
// `chosen` of the conversation has the id of the shown one by parent; without it the newest is shown.

export function blank() {
  return { id: identifier(), title: "", pinned: false, updated: 0, turns: [], chosen: {} };
}

/** An id that sorts by time. */
export function identifier() {
  return `${Date.now().toString(36)}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
}

/** Whether a stored value is a conversation of this page: who was at this address before may have kept others. */
export function isConversation(found) {
  const isTurn = (turn) => typeof turn?.id === "string" && typeof turn.question === "string";
  const isKnown = typeof found?.id === "string" && typeof found.title === "string" && Array.isArray(found.turns);
  return isKnown && typeof (found.chosen ?? {}) === "object" && found.turns.every(isTurn);
}

/** Complete a conversation stored before turns had versions: each turn follows the one before it. */
export function completed(conversation) {
  conversation.chosen ??= {};
  conversation.turns.forEach((turn, place, all) => (turn.parent ??= all[place - 1]?.id ?? ""));
  return conversation;
}

/** The shown turns, from the first to the last. */
export function path(conversation) {
  const found = [];
  for (let parent = ""; ; ) {
    const next = shown(conversation, parent);
    if (!next || found.includes(next)) return found;
    found.push(next);
    parent = next.id;
  }
}

/** The versions of a turn, oldest first. */
export function versions(conversation, turn) {
  return children(conversation, turn.parent);
}

/** Show this version of a turn, with the turns that followed it. */
export function choose(conversation, turn) {
  conversation.chosen[turn.parent] = turn.id;
}

/** Take over what another page has stored of the same conversation; returns whether that changes anything shown. */
export function absorb(conversation, stored) {
  const before = path(conversation);
  const known = new Map(conversation.turns.map((turn) => [turn.id, turn]));
  let changed = false;
  for (const turn of completed(stored).turns) {
    const ours = known.get(turn.id);
    if (!ours) conversation.turns.push(turn);
    else if ((turn.changed ?? 0) > (ours.changed ?? 0)) {
      Object.assign(ours, turn);
      changed ||= before.includes(ours);
    }
  }
  conversation.turns.sort((one, other) => (one.id < other.id ? -1 : 1));
  conversation.chosen = { ...stored.chosen, ...conversation.chosen };
  const after = path(conversation);
  return changed || after.length !== before.length || after.some((turn, place) => turn !== before[place]);
}

function children(conversation, parent) {
  return conversation.turns.filter((turn) => turn.parent === parent);
}

function shown(conversation, parent) {
  const versions = children(conversation, parent);
  return versions.find((turn) => turn.id === conversation.chosen[parent]) ?? versions.at(-1);
}
