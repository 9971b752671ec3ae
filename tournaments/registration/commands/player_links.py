"""Signed links to players' private pages, which staff can renew."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import lock_event, lock_events_of, lock_registration
from ...core.log import By, record
from ...core.mail import ask_for_mail
from ...core.permissions import REGISTER, needs
from ...models import Event, Registration
from ...models.enums import LogAction, MailKind, Visibility
from ...models.people import new_nonce
from ...models.search import plain
from ..queries.erasing import refuse_erased
from ..queries.player_links import actor_of, why_not_withdraw
from .people import change_person, hide_here, keep_of_player, withdraw


@transaction.atomic
@needs(REGISTER)
def renew_link(*, registration: Registration, by: By) -> Registration:
    """Give the player a new link; the old one stops working."""
    registration = lock_registration(registration)
    refuse_erased(registration.person)
    registration.link_nonce = new_nonce()
    registration.save(update_fields=["link_nonce"])
    record(LogAction.PLAYER_LINK, registration, by)
    return registration


@transaction.atomic
def send_links_again(*, event: Event, address: str) -> int:
    """Mail the links of all players with this address, which stay as they are; return how many.

    Refused with ``no_mail`` if the event sends none. A player gets so many a day
    (:data:`~tournaments.core.mail.MAX_LINKS`); whoever asks must not see whether there were any.
    """
    event = lock_event(event)
    if not event.mails_players:
        raise Refused("no_mail", _("This event sends no mail. Ask the desk for your link."))
    players = event.registrations.filter(email__iexact=address, merged_into=None)
    found = players.select_related("event", "person").order_by("number")
    asked = [ask_for_mail(player, MailKind.LINK) for player in found]
    return sum(job is not None for job in asked)


@transaction.atomic
def withdraw_oneself(*, registration: Registration, reason: str = "") -> Registration:
    """Withdraw by the player's own link: before the first day, and not while playing."""
    registration = lock_registration(registration)
    refused = why_not_withdraw(registration)
    if refused is not None:
        raise refused
    return withdraw(registration=registration, by=None, reason=reason, actor=actor_of(registration))


@transaction.atomic
def choose_pictures(*, registration: Registration, may: bool) -> None:
    """Let the player say whether pictures of them may be published."""
    registration = lock_registration(registration)
    keep_of_player(registration=registration, by=None, actor=actor_of(registration), pictures=may)


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
