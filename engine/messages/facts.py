"""What an entry did, costs and is worth, in words (rulebook §3; docs/formats/facts.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..sheet.facts import Fact, ScoreChanged
from ..sheet.losses import Loss
from ..sheet.sheet import Worth
from .numbers import number_text, signed
from .render import seat_name
from .words import language

_ZEROED: Final = {"en": "set to zero at {score}", "sv": "nollad på {score}"}

#: What an entry costs. The Auditor's page fills these in by itself while it is offline.
LOSSES: Final[dict[str, dict[str, str]]] = {
    "en": {
        "falls": "{name} falls from {before} to {after}.",
        "out": "{name} falls from {before} to {after} and is out of this game.",
        "short": "{name} reaches {target} without a Chicago: 0 points.",
        "short_out": "{name} reaches {target} without a Chicago: 0 points, out of this game.",
        "near": "{names}: no Chicago yet, {target} would be 0.",
    },
    "sv": {
        "falls": "{name} faller från {before} till {after}.",
        "out": "{name} faller från {before} till {after} och är ute ur partiet.",
        "short": "{name} når {target} utan chicago: 0 poäng.",
        "short_out": "{name} når {target} utan chicago: 0 poäng och ute ur partiet.",
        "near": "{names}: ingen chicago än, {target} blir 0.",
    },
}

#: What an entry is worth, on a button and on paper.
WORTH: Final[dict[str, dict[str, str]]] = {
    "en": {
        "wins": "wins",
        "to": "to {score}",
        "others": "others to 0",
        "one": "{name} to 0",
        "and_zero": "{value}, {zero}",
    },
    "sv": {
        "wins": "vinner",
        "to": "till {score}",
        "others": "nollar de andra",
        "one": "nollar {name}",
        "and_zero": "{value}, {zero}",
    },
}


def changes_text(facts: Iterable[Fact], lang: str = "en") -> dict[int, str]:
    """Return what an entry did to the scores, by seat.

    A player who reached the target without the needed Chicago did not lose points, but was set to
    zero.

    >>> from engine.sheet.facts import ScoreChanged
    >>> changes_text([ScoreChanged(0, 46, 54, "hand"), ScoreChanged(0, 54, 0, "no_chicago"),
    ...               ScoreChanged(2, 20, 5, "chicago_lost")])
    {0: 'set to zero at 54', 2: '−15'}
    """
    zeroed = _ZEROED[language(lang)]
    return {
        fact.seat: zeroed.format(score=number_text(fact.before))
        if fact.cause == "no_chicago"
        else signed(fact.gain)
        for fact in facts
        if isinstance(fact, ScoreChanged)
    }


def loss_text(
    found: Sequence[Loss], target: int, lang: str = "en", names: Sequence[str] | None = None
) -> str:
    """Return what an entry costs, a sentence for each loss; ``names`` are by seat.

    >>> loss_text([Loss(0, 46, 0, short=True)], 52, names=["Anna"])
    'Anna reaches 52 without a Chicago: 0 points.'
    """
    texts = LOSSES[language(lang)]
    return " ".join(
        texts["_".join(key for key in ("short", "out") if getattr(loss, key)) or "falls"].format(
            name=seat_name(loss.seat, lang, names),
            before=number_text(loss.before),
            after=number_text(loss.after),
            target=target,
        )
        for loss in found
    )


def near_text(
    seats: Sequence[int], target: int, lang: str = "en", names: Sequence[str] | None = None
) -> str:
    """Return a warning that these seats have no Chicago yet; empty for none.

    >>> near_text([0, 1], 52, "sv", ["Anna", "Bo"])
    'Anna, Bo: ingen chicago än, 52 blir 0.'
    """
    who = ", ".join(seat_name(seat, lang, names) for seat in seats)
    return LOSSES[language(lang)]["near"].format(names=who, target=target) if who else ""


def worth_text(worth: Worth, lang: str = "en", *, zeroed: str = "") -> str:
    """Return what an entry is worth, for a button.

    ``zeroed`` names the one player that it sets to zero, where it does not do so to all others.

    >>> worth_text(Worth({"chicago_lost": -15, "breaker": 10})), worth_text(Worth({}, wins=True))
    ('−15 / +10', 'wins')
    >>> worth_text(Worth({"hand": 8}, zeroed=(1, 2))), worth_text(Worth({}, 52), "sv")
    ('+8, others to 0', 'till 52')
    """
    texts = WORTH[language(lang)]
    if worth.wins:
        return texts["wins"]
    value = " / ".join(map(signed, worth.gains.values()))
    if worth.lifts_to is not None:
        value = texts["to"].format(score=worth.lifts_to)
    if not worth.zeroed:
        return value
    zero = texts["one"].format(name=zeroed) if zeroed else texts["others"]
    return texts["and_zero"].format(value=value, zero=zero) if value else zero
