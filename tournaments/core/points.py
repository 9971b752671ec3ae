"""How points are shown: truncated like the festival does (rulebook §4), exact beside it."""

from fractions import Fraction

from scoring.reading.words import points_text


def truncated(points: Fraction | None) -> str:
    """Return the points cut after two decimals, in the reader's language: 35/3 is 11.66."""
    return "" if points is None else points_text(points)


def exact(points: Fraction | None) -> str:
    """Return the exact value as a mixed number: "11 2/3"; empty if the shown one is exact.

    >>> exact(Fraction(35, 3)), exact(Fraction(27, 2))
    ('11 2/3', '')
    """
    if points is None or (points * 100).denominator == 1:
        return ""
    whole, rest = divmod(abs(points), 1)
    sign = "−" if points < 0 else ""
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"
