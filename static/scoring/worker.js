// The service worker of one table's page, or of the casual games' start page: it opens the page offline
// as it was last shown. It does not handle taps (queue.js). It is served below the page's own address
// (scoring/web/device.py) and sees nothing else; browsers allow it over https and on localhost only.

const base = new URL(self.registration.scope).pathname;
const CACHE = `chicago ${base}`;
const PATIENCE = 4000; // how long the network is waited for where there is something stored
/** Static files with a hash in their name. */
const NAMED = /\/[^/]+\.[0-9a-f]{12}\.\w+$/;
/** A game begun here (casual.js), which no server has, and what its page consists of. */
const BEGUN = /^[0-9a-f-]{36}\/(device\/)?$/;
/** What such games are made of. */
const BLANK = /^blank\/\w+\/$/;
const below = (url) => new URL(url).pathname.slice(base.length);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

let gone = false; // the link was revoked: nothing is stored any more

/** Whether an answer is the program's, and not that of a portal or a proxy in its place. */
const isOurs = (response) => response.headers.has("chicago-table");

// The page says what it consists of, again and again until it is answered that all of it is stored; an
// older version's resources are deleted.
self.addEventListener("message", (event) => {
  const { data, ports } = event;
  if (data.gone) {
    gone = true;
    event.waitUntil(caches.delete(CACHE));
    return;
  }
  const keep = async () => {
    const cache = await caches.open(CACHE);
    const store = async (url) => {
      const known = await cache.match(url);
      if (known && NAMED.test(url)) return true;
      const response = await fetch(url).catch(() => null);
      const fits = response?.ok && (isOurs(response) || !url.startsWith(`${self.location.origin}${base}`));
      if (fits) await cache.put(url, response);
      return Boolean(known || fits);
    };
    const stored = await Promise.all(data.keep.map(store));
    if (!stored.every(Boolean)) return;
    const known = await cache.keys();
    // Games begun here need the files with which they began.
    const begun = known.some(({ url }) => BEGUN.test(below(url)));
    const old = begun ? [] : known.filter(({ url }) => !data.keep.includes(url) && !BLANK.test(below(url)));
    await Promise.all(old.map((request) => cache.delete(request)));
    ports[0]?.postMessage("stored");
  };
  event.waitUntil(keep());
});

/**
 * From the network, and stored; from storage if that fails or takes long, if the server is in trouble or does not
 * know the table, or if a `page` comes from somebody else.
 */
const newest = async (request, name, page = false) => {
  // A cache deleted because the link was revoked is not created again.
  if (!(await caches.has(CACHE)) || gone) return fetch(request);
  const cache = await caches.open(CACHE);
  const cached = await cache.match(name);
  const fresh = fetch(request).then(async (response) => {
    // Where storage is full, the network's answer is shown all the same.
    const ours = !page || isOurs(response);
    if (response.ok && ours) await cache.put(name, response.clone()).catch(() => {});
    return cached && (!ours || response.status >= 500 || response.status === 404) ? cached : response;
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
    // An offline form leads back to the page, not to the browser's own error page. Online, the browser
    // itself sends the form, as only it retries when a kept-alive connection has just ended.
    if (!self.navigator.onLine) event.respondWith(Response.redirect(base, 303));
  } else if (request.method !== "GET") {
    return;
  } else if (BEGUN.test(below(request.url))) {
    event.respondWith(named(request));
  } else if (pathname === base || pathname === `${base}device/`) {
    event.respondWith(newest(request, `${self.location.origin}${pathname}`, true));
  } else if (NAMED.test(pathname)) {
    event.respondWith(named(request));
  } else if (request.mode === "navigate") {
    // Nor does a page that needs the server, such as the correction of a line.
    event.respondWith(fetch(request).catch(() => Response.redirect(base, 303)));
  } else if (["style", "script", "image", "manifest"].includes(request.destination)) {
    event.respondWith(newest(request, request.url));
  }
});
