// A heat's ranking, as in engine/ranking/heat.py (rulebook §5): by the table's chain of steps, those
// disqualified last. Fractions are the engine's texts ("27/2"), and exact.

import { fraction } from "./count/closing.js";

const WHOLE = 60; // places are shared by two to six players, penalties are twelfths

const FLIP_FLOP = "flip_flop";
const DISQUALIFIED = "disqualified";
/** What each step of a chain compares, higher is better: a sum over a player's games, each with the player's seat. */
const VALUES = {
  game_points: (game, seat) => sixtieths(game.game_points?.[seat] ?? "0"),
  score_points: (game, seat) => game.scores[seat],
  asterisks: (game, seat) => game.asterisks[seat],
  games_won: (game, seat) => Number(game.winners.includes(seat)),
};

/** Whether it knows every step of a chain; by another one it ranks nobody. */
export const ranks = (chain) => chain.every((step) => step === FLIP_FLOP || Object.hasOwn(VALUES, step));

const sixtieths = (text) => {
  const [whole, of = 1] = text.split("/").map(Number);
  return Math.round((whole * WHOLE) / of);
};
const exact = (parts) => fraction(parts, WHOLE);

/** A player's sums. */
const summed = (name, games, penalty) => {
  const own = games.map((game) => [game, game.seats.indexOf(name)]);
  const values = {};
  for (const step of Object.keys(VALUES)) values[step] = own.reduce((sum, [game, seat]) => sum + VALUES[step](game, seat), 0);
  const won = values.game_points;
  values.game_points -= penalty;
  return {
    name,
    points: own.map(([game, seat]) => game.game_points?.[seat] ?? "0"),
    won: exact(won),
    penalty: penalty && exact(penalty),
    disqualified: own.some(([game, seat]) => game.status[seat] === DISQUALIFIED),
    values,
  };
};

/** The step that puts one player above another, with both values if it compares numbers. */
const decided = (above, below, chain) => {
  if (above.disqualified !== below.disqualified) return { decided_by: DISQUALIFIED };
  const step = chain.find((each) => above.values[each] !== below.values[each]) ?? FLIP_FLOP;
  const [own, next] = [above, below].map(({ values }) => (step === "game_points" ? exact(values[step]) : values[step]));
  return step === FLIP_FLOP ? { decided_by: step } : { decided_by: step, own_value: own, next_value: next };
};

/**
 * The players' places after these finished games ({seats, scores, asterisks, game_points, winners, status}):
 * {rows, needs}. Rows are best first, each with `place`, the `last` place of those who share it, whether it
 * `advances`, and the step by which it is above the next one (`decided_by`, `own_value`, `next_value`).
 * `needs` lists the tied players of whom a Flip Flop decides who goes on; `flipFlops` are those played.
 */
export const ranking = (games, penalties, chain, advance, flipFlops = []) => {
  const players = games[0].seats.map((name) => summed(name, games, sixtieths(penalties[name] ?? "0")));
  const counted = chain.filter((step) => step !== FLIP_FLOP);
  const compare = (one, other) =>
    one.disqualified - other.disqualified ||
    (counted.map((step) => other.values[step] - one.values[step]).find(Boolean) ?? 0);
  const groups = [];
  for (const player of players.sort(compare)) {
    if (groups.length && !compare(groups.at(-1)[0], player)) groups.at(-1).push(player);
    else groups.push([player]);
  }
  const needs = [];
  const ordered = [];
  let above = 0;
  for (const group of groups) {
    const flipped = flipFlops.find((order) => order.length === group.length && group.every(({ name }) => order.includes(name)));
    if (group.length > 1 && flipped) ordered.push(...flipped.map((name) => [group.find((player) => player.name === name)]));
    else {
      ordered.push(group);
      const straddles = above < advance && advance < above + group.length;
      if (straddles && chain.at(-1) === FLIP_FLOP && !group[0].disqualified) needs.push(group.map(({ name }) => name));
    }
    above += group.length;
  }
  const rows = [];
  ordered.forEach((group, at) => {
    const [place, last] = [rows.length + 1, rows.length + group.length];
    group.forEach(({ values, ...player }, nth) => {
      const below = nth === group.length - 1 && ordered[at + 1]?.[0];
      const why = below ? decided({ values, ...player }, below, chain) : { decided_by: null };
      const advances = !player.disqualified && last <= advance;
      rows.push({ ...player, ...values, game_points: exact(values.game_points), place, last, advances, ...why });
    });
  });
  return { rows, needs };
};
