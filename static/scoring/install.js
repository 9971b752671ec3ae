// Lets a page open again without network: registers its service worker (https and localhost
// only) and tells it what the page is made of.

/** Whether this browser has what it takes. */
const able = () => "serviceWorker" in navigator && "caches" in window;

/** Keep this page on the device, with the parts of it that it asks for itself. */
export const install = async (base, parts = []) => {
  if (!able()) return;
  await navigator.serviceWorker.register(`${base}worker.js`, { scope: base });
  const { active } = await navigator.serviceWorker.ready;
  const made = performance.getEntriesByType("resource").map(({ name }) => name.split("#")[0]);
  const files = made.filter((url) => url.startsWith(`${location.origin}/static/`));
  const own = [base, ...parts.map((part) => `${base}${part}`)].map((path) => `${location.origin}${path}`);
  active.postMessage({ keep: [...new Set([...own, ...files])] });
};

/** Nothing of the page stays on the device. */
export const uninstall = async (base) => {
  if (!able()) return;
  const registration = await navigator.serviceWorker.getRegistration(base);
  await registration?.unregister();
  await caches.delete(`chicago ${base}`);
};
