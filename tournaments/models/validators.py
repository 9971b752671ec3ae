"""Validators shared by forms, models and commands."""

import re
from itertools import pairwise
from typing import Any
from unicodedata import category

from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _

from engine.errors import ChicagoError
from engine.messages import say
from engine.ranking.heat import check_chain
from engine.rules.variants import parse_rules
from scoring.words import lang

from .money import MAX_AMOUNT
from .search import INVISIBLE


@deconstructible
class RulesValidator:
    """Accept names of rule sets that the engine knows, such as "svensk+C+N"."""

    def __call__(self, value: str) -> None:
        """Raise ``ValidationError`` with the engine's message."""
        try:
            parse_rules(value)
        except ChicagoError as error:
            raise ValidationError(say(error, lang()), code="unknown_rules") from error


#: Says that the symbol before it is drawn as an emoji; phones write it after ♥ and ♠.
_EMOJI = "\ufe0f"


INVISIBLE_SIGN = _(
    "There is an invisible character (%(sign)s) in this text. Type it again without it."
)


def validate_visible(value: str) -> None:
    """Refuse text with invisible characters.

    Characters that show nothing or change the writing direction let one name pass for another.
    """
    for before, sign in pairwise(f" {value}"):
        if sign == _EMOJI and category(before) == "So":
            continue
        if category(sign) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"} or sign in INVISIBLE:
            raise ValidationError(
                INVISIBLE_SIGN,
                code="invisible_sign",
                params={"sign": f"U+{ord(sign):04X}"},
            )


def validate_game_points(value: Any) -> None:
    """Accept ``{"3": [20, 15, 12], "4": [20, 15, 12, 8]}``.

    Whole numbers, never rising, per table size.
    """
    good = isinstance(value, dict) and set(value) <= {"2", "3", "4"} and {"3", "4"} <= set(value)
    if good:
        for seats, points in value.items():
            good = (
                good
                and isinstance(points, list)
                and len(points) == int(seats)
                and all(type(each) is int and 0 <= each <= 1000 for each in points)
                and points == sorted(points, reverse=True)
            )
    if not good:
        raise ValidationError(
            _(
                "Enter a whole number for every place, each lower than the one before, for "
                "tables of three and of four."
            ),
            code="bad_game_points",
        )


def validate_tie_chain(value: Any) -> None:
    """Accept a list of different tie-breaks that the engine knows.

    A Flip Flop may only come last.
    """
    try:
        check_chain(value if isinstance(value, list) else [])
    except ChicagoError as error:
        raise ValidationError(
            _("Use each step at most once; a Flip Flop can only be the last one."),
            code="bad_tie_chain",
        ) from error


def validate_advance_plan(value: Any) -> None:
    """Accept how many players advance per play-off round, such as ``[2, 1]``.

    Each from 1 to 3, the last at most 2.
    """
    good = (
        isinstance(value, list)
        and 1 <= len(value) <= 12
        and all(type(each) is int and 1 <= each <= 3 for each in value)
        # With three advancing from each table, the rounds would never end in a final.
        and value[-1] <= 2
    )
    if not good:
        raise ValidationError(
            _("Enter how many advance per round, each from 1 to 3, and at most 2 at the end."),
            code="bad_advance_plan",
        )


#: More tables than any hall has.
MAX_TABLES = 500


def room_tables(plan: str) -> list[int]:
    """Return the table numbers of a room plan such as "1-12, 14", in its order.

    None if it is empty.

    Raise ``ValidationError`` unless the plan has only numbers up to 999 and ranges of them, and
    names between 1 and 500 tables.

    >>> room_tables("1-3, 7")
    [1, 2, 3, 7]
    """
    tables: list[int] = []
    for part in plan.replace(";", ",").split(","):
        if not part.strip():
            continue
        first, dash, last = (each.strip() for each in part.partition("-"))
        numbers = [first, last] if dash else [first, first]
        if not all(each.isascii() and each.isdigit() and len(each) <= 3 for each in numbers):
            raise ValidationError(
                _("Write tables as “1-12, 14”; “%(part)s” is neither a number nor a range."),
                code="bad_room_plan",
                params={"part": part.strip()},
            )
        low, high = map(int, numbers)
        tables += [number for number in range(max(low, 1), high + 1) if number not in tables]
    if len(tables) > MAX_TABLES or (plan.strip() and not tables):
        raise ValidationError(
            _("Enter between 1 and %(most)s tables, such as “1-12, 14”."),
            code="bad_room_plan",
            params={"most": MAX_TABLES},
        )
    return tables


def validate_room_plan(value: str) -> None:
    """Accept plans that :func:`room_tables` can read."""
    room_tables(value)


def validate_swish_number(value: str) -> None:
    """Accept a company's Swish number (123…) or a Swedish mobile number."""
    if not re.fullmatch(r"(123\d{7}|07\d{8})", value):
        raise ValidationError(
            _("Enter a Swish number of ten digits, such as 123 456 78 90."), "bad_swish_number"
        )


def validate_prizes(value: Any) -> None:
    """Accept amounts per place, or shares of the pool in hundredths of a percent, or nothing.

    >>> validate_prizes({"shares": [5000, 3000, 2000]}), validate_prizes({})
    (None, None)
    """
    parts = list(value.items()) if isinstance(value, dict) else [("", [])]
    if not parts:
        return
    kind, numbers = parts[0]
    fits = len(parts) == 1 and kind in ("shares", "amounts") and isinstance(numbers, list)
    if (
        not fits
        or not 0 < len(numbers) <= 100
        or any(type(each) is not int or not 0 < each <= MAX_AMOUNT for each in numbers)
    ):
        raise ValidationError(_("Enter a prize for each place, first place first."), "bad_prizes")
    if kind == "shares" and sum(numbers) > 10000:
        raise ValidationError(_("The prizes are more than the whole pool."), "more_than_all")
