// The live stream of a table, whose address is in its document: it says "changed", and the page asks.

const MAX_FAILURES = 3;
const AGAIN = 60000;
let address = "";
let source = null;
let failures = 0;
let told = () => {};

const close = () => {
  source?.close();
  source = null;
  document.body.classList.remove("is-streaming");
};

const open = () => {
  if (source || !address || document.hidden || failures >= MAX_FAILURES || !window.EventSource) return;
  source = new EventSource(address);
  source.onopen = () => {
    failures = 0;
    document.body.classList.add("is-streaming");
  };
  source.onmessage = () => told();
  source.onerror = () => {
    document.body.classList.remove("is-streaming");
    failures += 1;
    if (failures < MAX_FAILURES && source.readyState !== EventSource.CLOSED) return;
    close();
    // The server may have been restarted.
    setTimeout(() => {
      failures = 0;
      open();
    }, AGAIN);
  };
};

/** Listen there, once; a hidden page keeps no connection open. */
export const listenToStream = (where, changed) => {
  told = changed;
  if (!where || address) return;
  address = where;
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("online", () => {
    failures = 0;
    open();
  });
  open();
};
