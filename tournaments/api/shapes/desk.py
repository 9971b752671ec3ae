"""What the staff reads and writes: registrations and payments."""

import re
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...models.enums import PaymentMethod, RegistrationStatus, Visibility
from ...models.money import MAX_AMOUNT
from ...models.people import MAX_LETTERS
from .parts import page_of


class RegistrationShape(serializers.Serializer):
    """A registration with the full name; contacts are not part of the interface."""

    number = serializers.IntegerField()
    person = serializers.UUIDField()
    name = serializers.CharField()
    given_name = serializers.CharField()
    family_name = serializers.CharField()
    nickname = serializers.CharField()
    club = serializers.CharField()
    visibility = serializers.ChoiceField(choices=Visibility.choices)
    status = serializers.ChoiceField(choices=RegistrationStatus.choices)
    part = serializers.CharField(allow_null=True)
    checked_in_at = serializers.DateTimeField(allow_null=True)
    owes = serializers.IntegerField(
        help_text="In the smallest unit of the currency; negative if too much was paid."
    )
    currency = serializers.CharField()


#: As programs write it: hyphens, without braces.
_UUID = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"

RegistrationPageShape = page_of(RegistrationShape)


class TextField(serializers.CharField):
    """A line; invisible characters are left out of it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, allow_blank=True, default="", **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Return the line; numbers are none, and what is left out counts for its length."""
        if not isinstance(data, str):
            self.fail("invalid")
        if len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        return " ".join("".join(c for c in data if c.isprintable() or c.isspace()).split())


class YesField(serializers.BooleanField):
    """Yes or no; texts and numbers are neither."""

    def to_internal_value(self, data: Any) -> Any:
        """Return it as it is."""
        if type(data) is not bool:
            self.fail("invalid")
        return data


class WholeField(serializers.IntegerField):
    """A whole number; texts are none, and 50.0 is 50, as it is in JSON Schema."""

    def to_internal_value(self, data: Any) -> Any:
        """Return it as an integer."""
        if type(data) is float and data.is_integer():
            return int(data)
        if type(data) is not int:
            self.fail("invalid")
        return data


@extend_schema_field({"type": "string", "format": "uuid", "pattern": f"^{_UUID}$"})
class KeyField(serializers.UUIDField):
    """A UUID in its usual form; without the pattern a validator takes any text for one."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the UUID."""
        if type(data) is not str or not re.fullmatch(_UUID, data):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


class NewRegistrationShape(serializers.Serializer):
    """Somebody to be registered: a known `person`, or a `name`."""

    person = KeyField(required=False, allow_null=True, default=None)
    name = TextField(max_length=MAX_LETTERS)
    somebody_else = YesField(
        default=False, help_text="Whether it is another person than the known one of this name."
    )
    nickname = TextField(max_length=60)
    club = TextField(max_length=80)
    visibility = serializers.ChoiceField(choices=Visibility.choices, default=Visibility.PUBLIC)
    email = TextField(max_length=254)
    phone = TextField(max_length=40)
    part = TextField(max_length=20, help_text="The name of a part of the timetable.")


class ReasonShape(serializers.Serializer):
    reason = TextField(max_length=200)


class PaymentShape(serializers.Serializer):
    """A payment; without an amount, of what the player owes."""

    amount = WholeField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=MAX_AMOUNT,
        help_text="In the smallest unit of the currency; it counts towards the player's starts.",
    )
    method = serializers.ChoiceField(choices=PaymentMethod.choices)
    note = TextField(max_length=200)


class BookedShape(serializers.Serializer):
    """What was booked, in the smallest unit of the currency."""

    amount = serializers.IntegerField()
    currency = serializers.CharField()
    booked_at = serializers.DateTimeField()
    owes = serializers.IntegerField()


class NothingShape(serializers.Serializer):
    """Nothing: an empty object."""
