// For other sites: gives each frame that shows a piece of an event the height that it tells.
addEventListener("message", (event) => {
  const height = event.data && event.data.chicago;
  if (!Number.isFinite(height)) return;
  for (const frame of document.querySelectorAll("iframe")) {
    if (frame.contentWindow === event.source) frame.style.height = `${Math.min(height, 20000)}px`;
  }
});
