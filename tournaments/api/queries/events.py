"""Organisers, events, players and series as documents; ``root`` begins every address."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from ...core.names import club_of, registration_name
from ...models import Event, HeatEntry, Organiser, Registration, Series
from ...models.enums import EventStatus
from ...results.queries.phase import phase_of
from ...results.queries.players import player_state, players_of
from ...series.queries.standing import Row, Standing, rows_of, standing_of

Document = dict[str, Any]
#: The event's further documents, by the names of their addresses.
PARTS = {
    "players": "players",
    "heats": "heats",
    "draws": "draws",
    "standings": "standings",
    "qualified": "qualified",
    "play_offs": "playoffs",
    "result": "result",
    "statistics": "statistics",
    "document": "document",
}


def address(root: str, name: str, *args: object) -> str:
    """Return the address of a document of the interface."""
    return root + reverse(f"api:{name}", args=args)


def public_organisers() -> QuerySet[Organiser]:
    """Return the organisers with an event that everybody may see."""
    public = Event.objects.filter(organiser=OuterRef("pk")).exclude(status=EventStatus.DRAFT)
    return Organiser.objects.filter(Exists(public))


def public_events() -> QuerySet[Event]:
    """Return the events that everybody may see."""
    return Event.objects.exclude(status=EventStatus.DRAFT).select_related("organiser")


def organiser_document(organiser: Organiser) -> Document:
    return {"slug": organiser.slug, "name": str(organiser)}


def event_document(event: Event, root: str) -> Document:
    """Return an event as in a list."""
    return {
        "slug": event.slug,
        "name": event.name,
        "organiser": organiser_document(event.organiser),
        "venue": event.venue,
        "starts_on": event.starts_on,
        "ends_on": event.ends_on,
        "status": event.status,
        "page": root + event.get_absolute_url(),
        "address": address(root, "event", event.slug),
    }


def whole_event_document(event: Event, root: str) -> Document:
    """Return an event with its format, its timetable and how far it is (five queries)."""
    phase = phase_of(event)
    days = event.timetable.all()
    return event_document(event, root) | {
        "phase": phase.code,
        "winners": list(phase.winners),
        "rules": event.rules,
        "games_per_heat": event.games_per_heat,
        "advance_per_heat": event.advance_per_heat,
        "ends_with_heats": event.ends_with_heats,
        "game_points": event.game_points,
        "tie_chain": event.tie_chain,
        "contact": event.contact,
        "colour": event.colour,
        "timetable": [
            {
                "name": day.name,
                "kind": day.session_kind,
                "doors_at": day.doors_at,
                "starts_at": day.starts_at,
                "ends_at": day.ends_at,
                "places": day.places,
            }
            for day in days
        ],
        "parts": {name: address(root, view, event.slug) for name, view in PARTS.items()},
    }


def players(event: Event) -> QuerySet[Registration]:
    """Return the players whom the standing shows: those who are here or have played."""
    played = HeatEntry.objects.paid().filter(registration=OuterRef("pk"))
    return players_of(event).filter(Q(checked_in_at__isnull=False) | Exists(played))


def player_document(row: Any) -> Document:
    """Return a row of :func:`players`."""
    state = player_state(row)
    playing = state == "playing"
    return {
        "number": row.number,
        "name": registration_name(row),
        "club": club_of(row),
        "state": state,
        "heat": row.open_heat if playing else None,
        "table": row.open_table if playing else None,
        "entries": row.entries_used,
        "qualified_as": row.qualified,
    }


def public_series() -> QuerySet[Series]:
    return Series.objects.filter(is_public=True).select_related("organiser")


def series_document(series: Series, root: str) -> Document:
    """Return a series as in a list."""
    return {
        "slug": series.slug,
        "name": series.name,
        "organiser": organiser_document(series.organiser),
        "starts_on": series.starts_on,
        "ends_on": series.ends_on,
        "is_finished": series.is_finished,
        "page": root + series.get_absolute_url(),
        "address": address(root, "one_series", series.slug),
    }


def whole_series_document(series: Series, root: str) -> Document:
    """Return a series with its whole standing (eight queries)."""
    standing = standing_of(series)
    return series_document(series, root) | {
        "is_over": standing.is_over,
        "is_being_counted": standing.is_stale,
        "events": [
            {"number": each.number, "name": each.name, "slug": each.slug, "is_over": each.is_over}
            for each in standing.columns
        ],
        "standing": [_row(standing, row) for row in rows_of(standing, standing.lines)],
    }


def _row(standing: Standing, row: Row) -> Document:
    return {
        "place": row.place,
        "shared": row.shared,
        "name": row.name,
        "club": row.club,
        "total": row.total,
        "events": [
            {
                "event": column.number,
                "place": gave.place,
                "points": gave.points,
                "dropped": gave.dropped,
            }
            for column, gave in zip(standing.columns, row.gave, strict=True)
            if gave is not None
        ],
        "can_win": row.can_win,
        "most": row.most,
        "is_champion": row.is_champion,
    }
