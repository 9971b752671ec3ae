// Places and game points of a finished game (engine/sheet/placing.py; rulebook §4).

import { seatsOf } from "./state.js";

/** A sum shared by so many, exactly, as the engine writes a fraction: "20", "27/2". */
export const fraction = (sum, number) => {
  const common = (a, b) => (b ? common(b, a % b) : Math.abs(a));
  const divisor = common(sum, number);
  return number === divisor ? String(sum / divisor) : `${sum / divisor}/${number / divisor}`;
};

/** Game points by seat; null where the rule set has none for so many players. */
const shares = ({ rules, status, seats }, places, winners) => {
  if (seats > rules.game_points.length) return null;
  const points = Array(seats).fill("0");
  let place = 0;
  for (const group of places) {
    const worth = rules.game_points.slice(place, place + group.length);
    place += group.length;
    const fell = status[group[0]] === "disqualified" || (rules.out_points === "zero" && status[group[0]] === "out");
    if (fell && !winners.includes(group[0])) continue;
    const sum = worth.reduce((a, b) => a + b, 0);
    for (const seat of group) points[seat] = fraction(sum, group.length);
  }
  return points;
};

/** [places, game points]; `shareRest`: the royal flush, whose others share what is left. */
export const placeGame = (state, winners, shareRest) => {
  const { rules, scores, status } = state;
  const rest = seatsOf(state).filter((seat) => !winners.includes(seat));
  const of = (what) => rest.filter((seat) => status[seat] === what);
  const still = of("in");
  const groups = [winners];
  if (shareRest && rules.out_points === "last_place") groups.push(rest.filter((seat) => status[seat] !== "disqualified"));
  else {
    const best = [...new Set(still.map((seat) => scores[seat]))].sort((a, b) => b - a);
    if (shareRest) groups.push(still);
    else for (const score of best) groups.push(still.filter((seat) => scores[seat] === score));
    groups.push(of("out"));
  }
  groups.push(of("disqualified"));
  const places = groups.filter((group) => group.length);
  return [places, shares(state, places, winners)];
};
