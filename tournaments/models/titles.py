"""Titles of play-off rounds and their heats, by the number of rounds left to the final."""

from collections.abc import Iterator
from itertools import product
from string import ascii_uppercase

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_NAMED = {
    0: gettext_lazy("Final"),
    1: gettext_lazy("Semi-finals"),
    2: gettext_lazy("Quarter-finals"),
}


def round_title(left: int | None, number: int) -> str:
    """Return the round's title; ``left`` rounds follow it, None if not known."""
    if left in _NAMED:
        return str(_NAMED[left])
    return _("Play-off round %(round)s") % {"round": number}


def letters() -> Iterator[str]:
    """Yield the letters of a round's tables: A to Z, then AA to ZZ."""
    yield from ascii_uppercase
    for one, other in product(ascii_uppercase, repeat=2):
        yield one + other


def table_code(left: int | None, number: int, letter: str) -> str:
    """Return the code of a play-off heat, which is stored as its title.

    >>> table_code(1, 2, "A"), table_code(None, 2, "A")
    ('1-2-A', '-2-A')
    """
    return f"{'' if left is None else left}-{number}-{letter}"


def heat_title(code: str, number: int) -> str:
    """Return a heat's name: "Heat 12", or "Semi-final A" for a play-off heat."""
    if not code:
        return _("Heat %(number)s") % {"number": number}
    left, of_round, letter = code.split("-")
    words = {"letter": letter, "round": of_round}
    if left == "0":
        return _("Final")
    if left == "1":
        return _("Semi-final %(letter)s") % words
    if left == "2":
        return _("Quarter-final %(letter)s") % words
    return _("Round %(round)s, group %(letter)s") % words
