"""Sentences about the outlook of a heat, in English and Swedish (rulebook §5).

There are two kinds: a short line after a name ("second is enough unless Bo wins"), and whole
sentences for a page. Both come from a :class:`engine.ranking.outlook.PlayerOutlook` and claim only
what it proves.

>>> from fractions import Fraction
>>> from engine.ranking.outlook import HeatSoFar, outlook
>>> heat = HeatSoFar({"Anna": Fraction(35), "Bo": Fraction(35), "Cia": Fraction(24)}, 1)
>>> for found in outlook(heat):
...     print(" ".join(sentences(found)))
Anna goes on by winning the last game. Second is enough unless Bo wins. Third is not enough.
Bo goes on by winning the last game. Second is enough unless Anna wins. Third is not enough.
Cia is out on game points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ..ranking.outlook import CLINCHED, ELIMINATED, OPEN, TIE, PlaceOutcome, PlayerOutlook
from .words import language

Names = Callable[[str], str]

_ORDINALS: Final = {
    "en": ("first", "second", "third", "fourth"),
    "sv": ("etta", "tvåa", "trea", "fyra"),
}

OUTLOOK: Final[dict[str, dict[str, str]]] = {
    "en": {
        "clinched": "{name} goes on, whatever happens.",
        "eliminated": "{name} is out on game points.",
        "tied": "{name} is level on game points; the tiebreak decides.",
        "flip_flop": "{name} is level in everything; Flip Flop decides.",
        "wins_last": "{name} goes on by winning the last game.",
        "wins_next": "{name} goes on by winning the next game.",
        "enough_last": "{name} goes on by finishing {place} or better in the last game.",
        "enough_next": "{name} goes on by finishing {place} or better in the next game.",
        "clinched_if": "{Place} is enough{unless}.",
        "tie_if": "{Place} gives at best a tie on game points{unless}.",
        "open_if": "{Place} keeps the chance{unless}.",
        "eliminated_if": "{Place} is not enough.",
        "also": ", {place}{unless}.",
        "later": "{name} cannot settle it in the next game.",
        "needed": "{name} must finish {place} or better in the next game to stay in it.",
        "needed_win": "{name} must win the next game to stay in it.",
        "unless": " unless {conditions}",
        "unless_orders": " in some orders of the others, not in all",
        "wins": "{name} wins",
        "reaches": "{name} finishes {place} or better",
        "level": "{condition} (then level)",
        "or": " or ",
        "short_clinched": "goes on",
        "short_eliminated": "out",
        "short_tied": "level on game points",
        "short_enough": "{place} is enough{unless}",
        "short_win": "a win is enough{unless}",
        "short_needed": "must finish {place} or better",
        "short_must_win": "must win",
        "short_open": "open",
    },
    "sv": {
        "clinched": "{name} går vidare, vad som än händer.",
        "eliminated": "{name} är utan chans på placeringspoäng.",
        "tied": "{name} ligger lika på placeringspoäng; särskiljningen avgör.",
        "flip_flop": "{name} ligger lika i allt; flip-flop avgör.",
        "wins_last": "{name} går vidare genom att vinna sista partiet.",
        "wins_next": "{name} går vidare redan genom att vinna nästa parti.",
        "enough_last": "{name} går vidare som {place} eller bättre i sista partiet.",
        "enough_next": "{name} går vidare redan som {place} eller bättre i nästa parti.",
        "clinched_if": "Som {place} räcker det{unless}.",
        "tie_if": "Som {place} blir det som bäst lika på placeringspoäng{unless}.",
        "open_if": "Som {place} finns chansen kvar{unless}.",
        "eliminated_if": "Som {place} räcker det inte.",
        "also": ", som {place}{unless}.",
        "later": "{name} kan inte avgöra saken i nästa parti.",
        "needed": "{name} måste bli {place} eller bättre i nästa parti för att vara kvar.",
        "needed_win": "{name} måste vinna nästa parti för att vara kvar.",
        "unless": " om inte {conditions}",
        "unless_orders": " vid vissa placeringar av de andra, inte vid alla",
        "wins": "{name} vinner",
        "reaches": "{name} blir {place} eller bättre",
        "level": "{condition} (då lika)",
        "or": " eller ",
        "short_clinched": "går vidare",
        "short_eliminated": "utan chans",
        "short_tied": "lika på placeringspoäng",
        "short_enough": "det räcker att bli {place}{unless}",
        "short_win": "det räcker att vinna{unless}",
        "short_needed": "måste bli {place} eller bättre",
        "short_must_win": "måste vinna",
        "short_open": "öppet",
    },
}

#: Instead, where nobody goes on: of a final, and of a heat without play-offs after it.
OUTLOOK_OF_WINS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "clinched": "{name} wins, whatever happens.",
        "wins_last": "{name} wins by winning the last game.",
        "wins_next": "{name} wins by winning the next game.",
        "enough_last": "{name} wins by finishing {place} or better in the last game.",
        "enough_next": "{name} wins by finishing {place} or better in the next game.",
        "short_clinched": "wins",
    },
    "sv": {
        "clinched": "{name} vinner, vad som än händer.",
        "wins_last": "{name} vinner genom att vinna sista partiet.",
        "wins_next": "{name} vinner redan genom att vinna nästa parti.",
        "enough_last": "{name} vinner som {place} eller bättre i sista partiet.",
        "enough_next": "{name} vinner redan som {place} eller bättre i nästa parti.",
        "short_clinched": "vinner",
    },
}


def _same(name: str) -> str:
    return name


def _texts(lang: str, final: bool) -> dict[str, str]:
    return {**OUTLOOK[lang], **OUTLOOK_OF_WINS[lang]} if final else OUTLOOK[lang]


def short(
    found: PlayerOutlook, lang: str = "en", names: Names = _same, *, final: bool = False
) -> str:
    """Return a few words to put after the player's name.

    ``names`` maps a player of the outlook (an id, say) to the
    name to show; with ``final`` a player wins rather than goes on.

    >>> short(PlayerOutlook("7", True, False, 1), "sv-FI")
    'går vidare'
    """
    lang = language(lang)
    texts = _texts(lang, final)
    if found.clinched:
        return texts["short_clinched"]
    if found.eliminated:
        return texts["short_eliminated"]
    if found.tied:
        return texts["short_tied"]
    sure = [outcome for outcome in found.next_game if outcome.then == CLINCHED]
    sayable = [outcome for outcome in sure if not outcome.orders]
    if sayable:
        best = sayable[-1]
        key = "short_win" if best.place == 1 else "short_enough"
        place = _ORDINALS[lang][best.place - 1]
        return texts[key].format(place=place, unless=_unless(best, lang, names))
    needed = found.needed
    if needed is not None and needed < len(found.next_game):
        key = "short_must_win" if needed == 1 else "short_needed"
        return texts[key].format(place=_ORDINALS[lang][needed - 1])
    return texts["short_open"]


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
    lang = language(lang)
    texts = _texts(lang, final)
    name = names(found.player)
    if found.clinched:
        return [texts["clinched"].format(name=name)]
    if found.eliminated:
        return [texts["eliminated"].format(name=name)]
    if found.tied:
        return [texts["flip_flop" if flip_flop else "tied"].format(name=name)]
    lines: list[str] = []
    last = found.games_left == 1
    enough, needed = found.enough, found.needed
    if enough is not None:
        key = ("wins_" if enough == 1 else "enough_") + ("last" if last else "next")
        lines.append(texts[key].format(name=name, place=_ORDINALS[lang][enough - 1]))
    if not last:
        if needed is not None and needed < len(found.next_game):
            place = _ORDINALS[lang][needed - 1]
            key = "needed_win" if needed == 1 else "needed"
            lines.append(texts[key].format(name=name, place=place))
        elif all(outcome.then != CLINCHED for outcome in found.next_game):
            lines.append(texts["later"].format(name=name))
    before: PlaceOutcome | None = None
    for outcome in found.next_game:
        if enough is not None and outcome.place <= enough:
            continue
        if outcome.then == CLINCHED or last:
            if before is not None and before.then == outcome.then and outcome.unless:
                lines[-1] = lines[-1].removesuffix(".") + _also(outcome, lang, names)
            else:
                lines.append(_place_sentence(outcome, lang, names))
            before = outcome if outcome.unless else None
        if outcome.then == ELIMINATED:
            break  # what holds for this place holds even more for worse ones
    return lines


def _place_sentence(outcome: PlaceOutcome, lang: str, names: Names) -> str:
    keys = {CLINCHED: "clinched_if", TIE: "tie_if", OPEN: "open_if", ELIMINATED: "eliminated_if"}
    place = _ORDINALS[lang][outcome.place - 1]
    return OUTLOOK[lang][keys[outcome.then]].format(
        place=place, Place=place.capitalize(), unless=_unless(outcome, lang, names, whole=True)
    )


def _also(outcome: PlaceOutcome, lang: str, names: Names) -> str:
    """Return how a sentence that says the same of a better place goes on."""
    place = _ORDINALS[lang][outcome.place - 1]
    return OUTLOOK[lang]["also"].format(
        place=place, unless=_unless(outcome, lang, names, whole=True)
    )


def _unless(outcome: PlaceOutcome, lang: str, names: Names, *, whole: bool = False) -> str:
    texts = OUTLOOK[lang]
    if outcome.orders:
        return texts["unless_orders"]
    if not outcome.unless:
        return ""
    who: dict[tuple[int, bool], list[str]] = {}
    for condition in outcome.unless:
        same = condition.place, whole and condition.level
        who.setdefault(same, []).append(names(condition.player))
    conditions = [
        _condition(texts["or"].join(players), place, lang, level=level)
        for (place, level), players in who.items()
    ]
    return texts["unless"].format(conditions=texts["or"].join(conditions))


def _condition(name: str, place: int, lang: str, *, level: bool) -> str:
    texts = OUTLOOK[lang]
    key = "wins" if place == 1 else "reaches"
    text = texts[key].format(name=name, place=_ORDINALS[lang][place - 1])
    return texts["level"].format(condition=text) if level else text


def all_sentences(
    outlooks: Sequence[PlayerOutlook], lang: str = "en", names: Names = _same
) -> list[str]:
    """Return what is to be said of a whole heat, a line for each player.

    >>> all_sentences([PlayerOutlook("Bo", False, True, 0)], "sv")
    ['Bo är utan chans på placeringspoäng.']
    """
    lines: list[str] = []
    for found in outlooks:
        name, said = names(found.player), " ".join(sentences(found, lang, names))
        lines.append(said if said.startswith(name) else f"{name}: {said}")
    return lines
