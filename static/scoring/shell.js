// Over https and on localhost the page itself is stored, too: a service worker opens it without network.
// It is exchanged for a newer one at a pause, with a word.

import { knows } from "./count.js";

const AGAIN = 5000; // how soon what could not be stored is asked for again
const SELDOM = 300000; // and how long that takes at most
const PAUSE = 1000;
const root = document.getElementById("scoring");
const able = "serviceWorker" in navigator && "caches" in window;
const nameOf = (base) => `chicago ${base}`;
let asking = 0;

/** Ask the service worker something until it answers that it is done. */
const ask = (registration, message, done, wait = AGAIN) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    clearTimeout(asking);
    done();
  };
  registration.active?.postMessage(message, [port2]);
  asking = setTimeout(ask, wait, registration, message, done, Math.min(2 * wait, SELDOM));
};

const filesOf = (base) => {
  const made = performance.getEntriesByType("resource").map(({ name }) => name.split("#")[0]);
  return [...new Set([`${location.origin}${base}`, ...made.filter((url) => url.startsWith(`${location.origin}/static/`))])];
};

/** Store this page with what it loads, and other `files`; `stored()` is called once all of it is. */
export const install = async (base, stored = () => {}, files = []) => {
  if (!able) return;
  await navigator.serviceWorker.register(`${base}worker.js`, { scope: base });
  ask(await navigator.serviceWorker.ready, { keep: [...new Set([...filesOf(base), ...files])] }, stored);
};
install.able = able;

/** Ask the service worker for a newer page; return whether it has one before long. */
const fetched = (registration) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    registration.active.postMessage({ renew: true }, [port2]);
    setTimeout(resolve, AGAIN, false);
  });

/** Whether this tab has been loaded again for that already, or cannot remember it. */
const tried = (name, why) => {
  try {
    return sessionStorage.getItem(name) === why;
  } catch {
    return true;
  }
};

/** Open the page again, once, when its storage has opened so late that the page goes on without what is there. */
export const reopen = (machine, quiet) => {
  if (tried("storage", "late")) return;
  const { state } = machine;
  if (quiet() && (state === "asking" || (state === "nothing" && navigator.serviceWorker?.controller))) {
    sessionStorage.setItem("storage", "late");
    location.reload();
  } else setTimeout(reopen, PAUSE, machine, quiet);
};

let renewing = false;
/** Exchange the page for the newer one that the server has, between two deals, once nobody is choosing. */
export const renew = (machine, quiet) => {
  if (renewing) return;
  renewing = true;
  const { newShell } = machine;
  if (tried("shell", newShell)) return;
  const paused = () => {
    const { view, state } = machine;
    const between = view.mode !== "play" || (view.state.stage === "exchange" && view.state.phase === 1) || !knows(view.rules);
    return state === "asking" && between && quiet();
  };
  const go = async () => {
    if (paused()) {
      const box = document.getElementById("pending");
      box.hidden = false;
      box.textContent = root.dataset.renewed;
      const registration = able && (await navigator.serviceWorker.getRegistration(machine.key));
      const there = !registration?.active || (await fetched(registration));
      // Somebody may have tapped meanwhile, or the network may be gone.
      if (there && paused()) {
        sessionStorage.setItem("shell", newShell);
        location.reload();
        return;
      }
    }
    setTimeout(go, PAUSE);
  };
  go();
};

/** Forget the stored page, so that the next one comes from the server: its language is another one. */
export const forgetShell = async (base) => {
  if (able) await (await caches.open(nameOf(base))).delete(`${location.origin}${base}`);
};

/** Delete everything stored for the page. */
export const uninstall = async (base) => {
  if (!able) return;
  clearTimeout(asking);
  const registration = await navigator.serviceWorker.getRegistration(base);
  // The worker may be about to store something for this very page.
  registration?.active?.postMessage({ gone: true });
  await registration?.unregister();
  await caches.delete(nameOf(base));
};
