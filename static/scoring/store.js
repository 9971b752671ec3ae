// What this device stores about a table's page, by its link's key: the server's last state, taps not
// yet acknowledged, and acknowledged ones until the heat is closed. Uses IndexedDB, over https and
// plain http alike; if a browser does not allow it (private windows), memory, as long as the page is
// open.

const STORES = ["sheets", "waiting", "written"];
const PATIENCE = 5000; // how long a browser may take to open its storage
const AGAIN = 5000; // how soon what could not be stored for opening the page offline is asked for again
const SELDOM = 300000; // and how long that takes at most, where a device never stores it
const memory = { sheets: new Map(), waiting: new Map(), written: new Map() };
let opened = null;
let orders = 0;

const open = () => {
  opened ??= new Promise((resolve) => {
    let late = false;
    // Some browsers never answer. Of what comes later the page is told: it must not mix the two.
    setTimeout(() => {
      late = true;
      resolve(null);
    }, PATIENCE);
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

/** Run one request on a store and wait until it is on disk; `instead` if there is no database. */
export const run = async (name, mode, ask, instead) => {
  const attempt = (database) =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORES, mode, { durability: "strict" });
      const request = ask(transaction.objectStore(name), transaction);
      transaction.oncomplete = () => resolve(request.result);
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

/** Store a table's state unless a newer one is stored; `again`: even then, as the server knows less than before. */
export const keepSheet = async (key, sheet, again = false) => {
  const older = (known) => !again && known && known.revision > sheet.revision;
  // One transaction: what is stored later, such as that a tap was acknowledged, comes after it.
  await run("sheets", "readwrite", (store) => {
    const request = store.get(key);
    request.onsuccess = () => {
      if (!older(request.result)) store.put({ ...sheet, key });
    };
    return request;
  }, () => {
    if (!older(memory.sheets.get(key))) memory.sheets.set(key, sheet);
  });
};

export const loadSheet = (key) => run("sheets", "readonly", (store) => store.get(key), () => memory.sheets.get(key));

/** The states of all tables on this device. */
export const loadSheets = () => run("sheets", "readonly", (store) => store.getAll(), () => []);

const all = (name, key) =>
  run(name, "readonly", (store) => store.index("key").getAll(key), () =>
    [...memory[name].values()].filter((tap) => tap.key === key));

/** The waiting taps, in the order in which they were made. */
export const loadWaiting = (key) => all("waiting", key);

/** The acknowledged taps, in that order. */
export const loadWritten = (key) => all("written", key);

/** Store a tap, a new one at the end; return it with its order. */
export const keepTap = async (tap) => {
  const order = await run("waiting", "readwrite", (store) => store.put(tap), () => {
    const order = tap.order ?? (orders += 1);
    memory.waiting.set(order, { ...tap, order });
    return order;
  });
  return { ...tap, order };
};

/** The waiting taps of one page become another's, changed; `gone` is dropped. */
const moveTaps = async (gone, changed) => {
  const taps = (await loadWaiting(gone.key)).filter(({ order }) => order !== gone.order).map(changed);
  await run("waiting", "readwrite", (store) => {
    for (const tap of taps) store.put(tap);
    return store.delete(gone.order);
  }, () => {
    for (const tap of taps) memory.waiting.set(tap.order, tap);
    memory.waiting.delete(gone.order);
  });
};

/** Look at a waiting tap in the store, which all of the device's tabs share, and change it at once; return it as it was. */
const judge = (tap, change) =>
  run("waiting", "readwrite", (store) => {
    const request = store.get(tap.order);
    request.onsuccess = () => request.result && change(store, request.result);
    return request;
  }, () => {
    change({ put() {}, delete: (order) => memory.waiting.delete(order) }, tap);
    return tap;
  });

/** Note that a tap is about to be sent; null if another tab has sent or deleted it. */
export const tryTap = (tap) => judge(tap, (store, known) => known.tried || store.put({ ...known, tried: true }));

/** Delete a tap unless a tab has begun to send it; return it as it was, null if it was gone. */
export const dropUntried = (tap) => judge(tap, (store, known) => known.tried || store.delete(known.order));

export const dropTap = (tap) =>
  run("waiting", "readwrite", (store) => store.delete(tap.order), () => memory.waiting.delete(tap.order));

/** A tap was acknowledged: it stops waiting, but stays stored until the heat is closed. */
export const acknowledge = (tap) =>
  run("waiting", "readwrite", (store, transaction) => {
    transaction.objectStore("written").put(tap);
    return store.delete(tap.order);
  }, () => {
    memory.written.set(tap.order, tap);
    memory.waiting.delete(tap.order);
  });

/** Store what the server reports as if acknowledged here: after past taps, before future ones. */
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

/** Change an acknowledged tap. */
export const keepWritten = (tap) =>
  run("written", "readwrite", (store) => store.put(tap), () => memory.written.set(tap.order, tap));

const dropOne = ({ order }) =>
  run("written", "readwrite", (store) => store.delete(order), () => memory.written.delete(order));

/** Delete some of the acknowledged taps. */
export const forgetWritten = async (taps) => {
  for (const tap of taps) await dropOne(tap);
};

/** The heat is closed: its entries are now on the server alone. */
export const dropWritten = async (key) => forgetWritten(await loadWritten(key));

/** Delete everything about a table: its link has been revoked. */
export const erase = async (key) => {
  for (const tap of await loadWaiting(key)) await dropTap(tap);
  await dropWritten(key);
  await run("sheets", "readwrite", (store) => store.delete(key), () => memory.sheets.delete(key));
};

/** In the order of the sheet's rows: corrections arrive later than the taps made after them. */
export const rowOf = ({ row, body }) => row ?? body.version + 1;
export const inOrder = (one, other) => one.body.game - other.body.game || rowOf(one) - rowOf(other) || one.order - other.order;

// Over https and on localhost also the page itself: a service worker opens it again offline.

/** Whether this browser supports it. */
export const able = () => "serviceWorker" in navigator && "caches" in window;

const nameOf = (base) => `chicago ${base}`;

let asking = 0;

/** Ask the service worker to store these files, ever more seldom, until it answers that it has. */
const ask = (registration, keep, stored, wait = AGAIN) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    clearTimeout(asking);
    stored();
  };
  registration.active?.postMessage({ keep }, [port2]);
  asking = setTimeout(ask, wait, registration, keep, stored, Math.min(2 * wait, SELDOM));
};

/**
 * Store this page on the device, with the resources that it loads and other `files`; if the network is lost meanwhile, again.
 * `stored()` is called once all of it is.
 */
export const install = async (base, parts = [], files = [], stored = () => {}) => {
  if (!able()) return;
  await navigator.serviceWorker.register(`${base}worker.js`, { scope: base });
  const registration = await navigator.serviceWorker.ready;
  const made = performance.getEntriesByType("resource").map(({ name }) => name.split("#")[0]);
  const loaded = made.filter((url) => url.startsWith(`${location.origin}/static/`));
  const own = [base, ...parts.map((part) => `${base}${part}`)].map((path) => `${location.origin}${path}`);
  ask(registration, [...new Set([...own, ...loaded, ...files])], stored);
};

/** What is stored for the page; nothing where browsers store nothing. */
export const cacheOf = async (base) => (able() ? caches.open(nameOf(base)) : null);

/** Move a game begun on this device, with all its taps, from the page where it began to the address that the server has given it. */
export const moveGame = async (tap, begun, { path, seatings }) => {
  const { key } = tap;
  await moveTaps(tap, (other) => ({ ...JSON.parse(JSON.stringify(other).replaceAll(key, path)), seating: seatings[other.body.game - 1] }));
  await erase(key);
  const cache = await cacheOf(begun);
  for (const part of ["", "device/"]) await cache?.delete(`${location.origin}${key}${part}`);
};

/** Delete everything stored for the page. */
export const uninstall = async (base) => {
  if (!able()) return;
  clearTimeout(asking);
  const registration = await navigator.serviceWorker.getRegistration(base);
  // The worker may be about to store something for this very page.
  registration?.active?.postMessage({ gone: true });
  await registration?.unregister();
  await caches.delete(nameOf(base));
};
