"""Settling stakes after a game: who pays whom, exactly (rulebook §7; pagat and svensk).

Everybody pays the winner the difference to the winning score, in units of the stake. Several
winners share the payments equally. A player with more points than the winner (a straight flush can
win from far behind) pays nothing. Seats that are out pay according to their score on the sheet.

>>> [str(amount) for amount in settle([54, 45, 53, 47], [0])]
['17', '-9', '-1', '-7']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from ..errors import ChicagoError

_STAKE: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12}|/[0-9]{1,12})?|\.[0-9]{1,12}", re.ASCII)


def settle(
    scores: Sequence[int], winners: Sequence[int], stake: Fraction | int = 1
) -> list[Fraction]:
    """Return what each seat gets (above 0) or pays (below 0); the amounts sum to 0.

    ``scores`` are the final sheet scores, ``winners`` the seats that won, ``stake`` the value of
    one point. Raises :class:`ChicagoError` ``bad_value`` for a stake that is not above 0, for no
    winners, and for winners that are not seats.

    >>> [str(amount) for amount in settle([53, 45, 53, 47], [0, 2], Fraction(1, 2))]
    ['7/2', '-4', '7/2', '-3']
    """
    if stake <= 0:
        raise ChicagoError("bad_value", field="stake", kind=None, value=str(stake))
    won = sorted(set(winners))
    if not won or not 0 <= won[0] <= won[-1] < len(scores):
        raise ChicagoError("bad_value", field="winners", kind=None, value=str(list(winners)))
    best = max(scores[seat] for seat in won)
    balance = [
        Fraction(0) if seat in won else -Fraction(max(0, best - score)) * stake
        for seat, score in enumerate(scores)
    ]
    share = -sum(balance, Fraction()) / len(won)
    for seat in won:
        balance[seat] = share
    return balance


def read_stake(text: str) -> Fraction:
    """Read a stake from the command line: a whole number, a decimal or a fraction, above 0.

    Raises :class:`ChicagoError` ``bad_value`` for anything else.

    >>> read_stake("0.50"), read_stake("3/2")
    (Fraction(1, 2), Fraction(3, 2))
    """
    bad = ChicagoError("bad_value", field="stake", kind=None, value=text[:40])
    if not _STAKE.fullmatch(text):
        raise bad
    try:
        stake = Fraction(text)
    except ZeroDivisionError:
        raise bad from None
    if stake <= 0:
        raise bad
    return stake
