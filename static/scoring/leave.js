// Links and forms lead away from the page only if there is a server, never to the browser's own error
// page. A form (language, sharing) waits like an entry; a link has to be tapped again.

const AGAIN = 500;
const PATIENCE = 5000;
const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN));

/** Whether there is a server. */
const reachable = async (root) => {
  try {
    const response = await fetch(root.dataset.live, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    return response.headers.has("chicago-table") && response.status !== 404 && response.status < 500;
  } catch {
    return false;
  }
};

/** Take over links and forms; `quiet()` tells whether nobody is choosing on the page, `decide()` what is to be decided first. */
export const leave = ({ root, queue, quiet, decide }) => {
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.method === "dialog") return;
    event.preventDefault();
    const { csrfmiddlewaretoken: _token, ...body } = Object.fromEntries(new FormData(form));
    if (submitter?.name) body[submitter.name] = submitter.value;
    const label = submitter?.ariaLabel || submitter?.textContent.trim();
    queue.add({ act: "form", path: form.action, body, label, urgent: true });
  });
  /** Whether all taps have been sent: a line is corrected after them. */
  const sent = async () => {
    for (const end = Date.now() + PATIENCE; queue.waiting.length && !queue.lost && !queue.stopped && Date.now() < end; ) await pause();
    return !queue.waiting.length;
  };
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || link.hash || link.origin !== location.origin) return;
    event.preventDefault();
    const corrects = "correct" in link.dataset;
    if (navigator.onLine && (!corrects || (await sent())) && (await reachable(root))) location.assign(link.href);
    else if (corrects && queue.stopped) decide();
    else window.scoring.connection(false, true);
  });

  let opens = null;

  /** Open the page that a form leads to: the server has accepted it, and accepts it again. */
  const open = async () => {
    if (!quiet() || !(await reachable(root))) {
      setTimeout(open, AGAIN);
      return;
    }
    const { path, body } = opens;
    const form = Object.assign(document.createElement("form"), { method: "post", action: path, hidden: true });
    const fields = { ...body, csrfmiddlewaretoken: queue.token() };
    for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement("input"), { name, value }));
    document.body.append(form);
    form.submit();
  };

  /** Of several forms that have waited one page is opened: the language is another one already. */
  const submit = (tap) => {
    const first = !opens;
    if (first || opens.body.language) opens = tap;
    if (first) open();
  };
  return { submit };
};
