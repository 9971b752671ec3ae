"""Parts that many documents have."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

_POINTS = {
    "type": "object",
    "description": "Exact, as a whole number or a fraction; and rounded to two decimals.",
    "properties": {
        "exact": {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"},
        "decimal": {"type": "string", "pattern": "^-?[0-9]+\\.[0-9]{2}$"},
    },
    "required": ["exact", "decimal"],
    "example": {"exact": "35/3", "decimal": "11.67"},
}


def points_document(points: Fraction | int) -> dict[str, str]:
    """Return points as exact text and as a decimal.

    >>> points_document(Fraction(35, 3))
    {'exact': '35/3', 'decimal': '11.67'}
    """
    exact = Fraction(points)
    decimal = Decimal(exact.numerator) / Decimal(exact.denominator)
    return {"exact": str(exact), "decimal": str(decimal.quantize(Decimal("0.01"), ROUND_HALF_UP))}


@extend_schema_field(_POINTS)
class PointsField(serializers.Field):
    """Points that are a ``Fraction``."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Any) -> dict[str, str]:
        return points_document(value)


@extend_schema_field({"type": "object", "additionalProperties": True})
class DocumentField(serializers.JSONField):
    """A document that is described elsewhere."""


class PlayerRef(serializers.Serializer):
    """A player: the number at the event, and the name that others may see."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class OrganiserShape(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()


def page_of(inner: type[serializers.Serializer], **more: Any) -> type[serializers.Serializer]:
    """Return the shape of a list's page: its items, and where the next page is."""
    name = inner.__name__.removesuffix("Shape")
    fields = {
        "__doc__": "Some of them; `next` is the address of the next page.",
        "__module__": __name__,
        "items": inner(many=True),
        "next": serializers.URLField(allow_null=True),
        **more,
    }
    return type(f"{name}PageShape", (serializers.Serializer,), fields)


class WrongFieldShape(serializers.Serializer):
    field = serializers.CharField(help_text="Empty for the whole document.")
    code = serializers.CharField()
    message = serializers.CharField()


class ProblemShape(serializers.Serializer):
    """Why something was not done (RFC 9457); programs look at `code`."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField(help_text="A sentence in the reader's language.")
    errors = WrongFieldShape(many=True, required=False)
