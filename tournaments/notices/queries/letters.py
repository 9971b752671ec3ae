"""Mail that the desk writes itself: to whom, and how it will look."""

from django.db.models import QuerySet

from ...core.mail import MAIL, site_of
from ...mail.queries import Content, content_of
from ...models import Day, Event, Job, Registration
from ...models.enums import Audience, MailKind, RegistrationStatus
from ...registration.queries.door import in_part
from .announcements import players_in

#: An audience that announcements do not have.
AUDIENCES = [each for each in Audience if each != Audience.TABLE]


def recipients(event: Event, audience: Audience, part: Day | None = None) -> QuerySet[Registration]:
    """Return the players with an address whom a letter goes to, also those not here yet if all.

    ``part``: only those who play in it, or in any.
    """
    players = players_in(event, audience)
    if audience == Audience.ALL:
        players = event.registrations.filter(
            status__in=[RegistrationStatus.REGISTERED, RegistrationStatus.CHECKED_IN]
        )
    if part is not None:
        players = in_part(players, part)
    return players.exclude(email="").select_related("event", "person").order_by("number")


def preview(player: Registration, subject: str, text: str, language: str) -> Content:
    """Return a letter as this player will get it."""
    return content_of(
        Job(
            kind=MAIL,
            what=MailKind.LETTER,
            event=player.event,
            registration=player,
            language=language,
            site=site_of(player),
            parameters={"subject": subject, "text": text},
        )
    )
