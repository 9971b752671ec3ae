"""The text of a mail: plain, in the player's language, with the player's own link and calendar.

And the mails of an event, as its page lists them.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr

from django.conf import settings
from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from scoring import paper

from ..calendars.queries import entries_of_player
from ..calendars.texts import CANCEL, CANCELLED, PUBLISH, calendar_file
from ..core.mail import MAIL
from ..core.queue import OPEN
from ..models import Event, HeatEntry, Job, Registration, Throttle
from ..models.enums import (
    GONE,
    EntryStatus,
    EventStatus,
    HeatStatus,
    JobStatus,
    MailKind,
    RegistrationStatus,
)
from ..prints.drawing._lists import Order
from ..prints.drawing.protocols import labels
from ..registration.queries.about import details_of, when_and_where
from ..registration.queries.player_links import token_of
from ..registration.queries.to_pay import how_to_pay
from ..results.queries.final import full_ranking, is_over


@dataclass(frozen=True)
class Calendar:
    """A calendar file as it is sent, with its method (RFC 5546 §1.4)."""

    name: str
    method: str
    content: bytes


@dataclass(frozen=True)
class Content:
    """Subject, text, whom answers reach, and attached PDFs as (name, content)."""

    subject: str
    text: str
    reply_to: str = ""
    attached: tuple[tuple[str, bytes], ...] = ()
    calendar: Calendar | None = None


#: Mails that say when to come, or that one need not, with a calendar file.
_IN_CALENDAR = (
    MailKind.SIGNED_UP,
    MailKind.WAIT_LISTED,
    MailKind.PROMOTED,
    MailKind.TIMES,
    MailKind.WITHDRAWN,
)
#: Mails that say what the player has asked for and nothing about the event.
_SHORT = (MailKind.WITHDRAWN, MailKind.LINK)
_ADDRESS = re.compile(r"[^\s<>(),;:\"]+@[^\s<>(),;:\"@]+\.\w+")


def content_of(mail: Job) -> Content:
    """Return the mail's content as of now, in the active language."""
    event, player = mail.event, mail.registration
    if event is None or player is None:
        return Content(mail.parameters["subject"], mail.parameters["text"])
    link = mail.site + reverse("tournaments:player_page", args=[token_of(player)])
    name = player.person.legal_name
    first = {
        MailKind.SIGNED_UP: _("You are signed up as number %(number)s."),
        MailKind.WAIT_LISTED: _("The event is full. You are on the waiting list."),
        MailKind.PROMOTED: _("A place has become free: you are signed up as number %(number)s."),
        MailKind.TIMES: _("This is when and where it begins."),
        MailKind.RESULT: _("Thank you for playing. This is your result."),
        MailKind.WITHDRAWN: _("You are no longer signed up, number %(number)s."),
        MailKind.LINK: _("Somebody, you we hope, has asked for your link again."),
    }.get(MailKind(mail.what), "") % {"number": player.number}
    parts = [_("Hello %(name)s,") % {"name": name}, first]
    attached: tuple[tuple[str, bytes], ...] = ()
    if mail.what == MailKind.LETTER:
        parts.append(mail.parameters["text"])
    elif mail.what == MailKind.RESULT:
        parts.append(_place(event, player.player_id))
        attached = _protocols(mail, event, player)
    elif mail.what in _SHORT:
        parts.append(
            _("Questions? Ask %(contact)s.") % {"contact": event.contact} if event.contact else ""
        )
    else:
        details = [*when_and_where(event), *how_to_pay(player), *details_of(event)]
        parts.append("\n".join(f"{detail.label}: {detail.text}" for detail in details))
    parts.append(_("Your own page, which nobody else should get:") + f"\n{link}")
    about = mail.parameters.get("subject") or MailKind(mail.what).label
    # With the name, as a family may have one address.
    subject = f"{event.name}: {about} ({name})"
    text = "\n\n".join(part for part in parts if part) + "\n"
    return Content(subject, text, reply_to(event), attached, _calendar(mail, player))


def reply_to(event: Event) -> str:
    """Return the first mail address of the event's contact, "" if there is none."""
    found = _ADDRESS.search(event.contact)
    return found[0] if found else ""


def _calendar(mail: Job, player: Registration) -> Calendar | None:
    """Return the player's days; a further mail moves or cancels the entries of the first."""
    if mail.what not in _IN_CALENDAR:
        return None
    event = player.event
    entries = entries_of_player(player, mail.site)
    gone = all(entry.status == CANCELLED for entry in entries)
    method = CANCEL if gone else PUBLISH
    address = reply_to(event) or parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    content = calendar_file(entries, method=method, organiser=(event.name, address))
    return Calendar(f"{event.slug}-{player.number}.ics", method, content) if entries else None


def _place(event: Event, player_id: str) -> str:
    row = next((row for row in full_ranking(event).rows if row.player_id == player_id), None)
    if row is None or row.place is None:
        return ""
    place = _("Place %(place)s") % {"place": row.place}
    return " · ".join(part for part in (place, row.how_far, row.why) if part)


def _protocols(mail: Job, event: Event, player: Registration) -> tuple[tuple[str, bytes], ...]:
    """Return the protocols of the player's heats as one file."""
    entries = HeatEntry.objects.filter(
        registration=player,
        status=EntryStatus.DONE,
        heat__status=HeatStatus.FINISHED,
        heat__table__isnull=False,
    ).select_related("heat__table", "heat__stage", "heat__event")
    heats = [entry.heat for entry in entries.order_by("heat__number") if entry.heat is not None]
    if not heats:
        return ()
    order = Order(event, mail.language, mail.site)
    days = list(event.timetable.all())
    content = paper.protocols_pdf(
        ((heat.table_id or 0, labels(order, heat, days)) for heat in heats),
        language=mail.language,
        title=event.name,
    )
    return ((f"{event.slug}-{player.number}.pdf", content),)


def is_overtaken(mail: Job) -> bool:
    """Return whether the player has since got, lost or left a place, or the event is over."""
    if mail.event is None or mail.registration is None:
        return False
    status = mail.registration.status
    waits = status == RegistrationStatus.WAIT_LISTED
    if mail.what == MailKind.WITHDRAWN:
        return status not in GONE
    if mail.what == MailKind.WAIT_LISTED:
        return not waits
    if mail.what in {MailKind.SIGNED_UP, MailKind.PROMOTED} and waits:
        return True
    if mail.what == MailKind.TIMES and is_over(mail.event):
        return True
    return mail.what not in {MailKind.RESULT, MailKind.LINK} and status in GONE


def mails_of(event: Event) -> QuerySet[Job]:
    """Return the event's mails, the newest first."""
    return event.jobs.filter(kind=MAIL).select_related("event", "registration__person")


@dataclass(frozen=True, slots=True)
class MailRow:
    """A mail as the page lists it; ``next_at`` is when it is tried again, ``tag`` CSS classes."""

    job: Job
    label: str
    status: str
    tag: str
    next_at: datetime | None
    can_be_tried: bool


_WAITING = pgettext_lazy("mail", "Waiting")
_STATUS = {
    JobStatus.WAITING: _WAITING,
    JobStatus.RUNNING: _WAITING,
    JobStatus.DONE: pgettext_lazy("mail", "Sent"),
    JobStatus.FAILED: pgettext_lazy("mail", "Failed"),
}


def row_of(mail: Job) -> MailRow:
    """Return a mail as the page lists it."""
    failed = mail.status == JobStatus.FAILED
    is_retried = mail.is_open and bool(mail.failure)
    return MailRow(
        mail,
        str(MailKind(mail.what).label),
        str(_STATUS[JobStatus(mail.status)]),
        "tag tag-red" if failed else "tag tag-amber" if is_retried else "tag",
        mail.due_at if is_retried else None,
        failed,
    )


def waits_for_server(event: Event) -> Throttle | None:
    """Return what the mail server said last and when the next mail is tried, or None."""
    if not mails_of(event).filter(status__in=OPEN).exists():
        return None
    return Throttle.objects.filter(kind=MAIL, refusals__gt=0).first()


def counts_of(event: Event) -> list[tuple[str, int]]:
    """Return the number of mails by status (one query)."""
    found: dict[str, int] = {}
    rows = event.jobs.filter(kind=MAIL).values_list("status").order_by()
    for status, count in rows.annotate(count=Count("pk")):
        label = str(_STATUS[JobStatus(status)])
        found[label] = found.get(label, 0) + count
    labels = dict.fromkeys(map(str, _STATUS.values()))
    return [(label, found[label]) for label in labels if label in found]


def mails_to_all(event: Event) -> list[MailKind]:
    """Return what can be written to all players now: the result after the end, times before."""
    if event.status == EventStatus.FINISHED:
        return [MailKind.RESULT]
    return [] if is_over(event) else [MailKind.TIMES]


#: Players who get the mails to all.
_PLAYERS = (RegistrationStatus.REGISTERED, RegistrationStatus.CHECKED_IN)


def players_of(event: Event, kind: MailKind) -> QuerySet[Registration]:
    """Return the players who get this mail to all: those with an address."""
    players = event.registrations.filter(status__in=_PLAYERS).exclude(email="")
    if kind == MailKind.RESULT:
        players = players.filter(entries__heat__isnull=False).distinct()
    return players.select_related("event", "person").order_by("number")
