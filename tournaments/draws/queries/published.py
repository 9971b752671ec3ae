"""A draw as everybody sees it: how it was made, its outcome, and changes by hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.draws import draw as plain
from engine.draws import pairing
from engine.draws.pairing import Cost
from scoring.enums import RowKind
from scoring.models import SheetEntry

from ...core.names import distinct_names, shown_text_of
from ...models import Draw, Event, Heat
from ...models.enums import DrawStatus, HeatStatus
from .history import history_from_json, tables_so_far
from .reasons import SeatingReason, cost_text, past_of, seating_reasons
from .verification import SNAKE_METHOD, DrawVerification, published_groups, repeat

METHODS = {
    plain.METHOD: gettext_lazy("Drawn by lot"),
    pairing.METHOD: gettext_lazy("Drawn by lot, with as few repeated opponents as possible"),
    SNAKE_METHOD: gettext_lazy("In snake order of the ranking, without lots"),
}
#: Enough digits of a lot to tell players apart.
LOT_DIGITS = 12


@dataclass(frozen=True)
class DrawPlayer:
    """A player of a draw, with their lot in the attempt that was chosen."""

    player_id: str
    name: str
    lot: str
    moved: bool = False


@dataclass(frozen=True)
class DrawTable:
    """A table of a draw, the heat opened for it, and what speaks for or against it."""

    index: int
    title: str
    heat: Heat | None
    players: tuple[DrawPlayer, ...]
    reasons: tuple[SeatingReason, ...]


@dataclass(frozen=True)
class DrawView:
    """Everything on a draw's public page."""

    draw: Draw
    method: str
    repeated: DrawVerification
    cost: str
    tables: tuple[DrawTable, ...]
    candidates: tuple[DrawPlayer, ...]
    waited: tuple[str, ...]
    changes: tuple[tuple[str, str], ...]
    as_drawn: tuple[tuple[str, ...], ...]
    meetings: tuple[tuple[str, str, int], ...]
    tables_of_three: tuple[tuple[str, int], ...]
    kept_apart: tuple[tuple[str, str], ...]

    @property
    def has_history(self) -> bool:
        """Whether the draw used any history."""
        return bool(self.meetings or self.tables_of_three or self.kept_apart)


def draws_of(event: Event, *, staff: bool) -> list[Draw]:
    """Return the event's draws, newest first; only staff get drafts (one query)."""
    draws = event.draws.select_related("stage").order_by("-number")
    if not staff:
        draws = draws.exclude(status=DrawStatus.DRAFT)
    return list(draws)


def can_be_taken_back(draw: Draw) -> bool:
    """Return whether no heat is finished and nothing has been entered (at most two queries)."""
    return (
        draw.status == DrawStatus.PUBLISHED
        and not draw.heats.exclude(status__in=[HeatStatus.OPEN, HeatStatus.VOID]).exists()
        and not SheetEntry.objects.filter(sheet__table__heat__draw=draw)
        .exclude(kind=RowKind.RESEAT)
        .exists()
    )


def draw_view(draw: Draw) -> DrawView:
    """Return a draw as shown on its public page (three queries, whatever its size).

    Changes by hand take two more queries, for names in their reasons.
    """
    event = draw.event
    text = shown_text_of(event) if draw.adjustments else str
    seated = [
        player_id for groups in (draw.groups, draw.drawn) for group in groups for player_id in group
    ]
    player_ids = {*draw.candidates, *draw.queue, *seated}
    rows = event.registrations.filter(
        number__in=[int(player_id) for player_id in player_ids]
    ).select_related("person")
    names = {player_id: player_id for player_id in player_ids} | distinct_names(rows)
    heats = list(draw.heats.select_related("table").order_by("number"))
    # A table that began anew has another heat; of those that count, the one of these players.
    playing = {
        frozenset(heat.table.players): heat
        for heat in heats
        if heat.table is not None and heat.status != HeatStatus.VOID
    }
    repeated = repeat(draw)
    history = history_from_json(draw.history)
    # The reasons for keeping players apart are for staff; repeating the draw needs only the
    # numbers.
    past = past_of(tables_so_far(event, before=heats[0].number if heats else None), {}, player_ids)
    first = {
        player_id: index
        for index, group in enumerate(published_groups(draw))
        for player_id in group
    }

    def player(player_id: str, table: int | None = None) -> DrawPlayer:
        lot = plain.lot(draw.seed, repeated.label, player_id)[:LOT_DIGITS] if repeated.label else ""
        return DrawPlayer(
            player_id,
            names[player_id],
            lot,
            moved=table is not None and first.get(player_id) != table,
        )

    return DrawView(
        draw=draw,
        method=str(METHODS.get(draw.method, draw.method)),
        repeated=repeated,
        cost=cost_text(repeated.cost if isinstance(repeated.cost, Cost) else Cost(0, 0, 0)),
        tables=tuple(
            DrawTable(
                index=index,
                title=draw.table_title(index),
                heat=playing.get(frozenset(group), heats[index] if index < len(heats) else None),
                players=tuple(player(player_id, index) for player_id in group),
                reasons=tuple(seating_reasons(group, past, names)),
            )
            for index, group in enumerate(draw.groups)
        ),
        candidates=tuple(player(player_id) for player_id in draw.candidates),
        waited=tuple(
            names[player_id] for player_id in draw.queue if player_id not in draw.candidates
        ),
        as_drawn=tuple(
            tuple(names[player_id] for player_id in group) for group in published_groups(draw)
        ),
        changes=tuple(_change(draw, change, names, text) for change in draw.adjustments),
        meetings=tuple(
            (names[a], names[b], times) for (a, b), times in sorted(history.meetings.items())
        ),
        tables_of_three=tuple(
            (names[player_id], times)
            for player_id, times in sorted(history.tables_of_three.items())
        ),
        kept_apart=tuple(history.kept_apart),
    )


def _change(
    draw: Draw, change: Mapping[str, Any], names: Mapping[str, str], text: Callable[[str], str]
) -> tuple[str, str]:
    """Return a change by hand as a sentence, with its reason."""
    reason = text(str(change.get("reason", "")))
    swap: Sequence[str] = change.get("swap", ())
    if len(swap) == 2:
        one, other = (names.get(player_id, player_id) for player_id in swap)
        return _("%(one)s and %(other)s changed places.") % {"one": one, "other": other}, reason
    if "move" in change:
        what = {"name": names.get(change["move"], change["move"])}
        what["table"] = draw.table_title(int(change.get("table", 0)))
        return _("%(name)s moved to %(table)s.") % what, reason
    if "out" in change and change["out"] is None:
        name = names.get(change["in"], change["in"])
        return _("%(name)s came in late.") % {"name": name}, reason
    if "out" in change:
        what = {"name": names.get(change["out"], change["out"])}
        if change.get("in") is None:
            return _("%(name)s was taken out.") % what, reason
        what["other"] = names.get(change["in"], change["in"])
        return _("%(name)s was taken out; %(other)s came in.") % what, reason
    return "", reason
