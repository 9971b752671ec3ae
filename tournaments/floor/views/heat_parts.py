"""The floor's forms and lists on the director's page of a heat."""

from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext as _

from scoring.enums import SheetStatus
from scoring.models import Sheet
from scoring.reading.protocol import ProtocolData

from ...core.forms import TimesForm
from ...core.names import staff_name
from ...core.times import times
from ...draws.queries.plan import drawable
from ...heats.queries.cards import HeatCard
from ...models import Event, Heat, Penalty
from ...models.enums import HeatStatus, Offence, PenaltyLevel, StageKind
from ..forms import (
    ClosedPenaltyForm,
    MinutesForm,
    MissingForm,
    PenaltyForm,
    PlayersForm,
    SeatsForm,
    SwapForm,
)
from ..queries.penalties import active_penalties, last_penalty, next_step, set_points_taken
from ..queries.players import other_players, taken_out
from ..queries.warnings import open_warnings


def floor_parts(
    event: Event, heat: Heat, card: HeatCard, protocol: ProtocolData | None
) -> dict[str, Any]:
    """Return their template context; a form that was refused replaces its own."""
    given = active_penalties(event, card.names)
    set_points_taken(given)
    parts: dict[str, Any] = {
        "penalties": given,
        "warnings": open_warnings(event, heat),
        "signed": heat.table is not None and heat.table.signed_at is not None,
        "minutes": (5, 10, 15),
    }
    if heat.status == HeatStatus.FINISHED:
        parts["closed_penalty_form"] = closed_penalty_form(heat, card)
    if heat.status != HeatStatus.OPEN or protocol is None:
        return parts
    sheet = shown_sheet(heat)
    begun = any(game.sheet.is_written for game in protocol.games)
    players = players_by_name(card)
    parts |= {
        "penalty_form": penalty_form(card, given, version=running_version(protocol)),
        "minutes_form": MinutesForm(seen=heat.extra_minutes),
        "times_form": TimesForm(initial=times(heat), prefix="times"),
        "swap_form": SwapForm(players=players, others=other_players(event, heat)),
    }
    if heat.table is not None:
        for what in ("absent", "away"):
            player_ids = getattr(heat.table, what) or ()
            parts[what] = [card.names.get(each, each) for each in player_ids]
    if not begun and heat.stage.kind == StageKind.QUALIFYING:
        parts["players_form"] = players_form(heat, card)
    if sheet is not None:
        parts["seats_form"] = seats_form(card, sheet)
        parts["missing_form"] = MissingForm(players=players)
    return parts


def players_by_name(card: HeatCard) -> list[tuple[str, str]]:
    """Return (reference, name) of a heat's players, by name."""
    return list(card.names.items())


def running_version(protocol: ProtocolData | None) -> int:
    """Return the running game's sheet version, or 0 between two games."""
    games = protocol.games if protocol else ()
    running = next((game for game in games if game.status == SheetStatus.RUNNING), None)
    return running.sheet.version if running else 0


def shown_sheet(heat: Heat) -> Sheet | None:
    """Return the game whose seats can be changed: the running one, else the next."""
    rows = Sheet.objects.filter(
        table=heat.table_id, status__in=[SheetStatus.RUNNING, SheetStatus.WAITING]
    ).order_by("number")
    found = list(rows)
    running = [sheet for sheet in found if sheet.status == SheetStatus.RUNNING]
    return next(iter(running or found), None)


def next_steps(event: Event, given: list[Penalty]) -> str:
    """Return the steps that follow a player's penalties.

    For any offence, then for particular ones.
    """
    steps = [str(next_step(event, given, ""))]
    if event.penalties_per_offence:
        steps += [
            f"{Offence(offence).label}: {next_step(event, given, offence)}"
            for offence in dict.fromkeys(row.offence for row in given)
        ]
    return "; ".join(steps)


def penalty_form(
    card: HeatCard, given: list[Penalty], data: Any = None, *, version: int = 0, ask: bool = False
) -> PenaltyForm:
    """Return the form; each player is shown with the next step."""
    by_player: dict[str, list[Penalty]] = {}
    for row in given:
        by_player.setdefault(row.registration.player_id, []).append(row)
    return PenaltyForm(
        data,
        players=[
            (
                player_id,
                format_html(
                    '{} <span class="next-step">→ {}</span>',
                    name,
                    next_steps(card.heat.event, by_player.get(player_id, [])),
                ),
            )
            for player_id, name in players_by_name(card)
        ],
        last=last_penalty(card.heat.event),
        game=card.game_now,
        version=version,
        ask=ask,
    )


def closed_penalty_form(heat: Heat, card: HeatCard, data: Any = None) -> ClosedPenaltyForm:
    """Return the form for a closed heat, with its players and the penalties to give back."""
    given = heat.event.penalties.in_force().filter(level=PenaltyLevel.GAME_POINTS, game__heat=heat)
    return ClosedPenaltyForm(
        data,
        players=players_by_name(card),
        last=last_penalty(heat.event),
        given=given.select_related("registration__person").order_by("pk"),
    )


def players_form(heat: Heat, card: HeatCard, data: Any = None) -> PlayersForm:
    """Return the form, longest wait first."""
    waiting = [entry.registration for entry in drawable(heat.event, heat.stage)]
    back = taken_out(heat)
    text = _("%(name)s (was taken out here)")
    coming = [(row.player_id, text % {"name": staff_name(row.person)}) for row in back]
    coming += [(row.player_id, staff_name(row.person)) for row in waiting if row not in back]
    return PlayersForm(data, players=players_by_name(card), waiting=coming)


def seats_form(card: HeatCard, sheet: Sheet, data: Any = None) -> SeatsForm:
    """Return the form with the current seats."""
    return SeatsForm(
        data,
        players=players_by_name(card),
        seats=sheet.seats,
        game=sheet.number,
        version=sheet.version,
    )
