// The one call by which this device and the server agree about a table. Only an answer with the
// program's mark is one: anything else, such as the page of a portal or of a proxy, is no network.

/** @typedef {import("./shapes.js").Answer} Answer */

const MARK = "chicago-table";
const PATIENCE = 12000;
/** How many taps are sent at once. */
export const MOST = 100;

/** What a table has of its games' lines, in short: how many, and which is the last. */
export const have = ({ lines }, whole = []) =>
  Object.fromEntries(
    Object.entries(lines).map(([game, own]) => [
      game,
      whole.includes(Number(game)) ? { ids: own.map(({ id }) => id) } : { rows: own.at(-1)?.row ?? 0, last: own.at(-1)?.id ?? null },
    ]),
  );

/** A tap as it is sent: without what only this device needs. */
const sent = ({ key: _key, nth: _nth, label: _label, tried: _tried, urgent: _urgent, words: _words, ...tap }) => tap;

/**
 * Send taps and learn what is new. @param {import("./shapes.js").Table} table
 * @returns {Promise<{answer?: Answer, lost?: string, closed?: string, unknown?: string}>}: `lost` says why there was
 * no answer: "network", "foreign" (somebody else's) or the server's own words; `closed` that the link was revoked.
 * `stop` ends the wait for an answer.
 */
export const call = async (table, taps, { whole = [], take = "", shell = "", stop = new AbortController() } = {}) => {
  if (navigator.onLine === false) return { lost: "network" };
  const parts = Object.fromEntries(Object.entries(table.parts).map(([name, { mark }]) => [name, mark]));
  const about = { shell, version: table.version, have: have(table, whole), parts, rules: table.rules ? table.document?.rules : "" };
  const body = JSON.stringify({ ...about, taps: taps.map(sent), ...(take && { take }) });
  AbortSignal.timeout(PATIENCE).addEventListener("abort", () => stop.abort());
  try {
    const response = await fetch(`${table.key}sync/`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body,
      cache: "no-store",
      redirect: "manual",
      signal: stop.signal,
    });
    if (!(response.headers.get("Content-Type") ?? "").includes("json")) return { lost: response.status >= 500 ? "network" : "foreign" };
    const answer = await response.json();
    // What is wrong with the server, if it can say so: disk full, database unavailable.
    if (response.status === 503 && answer.text) return { lost: answer.text };
    if (answer.mark !== MARK) return { lost: response.status >= 500 ? "network" : "foreign" };
    const problem = answer.problems?.[0];
    if (problem?.code === "link_revoked") return { closed: problem.message };
    if (problem?.code === "link_unknown") return { lost: "unknown", unknown: problem.message };
    if (response.status >= 500) return { lost: "network" };
    if (problem) return { lost: problem.message };
    return { answer };
  } catch {
    return { lost: "network" };
  }
};

/** Start the table of a game that was begun without network: {path, seatings}, or `lost` as in `call`. */
export const begin = async ({ path, fields }) => {
  if (navigator.onLine === false) return { lost: "network" };
  try {
    const response = await fetch(path, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(fields), signal: AbortSignal.timeout(PATIENCE) });
    const answer = await response.json();
    if (answer.path) return answer;
    return { lost: answer.problems?.[0]?.message ?? answer.text ?? "network" };
  } catch {
    return { lost: "network" };
  }
};

// ---------------------------------------------------------------------- the live stream: it says "changed"

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
