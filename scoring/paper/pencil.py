"""Marks that look hand-drawn, but print the same every time.

A tally fence is four strokes and a slash. Every line is slightly off, as if drawn by hand. The
deviation depends only on the mark's seed, so that the same protocol always prints the same bytes.
"""

import math
import random
from functools import partial

from .paper import PENCIL, Paper

# Positions of the lines in a fence of five, in points of score from its start. The scale's line
# runs in the gap before the next fence.
_STROKES = (0.72, 1.66, 2.60, 3.54)
_SLASH = (0.22, 4.10)
_FENCES = 4  # variants; enough that no two rows look printed


def _hand(seed: str) -> random.Random:
    """Return the random generator of one mark's deviations; equal seeds give equal marks."""
    return random.Random(seed.encode("utf-8", "replace"))


def _line(
    paper: Paper, hand: random.Random, ends: tuple[float, float, float, float], grey: float
) -> None:
    x1, y1, x2, y2 = ends
    bow = hand.uniform(-0.16, 0.16)
    normal = math.atan2(y2 - y1, x2 - x1) + math.pi / 2
    dx, dy = bow * math.cos(normal), bow * math.sin(normal)
    third, two = 0.3 + hand.uniform(-0.05, 0.05), 0.7 + hand.uniform(-0.05, 0.05)
    paper.curve(
        [
            (x1, y1),
            (x1 + (x2 - x1) * third + dx, y1 + (y2 - y1) * third + dy),
            (x1 + (x2 - x1) * two + dx, y1 + (y2 - y1) * two + dy),
            (x2, y2),
        ],
        weight=hand.uniform(0.95, 1.25),
        grey=grey,
    )


def tally(
    paper: Paper,
    *,
    x: float,
    top: float,
    bottom: float,
    unit: float,
    count: int,
    seed: str,
    grey: float = PENCIL,
) -> None:
    """Draw ``count`` points as fences of five from ``x``, with ``unit`` mm per point.

    The drawing stays between ``top`` and ``bottom``, and within ``x + count * unit`` rounded up to
    a whole fence. A fence is one of a few drawings that are stored in the file only once.
    """
    hand = _hand(seed)
    height = bottom - top
    drawings = []
    for first in range(0, count, 5):
        strokes = min(5, count - first)
        variant = hand.randrange(_FENCES if strokes == 5 else 2)
        key = (strokes, variant, round(height, 3), round(unit, 4), grey)
        drawings.append((("fence", key), partial(_fence, paper, *key)))
    paper.stamp(x, top, *drawings, step=5 * unit)


def _fence(
    paper: Paper, strokes: int, variant: int, height: float, unit: float, grey: float
) -> None:
    """Draw one fence with its corner at the page's corner."""
    hand = _hand(f"{strokes}/{variant}")
    for stroke in range(strokes):
        if stroke < 4:
            at = (_STROKES[stroke] + hand.uniform(-0.09, 0.09)) * unit
            lean = hand.uniform(-0.01, 0.05) * height
            high = height * (0.06 + hand.uniform(0, 0.07))
            low = height * (0.94 - hand.uniform(0, 0.07))
            ends = (at + lean / 2, high, at - lean / 2, low)
        else:
            rise = hand.uniform(-0.03, 0.03) * height
            ends = (
                (_SLASH[0] + hand.uniform(-0.05, 0.08)) * unit,
                height * 0.76 + rise,
                (_SLASH[1] + hand.uniform(-0.05, 0.08)) * unit,
                height * 0.24 + rise,
            )
        _line(paper, hand, ends, grey)


def _smooth(ends: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a smooth Bézier path through the points (Catmull–Rom)."""
    points = [ends[0]]
    for i in range(len(ends) - 1):
        before, a, b = ends[max(i - 1, 0)], ends[i], ends[i + 1]
        after = ends[min(i + 2, len(ends) - 1)]
        points += [
            (a[0] + (b[0] - before[0]) / 6, a[1] + (b[1] - before[1]) / 6),
            (b[0] - (after[0] - a[0]) / 6, b[1] - (after[1] - a[1]) / 6),
            b,
        ]
    return points


def struck(
    paper: Paper, *, x: float, top: float, bottom: float, length: float, seed: str, grey: float
) -> None:
    """Cross out with one long, slightly wavy line."""
    hand = _hand(f"{seed}/struck")
    middle, sway = (top + bottom) / 2, (bottom - top) * 0.16
    points = [(x, middle + hand.uniform(-sway, sway))]
    pieces = max(1, round(length / 24))
    for i in range(pieces):
        points.append((x + length * (i + 1) / pieces, middle + hand.uniform(-sway, sway)))
    paper.curve(_smooth(points), weight=1.1, grey=grey)


def ring(paper: Paper, *, x: float, y: float, width: float, height: float, seed: str) -> None:
    """Circle a name with an oval whose end overshoots its beginning, inside the given box."""
    hand = _hand(f"{seed}/ring")
    rx, ry = width / 2, height / 2
    cx, cy = x + rx, y + ry
    start = math.radians(262 + hand.uniform(-10, 10))  # the seam is above the name
    turns = math.radians(372)
    steps = 12
    step = turns / steps
    # A superellipse hugs a line of text better than an ellipse does.
    power = 0.62

    def at(angle: float, across: float, up: float) -> tuple[float, float]:
        c, s = math.cos(angle), math.sin(angle)
        return (
            cx + rx * across * math.copysign(abs(c) ** power, c),
            cy + ry * up * math.copysign(abs(s) ** power, s),
        )

    ends = [
        at(
            start + i * step,
            0.988 + hand.uniform(-0.01, 0.01),
            0.985 - 0.09 * i / steps + hand.uniform(-0.012, 0.012),
        )
        for i in range(steps + 1)
    ]
    paper.curve(_smooth(ends), weight=1.0, grey=0.0)
