// The service worker of one table's page, or of the casual games' start page: it opens the page without
// network, as it was stored. It does not handle taps. It is served below the page's own address
// (scoring/web/shell.py) and sees nothing else; browsers allow it over https and on localhost only.

const base = new URL(self.registration.scope).pathname;
const CACHE = `chicago ${base}`;
const PATIENCE = 4000; // how long the network is waited for where something is stored
/** Static files with a hash in their name. */
const NAMED = /\/[^/]+\.[0-9a-f]{12}\.\w+$/;
/** A game begun here (casual.js), which no server has: the shell opens it. */
const BEGUN = /^[0-9a-f-]{36}\/$/;
const below = (url) => new URL(url).pathname.slice(base.length);
const page = `${self.location.origin}${base}`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

let gone = false; // the link was revoked: nothing is stored any more

/** What such games are made of. */
const BLANK = /^blank\//;

/** Whether this is one of our pages, and not that of a portal. */
const isOurs = (response) => response.ok && !response.redirected && response.headers.has("chicago-table");

/** Store what is at `url`; return whether it is stored, or `anew`: whether it has been replaced. */
const store = async (cache, url, anew = false) => {
  const known = !anew && (await cache.match(url));
  if (known && NAMED.test(url)) return true;
  // The page has just loaded what has a hash in its name: the browser has it.
  const response = await fetch(url, { cache: NAMED.test(url) ? "default" : "no-cache" }).catch(() => null);
  const fits = response && (NAMED.test(url) || !new URL(url).pathname.startsWith(base) ? response.ok : isOurs(response));
  if (fits) await cache.put(url, response);
  return Boolean(known || fits);
};

// The page says what it consists of, again and again until it is answered that all of it is stored.
self.addEventListener("message", (event) => {
  const { data, ports } = event;
  const act = async () => {
    if (data.gone) {
      gone = true;
      await caches.delete(CACHE);
      return;
    }
    const cache = await caches.open(CACHE);
    if (data.renew) {
      // Without an answer the page stays as it is.
      if (await store(cache, page, true)) ports[0]?.postMessage("renewed");
      return;
    }
    const stored = await Promise.all(data.keep.map((url) => store(cache, url)));
    if (!stored.every(Boolean)) return;
    const known = await cache.keys();
    const old = known.filter(({ url }) => !data.keep.includes(url) && !BLANK.test(below(url)));
    await Promise.all(old.map((request) => cache.delete(request)));
    ports[0]?.postMessage("stored");
  };
  event.waitUntil(act());
});

/** The stored page at once; where none is stored, the network's. */
const shell = async (request, name) => {
  const cache = (await caches.has(CACHE)) && !gone ? await caches.open(CACHE) : null;
  const cached = await cache?.match(name);
  if (cached) return cached;
  const response = await fetch(request);
  if (cache && isOurs(response)) await cache.put(name, response.clone()).catch(() => {});
  return response;
};

/** What is not the same for ever, such as the start page: the network's for some seconds, then the stored one. */
const newest = async (request, name, fits = isOurs) => {
  if (!(await caches.has(CACHE)) || gone) return fetch(request);
  const cache = await caches.open(CACHE);
  const cached = await cache.match(name);
  const fresh = fetch(request).then(async (response) => {
    if (fits(response)) await cache.put(name, response.clone()).catch(() => {});
    return cached && !fits(response) ? cached : response;
  });
  if (!cached) return fresh;
  return Promise.race([fresh.catch(() => cached), new Promise((resolve) => setTimeout(resolve, PATIENCE, cached))]);
};

const named = async (request) => (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode === "navigate" && request.method !== "GET") {
    // An offline form leads back to the page, not to the browser's own error page.
    if (!self.navigator.onLine) event.respondWith(Response.redirect(base, 303));
  } else if (request.method !== "GET") {
    return;
  } else if (request.mode === "navigate" && pathname === base) {
    event.respondWith(base.includes("/s/") ? shell(request, page) : newest(request, page));
  } else if (BEGUN.test(below(request.url))) {
    event.respondWith(shell(request, `${page}shell/`));
  } else if (NAMED.test(pathname)) {
    event.respondWith(named(request));
  } else if (request.mode === "navigate") {
    // Nor does a page that needs the server, such as the correction of a line.
    event.respondWith(fetch(request).catch(() => Response.redirect(base, 303)));
  } else if (["style", "script", "image", "manifest"].includes(request.destination)) {
    event.respondWith(newest(request, request.url, ({ ok }) => ok));
  }
});
