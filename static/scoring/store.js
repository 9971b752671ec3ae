// What this device keeps of a table's page, by the key of its link: the standing that the server
// told last, and what was tapped and is not acknowledged yet. IndexedDB, over https and plain http
// alike; where a browser keeps nothing for us (private windows) it lasts as long as the page.

const memory = { sheets: new Map(), waiting: new Map() };
let opened = null;
let orders = 0;

const open = () => {
  opened ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open("chicago", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("sheets", { keyPath: "key" });
        request.result.createObjectStore("waiting", { keyPath: "order", autoIncrement: true }).createIndex("key", "key");
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opened;
};

/** Run one request on a store and wait until it is on the disk; `instead` where there is none. */
const run = async (name, mode, ask, instead) => {
  const database = await open();
  if (!database) return instead();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode, { durability: "strict" });
    const request = ask(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
};

/** Keep the standing of a table unless a newer one is kept. */
export const keepSheet = async (key, sheet) => {
  const known = await loadSheet(key);
  if (known && known.revision > sheet.revision) return;
  await run("sheets", "readwrite", (store) => store.put({ ...sheet, key }), () => memory.sheets.set(key, sheet));
};

export const loadSheet = (key) => run("sheets", "readonly", (store) => store.get(key), () => memory.sheets.get(key));

/** What waits, in the order in which it was tapped. */
export const loadWaiting = (key) =>
  run("waiting", "readonly", (store) => store.index("key").getAll(key), () =>
    [...memory.waiting.values()].filter((tap) => tap.key === key));

/** Keep a tap, a new one at the end; returns it with its place. */
export const keepTap = async (tap) => {
  const order = await run("waiting", "readwrite", (store) => store.put(tap), () => {
    const place = tap.order ?? (orders += 1);
    memory.waiting.set(place, { ...tap, order: place });
    return place;
  });
  return { ...tap, order };
};

export const dropTap = (tap) =>
  run("waiting", "readwrite", (store) => store.delete(tap.order), () => memory.waiting.delete(tap.order));

/** Forget everything about a table: its link has been closed. */
export const erase = async (key) => {
  for (const tap of await loadWaiting(key)) await dropTap(tap);
  await run("sheets", "readwrite", (store) => store.delete(key), () => memory.sheets.delete(key));
};
