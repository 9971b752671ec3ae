#!/usr/bin/env bash
# Games of four single players rated by openskill's Plackett–Luce model.
#
# Guess:    a weight says how much of a team's result was a player's; for teams of one it cannot
#           matter, so weights of 1 change nothing. Two joint winners of four gain as much as a first
#           and a second on average, more than the third. A player far above the others has a
#           predicted chance of winning near 1, with four players as with two.
# Behaviour: weights for teams of one, of whatever size, change every rating, and all sizes change them
#           alike. With ranks 1 1 3 4 the joint winners and the third come out equal. predict_win adds
#           up the chances against each opponent and divides by the number of pairs, so that of four
#           players nobody's exceeds one half, however strong.
# What to do: never give weights for single players; rate a tie as the mean of the orders in which the
#           tied could have come; show no predict_win of more than two as a chance of winning.
# Version:  openskill 6.2.0, openskill/models/weng_lin/plackett_luce.py.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check openskill==6.2.0
"$work/venv/bin/python" - > "$work/seen" <<'PY'
from openskill.models import PlackettLuce

model = PlackettLuce()


def rated(ranks, **more):
    teams = [[model.rating()] for _ in ranks]
    return [f"{team[0].mu:.2f}" for team in model.rate(teams, ranks=ranks, **more)]


print("no weights ", *rated([1, 2, 3, 4]))
for weight in (1, 2):
    print(f"weights of {weight}", *rated([1, 2, 3, 4], weights=[[weight]] * 4))
print("joint first", *rated([1, 1, 3, 4]))
strong = [[model.rating(mu=50, sigma=1)], *([model.rating(mu=10, sigma=1)] for _ in range(3))]
print("one of four", f"{model.predict_win(strong)[0]:.2f}")
print("one of two ", f"{model.predict_win(strong[:2])[0]:.2f}")
PY
diff - "$work/seen" <<'EXPECTED'
no weights  27.80 26.55 24.69 20.96
weights of 1 30.59 28.11 24.84 22.98
weights of 2 30.59 28.11 24.84 22.98
joint first 25.93 25.93 25.93 22.20
one of four 0.50
one of two  1.00
EXPECTED
cat "$work/seen"
