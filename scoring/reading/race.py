"""A game as it is drawn: each player's score, deal by deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rules.ruleset import RuleSet

from .games import Game
from .words import short_names, split_name

#: The number of letters that fit to the right of the lines.
_LETTERS = 10


@dataclass(frozen=True, slots=True)
class Race:
    """A game as it is drawn, and the same numbers as a table.

    ``labels`` stand at the ends of the lines; ``marks`` are the scores with a line across: the
    target, and the limit for exchanging.
    """

    number: int
    title: str
    text: str
    labels: tuple[str, ...]
    marks: tuple[tuple[int, str], ...]
    names: tuple[str, ...]
    rows: tuple[tuple[int, tuple[int, ...]], ...]

    @property
    def scores(self) -> list[tuple[int, ...]]:
        """Each deal's scores, those before the first one too."""
        return [(0,) * len(self.names), *(scores for _deal, scores in self.rows)]


def races_of(games: Sequence[Game], rules: RuleSet) -> tuple[Race, ...]:
    """Return each game that has entries as it is drawn."""
    return tuple(_race(game, rules) for game in games if game.deals)


def _race(game: Game, rules: RuleSet) -> Race:
    shorts = short_names(game.names)
    count, scores = len(game.deals), game.deals[-1].scores
    marks = {rules.target: "target"}
    if rules.discardless is not None:
        marks.setdefault(rules.discardless, "limit")
    ranked = sorted(zip(scores, game.names, strict=True), key=lambda each: -each[0])
    return Race(
        number=game.number,
        title=_("Game %(number)s, score by deal") % {"number": game.number},
        text=ngettext(
            "After %(count)s deal: %(scores)s.", "After %(count)s deals: %(scores)s.", count
        )
        % {"count": count, "scores": ", ".join(f"{name} {score}" for score, name in ranked)},
        labels=tuple(
            fitting(short, str(score), shorts) for short, score in zip(shorts, scores, strict=True)
        ),
        marks=tuple(marks.items()),
        names=tuple(shorts),
        rows=tuple((deal.number, deal.scores) for deal in game.deals),
    )


def fitting(name: str, score: str, names: Sequence[str] = ()) -> str:
    """Return name and score, shortened to fit beside a line and still told from other ``names``.

    >>> fitting("Bo", "42"), fitting("Bartholomäus", "42"), fitting("Bartholomäus B", "42")
    ('Bo 42', 'Bartho… 42', 'Bart… B 42')
    >>> fitting("Anna-Karin Åkerb", "4"), fitting("Anna-Karin Åkerb", "42")
    ('A… Åkerb 4', 'A Åkerb 42')
    >>> [fitting(name, "42", ["Alexander", "Alexandra"]) for name in ("Alexander", "Alexandra")]
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
