"""Exact points in the database, and in documents."""

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.expressions import Combinable

if TYPE_CHECKING:
    _IntegerField = models.IntegerField[Fraction | int | Combinable, Fraction]
else:
    _IntegerField = models.IntegerField

#: At most four players share points, so every share is a whole number of twelfths.
DENOMINATOR = 12


def as_number(points: Fraction | int) -> int | str:
    """Return points as in documents: a number, or an exact fraction as text.

    >>> as_number(Fraction(-5)), as_number(Fraction(5, 2))
    (-5, '5/2')
    """
    exact = Fraction(points)
    return exact.numerator if exact.denominator == 1 else str(exact)


@lru_cache(1024)
def _of_twelfths(value: int) -> Fraction:
    """Return points; a ranking reads hundreds, and many are equal."""
    return Fraction(value, DENOMINATOR)


class TwelfthsField(_IntegerField):
    """A ``Fraction`` stored as a whole number of twelfths.

    The database can sum and sort it; Python only ever sees ``Fraction``. Whole numbers assigned to
    it are points, not twelfths. Raises ``ValueError`` for a value that is not a whole number of
    twelfths, instead of rounding it.

    >>> TwelfthsField().get_prep_value(Fraction(35, 3))
    140
    """

    description = "An exact number of points, in twelfths"

    def get_prep_value(self, value: Any) -> Any:
        """Return twelfths; expressions are returned unchanged."""
        if value is None or hasattr(value, "resolve_expression"):
            return value
        twelfths = Fraction(value) * DENOMINATOR
        if twelfths.denominator != 1:
            raise ValueError(f"{value} is not a whole number of twelfths")
        return int(twelfths)

    def from_db_value(self, value: int | None, *args: object) -> Fraction | None:
        return None if value is None else _of_twelfths(value)

    def to_python(self, value: Any) -> Fraction | None:
        """Return points from a number, a fraction or a text such as "35/3"."""
        if value is None or isinstance(value, Fraction):
            return value
        try:
            return Fraction(value)
        except (ValueError, TypeError, ZeroDivisionError) as error:
            raise ValidationError(f"{value!r} is not a number of points") from error

    def value_to_string(self, obj: models.Model) -> str:
        """Return the exact fraction as text, for fixtures."""
        return str(self.value_from_object(obj))

    @property
    def validators(self) -> list[Any]:
        """Return no range checks, as the integer ones would compare twelfths with points."""
        return []
