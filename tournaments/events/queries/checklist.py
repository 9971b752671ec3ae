"""The checklist before the doors open, and the event's possible statuses."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Count
from django.urls import resolve, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.errors import ChicagoError
from engine.messages import say
from engine.rules.variants import parse_rules
from scoring.words import lang

from ...core.addresses import opens_here_only
from ...models import Day, Event
from ...models.enums import EventStatus, RegistrationStatus, Role
from ...models.validators import room_tables
from ...registration.queries.sign_up import CLOSED, LATER, NONE, sign_up_state
from ...registration.queries.waiting_list import TAKES_UP_CAPACITY
from .fitting import fit, fit_text, heat_parts, people_by_part

OK, WARNING, MISSING = "ok", "warning", "missing"


@dataclass(frozen=True)
class StatusMove:
    """A button that changes the event's status."""

    to: EventStatus
    label: str
    button: str


def status_moves(event: Event) -> list[StatusMove]:
    """Return the status changes that are possible now."""
    again = StatusMove(EventStatus.OPEN, _("Open it again"), "btn-outline-primary")
    return {
        EventStatus.DRAFT: [StatusMove(EventStatus.OPEN, _("Open the event"), "btn-primary")],
        EventStatus.OPEN: [
            StatusMove(EventStatus.FINISHED, _("Finish the event"), "btn-outline-primary"),
            StatusMove(EventStatus.DRAFT, _("Make it a draft again"), "btn-quiet"),
        ],
        EventStatus.FINISHED: [again],
    }[EventStatus(event.status)]


@dataclass(frozen=True)
class Check:
    """A checklist line: its state (``ok``, ``warning``, ``missing``) and a link to fix it."""

    key: str
    state: str
    title: str
    text: str
    url: str = ""
    link: str = ""

    @property
    def sign(self) -> str:
        """The state as one character."""
        return {OK: "✓", WARNING: "!", MISSING: "✗"}[self.state]

    @property
    def meaning(self) -> str:
        """The state in words, for screen readers."""
        return {OK: _("is ready"), WARNING: _("check it"), MISSING: _("is missing")}[self.state]

    @property
    def button(self) -> str:
        """The CSS class of its link."""
        return "btn-primary" if self.state == MISSING else "btn-quiet"

    @property
    def page(self) -> str:
        """The URL name of the page that ``url`` leads to, or an empty string."""
        return resolve(urlsplit(self.url).path).url_name or "" if self.url else ""


def checklist(event: Event, address: str) -> list[Check]:
    """Return all lines (a fixed number of queries); ``address`` is where this page was opened.

    After the event only its status: there are no doors to open.
    """
    if event.status == EventStatus.FINISHED:
        return [_status(event)]
    counts = dict(event.registrations.values_list("status").annotate(count=Count("pk")).order_by())
    taken = sum(counts.get(status, 0) for status in TAKES_UP_CAPACITY)
    days = list(event.timetable.all())
    return [
        _dates(event),
        _rules(event),
        _staff(event),
        _timetable(event, days),
        _room(event, taken, days),
        _sign_up(event),
        _players(event, counts, taken),
        *_series(event),
        _reach(address),
        _status(event),
    ]


def in_short(checks: Sequence[Check]) -> str:
    """Return a summary."""
    states = [check.state for check in checks]
    if missing := states.count(MISSING):
        text = ngettext("%(count)s thing is missing.", "%(count)s things are missing.", missing)
        return text % {"count": missing}
    if look := states.count(WARNING):
        text = ngettext(
            "Nothing is missing; look at %(count)s thing.",
            "Nothing is missing; look at %(count)s things.",
            look,
        )
        return text % {"count": look}
    return _("Everything is ready.")


def _url(event: Event, name: str) -> str:
    return reverse(f"tournaments:{name}", args=[event.slug])


def _dates(event: Event) -> Check:
    title, url = _("Name and days"), _url(event, "event_settings")
    today = timezone.localdate()
    if event.ends_on < today:
        return Check("dates", MISSING, title, _("The last day is over."), url, _("Set the days"))
    if not event.venue:
        text = _("Nobody can see where it is: no venue is given.")
        return Check("dates", WARNING, title, text, url, _("Enter the venue"))
    days = (event.starts_on - today).days
    if days <= 0:
        text = _("It is under way.") if days < 0 else _("It is today.")
    else:
        text = ngettext("%(count)s day left.", "%(count)s days left.", days) % {"count": days}
    return Check("dates", OK, title, text, url, _("Change"))


def _rules(event: Event) -> Check:
    title, url = _("Rules"), _url(event, "event_settings") + "#rules"
    try:
        rules = parse_rules(event.rules)
    except ChicagoError as error:
        return Check("rules", MISSING, title, say(error, lang()), url, _("Choose the rules"))
    if event.rules_digest != rules.digest():
        text = _(
            "The rule set has changed its meaning since it was chosen. Check it and save again."
        )
        return Check("rules", MISSING, title, text, url, _("See the rules"))
    text = ngettext(
        "%(rules)s, %(games)s game per heat, tables of four: %(points)s points.",
        "%(rules)s, %(games)s games per heat, tables of four: %(points)s points.",
        event.games_per_heat,
    ) % {
        "rules": rules.spec,
        "games": event.games_per_heat,
        "points": "/".join(map(str, event.points_for(4))),
    }
    own = [int(points) for points in rules.place_points(4)]
    if event.points_for(4) != own:
        text += " " + _("The rule set itself gives %(points)s.") % {
            "points": "/".join(map(str, own))
        }
        return Check("rules", WARNING, title, text, url, _("Change"))
    return Check("rules", OK, title, text, url, _("Change"))


def _staff(event: Event) -> Check:
    title, url = _("Staff"), _url(event, "staff_invite")
    roles = dict(event.roles.values_list("role").annotate(count=Count("pk")).order_by())
    parts = [f"{Role(role).label} {roles[role]}" for role in Role.values if role in roles]
    text = ", ".join(parts)
    directing = roles.get(Role.DIRECTOR, 0) + roles.get(Role.OWNER, 0)
    if not directing:
        return Check("staff", MISSING, title, _("Nobody is directing."), url, _("Invite somebody"))
    if event.buy_in and not (roles.get(Role.CASHIER) or roles.get(Role.OWNER)):
        return Check(
            "staff", WARNING, title, _("Nobody is taking the buy-ins."), url, _("Invite a cashier")
        )
    if sum(roles.values()) == 1:
        text = _("One person runs everything; somebody should be able to take over.")
        return Check("staff", WARNING, title, text, url, _("Invite somebody"))
    return Check("staff", OK, title, text, url, _("Invite somebody"))


def _timetable(event: Event, days: Sequence[Day]) -> Check:
    title, url = _("Timetable"), _url(event, "timetable")
    if not days:
        text = _("Nobody can see when the doors open and when play begins.")
        return Check("timetable", WARNING, title, text, url, _("Enter the timetable"))
    text = ngettext("%(count)s day or part.", "%(count)s days or parts.", len(days))
    return Check("timetable", OK, title, text % {"count": len(days)}, url, _("Change"))


def _room(event: Event, taken: int, days: Sequence[Day]) -> Check:
    title, url = _("Tables in the room"), _url(event, "event_settings") + "#room_plan"
    expected = max(taken, event.capacity or 0)
    tables = len(room_tables(event.room_plan))
    if not tables:
        text = _("No room plan: tables are numbered from 1, as many as are needed.")
        return Check("room", OK, title, text, url, _("Enter a room plan"))
    seats = 4 * tables
    text = ngettext(
        "%(tables)s table seats %(seats)s players at a time.",
        "%(tables)s tables seat %(seats)s players at a time.",
        tables,
    ) % {"tables": tables, "seats": seats}
    parts = heat_parts(days)
    if len(parts) > 1:
        people = people_by_part(event)
        fitted = fit(parts, tables, people)
        text = fit_text(fitted, tables, sum(people.values()))
        fits = sum(each.chosen + each.more for each in fitted) == sum(people.values())
        fine = fits and not any(each.is_over for each in fitted)
        return Check("room", OK if fine else WARNING, title, text, url, _("Change"))
    if expected > seats:
        text += " " + _("Up to %(count)s are expected: not all can play at once.") % {
            "count": expected
        }
        return Check("room", WARNING, title, text, url, _("Change"))
    return Check("room", OK, title, text, url, _("Change"))


def _sign_up(event: Event) -> Check:
    title, url = _("Sign-up"), _url(event, "event_settings") + "#sign_up_opens_at"
    state = sign_up_state(event)
    if event.sign_up_opens_at is None:
        text = _("No public sign-up: the desk registers everybody.")
        return Check("sign_up", OK, title, text, url, _("Open sign-up"))
    if event.sign_up_closes_at is not None and (
        timezone.localdate(event.sign_up_closes_at) > event.ends_on
    ):
        text = _("It does not close until after the last day.")
        return Check("sign_up", WARNING, title, text, url, _("Change"))
    words = {
        NONE: _("It works as soon as the event is open."),
        LATER: _("It opens at the set time."),
        CLOSED: _("It is closed."),
    }
    text = words.get(state, _("It is open."))
    return Check("sign_up", WARNING if state == NONE else OK, title, text, url, _("Change"))


def _players(event: Event, counts: dict[str, int], taken: int) -> Check:
    title, url = _("Players"), _url(event, "desk")
    here = counts.get(RegistrationStatus.CHECKED_IN, 0)
    waiting = counts.get(RegistrationStatus.WAIT_LISTED, 0)
    text = _("Checked in: %(here)s of %(all)s.") % {"here": here, "all": taken}
    if waiting:
        text += " " + ngettext(
            "%(count)s is on the waiting list.", "%(count)s are on the waiting list.", waiting
        ) % {"count": waiting}
    if not taken:
        return Check(
            "players", MISSING, title, _("Nobody is registered."), url, _("Register players")
        )
    if taken in (1, 2, 5) and not here:
        text += " " + _("This many cannot be divided into tables of three and four.")
        return Check("players", WARNING, title, text, url, _("To the desk"))
    return Check("players", OK if here else WARNING, title, text, url, _("To the desk"))


def _series(event: Event) -> list[Check]:
    """Return a line where there is a series in which the event counts, or could (two queries)."""
    title = _("Series")
    rows = list(event.in_series.select_related("series").order_by("series__name", "pk"))
    if asked := [row.series.name for row in rows if row.agreed_at is None]:
        text = _("%(series)s asks for this event; an owner of the organiser answers, under Series.")
        return [Check("series", WARNING, title, text % {"series": ", ".join(asked)})]
    if rows:
        text = _("It counts in %(series)s.") % {
            "series": ", ".join(row.series.name for row in rows)
        }
        url = rows[0].series.get_absolute_url() if rows[0].series.is_public else ""
        return [Check("series", OK, title, text, url, _("See the series"))]
    own = event.organiser.series.filter(
        is_finished=False, starts_on__lte=event.ends_on, ends_on__gte=event.starts_on
    )
    names = ", ".join(own.values_list("name", flat=True))
    text = _("It counts in none. Of these days is %(series)s; an owner of the organiser adds it.")
    return [Check("series", OK, title, text % {"series": names})] if names else []


def _reach(address: str) -> Check:
    title = _("Phones can reach this program")
    public = settings.PUBLIC_URL or address
    if opens_here_only(public):
        text = _(
            "Only this computer can open %(address)s. Start the program with HOST=0.0.0.0, or set "
            "PUBLIC_URL to the address that phones open; otherwise nobody can score."
        ) % {"address": public}
        return Check("reach", MISSING, title, text)
    untried = bool(settings.PUBLIC_URL) and opens_here_only(address)
    if untried:
        text = _("Links lead to %(address)s. Try it with a phone.") % {"address": public}
    else:
        text = _("Auditors' links begin with %(address)s.") % {"address": public}
    secure = public.startswith("https://")
    if not secure:
        text += " " + _(
            "Without https, a phone works offline only while its page stays open (TLS_CERTIFICATE)."
        )
    text += " " + _("An iPhone may forget what it stores of a page that nobody opens for a week.")
    return Check("reach", WARNING if untried or not secure else OK, title, text)


def _status(event: Event) -> Check:
    title, url = _("The event is open"), _url(event, "event_settings")
    if event.status == EventStatus.DRAFT:
        text = _("It is a draft: only its staff sees it, and nobody can be checked in.")
        return Check("status", MISSING, title, text, url, _("Open the event"))
    if event.status == EventStatus.FINISHED:
        return Check("status", WARNING, title, _("It is finished."), url, _("Open it again"))
    return Check("status", OK, title, _("Everybody sees it."), url)
