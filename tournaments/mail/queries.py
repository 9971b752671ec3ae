"""The text of a mail: plain, in the player's language, with the player's own link."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring import paper

from ..models import Event, HeatEntry, Job, Mail, Registration
from ..models.enums import (
    EntryStatus,
    EventStatus,
    HeatStatus,
    MailKind,
    MailStatus,
    RegistrationStatus,
)
from ..prints.drawing.protocols import labels
from ..registration.queries.about import details_of, when_and_where
from ..registration.queries.player_links import token_of
from ..results.queries.final import full_ranking, is_over


@dataclass(frozen=True)
class Content:
    """Subject, text, and attached PDFs as (name, content)."""

    subject: str
    text: str
    attached: tuple[tuple[str, bytes], ...] = ()


def content_of(mail: Mail) -> Content:
    """Return the mail's content as of now, in the active language."""
    event, player = mail.event, mail.registration
    link = mail.site + reverse("tournaments:player_page", args=[token_of(player)])
    name = player.person.legal_name
    first = {
        MailKind.SIGNED_UP: _("You are signed up as number %(number)s."),
        MailKind.WAIT_LISTED: _("The event is full. You are on the waiting list."),
        MailKind.PROMOTED: _("A place has become free: you are signed up as number %(number)s."),
        MailKind.TIMES: _("This is when and where it begins."),
        MailKind.RESULT: _("Thank you for playing. This is your result."),
    }[MailKind(mail.kind)] % {"number": player.number}
    parts = [_("Hello %(name)s,") % {"name": name}, first]
    attached: tuple[tuple[str, bytes], ...] = ()
    if mail.kind == MailKind.RESULT:
        parts.append(_place(event, player.player_id))
        attached = _protocols(mail)
    else:
        details = [*when_and_where(event), *details_of(event)]
        parts.append("\n".join(f"{detail.label}: {detail.text}" for detail in details))
    parts.append(_("Your own page, which nobody else should get:") + f"\n{link}")
    subject = f"{event.name}: {MailKind(mail.kind).label}"
    return Content(subject, "\n\n".join(part for part in parts if part) + "\n", attached)


def _place(event: Event, player_id: str) -> str:
    row = next((row for row in full_ranking(event).rows if row.player_id == player_id), None)
    if row is None or row.place is None:
        return ""
    place = _("Place %(place)s") % {"place": row.place}
    return " · ".join(part for part in (place, row.how_far, row.why) if part)


def _protocols(mail: Mail) -> tuple[tuple[str, bytes], ...]:
    """Return the protocols of the player's heats as one file."""
    entries = HeatEntry.objects.filter(
        registration=mail.registration,
        status=EntryStatus.DONE,
        heat__status=HeatStatus.FINISHED,
        heat__table__isnull=False,
    ).select_related("heat__table", "heat__stage", "heat__event")
    heats = [entry.heat for entry in entries.order_by("heat__number") if entry.heat is not None]
    if not heats:
        return ()
    job = Job(event=mail.event, language=mail.language, site=mail.site)
    days = list(mail.event.timetable.all())
    content = paper.protocols_pdf(
        ((heat.table_id or 0, labels(job, heat, days)) for heat in heats),
        language=mail.language,
        title=mail.event.name,
    )
    return ((f"{mail.event.slug}-{mail.registration.number}.pdf", content),)


def counts_of(event: Event) -> list[tuple[str, int]]:
    """Return the number of mails by status (one query)."""
    found = dict(event.mails.values_list("status").annotate(count=Count("pk")).order_by())
    return [(str(status.label), found[status]) for status in MailStatus if status in found]


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
