// Storage of conversations in this browser. Several pages may write the same one: none overwrites another's turns.

import { absorb, completed, isConversation } from "./tree.js";

const DATABASE = "torchnotes";
const TABLE = "conversations";
const MOST = 200; // conversations; the oldest that are not pinned are deleted

/** Without IndexedDB (in some private windows), conversations are kept until the page is closed. */
export class Store {
  /** @param heard called with the id of a conversation that another page has changed, null for several */
  constructor(heard) {
    this.memory = new Map();
    this.database = open().catch(() => null);
    this.others = new BroadcastChannel(DATABASE);
    this.others.onmessage = ({ data }) => heard(data);
  }

  /** Return all conversations, newest first. */
  async list() {
    const database = await this.database;
    const all = database ? await done(table(database, "readonly").getAll()) : [...this.memory.values()];
    return all.filter(isConversation).map(completed).sort((one, other) => other.updated - one.updated);
  }

  async get(id) {
    const database = await this.database;
    const found = database ? await done(table(database, "readonly").get(id)) : this.memory.get(id);
    return isConversation(found) ? completed(found) : undefined;
  }

  /** Add the turns of a conversation to what is stored of it; returns all that is stored then. */
  async put(conversation) {
    const kept = structuredClone(conversation);
    await this._change(kept.id, (stored) => {
      if (!stored) return kept;
      absorb(kept, stored);
      return { ...kept, title: stored.title || kept.title, pinned: stored.pinned ?? false };
    });
    const old = (await this.list()).filter((each) => !each.pinned).slice(MOST);
    for (const each of old) await this.remove(each.id);
    return this.get(kept.id);
  }

  /** Change title or pin of a stored conversation. */
  async label(id, { title, pinned }) {
    await this._change(id, (stored) => stored && { ...stored, title: title ?? stored.title, pinned: pinned ?? stored.pinned });
  }

  async remove(id) {
    const database = await this.database;
    if (database) await done(table(database, "readwrite").delete(id));
    else this.memory.delete(id);
    this.others.postMessage(id);
  }

  async clear() {
    const database = await this.database;
    if (database) await done(table(database, "readwrite").clear());
    this.memory.clear();
    this.others.postMessage(null);
  }

  /** Replace a conversation by what `change` makes of it; one transaction, so that no other page writes between. */
  async _change(id, change) {
    const database = await this.database;
    if (database) {
      const all = table(database, "readwrite");
      const changed = change(await done(all.get(id)));
      if (changed) await done(all.put(changed));
    } else {
      const changed = change(this.memory.get(id));
      if (changed) this.memory.set(id, structuredClone(changed));
    }
    this.others.postMessage(id);
  }
}

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another page keeps an older version open"));
  });
}

function table(database, mode) {
  return database.transaction(TABLE, mode).objectStore(TABLE);
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
