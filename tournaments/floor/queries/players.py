"""Players at no table, at other tables, and at a table that has not begun."""

from scoring.reading.tables import unplayed

from ...core.names import by_staff_name, staff_name
from ...models import Event, Heat, HeatEntry, LogEntry, Registration
from ...models.enums import LogAction, RegistrationStatus


def at_no_table(event: Event, *, disqualified: bool = False) -> list[tuple[str, str]]:
    """Return reference and name of those who can play and are not playing (one query).

    ``disqualified`` adds those who are out of the event already.
    """
    statuses = [RegistrationStatus.REGISTERED, RegistrationStatus.CHECKED_IN]
    if disqualified:
        statuses.append(RegistrationStatus.DISQUALIFIED)
    playing = HeatEntry.objects.seated().filter(registration__event=event)
    rows = (
        event.registrations.filter(status__in=statuses)
        .exclude(pk__in=playing.values("registration"))
        .select_related("person")
    )
    return [
        (row.player_id, staff_name(row.person)) for row in rows.order_by(by_staff_name(), "number")
    ]


def other_players(event: Event, heat: Heat) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the players of the other open heats, grouped by heat, as choices.

    Values are ``heat:reference``.
    """
    groups: dict[Heat, list[HeatEntry]] = {}
    for entry in (
        HeatEntry.objects.filter(heat__event=event, heat__status="open", status="seated")
        .exclude(heat=heat)
        .select_related("heat", "registration__person")
        .order_by("heat__number", "pk")
    ):
        assert entry.heat is not None
        groups.setdefault(entry.heat, []).append(entry)
    return [
        (
            str(found),
            [
                (
                    f"{found.number}:{row.registration.player_id}",
                    staff_name(row.registration.person),
                )
                for row in rows
            ],
        )
        for found, rows in groups.items()
    ]


def taken_out(heat: Heat) -> list[Registration]:
    """Return who was taken out of a heat by hand and can come back, the last one first."""
    rows = LogEntry.objects.filter(
        event=heat.event_id, heat_number=heat.number, action=LogAction.PLAYERS_CHANGED
    ).order_by("-pk")
    numbers = [(row.before or {}).get("player") for row in rows]
    found = {
        row.number: row
        for row in heat.event.registrations.filter(
            number__in=[number for number in numbers if number],
            status__in=[RegistrationStatus.REGISTERED, RegistrationStatus.CHECKED_IN],
        )
        .exclude(pk__in=HeatEntry.objects.seated().values("registration"))
        .select_related("person")
    }
    return [found[number] for number in dict.fromkeys(numbers) if number in found]


def not_begun(heat: Heat) -> bool:
    """Return whether nothing has been entered on any sheet of a heat, apart from changed seats."""
    return heat.table_id is not None and unplayed(heat.table_id)
