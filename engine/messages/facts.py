"""What an entry did, costs and is worth, in words (rulebook §3; docs/formats/facts.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..sheet.facts import Fact, ScoreChanged
from ..sheet.losses import Loss
from ..sheet.sheet import Worth
from .languages import texts_in
from .numbers import number_text, signed
from .render import seat_name


def changes_text(facts: Iterable[Fact], lang: str = "en") -> dict[int, str]:
    """Return what an entry did to the scores, by seat.

    A player who reached the target without the needed Chicago did not lose points, but was set to
    zero.

    >>> from engine.sheet.facts import ScoreChanged
    >>> changes_text([ScoreChanged(0, 46, 54, "hand"), ScoreChanged(0, 54, 0, "no_chicago"),
    ...               ScoreChanged(2, 20, 5, "chicago_lost")])
    {0: 'set to zero at 54', 2: '−15'}
    """
    zeroed = texts_in(lang).zeroed_now
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
    texts = texts_in(lang).losses
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
    return texts_in(lang).losses["near"].format(names=who, target=target) if who else ""


def worth_text(worth: Worth, lang: str = "en", *, zeroed: str = "") -> str:
    """Return what an entry is worth, for a button.

    ``zeroed`` names the one player that it sets to zero, where it does not do so to all others.

    >>> worth_text(Worth({"chicago_lost": -15, "breaker": 10})), worth_text(Worth({}, wins=True))
    ('−15 / +10', 'wins')
    >>> worth_text(Worth({"hand": 8}, zeroed=(1, 2))), worth_text(Worth({}, 52), "sv")
    ('+8, others to 0', 'till 52')
    """
    texts = texts_in(lang).worth
    if worth.wins:
        return texts["wins"]
    value = " / ".join(map(signed, worth.gains.values()))
    if worth.lifts_to is not None:
        value = texts["to"].format(score=worth.lifts_to)
    if not worth.zeroed:
        return value
    zero = texts["one"].format(name=zeroed) if zeroed else texts["others"]
    return texts["and_zero"].format(value=value, zero=zero) if value else zero
