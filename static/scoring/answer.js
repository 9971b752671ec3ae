// What an answer brings, as it changes what this device holds: lines, the document, the taps that are settled;
// and what a server that has lost lines, or a new one, gets back from here.

import { AWAY, counted, lastMade, placeIn, slotsOf, viewOf } from "./log.js";
import { loadTables, loadTaps } from "./store.js";
import { call } from "./sync.js";

const SLACK = 2000; // how far a clock may be off without being corrected

/** A UUID, also over plain http, where browsers have no randomUUID. */
export const uuid = () => {
  if (crypto.randomUUID) return crypto.randomUUID();
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  const h = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
};

/** Taps as new ones: they are stored behind those that are there. */
const renewed = (taps) => taps.map(({ nth: _nth, ...tap }) => tap);

/**
 * The lines with these ids as taps to be written again, with their places in the game as this device knows it.
 * @param {import("./shapes.js").Table} table as it was before the server's answer
 */
const givenBack = ({ document, rules, lines, key }, game, ids) => {
  const about = document.games.find((each) => each.game === game);
  const own = lines[game] ?? [];
  const taps = [];
  own.forEach((line, index) => {
    if (!ids.includes(line.id) || !line.own) return;
    const before = own.slice(0, index);
    const slots = slotsOf(before, about.drawn);
    const entries = slots.filter(({ voided }) => !voided);
    const { state } = counted(rules, about, entries);
    const deal = (entry) => entry?.reason === AWAY;
    const away = [...before.toReversed().slice(0, 6), ...own.slice(index + 1, index + 7)].filter(({ entry }) => deal(entry)).map(({ entry }) => entry.seat);
    const tap = {
      ...{ key, id: line.id, at: Date.parse(line.at), kept: true, game, label: "" },
      ...{ place: { deal: state.deal, stage: state.stage, phase: state.phase }, seating: about.seating, names: about.seats },
      follows: before.at(-1)?.id ?? null,
      away: [...new Set(away)],
    };
    const last = entries[lastMade(entries)];
    const later = own[index + 1];
    const took = Boolean(later && later.kind === "void" && !later.own && later.at === line.at);
    if (line.kind === "entry") taps.push({ ...tap, act: "entry", entry: line.entry });
    else if (line.kind === "void" && last?.id === line.target) taps.push({ ...tap, act: "back", target: line.target });
    else if (line.kind === "reseat") taps.push({ ...tap, act: "seats", order: line.entry.seats });
    else if (line.target) taps.push({ ...tap, act: "correct", kind: line.kind, target: line.target, entry: line.entry ?? null, later: took });
  });
  return taps;
};

const plain = (entry) => JSON.stringify(Object.entries(entry).sort());
const counting = (lines, drawn) => slotsOf(lines, drawn).filter(({ voided }) => !voided);

/**
 * The lines of a game that a new server lacks, as taps. It was made from the event's document, whose lines have other
 * ids: it has what this device had when the document was written, and perhaps what another has written since.
 */
const givenOn = (other, table, game) => {
  const lines = other.lines[game];
  const about = (each) => each.document.games.find((one) => one.game === game);
  const there = counting(table.lines[game] ?? [], about(table)?.drawn);
  const after = lines.map((_line, at) => counting(lines.slice(0, at + 1), about(other).drawn));
  const begins = (own) => own.length <= there.length && own.every(({ entry }, at) => plain(entry) === plain(there[at].entry));
  const last = after.findLastIndex((own) => own.length === there.length && begins(own));
  const length = (last < 0 ? after.findLastIndex(begins) : last) + 1;
  const before = after[length - 1] ?? [];
  const ids = new Map(before.map(({ id }, at) => [id, there[at].id]));
  return givenBack(other, game, lines.slice(length).map(({ id }) => id)).map((tap) => ({
    ...tap,
    ...(tap.target && { target: ids.get(tap.target) ?? tap.target }),
    follows: ids.get(tap.follows) ?? tap.follows,
  }));
};

/** What was told, each with its time: where the server does not know it, when this device first heard of it. */
const heard = ({ told }, before, now) =>
  told.map((each) => ({ ...each, at: each.at || before?.told.find(({ id }) => id === each.id)?.at || new Date(now).toISOString() }));

/** A Chicago that was declared when the server lost lines, as a tap after them. */
const declaredAgain = (before) => {
  const { key } = before;
  const view = viewOf(before, []);
  if (view.announced === null) return [];
  const tap = { key, id: uuid(), at: Date.now(), act: "chicago", kept: true, label: "" };
  return [{ ...tap, ...placeIn(view), seat: view.announced }];
};

/**
 * What the server has lost of decisions and statements: a sign-off is given again, before a call that would keep it
 * waiting; the rest is told in words, of which `words` are for the director to enter again.
 */
const toldAgain = (before, after) => {
  const known = new Set(after.document.told.map(({ id }) => id));
  const lost = before.document.told.filter(({ id }) => !known.has(id));
  const tap = { key: before.key, at: Date.now(), label: "" };
  const signed = lost.some(({ act }) => act === "sign") ? [{ ...tap, id: uuid(), act: "sign" }] : [];
  const rest = lost.filter(({ act }) => act !== "sign");
  if (!rest.length) return signed;
  const text = rest.map((each) => each.text).join("; ");
  const words = rest.filter(({ state, act }) => act || !state).map(({ at, text }) => ({ at, text })); // the call itself is made again
  return [...signed, { ...tap, id: uuid(), act: "lost", text, label: text, words }];
};

/**
 * What becomes of a table and the taps that wait.
 * @param {import("./shapes.js").Table} before as it was; while the server asks which lines there are, before it asked
 * @param {import("./shapes.js").Answer} answer
 * @returns `table`, the `settled` taps, those to be sent `again`, and of these what the server has `lost` and `told`
 */
export const taken = (now, before, answer, taps) => {
  const table = { ...now, lines: { ...before.lines }, parts: { ...before.parts, ...answer.parts }, at: Date.now() };
  table.skew = Math.abs(answer.now - Date.now()) > SLACK ? answer.now - Date.now() : 0;
  if (answer.version) table.version = answer.version;
  if (answer.document) table.document = { ...answer.document, told: heard(answer.document, before.document, answer.now) };
  if (answer.rules) table.rules = answer.rules;
  for (const game of answer.whole ?? []) table.lines[game] = [];
  for (const [game, lines] of Object.entries(answer.lines ?? {})) {
    const ids = new Set(lines.map(({ id }) => id));
    table.lines[game] = [...(table.lines[game] ?? []).filter(({ id }) => !ids.has(id)), ...lines];
  }
  const took = new Set(answer.took);
  const settled = taps.filter(({ id }) => took.has(id));
  if (!lacks(answer)) return { table, settled, again: [], lost: [], told: [] };
  const lost = Object.entries(answer.lacks).flatMap(([game, ids]) => givenBack(before, Number(game), ids));
  if (!table.document.declared) lost.push(...declaredAgain(before));
  const told = toldAgain(before, table);
  const waiting = taps.filter((tap) => !settled.includes(tap));
  const again = lost.length || told.length ? [...lost, ...told, ...renewed(waiting)] : [];
  return { table, settled: again.length ? taps : settled, again, lost, told };
};

/** Whether the server lacks lines that this device has. */
export const lacks = (answer) => Object.values(answer.lacks ?? {}).some((ids) => ids.length);

/**
 * Taps of the same heat under another link, if the server there knows nothing of it: this one is a new server, or
 * has drawn it again. Of a closed link it knows: then only the very same heat has another link. Return the taps and
 * the tables that they are from.
 */
export const adopted = async (table) => {
  const { heat, games } = table.document;
  if (!heat) return [[], []];
  const players = (each) => [...(each.document?.games[0]?.seats ?? [])].sort().join("\n");
  const fresh = !Object.values(table.lines).some((lines) => lines.length) && games.every(({ game, status }) => game === 1 || status === "waiting");
  const others = (await loadTables().catch(() => [])).filter(
    (other) => other.key !== table.key && other.document && (other.document.heat === heat || (fresh && players(other) === players(table))),
  );
  const [found, from] = [[], []];
  for (const other of others) {
    const { lost, closed } = await call(other, []);
    if (!closed && lost !== "unknown") continue;
    from.push(other.key);
    if (closed && other.document.heat !== heat) continue;
    for (const game of Object.keys(other.lines)) found.push(...givenOn(other, table, Number(game)));
    const waiting = await loadTaps(other.key).catch(() => []);
    found.push(...renewed(waiting).map((tap) => ({ ...tap, kept: true })));
  }
  return [found.map((tap) => ({ ...tap, key: table.key })), from];
};
