// What this device keeps of a table's page, by the key of its link: the standing that the server
// told last, what was tapped and is not acknowledged yet, and what was, until the heat is closed.
// IndexedDB, over https and plain http alike; where a browser keeps nothing for us (private windows)
// it lasts as long as the page.

const STORES = ["sheets", "waiting", "written"];
const memory = { sheets: new Map(), waiting: new Map(), written: new Map() };
let opened = null;
let orders = 0;

const open = () => {
  opened ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open("chicago", 2);
      request.onupgradeneeded = ({ oldVersion }) => {
        if (oldVersion < 1) {
          request.result.createObjectStore("sheets", { keyPath: "key" });
          request.result.createObjectStore("waiting", { keyPath: "order", autoIncrement: true }).createIndex("key", "key");
        }
        request.result.createObjectStore("written", { keyPath: "order" }).createIndex("key", "key");
      };
      request.onsuccess = () => {
        // A page of a newer release waits for this one to let go.
        request.result.onversionchange = () => request.result.close();
        resolve(request.result);
      };
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
    const transaction = database.transaction(STORES, mode, { durability: "strict" });
    const request = ask(transaction.objectStore(name), transaction);
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
};

/** Keep the standing of a table unless a newer one is kept; `again` from a server that knows less than it did. */
export const keepSheet = async (key, sheet, again = false) => {
  const known = again ? null : await loadSheet(key);
  if (known && known.revision > sheet.revision) return;
  await run("sheets", "readwrite", (store) => store.put({ ...sheet, key }), () => memory.sheets.set(key, sheet));
};

export const loadSheet = (key) => run("sheets", "readonly", (store) => store.get(key), () => memory.sheets.get(key));

const all = (name, key) =>
  run(name, "readonly", (store) => store.index("key").getAll(key), () =>
    [...memory[name].values()].filter((tap) => tap.key === key));

/** What waits, in the order in which it was tapped. */
export const loadWaiting = (key) => all("waiting", key);

/** What was acknowledged, in that order. */
export const loadWritten = (key) => all("written", key);

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

/** A tap was acknowledged: it waits no more, but is not forgotten before the heat is closed. */
export const acknowledge = (tap) =>
  run("waiting", "readwrite", (store, transaction) => {
    transaction.objectStore("written").put(tap);
    return store.delete(tap.order);
  }, () => {
    memory.written.set(tap.order, tap);
    memory.waiting.delete(tap.order);
  });

/** Keep what the server told as if it had been acknowledged here: after what was, before what will be. */
export const addWritten = (told) =>
  run("waiting", "readwrite", (store, transaction) => {
    const request = store.add(told);
    request.onsuccess = () => {
      transaction.objectStore("written").put({ ...told, order: request.result });
      store.delete(request.result);
    };
    return request;
  }, () => {
    orders += 1;
    memory.written.set(orders, { ...told, order: orders });
  });

/** Change something that was acknowledged. */
export const keepWritten = (tap) =>
  run("written", "readwrite", (store) => store.put(tap), () => memory.written.set(tap.order, tap));

const dropOne = ({ order }) =>
  run("written", "readwrite", (store) => store.delete(order), () => memory.written.delete(order));

/** Forget some of what was acknowledged. */
export const forgetWritten = async (taps) => {
  for (const tap of taps) await dropOne(tap);
};

/** The heat is closed: what was written is the server's alone. */
export const dropWritten = async (key) => forgetWritten(await loadWritten(key));

/** Forget everything about a table: its link has been closed. */
export const erase = async (key) => {
  for (const tap of await loadWaiting(key)) await dropTap(tap);
  await dropWritten(key);
  await run("sheets", "readwrite", (store) => store.delete(key), () => memory.sheets.delete(key));
};
