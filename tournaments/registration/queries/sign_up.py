"""Whether people can sign up now, and if not, why."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ...core.expiry import expire_at, midnight_after
from ...models import Event
from ...models.enums import EventStatus
from ...results.queries.final import is_over

NONE, LATER, OPEN, CLOSED = "none", "later", "open", "closed"


def sign_up_state(event: Event, now: datetime | None = None) -> str:
    """Return the state of the sign-up (at most one query).

    ``none`` (there is none), ``later``, ``open`` or ``closed``.
    """
    if event.sign_up_opens_at is None or event.status == EventStatus.DRAFT:
        return NONE
    now = now or timezone.now()
    for moment in (event.sign_up_opens_at, event.sign_up_closes_at):
        if moment is not None and moment > now:
            expire_at(moment)
    end = midnight_after(event.ends_on)
    if now < end:
        expire_at(end)
    closes = event.sign_up_closes_at
    over = now >= end or (closes is not None and now >= closes)
    if over or event.status == EventStatus.FINISHED or event.stages.playoffs().exists():
        return CLOSED
    return OPEN if now >= event.sign_up_opens_at else LATER


def closed_text(event: Event, state: str) -> str:
    """Return why nobody can sign up now; empty if it is open."""
    if state == LATER and event.sign_up_opens_at is not None:
        opens = timezone.localtime(event.sign_up_opens_at)
        return _("Sign-up opens on %(time)s.") % {"time": date_format(opens, "j F Y, H:i")}
    if state == CLOSED and is_over(event):
        return _("The event is over.")
    if state == CLOSED and event.stages.playoffs().exists():
        return _("The play-offs have begun.")
    return {
        NONE: _("This event has no public sign-up. The organisers register the players."),
        CLOSED: _("Sign-up is closed. Ask at the desk whether there is a place."),
    }.get(state, "")
