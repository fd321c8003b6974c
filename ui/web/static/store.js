// Storage of conversations in this browser.

const DATABASE = "torchnotes";
const TABLE = "conversations";
const MOST = 200; // conversations; the oldest are deleted

/** Without IndexedDB (in some private windows), conversations are kept until the page is closed. */
export class Store {
  constructor() {
    this.memory = new Map();
    this.database = open().catch(() => null);
  }

  /** Return all conversations, newest first. */
  async list() {
    const database = await this.database;
    const all = database ? await done(table(database, "readonly").getAll()) : [...this.memory.values()];
    return all.sort((one, other) => other.updated - one.updated);
  }

  async get(id) {
    const database = await this.database;
    return database ? done(table(database, "readonly").get(id)) : this.memory.get(id);
  }

  async put(conversation) {
    const copy = structuredClone(conversation);
    const database = await this.database;
    if (!database) {
      this.memory.set(copy.id, copy);
      return;
    }
    await done(table(database, "readwrite").put(copy));
    for (const old of (await this.list()).slice(MOST)) await this.remove(old.id);
  }

  async remove(id) {
    const database = await this.database;
    if (database) await done(table(database, "readwrite").delete(id));
    else this.memory.delete(id);
  }

  async clear() {
    const database = await this.database;
    if (database) await done(table(database, "readwrite").clear());
    this.memory.clear();
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
