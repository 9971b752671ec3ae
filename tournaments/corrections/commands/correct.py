"""The director's corrections: previewed first, then done all at once.

A preview does everything the correction does, in a transaction that is rolled back, and lists what
differs between before and after; so it cannot differ from what then happens. What somebody has to
decide (a tie that now needs a Flip Flop, a game that would be open again, a play-off table that has
begun) is listed in ``needs``; until that is decided, the correction is refused and nothing changes.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.enums import RowKind
from scoring.models import Sheet, SheetEntry
from scoring.reading.games import games_of

from ...core.errors import Conflict, Refused
from ...core.locks import lock_event, lock_heat
from ...core.log import By, record
from ...core.permissions import DIRECT, RUN_FLOOR, require
from ...floor.commands.penalties import sync_penalties_with_rulings
from ...models import Event, Heat, HeatResult
from ...models.enums import (
    BookingKind,
    EntryStatus,
    EventStatus,
    HeatStatus,
    LogAction,
    StageKind,
)
from ...results.commands import refresh_heat
from ...results.queries.from_sheets import place_numbers
from ...results.queries.stood import Stood, stood_of
from ..queries.consequences import Consequences, Seat, entries_of
from ..queries.effects import effects_of
from ..queries.picture import Picture, difference, picture_of
from .on_sheet import OnSheet
from .wanted import Correction
from .who_goes_on import WhoGoesOn


def preview_correction(*, correction: Correction, by: By) -> Consequences:
    """Return what a correction would change, without changing anything.

    Raise :class:`Refused` if the correction is impossible, and :class:`Conflict` if the sheet has
    changed since the director saw it.
    """
    with transaction.atomic():
        found = _Change(correction, by, preview=True).apply()
        transaction.set_rollback(True)
    return found


@dataclass(frozen=True)
class Decided:
    """A correction with the decisions made so far, and its preview.

    ``error`` is why the last decision is impossible; its question stays open.
    """

    correction: Correction
    found: Consequences
    asked: tuple[str, ...]
    error: Refused | None = None

    @property
    def seen(self) -> str:
        """Return the decisions that affect the consequences, as the page sends them back."""
        orders = ";".join(",".join(order) for order in self.correction.flip_flops)
        orders = "lots" if self.correction.lots else orders
        instead = self.correction.instead
        return f"{self.correction.round}|{orders}" + ("" if instead is None else f"|{instead}")

    @property
    def complete(self) -> bool:
        """Whether nothing is left to decide."""
        return not self.found.needs and self.error is None


def decide(
    *,
    wanted: Correction,
    answers: Callable[[Sequence[str], Consequences], Mapping[str, Any]],
    by: By,
) -> Decided:
    """Repeat the preview with the answers until it asks nothing new.

    A decision can raise the next question (an ended game a tie). ``answers`` returns the decisions
    for the questions asked so far. Raises what :func:`preview_correction` raises.
    """
    found, correction = preview_correction(correction=wanted, by=by), wanted
    asked: list[str] = []
    while new := [need for need in found.needs if need not in asked]:
        asked += new
        correction = replace(wanted, **answers(asked, found))
        try:
            found = preview_correction(correction=correction, by=by)
        except Conflict:
            raise
        except Refused as error:
            return Decided(correction, found, tuple(asked), error)
    return Decided(correction, found, tuple(asked))


@transaction.atomic
def correct(*, correction: Correction, by: By) -> Consequences:
    """Make a correction, all or nothing; return what it changed.

    Raises what :func:`preview_correction` raises, and :class:`Refused` with ``missing_reason``, or
    with ``needs_decision`` if a decision is missing.
    """
    if not correction.reason.strip() and correction.kind != RowKind.FROM_PAPER:
        raise Refused("missing_reason", _("Say why the sheet is corrected."))
    return _Change(correction, by, preview=False).apply()


class _Change:
    """One correction in progress."""

    def __init__(self, correction: Correction, by: By, *, preview: bool) -> None:
        self.wanted = correction
        self.by = by
        self.preview = preview
        self.needs: list[str] = []
        game = correction.sheet.heat_game
        self.event: Event = lock_event(game.heat.event)
        self.heat: Heat = lock_heat(game.heat)
        self.heat.event = self.event
        require(self._right(), self.event, by)
        reason = correction.reason.strip() or "?"
        self.reason = reason
        self.on_sheet = OnSheet(correction, self.heat, by, reason, self.needs)
        self.going_on = WhoGoesOn(correction, self.heat, by, reason, self.needs)

    def _right(self) -> str:
        """Return the right that it takes: the floor enters paper sheets of open heats."""
        wanted = self.wanted
        aimed = SheetEntry.objects.filter(sheet=wanted.sheet, sequence=wanted.sequence)
        on_paper = wanted.kind == RowKind.FROM_PAPER or (
            wanted.kind == RowKind.VOID and aimed.filter(kind=RowKind.FROM_PAPER).exists()
        )
        return RUN_FLOOR if on_paper and self.heat.status == HeatStatus.OPEN else DIRECT

    def apply(self) -> Consequences:
        """Make all changes in order and return them."""
        if self.event.status == EventStatus.DRAFT or self.heat.status == HeatStatus.VOID:
            raise Refused(
                "not_correctable", _("%(heat)s is void; nothing to correct."), heat=self.heat
            )
        rows = SheetEntry.objects.filter(sheet=self.wanted.sheet)
        if rows.filter(client_id=self.wanted.client_id).exists():
            raise Refused("corrected_already", _("This correction has already been made."))
        picture = picture_of(self.event)
        seats_before = self._seats()
        ranking_before = self._ranking()
        self.on_sheet.write()
        sync_penalties_with_rulings(
            again=self.on_sheet.again, heat=self.heat, by=self.by, reason=self.reason
        )
        ranking = refresh_heat(heat=self.heat)
        ranking = self.on_sheet.flip_flop(ranking)
        if self.heat.status == HeatStatus.FINISHED:
            self.on_sheet.sign_again()
        seats_after = self._seats()
        effect = self.going_on.decide(ranking, ranking_before)
        ranking_after = self._ranking()
        changed = difference(picture, picture_of(self.event))
        lost, won = self._lost_and_won(changed, ranking_before, ranking_after)
        result = Consequences(
            heat=self.heat,
            seats=tuple(
                Seat(player_id, seats_before[player_id], seats_after[player_id])
                for player_id in self.wanted.sheet.seats
            ),
            ranking_before=tuple(ranking_before),
            ranking_after=tuple(ranking_after),
            changed=changed,
            effects=effects_of(self.event, changed),
            lost=lost,
            won=won,
            stood=self._stood(),
            other_wins=tuple(self.going_on.other_wins),
            playing_now=tuple(self._playing_now(won)),
            later=tuple(self.on_sheet.later),
            plan=self.on_sheet.plan,
            flip_flop_groups=ranking.needs_flip_flop
            if self.heat.status == HeatStatus.FINISHED
            else (),
            round=effect,
            payouts=tuple(self._payouts({*lost, *won, *_moved(ranking_before, ranking_after)})),
            needs=tuple(self.needs),
            stand_ins=tuple(self.going_on.stand_ins),
        )
        if not self.preview:
            if self.needs:
                raise Refused(
                    "needs_decision", _("Decide first what the preview asks for. Nothing changed.")
                )
            if self.wanted.change is None or result.stood is not None:
                self._log(result)
        return result

    def _lost_and_won(
        self, changed: Picture, before: Sequence[HeatResult], after: Sequence[HeatResult]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return who no longer advances and who now does, in the order of the heat's ranking."""
        if self.heat.stage.kind == StageKind.QUALIFYING:
            lost = {player for player, (was, _now) in changed.qualified.items() if was}
            won = {player for player, (_was, now) in changed.qualified.items() if now}
        else:
            was, now = changed.going_on.get(self.heat.number, (None, None))
            lost, won = {*(was or ())} - {*(now or ())}, {*(now or ())} - {*(was or ())}
        return tuple(_ranked(lost, before)), tuple(_ranked(won, after))

    def _stood(self) -> Stood | None:
        """Return who plays on against the sheets by this correction."""
        if "round" in self.needs:
            return None
        return stood_of([self.heat]).get(self.heat.pk)

    # --- the sheet -------------------------------------------------------------------------

    def _seats(self) -> dict[str, tuple[Any, ...]]:
        sheet = Sheet.objects.select_related("table").get(pk=self.wanted.sheet.pk)
        (game,) = games_of(sheet.table, [sheet], {}).games
        places = place_numbers(game.state.places or ())
        return {
            seat.player_id: (seat.score, places.get(seat.seat), seat.game_points, seat.status)
            for seat in game.seats
        }

    def _ranking(self) -> list[HeatResult]:
        return list(self.heat.results.select_related("entry__registration__person"))

    # --- elsewhere -------------------------------------------------------------------------

    def _playing_now(self, won: Sequence[str]) -> list[tuple[str, int]]:
        """Return who now qualifies and is playing another heat."""
        if self.heat.stage.kind != StageKind.QUALIFYING:
            return []
        entries = entries_of(self.heat, won, EntryStatus.SEATED).exclude(heat=self.heat)
        return [
            (str(player), heat)
            for player, heat in entries.values_list("registration__number", "heat__number")
        ]

    def _payouts(self, touched: Iterable[str]) -> list[tuple[str, int, str]]:
        """Return the payouts to players whose result has changed, for the director to settle."""
        return [
            (booking.registration.player_id, -booking.amount, booking.currency)
            for booking in self.event.bookings.filter(
                kind=BookingKind.PAYOUT,
                voided_by__isnull=True,
                registration__number__in=[int(player_id) for player_id in touched],
            ).select_related("registration")
            if booking.registration is not None
        ]

    def _log(self, result: Consequences) -> None:
        paper = self.wanted.kind == RowKind.FROM_PAPER and not self.wanted.reason.strip()
        record(
            LogAction.PAPER_ENTERED if paper else LogAction.CORRECTED,
            self.heat,
            self.by,
            before={
                "game": self.wanted.sheet.number,
                "entry": self.wanted.sequence,
                "places": [
                    (r.entry.registration.player_id, r.place) for r in result.ranking_before
                ],
            },
            after={
                "kind": str(self.wanted.kind),
                "entry": self.wanted.entry,
                **({"also": list(self.wanted.also)} if self.wanted.also else {}),
                **({"back": True} if self.wanted.back else {}),
                "places": [(r.entry.registration.player_id, r.place) for r in result.ranking_after],
                "no_longer_through": list(result.lost),
                "now_through": list(result.won),
                "round": self.wanted.round,
                **({"stands": result.stood.as_json()} if result.stood else {}),
                "taken_back_too": [number for number, _why in self.on_sheet.later],
            },
            reason=self.wanted.reason.strip(),
        )


def _moved(before: Sequence[HeatResult], after: Sequence[HeatResult]) -> list[str]:
    """Return the players whose place in the heat changes."""
    places = {row.entry_id: row.place for row in before}
    return [
        row.entry.registration.player_id for row in after if places.get(row.entry_id) != row.place
    ]


def _ranked(players: Collection[str], rows: Sequence[HeatResult]) -> list[str]:
    """Return these players, those of the heat first and in its order."""
    order = [row.entry.registration.player_id for row in rows]
    return [each for each in order if each in players] + sorted({*players} - {*order}, key=int)
