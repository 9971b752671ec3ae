"""Numbers, places and lists of names as shown to people (rulebook §4).

Game points are exact and shown as the festival prints them: cut off after two decimals, never
rounded, with the exact value beside them if anything was cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .languages import texts_in

MINUS = "\N{MINUS SIGN}"

#: Suit signs by their letters in records, in the order offered.
SUITS = {"H": "♥", "S": "♠", "D": "♦", "C": "♣"}


def number_text(value: int) -> str:
    """Return a whole number with a real minus sign.

    >>> number_text(-5)
    '−5'
    """
    return f"{MINUS}{-value}" if value < 0 else str(value)


def signed(value: int) -> str:
    """Return a change of a score with its sign.

    >>> signed(5), signed(-15), signed(0)
    ('+5', '−15', '0')
    """
    return f"+{value}" if value > 0 else number_text(value)


def points_text(points: Fraction, lang: str = "en") -> str:
    """Return game points cut off after two decimals.

    >>> points_text(Fraction(35, 3)), points_text(Fraction(27, 2), "sv"), points_text(Fraction(20))
    ('11.66', '13,5', '20')
    """
    # In whole numbers, as a page shows hundreds.
    whole, rest = divmod(abs(points.numerator) * 100 // points.denominator, 100)
    sign = MINUS if points < 0 and (whole or rest) else ""
    if not rest:
        return f"{sign}{whole}"
    mark = texts_in(lang).decimal_separator
    return f"{sign}{whole}{mark}{rest:02d}".rstrip("0")


def mixed_text(points: Fraction) -> str:
    """Return the exact value as a mixed number.

    >>> mixed_text(Fraction(35, 3)), mixed_text(Fraction(20)), mixed_text(Fraction(-1, 3))
    ('11 2/3', '20', '−1/3')
    """
    whole, rest = divmod(abs(points), 1)
    sign = MINUS if points < 0 else ""
    return sign + (" ".join(str(part) for part in (whole, rest) if part) or "0")


def exact_text(points: Fraction) -> str:
    """Return the exact value, or nothing if :func:`points_text` shows all of it.

    >>> exact_text(Fraction(35, 3)), exact_text(Fraction(27, 2))
    ('11 2/3', '')
    """
    return mixed_text(points) if 100 % points.denominator else ""


def percent_text(share: Fraction) -> str:
    """Return a share in whole per cent, cut off.

    >>> percent_text(Fraction(240, 165))
    '145\xa0%'
    """
    return f"{number_text(int(share * 100))}\N{NO-BREAK SPACE}%"


def place_text(first: int, last: int) -> str:
    """Return a place, or the range of places that several share.

    >>> place_text(1, 1), place_text(2, 3)
    ('1', '2–3')
    """
    return str(first) if first == last else f"{first}–{last}"


def and_text(lang: str = "en") -> str:
    """Return the word between two names, where each is laid out by itself.

    >>> and_text("sv")
    'och'
    """
    return texts_in(lang).and_word


def join(names: Sequence[str], lang: str = "en") -> str:
    """Return names as a list within a sentence.

    >>> join(["Anna", "Bo", "Cia"]), join(["Anna", "Bo"], "sv")
    ('Anna, Bo and Cia', 'Anna och Bo')
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {and_text(lang)} {names[-1]}"
