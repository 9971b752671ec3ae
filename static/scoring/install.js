// Lets a page open again offline: registers its service worker (https and localhost only) and tells
// it what the page consists of.

/** Whether this browser supports it. */
export const able = () => "serviceWorker" in navigator && "caches" in window;

const nameOf = (base) => `chicago ${base}`;

/** Store this page on the device, with the resources that it loads and other `files`. */
export const install = async (base, parts = [], files = []) => {
  if (!able()) return;
  await navigator.serviceWorker.register(`${base}worker.js`, { scope: base });
  const { active } = await navigator.serviceWorker.ready;
  const made = performance.getEntriesByType("resource").map(({ name }) => name.split("#")[0]);
  const loaded = made.filter((url) => url.startsWith(`${location.origin}/static/`));
  const own = [base, ...parts.map((part) => `${base}${part}`)].map((path) => `${location.origin}${path}`);
  active.postMessage({ keep: [...new Set([...own, ...loaded, ...files])] });
};

/** What is stored for the page; nothing where browsers store nothing. */
export const cacheOf = async (base) => (able() ? caches.open(nameOf(base)) : null);

/** Delete everything stored for the page. */
export const uninstall = async (base) => {
  if (!able()) return;
  const registration = await navigator.serviceWorker.getRegistration(base);
  // The worker may be about to store something for this very page.
  registration?.active?.postMessage({ gone: true });
  await registration?.unregister();
  await caches.delete(nameOf(base));
};
