// Entries written here and acknowledged by the server are stored until the heat is closed, with the
// lines corrected at the table and its sign-off, to be offered to a server that lacks them (offer.js).
// Of the director's decisions, objections and an open call only the text is stored. What the others
// have accepted they accept again.

import { addWritten, forgetWritten, loadSheets, loadWaiting, loadWritten } from "./store.js";

let offering = false; // the server's answers meanwhile know less than this device
let keeping = Promise.resolve();

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
    for (const { id, at, text, state, final, act = "told" } of told) {
      if (known.has(id)) continue;
      // Of a void game the server knows no time: it is the one at which this device heard of it.
      await addWritten({ key, id, at: Date.parse(at) || Date.now(), act, row: Infinity, until: state && revision, body: { game: final ? Infinity : game, text } });
    }
    // It has been taken back.
    const ids = told.map(({ id }) => id);
    await forgetWritten(stored.filter(({ id, act, until, body }) => (until || (act === "told" && body.game === game)) && !ids.includes(id)));
    if (asked && (version || game > 1)) await (await import("./others.js")).keepOthers({ key, ...asked });
  }).catch(() => {}); // a device whose storage is full goes on nevertheless
  return keeping;
};

const players = ({ seats }) => [...seats].sort().join("\n");

/**
 * Offer the server what it once accepted from this device and lacks now (`about` as in offer.js);
 * return whether it lacks entries. The script for it is loaded where something is stored.
 */
export const offer = async (about) => {
  const { key, sheet } = about;
  offering = true;
  await keeping;
  // Drawn again, a heat that the server has lost has the same players.
  const fresh = sheet.game === 1 && !sheet.entries.length;
  const same = (other) => other.heat === sheet.heat || (fresh && players(other) === players(sheet));
  const others = sheet.heat ? (await loadSheets()).filter((other) => other.key !== key && same(other)) : [];
  const script = others.length || (await loadWritten(key)).length ? await import("./offer.js").catch(() => null) : null;
  offering = Boolean(script);
  return offering && script.offer({ ...about, others, goesOn: (on) => (offering = on) });
};
