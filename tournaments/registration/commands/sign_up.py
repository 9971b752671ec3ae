"""Public sign-up for an event, without an account."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from ...core.errors import Refused
from ...core.limits import digest_of
from ...core.locks import lock_event
from ...core.log import By
from ...core.mail import ask_for_mail
from ...core.permissions import DIRECT, needs
from ...models import Event, Registration
from ...models.enums import (
    LogAction,
    MailKind,
    RegistrationStatus,
    Visibility,
)
from ...models.search import plain
from ..queries.sign_up import OPEN, closed_text, sign_up_state, undoable_sign_ups
from .people import leave_event, register_person
from .waiting_list import promote_from_waiting_list

#: The log's actor for a public sign-up, in no language.
BY_SIGN_UP = "(sign-up)"


@transaction.atomic
def sign_up(
    *,
    event: Event,
    legal_name: str,
    now: datetime | None = None,
    somebody_else: bool = False,
    address: str = "",
    **fields: Any,
) -> Registration:
    """Register a new person with these fields, or put them on the waiting list.

    It is always a new person, because somebody who types a known name must not see what is known of
    it; the desk can merge the two. ``address`` is the client's, of which a hash is stored.

    Refused with ``sign_up_closed``, with ``same_name`` for the same publicly shown name, whatever
    the contact, unless ``somebody_else``, and with ``signed_up_already`` for the same name and
    contact.
    """
    event = lock_event(event)
    state = sign_up_state(event, now)
    if state != OPEN:
        raise Refused("sign_up_closed", closed_text(event, state))
    name = " ".join(legal_name.split())
    asks = already = False
    for row in event.registrations.filter(merged_into=None).select_related("person"):
        if plain(row.person.legal_name) != plain(name):
            continue
        gone = row.status == RegistrationStatus.WITHDRAWN
        asks = asks or (not gone and row.shown_as == Visibility.PUBLIC)
        already = already or any(
            fields.get(key) and str(fields[key]).casefold() == str(getattr(row, key)).casefold()
            for key in ("email", "phone")
        )
    # First, so that nobody learns by it whether they have guessed the contact.
    if asks and not somebody_else:
        raise Refused(
            "same_name",
            _(
                "%(name)s has signed up already. If that is you, ask the desk for your link; "
                "if you are somebody else, say so below."
            ),
            name=name,
        )
    if already:
        raise Refused(
            "signed_up_already",
            _(
                "Somebody with this name has already signed up with this e-mail address or "
                "telephone. The desk gives you your link again."
            ),
        )
    registration = register_person(
        event=event,
        by=None,
        actor=BY_SIGN_UP,
        action=LogAction.SIGNED_UP,
        legal_name=name,
        **fields,
    )
    if address:
        registration.signed_up_from = digest_of(f"{event.pk} {address}")
        registration.save(update_fields=["signed_up_from"])
    waits = registration.status == RegistrationStatus.WAIT_LISTED
    ask_for_mail(registration, MailKind.WAIT_LISTED if waits else MailKind.SIGNED_UP)
    return registration


@transaction.atomic
@needs(DIRECT)
def undo_sign_ups(*, event: Event, numbers: Collection[int], by: By, reason: str = "") -> int:
    """Withdraw public sign-ups at once; return how many.

    Only then do free places go to the waiting list, so that none is promised to one of them. Who
    has since been checked in, has paid or was withdrawn is left alone.
    """
    event = lock_event(event)
    found = list(undoable_sign_ups(event).filter(number__in=numbers, bookings=None))
    for registration in found:
        leave_event(registration, by=by, reason=reason)
    promote_from_waiting_list(event=event, by=by)
    return len(found)
