// A heat's ranking, as in engine/ranking/heat.py: by the table's chain, those disqualified last.

const WHOLE = 60; // game points in sixtieths: a place shared by two to six players stays exact

const FLIP_FLOP = "flip_flop";
const KNOWN = ["game_points", "score_points", "asterisks", "games_won", FLIP_FLOP];

/** Whether it knows every step of a chain; by another one it ranks nobody. */
export const ranks = (chain) => chain.every((step) => KNOWN.includes(step));

/** A fraction ("27/2") in sixtieths. */
const sixtieths = (fraction) => {
  const [whole, of = 1] = fraction.split("/").map(Number);
  return Math.round((whole * WHOLE) / of);
};

/** The same, as a fraction. */
const fraction = (parts) => `${parts}/${WHOLE}`;

/**
 * The players' places after these games ({seats, scores, asterisks, game_points, winners, status}):
 * rows, best first, each with `place`, the `last` place of those who share it, and whether it `advances`.
 */
export const ranking = (games, penalties, chain, advance) => {
  const rows = games[0].seats.map((name) => {
    const own = games.map((game) => [game, game.seats.indexOf(name)]);
    const sum = (value) => own.reduce((all, [game, seat]) => all + value(game, seat), 0);
    const penalty = sixtieths(penalties[name] ?? "0");
    const points = own.map(([game, seat]) => game.game_points?.[seat] ?? "0");
    const values = {
      game_points: points.reduce((all, each) => all + sixtieths(each), -penalty),
      score_points: sum((game, seat) => game.scores[seat]),
      asterisks: sum((game, seat) => game.asterisks[seat]),
      games_won: sum((game, seat) => Number(game.winners.includes(seat))),
    };
    const disqualified = own.some(([game, seat]) => game.status[seat] === "disqualified");
    const key = [disqualified ? -1 : 0, ...chain.filter((step) => step !== FLIP_FLOP).map((step) => values[step])];
    const won = fraction(values.game_points + penalty);
    return { name, points, won, penalty: penalty && fraction(penalty), disqualified, key, ...values, game_points: fraction(values.game_points) };
  });
  const compare = (one, other) => other.key.map((value, at) => value - one.key[at]).find(Boolean) ?? 0;
  rows.sort(compare);
  for (const row of rows) {
    row.place = rows.findIndex((other) => !compare(row, other)) + 1;
    row.last = rows.findLastIndex((other) => !compare(row, other)) + 1;
    row.advances = !row.disqualified && row.last <= advance;
  }
  return rows;
};

/** The step that puts a row above the next one. */
export const stepAbove = (row, below, chain) =>
  row.disqualified !== below.disqualified ? "disqualified" : (chain.find((step) => row[step] !== below[step]) ?? "level");

/** Whether a Flip Flop decides who of these goes on. */
export const needsFlipFlop = (rows, chain, advance) =>
  chain.at(-1) === FLIP_FLOP && rows.some(({ place, last, disqualified }) => !disqualified && place <= advance && advance < last);
