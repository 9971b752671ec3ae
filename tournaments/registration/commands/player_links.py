"""Signed links to players' private pages, which staff can renew."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import lock_events_of, lock_registration
from ...core.log import By, record
from ...models import Registration
from ...models.enums import LogAction, Visibility
from ...models.people import new_nonce
from ...models.search import plain
from ..queries.player_links import actor_of, why_not_withdraw
from .people import change_person, hide_here, keep_of_player, withdraw


@transaction.atomic
def renew_link(*, registration: Registration, by: By) -> Registration:
    """Give the player a new link; the old one stops working."""
    registration = lock_registration(registration)
    registration.link_nonce = new_nonce()
    registration.save(update_fields=["link_nonce"])
    record(LogAction.PLAYER_LINK, registration, by)
    return registration


@transaction.atomic
def withdraw_oneself(*, registration: Registration, reason: str = "") -> Registration:
    """Withdraw by the player's own link: before the first day, and not while playing."""
    registration = lock_registration(registration)
    refused = why_not_withdraw(registration)
    if refused is not None:
        raise refused
    return withdraw(registration=registration, by=None, reason=reason, actor=actor_of(registration))


@transaction.atomic
def choose_visibility(
    *, registration: Registration, visibility: Visibility, display_name: str
) -> None:
    """Let the player choose how their name is shown; ``ValidationError`` without a nickname.

    A link belongs to one event: it can hide the name at all events, but show more only at this and
    later ones. Refused with ``nickname_is_name`` if the nickname would reveal the name.
    """
    lock_events_of(registration.person, also=registration.event)
    registration = lock_registration(registration)
    person, actor = registration.person, actor_of(registration)
    if plain(display_name) == plain(person.legal_name):
        if visibility == Visibility.NICKNAME:
            raise Refused("nickname_is_name", _("Your nickname is your name. Choose another one."))
        display_name = ""
    if Visibility.strictest(visibility, person.visibility) != visibility:
        others = person.registrations.exclude(pk=registration.pk).select_related("event", "person")
        hide_here(
            registrations=others, visibility=person.visibility, by=None, actor=actor, reason=""
        )
    change_person(
        person=person,
        by=None,
        event=registration.event,
        actor=actor,
        visibility=visibility,
        display_name=display_name,
    )
    keep_of_player(registration=registration, by=None, actor=actor, visibility="")
