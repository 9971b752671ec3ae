"""The picture of a game: each player's score, deal by deal, as a stepped line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rules.ruleset import RuleSet

from .games import Game
from .words import short_names, split_name

#: The drawing's size in its own units; the page scales it.
WIDTH, HEIGHT = 320, 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 22, 94, 10, 18
#: The height that a name at the end of a line needs.
_LINE = 13
#: The number of letters that fit to the right of the lines.
_LETTERS = 10


@dataclass(frozen=True, slots=True)
class RaceLine:
    """One player's line; ``kind`` is its dash pattern, ``label_y`` the position of its name."""

    kind: int
    label: str
    path: str
    label_y: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A horizontal line: the target, or the limit for exchanging."""

    score: int
    y: float
    text_y: float
    kind: str


@dataclass(frozen=True, slots=True)
class Race:
    """A game's picture, and the same numbers as a table."""

    number: int
    title: str
    text: str
    lines: tuple[RaceLine, ...]
    marks: tuple[Mark, ...]
    deals: tuple[tuple[int, float], ...]
    names: tuple[str, ...]
    rows: tuple[tuple[int, tuple[int, ...]], ...]
    left: float = _LEFT
    right: float = WIDTH - _RIGHT
    bottom: float = HEIGHT - _BOTTOM
    label_x: float = WIDTH - _RIGHT + 6
    size: str = f"0 0 {WIDTH} {HEIGHT}"


def races_of(games: Sequence[Game], rules: RuleSet) -> tuple[Race, ...]:
    """Return a picture of each game that has entries."""
    return tuple(_race(game, rules) for game in games if game.deals)


def _race(game: Game, rules: RuleSet) -> Race:
    shorts = short_names(game.names)
    scores = [(0,) * len(game.seats), *(deal.scores for deal in game.deals)]
    count = len(scores) - 1
    top = max(rules.target, *(max(each) for each in scores)) + 3
    bottom = min(0, *(min(each) for each in scores))

    def x(deal: float) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * deal / count, 1)

    def y(score: float) -> float:
        share = (score - bottom) / (top - bottom)
        return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * share, 1)

    ends = [y(scores[-1][seat]) for seat in range(len(game.seats))]
    heights = _apart(ends)
    lines = []
    for seat, short in enumerate(shorts):
        path = f"M{x(0)} {y(0)}"
        for deal in range(1, count + 1):
            path += f"H{x(deal)}V{y(scores[deal][seat])}"
        label = _fitting(short, str(scores[-1][seat]), shorts)
        lines.append(RaceLine(seat % 6, label, path, heights[seat]))
    across = {rules.target: "target"}
    if rules.discardless is not None:
        across.setdefault(rules.discardless, "limit")
    marks = [Mark(score, y(score), round(y(score) + 3, 1), kind) for score, kind in across.items()]
    every = max(1, -(-count // 8))
    ranked = sorted(zip(scores[-1], game.names, strict=True), key=lambda each: -each[0])
    return Race(
        number=game.number,
        title=_("Game %(number)s, score by deal") % {"number": game.number},
        text=ngettext(
            "After %(count)s deal: %(scores)s.", "After %(count)s deals: %(scores)s.", count
        )
        % {"count": count, "scores": ", ".join(f"{name} {score}" for score, name in ranked)},
        lines=tuple(lines),
        marks=tuple(marks),
        deals=tuple((deal, x(deal)) for deal in range(every, count + 1, every)),
        names=tuple(shorts),
        rows=tuple((deal.number, deal.scores) for deal in game.deals),
    )


def _fitting(name: str, score: str, names: Sequence[str] = ()) -> str:
    """Return name and score, shortened to fit beside a line and still told from other ``names``.

    >>> _fitting("Bo", "42"), _fitting("Bartholomäus", "42"), _fitting("Bartholomäus B", "42")
    ('Bo 42', 'Bartho… 42', 'Bart… B 42')
    >>> _fitting("Anna-Karin Åkerb", "4"), _fitting("Anna-Karin Åkerb", "42")
    ('A… Åkerb 4', 'A Åkerb 42')
    >>> [_fitting(name, "42", ["Alexander", "Alexandra"]) for name in ("Alexander", "Alexandra")]
    ['Alex…er 42', 'Alex…ra 42']
    """
    room = _LETTERS - len(score) - 1
    if len(name) > room:
        first, rest = split_name(name, names, room - 2)
        if not rest:
            first, space, rest = name.partition(" ")
            first += space
        rest = rest[: room - 2]
        if first.endswith(" "):
            first, rest = first[:-1], f" {rest}"
        kept = first[: room - len(rest) - 1]
        name = f"{kept}…{rest}" if kept else f"{first[0]}{rest}"
    return f"{name} {score}"


def _apart(ends: Sequence[float]) -> list[float]:
    """Return positions for the names at the ends of the lines, so that they do not overlap."""
    order = sorted(range(len(ends)), key=lambda seat: ends[seat])
    found = [0.0] * len(ends)
    lowest = HEIGHT - _BOTTOM + 4
    at = 0.0
    for index, seat in enumerate(order):
        after = len(order) - 1 - index
        at = min(max(ends[seat] + 4, at + _LINE), lowest - after * _LINE)
        found[seat] = round(at, 1)
    return found
