"""Open a heat with its score sheets and a table in the room."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from scoring.models import AskedOften, Blank, Sheet, Table, insert_all
from scoring.writing import create_table

from ...core.log import By, author
from ...core.times import times
from ...core.transitions import transition_entry
from ...models import Draw, Event, Heat, HeatEntry, HeatGame, Stage
from ...models.enums import EntryStatus, StageKind
from ..queries.plan import free_tables, own_numbers

_LAST = AskedOften(
    lambda: (
        Heat.objects.filter(event=Blank()).order_by("-number").values_list("number", flat=True)[:1]
    )
)
_SHEETS = AskedOften(
    lambda: Sheet.objects.filter(table=Blank()).order_by("number").values_list("number", "pk")
)


@transaction.atomic
def open_heat(
    *,
    event: Event,
    stage: Stage,
    entries: list[HeatEntry],
    seed: str,
    method: str,
    by: By,
    draw: Draw | None = None,
    table_number: int | None = None,
    seats_seed: str = "",
    seat_plan: Sequence[Sequence[str]] | None = None,
    games_planned: int | None = None,
    advance: int | None = None,
    auditor: str = "",
) -> Heat:
    """Make and open a heat with its score sheets for these waiting entries.

    The caller holds the event's lock. Scoring draws the seats of each game from the heat's seed,
    which is made of the draw's seed and the heat's number. Imports give ``seats_seed`` or
    ``seat_plan`` instead, ``games_planned`` and ``advance`` to override the stage's, and the
    ``auditor``.
    """
    number = max(_LAST.rows(event.pk), default=0) + 1
    heat = Heat(
        event=event,
        stage=stage,
        draw=draw,
        number=number,
        table_number=table_number or free_tables(event, [entries])[0],
        advance=stage.advance if advance is None else advance,
        games_planned=stage.games if games_planned is None else games_planned,
        seed=seats_seed or f"{seed} heat {number}",
        method=method,
        title=_title(stage),
        **(times(draw) if draw is not None else {}),
    )
    players = [entry.registration.player_id for entry in entries]
    heat.table = _make_table(heat, players, seat_plan, auditor, by=by)
    heat.opened_at = timezone.now()
    heat.save()
    for entry in entries:
        transition_entry(entry, EntryStatus.SEATED)
        entry.heat = heat
    HeatEntry.objects.bulk_update(entries, ["status", "heat"])
    sheets = _SHEETS.rows(heat.table.pk)
    insert_all(
        HeatGame, (HeatGame(heat=heat, number=number, sheet_id=sheet) for number, sheet in sheets)
    )
    return heat


def _title(stage: Stage) -> str:
    """Return the code of a round's next table, with the first free letter.

    Empty when qualifying.
    """
    if stage.kind == StageKind.QUALIFYING:
        return ""
    taken = set(stage.heats.not_void().values_list("title", flat=True))
    return next(code for code in stage.table_codes() if code not in taken)


def _make_table(
    heat: Heat,
    players: list[str],
    seat_plan: Sequence[Sequence[str]] | None,
    auditor: str,
    *,
    by: By,
) -> Table:
    """Make scoring's table for a heat, with the event's own rules where they differ."""
    event = heat.event
    return create_table(
        label=event.name,
        heat_number=heat.number,
        rules=event.rules,
        overrides=own_numbers(event, len(players)),
        players=players,
        games_planned=heat.games_planned,
        advance=heat.advance,
        ties=event.tie_chain,
        seed=heat.seed,
        seat_plan=seat_plan,
        auditor=auditor,
        by=author(by),
    )
