"""Sentences about the outlook of a heat, in the reader's language (rulebook §5).

There are two kinds: a short line after a name ("second is enough unless Bo wins"), and whole
sentences for a page. Both come from a :class:`engine.ranking.outlook.PlayerOutlook` and claim only
what it proves.

>>> from fractions import Fraction
>>> from engine.ranking.outlook import HeatSoFar, outlook
>>> heat = HeatSoFar({"Anna": Fraction(35), "Bo": Fraction(35), "Cia": Fraction(24)}, 1)
>>> for found in outlook(heat):
...     print(" ".join(sentences(found)))
Anna advances by winning the last game. Second is enough unless Bo wins. Third is not enough.
Bo advances by winning the last game. Second is enough unless Anna wins. Third is not enough.
Cia is out on game points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ranking.outlook import CLINCHED, ELIMINATED, OPEN, TIE, PlaceOutcome, PlayerOutlook
from .languages import texts_in

Names = Callable[[str], str]


def _same(name: str) -> str:
    return name


class _Words:
    """The texts of one language, of advancing or of winning, with the names to show."""

    def __init__(self, lang: str, names: Names, *, final: bool = False) -> None:
        language = texts_in(lang)
        self._texts = {**language.outlook, **(language.outlook_of_wins if final else {})}
        self._places = language.places
        self._names = names

    def __call__(self, key: str, place: int = 1, **values: str) -> str:
        """Return a text; places count from 1."""
        word = self._places[place - 1]
        return self._texts[key].format(place=word, Place=word.capitalize(), **values)

    def of_places(self, outcomes: Sequence[PlaceOutcome]) -> str:
        """Return a sentence about places with the same outcome, the best first."""
        first, *others = outcomes
        also = [self("also", each.place, unless=self.unless(each, whole=True)) for each in others]
        unless = self.unless(first, whole=True)
        return self(_PLACE_TEXTS[first.then], first.place, unless=unless, also="".join(also))

    def unless(self, outcome: PlaceOutcome, *, whole: bool = False) -> str:
        """Return the conditions of an outcome; in a whole sentence, with ties."""
        if outcome.orders:
            return self("unless_orders")
        if not outcome.unless:
            return ""
        who: dict[tuple[int, bool], list[str]] = {}
        for condition in outcome.unless:
            same = condition.place, whole and condition.level
            who.setdefault(same, []).append(self._names(condition.player))
        conditions = [
            self._condition(self("or").join(players), place, level=level)
            for (place, level), players in who.items()
        ]
        return self("unless", conditions=self("or").join(conditions))

    def _condition(self, name: str, place: int, *, level: bool) -> str:
        text = self("wins" if place == 1 else "reaches", place, name=name)
        return self("level", condition=text) if level else text


_PLACE_TEXTS = {
    CLINCHED: "clinched_if",
    TIE: "tie_if",
    OPEN: "open_if",
    ELIMINATED: "eliminated_if",
}


def short(
    found: PlayerOutlook, lang: str = "en", names: Names = _same, *, final: bool = False
) -> str:
    """Return a few words to put after the player's name.

    ``names`` maps a player of the outlook (an id, say) to the
    name to show; with ``final`` a player wins rather than advances.

    >>> short(PlayerOutlook("7", True, False, 1), "sv-FI")
    'går vidare'
    """
    words = _Words(lang, names, final=final)
    if found.clinched:
        return words("short_clinched")
    if found.eliminated:
        return words("short_eliminated")
    if found.tied:
        return words("short_tied")
    sure = [outcome for outcome in found.next_game if outcome.then == CLINCHED]
    sayable = [outcome for outcome in sure if not outcome.orders]
    if sayable:
        best = sayable[-1]
        key = "short_win" if best.place == 1 else "short_enough"
        return words(key, best.place, unless=words.unless(best))
    needed = found.needed
    if needed is not None and needed < len(found.next_game):
        return words("short_must_win" if needed == 1 else "short_needed", needed)
    return words("short_open")


def sentences(
    found: PlayerOutlook,
    lang: str = "en",
    names: Names = _same,
    *,
    final: bool = False,
    flip_flop: bool = False,
) -> list[str]:
    """Return whole sentences about the player's outlook, the most important first.

    ``lang``, ``names`` and ``final`` are as in :func:`short`; with ``flip_flop`` only that is left
    to break the player's tie, which the outlook does not know.

    >>> sentences(PlayerOutlook("Anna", True, False, 1), final=True)
    ['Anna wins, whatever happens.']
    """
    words = _Words(lang, names, final=final)
    name = names(found.player)
    if found.clinched:
        return [words("clinched", name=name)]
    if found.eliminated:
        return [words("eliminated", name=name)]
    if found.tied:
        return [words("flip_flop" if flip_flop else "tied", name=name)]
    lines: list[str] = []
    last = found.games_left == 1
    enough, needed = found.enough, found.needed
    if enough is not None:
        key = ("wins_" if enough == 1 else "enough_") + ("last" if last else "next")
        lines.append(words(key, enough, name=name))
    if not last:
        if needed is not None and needed < len(found.next_game):
            lines.append(words("needed_win" if needed == 1 else "needed", needed, name=name))
        elif all(outcome.then != CLINCHED for outcome in found.next_game):
            lines.append(words("later", name=name))
    said: list[list[PlaceOutcome]] = []
    for outcome in found.next_game:
        if enough is not None and outcome.place <= enough:
            continue
        if outcome.then == CLINCHED or last:
            before = said[-1][-1] if said else None
            if before and before.unless and outcome.unless and before.then == outcome.then:
                said[-1].append(outcome)
            else:
                said.append([outcome])
        if outcome.then == ELIMINATED:
            break  # what holds for this place holds even more for worse ones
    return [*lines, *map(words.of_places, said)]


def all_sentences(
    outlooks: Sequence[PlayerOutlook], lang: str = "en", names: Names = _same
) -> list[str]:
    """Return the sentences about a whole heat, a line for each player.

    >>> all_sentences([PlayerOutlook("Bo", False, True, 0)], "sv")
    ['Bo är utan chans på placeringspoäng.']
    """
    lines: list[str] = []
    for found in outlooks:
        name, said = names(found.player), " ".join(sentences(found, lang, names))
        lines.append(said if said.startswith(name) else f"{name}: {said}")
    return lines
