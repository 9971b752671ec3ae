// Entries written here and acknowledged by the server are stored until the heat is closed, with the
// lines corrected at the table and its sign-off. A server restored from a backup, or one that has replaced another,
// is offered those it lacks (scoring/web/recover.py). It accepts them like any entry, in order, and says
// why it stops. Of the director's decisions, objections and an open call only the text is stored: the
// director reads it here. What the others have accepted they accept again.

import { addWritten, forgetWritten, inOrder, keepWritten, loadSheets, loadWaiting, loadWritten } from "./store.js";

const panel = () => document.getElementById("recovery");
let declined = false;
let offering = false; // the server's answers meanwhile know less than this device
let keeping = Promise.resolve();

const button = (label, className, action) => {
  const made = Object.assign(document.createElement("button"), { type: "button", className, textContent: label });
  made.addEventListener("click", async () => {
    made.disabled = true;
    await action();
    made.disabled = false;
  });
  return made;
};

const paragraph = (text) => Object.assign(document.createElement("p"), { textContent: text });

const list = (texts) => {
  const made = document.createElement("ul");
  made.append(...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  return made;
};

const show = (...parts) => {
  panel().hidden = !parts.length;
  panel().replaceChildren(...parts);
};

/** Store the corrections, and what was decided or said, that the server reports; `asked` for it, what other phones wrote, too. */
export const keepTold = (key, { game, seating, revision, version, corrections = [], told = [] }, asked) => {
  keeping = keeping.then(async () => {
    if (offering) return;
    // In this order: a tap acknowledged meanwhile is then found in one of them.
    const stored = [...(await loadWaiting(key)), ...(await loadWritten(key))];
    const known = new Set(stored.map(({ id }) => id));
    for (const { id, at, row, place, ...correction } of corrections) {
      if (known.has(id)) continue;
      await addWritten({ key, id, at: Date.parse(at), act: "correction", row, place, seating, body: { game, ...correction } });
    }
    for (const { id, at, text, state, act = "told" } of told) {
      if (known.has(id)) continue;
      await addWritten({ key, id, at: Date.parse(at), act, row: Infinity, until: state && revision, body: { game, text } });
    }
    // It has been taken back.
    const ids = told.map(({ id }) => id);
    await forgetWritten(stored.filter(({ id, act, until, body }) => (until || (act === "told" && body.game === game)) && !ids.includes(id)));
    if (asked && (version || game > 1)) await (await import("./others.js")).keepOthers({ key, ...asked });
  }).catch(() => {}); // a device whose storage is full goes on nevertheless
  return keeping;
};

/** A tap as it is offered: what was written, and where. */
const offered = ({ id, act, place, seating, away, body }) => {
  const { game, entry = null, announce, kind, target, later } = body;
  return { id, act, place, seating, away, game, entry, announce, kind, target, later };
};

/** The stored taps and decisions that the server, at its `revision`, lacks; null if it does not answer. */
const lackingOf = async (key, queue, base, sheet) => {
  const { revision, heat } = sheet;
  const old = heat ? (await loadSheets()).filter((other) => other.heat === heat && other.key !== key) : [];
  // This server is a new one, perhaps: it has the heat under another link.
  if (old.length) await (await import("./adopt.js")).adopt(key, old, sheet);
  const stored = await loadWritten(key);
  if (!stored.length) return { taps: [], told: [] };
  const targets = stored.flatMap(({ body }) => body?.target ?? []);
  const answer = await queue.ask(`${base}kept/`, { ids: [...new Set([...stored.map(({ id }) => id), ...targets])] });
  if (!answer?.lacks) return null;
  const [lacks, own] = [new Set(answer.lacks), new Set(stored.map(({ id }) => id))];
  // A call and the sign-off have no rows: a server that was as far once, and has none, has taken it back.
  // Seats are settled before the first entry.
  const sits = ({ seating, body }) => body?.kind === "reseat" && (seating === sheet.seating || sheet.game > 1 || sheet.entries.length);
  const missing = stored.filter((tap) => lacks.has(tap.id) && !(tap.until <= revision) && !sits(tap));
  return {
    // A line written by another phone is stored there, and so are its corrections.
    taps: missing
      .filter(({ act, body: { target } }) => act !== "told" && (!lacks.has(target) || own.has(target)))
      .sort(inOrder),
    told: missing.filter(({ act }) => act === "told"),
  };
};

/**
 * Check whether the server lacks entries that it once accepted from this device, and offer them;
 * return whether it does. `sheet` is the server's; `time` formats a moment; `done(answer, more)` is called when they have been
 * sent or declined, with the server's answer, if any.
 */
export const offer = async ({ key, queue, base, sheet, time, done }) => {
  if (declined) return false;
  offering = true;
  await keeping;
  const missing = await lackingOf(key, queue, base, sheet);
  if (!missing || !(missing.taps.length || missing.told.length)) {
    offering = false;
    if (missing) show();
    return false;
  }
  const { taps, told } = missing;
  const { lacks, lacksTold, send, leave, call, set } = panel().dataset;
  const entries = taps.length ? [lacks.replace("{count}", taps.length).replace("{time}", time(taps[0].at))] : [];
  const words = told.map(({ at, body }) => `${time(at)} · ${body.text}`);
  let called = told.every(({ said }) => said);

  const present = (open, refused = "") => {
    const parts = open ? [...(refused ? [refused] : []), ...entries].map(paragraph) : [];
    if (told.length) parts.push(paragraph(lacksTold), list(words));
    if (open && taps.length) {
      parts.push(button(send, "btn btn-primary", give), button(leave, "btn btn-outline-primary", stop));
    } else if (told.length) {
      if (!called) parts.push(button(call, "btn btn-primary", give));
      parts.push(button(set, "btn btn-outline-primary", settled));
    }
    show(...parts);
  };
  const give = async () => {
    const answer = await queue.ask(`${base}kept/`, {
      taps: taps.map(offered),
      told: called ? [] : told.map(({ body }) => body.text),
    });
    if (!answer?.ok) return;
    for (const each of called ? [] : told) await keepWritten({ ...each, said: true });
    called = true;
    const refused = answer.problems?.[0]?.message ?? "";
    offering = Boolean(refused) || told.length > 0;
    present(Boolean(refused), refused);
    done(answer, Boolean(refused));
  };
  const stop = () => {
    declined = true;
    offering = false;
    show();
    done(null, false);
  };
  const settled = async () => {
    await forgetWritten(told);
    offering = false;
    show();
  };
  present(taps.length > 0);
  return taps.length > 0;
};
