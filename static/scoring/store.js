// What this device stores about tables: of each its document and lines, and the taps that no server has
// acknowledged yet. Uses IndexedDB, over https and plain http alike; if a browser does not allow it
// (private windows), memory, as long as the page is open.

/** @typedef {import("./shapes.js").Table} Table */
/** @typedef {import("./shapes.js").Tap} Tap */

const STORES = ["tables", "taps"];
const PATIENCE = 5000; // how long a browser may take to open its storage
const memory = { tables: new Map(), taps: new Map() };
let opened = null;
let made = 0;

const open = () => {
  opened ??= new Promise((resolve) => {
    let late = false;
    // Some browsers never answer. Of what comes later the page is told: it must not mix the two.
    setTimeout(() => {
      late = true;
      resolve(null);
    }, PATIENCE);
    try {
      const request = indexedDB.open("chicago sheets", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("tables", { keyPath: "key" });
        request.result.createObjectStore("taps", { keyPath: "nth", autoIncrement: true }).createIndex("key", "key");
      };
      request.onsuccess = () => {
        const database = request.result;
        database.onclose = () => {
          opened = null;
        };
        // A page of a newer release waits for this one to close its connection.
        database.onversionchange = () => {
          database.close();
          opened = null;
        };
        resolve(database);
        if (late) window.dispatchEvent(new Event("stored"));
      };
      request.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opened;
};

/** Whether this browser stores anything for the page. */
export const stores = async () => Boolean(await open());

/** Run some requests and wait until they are on disk; `instead` if there is no database. */
const run = async (mode, ask, instead) => {
  const attempt = (database) =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORES, mode, { durability: "strict" });
      const request = ask(transaction.objectStore("tables"), transaction.objectStore("taps"));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error);
    });
  const database = await open();
  if (!database) return instead();
  return attempt(database).catch(async () => {
    // Phones close a sleeping page's connection: what fails is tried again on a new one.
    database.close();
    opened = null;
    return attempt(await open());
  });
};

/** @returns {Promise<Table | undefined>} */
export const loadTable = (key) => run("readonly", (tables) => tables.get(key), () => memory.tables.get(key));

/** The tables on this device. @returns {Promise<Table[]>} */
export const loadTables = () => run("readonly", (tables) => tables.getAll(), () => [...memory.tables.values()]);

/** The waiting taps of a table, in the order in which they were made. @returns {Promise<Tap[]>} */
export const loadTaps = (key) =>
  run("readonly", (_tables, taps) => taps.index("key").getAll(key), () => [...memory.taps.values()].filter((tap) => tap.key === key));

/** Store a tap, a new one at the end; return it with its number. */
export const keepTap = async (tap) => {
  const nth = await run("readwrite", (_tables, taps) => taps.put(tap), () => {
    const nth = tap.nth ?? (made += 1);
    memory.taps.set(nth, { ...tap, nth });
    return nth;
  });
  return { ...tap, nth };
};

/** Look at a tap in the store, which all of the device's tabs share, and change it at once; return it as it was. */
const judge = (tap, change) =>
  run("readwrite", (_tables, taps) => {
    const request = taps.get(tap.nth);
    request.onsuccess = () => request.result && change(taps, request.result);
    return request;
  }, () => {
    change({ put() {}, delete: (nth) => memory.taps.delete(nth) }, tap);
    return tap;
  });

/** Note that a tap is about to be sent; null if another tab has settled it. */
export const tryTap = (tap) => judge(tap, (taps, known) => known.tried || taps.put({ ...known, tried: true }));

/** Delete a tap unless a tab has begun to send it; return it as it was, null if it was gone. */
export const dropUntried = (tap) => judge(tap, (taps, known) => known.tried || taps.delete(known.nth));

/**
 * Store what an answer has brought: the table, without the taps that are settled, with those that the server
 * has lost. One transaction: a tap is always there, or its line. @param {Table} table
 */
export const settle = (table, settled, again = []) =>
  run("readwrite", (tables, taps) => {
    for (const { nth } of settled) if (nth) taps.delete(nth);
    for (const tap of again) taps.put(tap);
    return tables.put(table);
  }, () => {
    memory.tables.set(table.key, table);
    for (const { nth } of settled) memory.taps.delete(nth);
    for (const tap of again) keepTap(tap);
  });

/** Delete some taps. */
export const dropTaps = (gone) =>
  run("readwrite", (_tables, taps) => {
    for (const { nth } of gone) if (nth) taps.delete(nth);
  }, () => {
    for (const { nth } of gone) memory.taps.delete(nth);
  });

/** Delete everything about a table. */
export const erase = async (key) => {
  await dropTaps(await loadTaps(key));
  await run("readwrite", (tables) => tables.delete(key), () => memory.tables.delete(key));
};
