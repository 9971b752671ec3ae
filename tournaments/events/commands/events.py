"""Events, their stages and roles."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _

from engine.rules.variants import parse_rules
from scoring import writing as scoring

from ...core.errors import Refused
from ...core.locks import lock_event
from ...core.log import By, changed, label_of, record, snapshot
from ...core.organisers import the_organiser, where_member
from ...core.permissions import CHANGE_EVENT, MANAGE_ROLES, needs
from ...core.times import TIMES, stored_days
from ...core.transitions import transition_event
from ...models import Day, Event, EventRole, Heat, HeatEntry, Organiser, Stage
from ...models.enums import (
    COUNTED_ENTRY_STATUSES,
    GONE,
    EventStatus,
    LogAction,
    RegistrationStatus,
    Role,
    StageKind,
    StageStatus,
)
from ...registration.commands.waiting_list import promote_from_waiting_list
from ...verify.checks import verify
from ..queries.formats import FORMAT_FIELDS, MONEY_FIELDS, PLAYOFF_FIELDS, rule_points


def _canonical(event: Event) -> None:
    """Set the rule set's canonical name and digest."""
    rules = parse_rules(event.rules)
    event.rules = rules.spec
    event.rules_digest = rules.digest()


@transaction.atomic
def create_event(
    *,
    name: str,
    slug: str,
    by: By,
    organiser: Organiser | None = None,
    status: EventStatus = EventStatus.DRAFT,
    **fields: Any,
) -> Event:
    """Create an event with its first qualifying stage; ``by`` becomes its owner.

    Without ``organiser`` it belongs to the first one for which ``by`` may create events. ``fields``
    are the model's, with the festival's rules as defaults; game points follow the rule set unless
    given. Raises ``ValidationError`` for invalid fields.
    """
    if organiser is None and by is not None:
        organiser = where_member(by).order_by("pk").first()
    event = Event(name=name, slug=slug, organiser=organiser or the_organiser(), **fields)
    event.clean_fields(exclude=["rules_digest"])
    if "game_points" not in fields:
        event.game_points = rule_points(event.rules)
    _canonical(event)
    event.full_clean()
    event.save()
    if by is not None:
        EventRole.objects.create(event=event, user=by, role=Role.OWNER)
    Stage.objects.create(
        event=event,
        kind=StageKind.QUALIFYING,
        number=1,
        status=StageStatus.OPEN,
        advance=event.advance_per_heat,
        games=event.games_per_heat,
    )
    record(LogAction.EVENT_CREATED, event, by, after=snapshot(event))
    if status == EventStatus.OPEN:
        set_event_status(event=event, to=status, by=by)
        event.refresh_from_db()
    return event


@transaction.atomic
@needs(CHANGE_EVENT)
def change_event(*, event: Event, by: By, reason: str = "", **fields: Any) -> Event:
    """Change fields of an event; more places let in players from the waiting list.

    Refused with ``format_fixed`` for fields on which existing heats, play-off rounds or bookings
    depend.
    """
    event = lock_event(event)
    before = snapshot(event)
    for field, value in fields.items():
        setattr(event, field, value)
    event.clean_fields(exclude=["rules_digest"])
    _canonical(event)
    event.full_clean()
    old, new = changed(before, snapshot(event))
    if not new:
        return event
    _refuse_fixed(event, set(new))
    event.save()
    event.stages.filter(
        status__in=[StageStatus.PLANNED, StageStatus.OPEN], kind=StageKind.QUALIFYING
    ).update(advance=event.advance_per_heat, games=event.games_per_heat)
    record(LogAction.EVENT_CHANGED, event, by, before=old, after=new, reason=reason)
    # Whose acceptance is needed, and how long a table has, is on the tables' pages, too.
    for table_id in event.heats.open().exclude(table=None).values_list("table", flat=True):
        scoring.show_again(table_id=table_id)
    if "capacity" in new:
        promote_from_waiting_list(event=event, by=by)
    return event


def _refuse_fixed(event: Event, fields: set[str]) -> None:
    """Refuse with ``format_fixed`` if one of these fields can no longer change."""
    for names, begun, sentence in (
        (
            FORMAT_FIELDS,
            event.heats.exists,
            _("Heats have been drawn, so this can no longer be changed: %(fields)s."),
        ),
        (
            PLAYOFF_FIELDS,
            event.stages.playoffs().exists,
            _("A play-off round has been made, so this can no longer be changed: %(fields)s."),
        ),
        (
            MONEY_FIELDS,
            event.bookings.exists,
            _("Money has been booked, so this can no longer be changed: %(fields)s."),
        ),
    ):
        fixed = sorted(names & fields)
        if fixed and begun():
            raise Refused(
                "format_fixed", sentence, fields=", ".join(label_of(Event, f) for f in fixed)
            )


@transaction.atomic
@needs(CHANGE_EVENT)
def set_event_status(*, event: Event, to: EventStatus, by: By, despite: bool = False) -> Event:
    """Open, finish or reopen an event; one with heats cannot become a draft again.

    Finishing it first verifies all results; ``despite``: finish it even if something does not
    match.
    """
    event = lock_event(event)
    before = event.status
    transition_event(event, to)
    heats = Heat.objects.filter(event=event)
    if to == EventStatus.DRAFT and heats.exists():
        raise Refused("event_played", _("Heats have been drawn; the event stays open."))
    if to == EventStatus.FINISHED and heats.open().exists():
        raise Refused("heats_open", _("Heats are still being played. Close them first."))
    planned = event.stages.playoffs().filter(status=StageStatus.PLANNED)
    if to == EventStatus.FINISHED and planned.exists():
        raise Refused(
            "round_prepared",
            _("A round is prepared and has not been played. Draw it, or take it back first."),
        )
    after: dict[str, Any] = {"status": event.status}
    if to == EventStatus.FINISHED and (found := verify(event)):
        if not despite:
            raise Refused(
                "does_not_hold",
                _("Verification failed: see Verification, beside the log. Nothing was done."),
            )
        after["found"] = [each.as_json() for each in found]
    event.save(update_fields=["status"])
    record(
        LogAction.EVENT_STATUS,
        event,
        by,
        before={"status": before},
        after=after,
    )
    return event


@transaction.atomic
def end_with_heats(*, event: Event, by: By = None) -> bool:
    """Finish an event without play-offs once nobody plays, waits or can enter again.

    If it cannot be finished, it stays open for its director; return whether it was finished.
    """
    event = Event.objects.get(pk=event.pk)
    if not event.ends_with_heats or event.status != EventStatus.OPEN:
        return False
    open_entries = HeatEntry.objects.open().filter(registration__event=event)
    open_entries = open_entries.exclude(registration__status__in=GONE)
    if open_entries.exists() or not event.heats.finished().exists() or event.heats.open().exists():
        return False
    here = event.registrations.filter(status=RegistrationStatus.CHECKED_IN).annotate(
        used=Count("entries", filter=Q(entries__status__in=COUNTED_ENTRY_STATUSES))
    )
    # Without a limit somebody can always enter again; with one, players here may have entries left.
    if event.reentry_limit is None or here.filter(used__lt=event.reentry_limit).exists():
        return False
    try:
        set_event_status(event=event, to=EventStatus.FINISHED, by=by)
    except Refused:
        return False
    return True


@transaction.atomic
@needs(MANAGE_ROLES)
def set_role(*, event: Event, user: User, role: Role, by: By) -> EventRole:
    """Set an account's role at the event; refused with ``last_owner`` for the only owner."""
    return give_role(event=event, user=user, role=role, by=by)


@transaction.atomic
def give_role(*, event: Event, user: User, role: Role, by: By) -> EventRole:
    """Set a role as :func:`set_role` does, for an account that may take it, as one invited."""
    event = lock_event(event)
    current = EventRole.objects.filter(event=event, user=user).first()
    before = {"role": current.role} if current else None
    if current and role != Role.OWNER:
        _keep_an_owner(event, current)
    current, _created = EventRole.objects.update_or_create(
        event=event, user=user, defaults={"role": role}
    )
    record(
        LogAction.ROLE_SET,
        current,
        by,
        label=user.get_username(),
        before=before,
        after={"role": role},
    )
    return current


@transaction.atomic
@needs(MANAGE_ROLES)
def remove_role(*, event: Event, user: User, by: By) -> None:
    """Remove an account's role at the event; refused with ``last_owner`` for the only owner."""
    event = lock_event(event)
    current = EventRole.objects.filter(event=event, user=user).first()
    if current is None:
        return
    _keep_an_owner(event, current)
    record(
        LogAction.ROLE_REMOVED,
        current,
        by,
        label=user.get_username(),
        before={"role": current.role},
    )
    current.delete()


def _keep_an_owner(event: Event, leaving: EventRole) -> None:
    owners = event.roles.filter(role=Role.OWNER).exclude(pk=leaving.pk)
    if leaving.role == Role.OWNER and not owners.exists():
        raise Refused("last_owner", _("An event needs an owner. Name another one first."))


@transaction.atomic
def create_with_staff_of(*, earlier: Event | None, by: By, **fields: Any) -> Event:
    """Create an event; with ``earlier``, its staff gets the same roles. ``by`` owns it."""
    event = create_event(by=by, **fields)
    if earlier is not None:
        if earlier.staff_two_factor:
            event = change_event(event=event, by=by, staff_two_factor=True)
        for role in earlier.roles.select_related("user").order_by("pk"):
            if role.user != by and role.user.is_active:
                set_role(event=event, user=role.user, role=Role(role.role), by=by)
    return event


@transaction.atomic
@needs(CHANGE_EVENT)
def set_timetable(*, event: Event, days: Sequence[Day], by: By) -> None:
    """Replace the event's days by these; one of the same name keeps its players.

    Places that become free go to the first on the waiting lists.
    """
    event = lock_event(event)
    before = stored_days(list(event.timetable.all()))
    after = stored_days(sorted(days, key=lambda day: day.starts_at))
    if before == after:
        return
    known = {day.name: day for day in event.timetable.all()}
    event.timetable.exclude(name__in=[day.name for day in days]).delete()
    for day in days:
        row = known.get(day.name) or Day(event=event, name=day.name)
        for name in ("session_kind", "places", *TIMES):
            setattr(row, name, getattr(day, name))
        row.full_clean()
        row.save()
    promote_from_waiting_list(event=event, by=by)
    record(LogAction.TIMETABLE, event, by, before={"timetable": before}, after={"timetable": after})
