"""What the staff's programs read and write, with a token of the event."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from ...cash.commands import book, pay_entries
from ...core.access import registration_of
from ...core.log import acting_through
from ...core.once import once_by
from ...core.permissions import BOOK, REGISTER
from ...documents.writing import event_document
from ...models import Event, Registration
from ...models.enums import ApiScope, BookingKind
from ...registration.commands.check_in import check_in
from ...registration.commands.people import register_person, register_typed, withdraw
from ...registration.queries.similar_names import known_persons
from ..paging import page_by, small
from ..problems import Problem
from ..queries.desk import registration_document, registrations
from ..shapes import desk as shapes
from .base import TokenView
from .public import PAGED

KEY = "Idempotency-Key"


class Registrations(TokenView):
    """The registrations with their full names and what they owe."""

    shape: ClassVar[type[serializers.Serializer]] = shapes.RegistrationPageShape
    query: ClassVar[Any] = PAGED

    def get(self, request: Request, slug: str) -> Response:
        event = self.event_of(slug)
        rows, more = page_by(request, registrations(event), "number", small)
        return self.answer({"items": registration_document(event, rows), **more})


class StaffDocument(TokenView):
    """The whole event as one document, with drafts and every row of the sheets."""

    def get(self, request: Request, slug: str) -> Response:
        return Response(event_document(self.event_of(slug), history=True, heads=True))


class WriteView(TokenView):
    """A write: done once for each ``Idempotency-Key``, however often it is sent.

    The same key with something else is refused. Of a player only the key is stored, and who is
    erased meanwhile is answered without the name.
    """

    scope = ApiScope.DESK
    right = REGISTER

    def write(
        self, slug: str, do: Callable[[Event, dict[str, Any]], Registration | dict[str, Any]]
    ) -> Response:
        """Read what was sent, do it once, and answer it; afterwards only answer."""
        event = self.event_of(slug)
        key = self.request.headers.get(KEY, "")
        if not re.fullmatch("[!-~]{1,100}", key):
            text = _("Send a header %(name)s, new for each thing to be done.") % {"name": KEY}
            raise Problem(400, "no_key", text)
        data = self.sent()
        token = self.request.auth
        sent = repr([self.request.path, sorted(data.items())])
        asked = hashlib.sha256(sent.encode()).hexdigest()

        def process() -> str:
            with acting_through(token.name):
                done = do(event, data)
            stored = done.pk if isinstance(done, Registration) else self.answer(done).data
            return f"{asked}{JSONRenderer().render(stored).decode()}"

        kept = once_by(repr(["api", token.pk, key]), process)
        if not kept.startswith(asked):
            raise Problem(409, "key_used", _("This key was used for something else."))
        stored = json.loads(kept.removeprefix(asked))
        if isinstance(stored, int):
            return self.answer(_document(event, get_object_or_404(event.registrations, pk=stored)))
        return Response(stored, status=self.done)


class Register(WriteView):
    """Register somebody: a known person, or a name."""

    body = shapes.NewRegistrationShape
    shape = shapes.RegistrationShape
    done = 201

    def post(self, request: Request, slug: str) -> Response:
        return self.write(slug, self._register)

    def _register(self, event: Event, data: dict[str, Any]) -> Registration:
        fields = {
            "display_name": data["nickname"],
            "club": data["club"],
            "visibility": data["visibility"],
            "email": data["email"],
            "phone": data["phone"],
        }
        if data["part"]:
            fields["part"] = event.timetable.filter(name=data["part"]).first()
            if fields["part"] is None:
                text = _("The timetable has no part of this name.")
                raise ValidationError({"part": ValidationError(text, "no_part")})
        by = self.request.user
        if data["person"] is not None:
            person = known_persons(event).filter(public_id=data["person"]).first()
            if person is None:
                text = _("There is no such person.")
                raise ValidationError({"person": ValidationError(text, "no_person")})
            return register_person(event=event, by=by, person=person, **fields)
        return register_typed(
            event=event,
            by=by,
            legal_name=" ".join(data["name"].split()),
            somebody_else=data["somebody_else"],
            **fields,
        )


class OfPlayer(WriteView):
    """A write about one player."""

    shape = shapes.RegistrationShape
    body: ClassVar[type[serializers.Serializer]] = shapes.ReasonShape
    done = 200


class Withdraw(OfPlayer):
    """Withdraw a registration."""

    def post(self, request: Request, slug: str, number: int) -> Response:
        def do(event: Event, data: dict[str, Any]) -> Registration:
            player = registration_of(event, number)
            return withdraw(registration=player, by=request.user, reason=data["reason"])

        return self.write(slug, do)


class CheckIn(OfPlayer):
    """Check a player in."""

    body = shapes.NothingShape

    def post(self, request: Request, slug: str, number: int) -> Response:
        def do(event: Event, data: dict[str, Any]) -> Registration:
            return check_in(registration=registration_of(event, number), by=request.user)

        return self.write(slug, do)


class Payments(OfPlayer):
    """Book a payment of a player."""

    right = BOOK
    body = shapes.PaymentShape
    shape = shapes.BookedShape
    done = 201

    def post(self, request: Request, slug: str, number: int) -> Response:
        def do(event: Event, data: dict[str, Any]) -> dict[str, Any]:
            player = registration_of(event, number)
            if data["amount"] is None:
                rows = pay_entries(registration=player, by=request.user, method=data["method"])
            else:
                row = book(
                    event=event,
                    kind=BookingKind.ADVANCE,
                    amount=data["amount"],
                    by=request.user,
                    registration=player,
                    method=data["method"],
                    note=data["note"],
                )
                rows = [row]
            return {
                "amount": sum(row.amount for row in rows),
                "currency": event.currency,
                "booked_at": rows[0].booked_at,
                "owes": _document(event, player)["owes"],
            }

        return self.write(slug, do)


def _document(event: Event, registration: Registration) -> dict[str, Any]:
    """Return the document of a player, who may have been merged with another."""
    row = registrations(event).filter(pk=registration.merged_into_id or registration.pk)
    return registration_document(event, list(row))[0]
