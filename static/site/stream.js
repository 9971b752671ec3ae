// Listens to the live stream that the page names. When it says "changed", live parts reload at once
// instead of every few seconds; or it sends the part that changed, if that is public. It knows the
// page's version. Without a stream the pages go on polling.
(() => {
  "use strict";
  if (!window.EventSource) return;

  const MAX_FAILURES = 3;
  const AGAIN = 60000;
  let source = null;
  let failures = 0;

  const close = () => {
    if (source) source.close();
    source = null;
    document.body.classList.remove("is-streaming");
  };
  const again = () => {
    failures = 0;
    open();
  };
  const changed = () => document.body.dispatchEvent(new CustomEvent("stream-changed"));
  const open = () => {
    const address = document.querySelector('meta[name="live"]')?.content;
    if (!address || source || document.hidden || failures >= MAX_FAILURES) return;
    source = new EventSource(address);
    source.onopen = () => {
      failures = 0;
      document.body.classList.add("is-streaming");
    };
    source.addEventListener("part", (event) => {
      const detail = { mark: event.lastEventId, html: event.data };
      document.body.dispatchEvent(new CustomEvent("stream-part", { detail }));
    });
    source.onmessage = changed;
    source.onerror = () => {
      document.body.classList.remove("is-streaming");
      failures += 1;
      if (failures >= MAX_FAILURES || source.readyState === EventSource.CLOSED) {
        close();
        // The server may have been restarted.
        setTimeout(again, AGAIN);
      }
      // Is only the stream gone, or the connection? The page asks, and reports it.
      changed();
    };
  };

  // A hidden page keeps no connection open.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  // A screen of the hall names another stream with each part that it shows.
  document.addEventListener("stream-turn", () => {
    close();
    again();
  });
  window.addEventListener("online", () => {
    again();
    changed();
  });
  open();
})();
