// A server restored from a backup, or one that has replaced another, is offered what this device still
// has (recover.js) and the server lacks (scoring/web/recover.py). It accepts it like any entry, in
// order, and says why it stops. What was decided or said the director reads here.

import { forgetWritten, inOrder, keepWritten, loadWritten } from "./store.js";

const panel = () => document.getElementById("recovery");

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

/** A tap as it is offered: what was written, and where. */
const offered = ({ id, act, place, seating, away, names, body }) => {
  const { game, entry = null, announce, kind, target, later } = body;
  return { id, act, place, seating, away, names, game, entry, announce, kind, target, later };
};

/** The stored taps and decisions that the server, at its `revision`, lacks; null if it does not answer. */
const lackingOf = async ({ key, queue, base, sheet, others }) => {
  const { revision } = sheet;
  // This server is a new one, perhaps: it has the heat under another link.
  if (others.length) await (await import("./adopt.js")).adopt(key, others, sheet);
  const stored = await loadWritten(key);
  if (!stored.length) return { taps: [], told: [] };
  const targets = stored.flatMap(({ body }) => body?.target ?? []);
  const answer = await queue.ask(`${base}kept/`, { ids: [...new Set([...stored.map(({ id }) => id), ...targets])] });
  if (!answer?.lacks) return null;
  const [lacks, own] = [new Set(answer.lacks), new Set(stored.map(({ id }) => id))];
  // A call and the sign-off have no rows: a server that was as far once, and has none, has taken it back.
  // Seats are settled before a game's first entry, which may have been taken back since.
  const dealt = sheet.entries.some(({ entry }) => entry.kind !== "ruling");
  const settled = ({ seating, row, body: { game } }) => sheet.game > game || (sheet.game === game && (seating === sheet.seating || (dealt && row <= sheet.version)));
  const sits = (tap) => tap.body?.kind === "reseat" && settled(tap);
  const missing = stored.filter((tap) => lacks.has(tap.id) && !tap.declined && !(tap.until <= revision) && !sits(tap));
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
 * return whether it does. `sheet` is the server's; `others` are the heat's under other links; `time` formats a moment;
 * `done(answer, more)` is called when they have been sent or declined, with the server's answer, if any;
 * `goesOn(on)` says whether the offer stands.
 */
export const offer = async (about) => {
  const { queue, base, time, done, goesOn } = about;
  const missing = await lackingOf(about);
  if (!missing || !(missing.taps.length || missing.told.length)) {
    goesOn(false);
    if (missing) show();
    return false;
  }
  const { taps, told } = missing;
  const { lacks, lacksTold, send, leave, last, sure, call, set } = panel().dataset;
  const entries = taps.length ? [lacks.replace("{count}", taps.length).replace("{time}", time(taps[0].at))] : [];
  const words = told.map(({ at, body }) => (at ? `${time(at)} · ${body.text}` : body.text));
  // An earlier version of this script stored "said".
  let called = told.every((each) => each.called || each.said);

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
    for (const each of called ? [] : told) await keepWritten({ ...each, called: true });
    called = true;
    const refused = answer.problems?.[0]?.message ?? "";
    goesOn(Boolean(refused) || told.length > 0);
    present(Boolean(refused), refused);
    done(answer, Boolean(refused));
  };
  const stop = () => {
    show(paragraph(last), button(send, "btn btn-primary", give), button(sure, "btn btn-outline-primary", decline));
    panel().scrollIntoView({ block: "nearest" });
  };
  // What the table does without is not offered again, after a reload either.
  const decline = async () => {
    for (const each of taps) await keepWritten({ ...each, declined: true });
    goesOn(false);
    show();
    done(null, false);
  };
  const settled = async () => {
    await forgetWritten(told);
    goesOn(false);
    show();
  };
  present(taps.length > 0);
  return taps.length > 0;
};
