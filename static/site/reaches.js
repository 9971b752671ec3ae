// Forms and links in what is marked "data-reaches" lead away only if there is a server, never to the
// browser's own error page, and what was typed stays. The page may know more ("unreached").

/** Whether this device opens the page that a link leads to by itself, as the Auditor's. */
const kept = ({ href }) => href && "caches" in window && caches.match(href);

const away = async (event, from, go) => {
  if (event.defaultPrevented || !from?.closest("[data-reaches]")) return;
  event.preventDefault();
  const asked = fetch("/healthz", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(5000) });
  const there = await asked.then(() => true, () => false);
  document.body.classList.toggle("is-offline", !there);
  if (there || (await kept(from))) go();
  else if (from.dispatchEvent(new Event("unreached", { cancelable: true }))) {
    document.querySelector(".stale")?.scrollIntoView({ block: "center" });
  }
};

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  away(event, form, () => {
    const { name, value } = submitter ?? {};
    if (name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    // The page may have changed meanwhile, and the form gone with what it showed.
    if (!form.isConnected) document.body.append(Object.assign(form, { hidden: true }));
    form.submit();
  });
});
document.addEventListener("click", (event) => {
  // Another tab opens beside this page, which stays.
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest("a[href]");
  away(event, link, () => location.assign(link.href));
});
