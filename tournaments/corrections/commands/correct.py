"""The director's corrections: previewed first, then done all at once.

A preview does everything the correction does, in a transaction that is rolled back, and lists what
differs between before and after; so it cannot differ from what then happens. What somebody has to
decide (a tie that now needs a Flip Flop, a game that would be open again, a play-off table that has
begun) is listed in ``needs``; until that is decided, the correction is refused and nothing changes.
"""

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine.messages import say
from engine.ranking.heat import Ranking
from scoring import writing as scoring
from scoring.enums import RowKind, SheetStatus
from scoring.errors import ScoringError
from scoring.models import Sheet, SheetEntry
from scoring.reading.correction import Plan, plan_correction
from scoring.reading.games import games_of
from scoring.reading.names import names_of
from scoring.reading.ranking import order_by_lots
from scoring.words import lang

from ...core.errors import Conflict, Refused
from ...core.locks import lock_event, lock_heat
from ...core.log import By, author, record
from ...core.transitions import transition_entry
from ...floor.commands.penalties import sync_penalties_with_rulings
from ...heats.commands import qualify_best
from ...heats.queries.closing import checked_stand_ins, stand_ins
from ...models import Event, Heat, HeatEntry, HeatResult, Qualification
from ...models.enums import (
    BookingKind,
    EntryStatus,
    EventStatus,
    HeatStatus,
    LogAction,
    StageKind,
)
from ...results.commands import mark_advancing, refresh_heat
from ...results.queries.from_sheets import place_numbers
from ...results.queries.stood import STAND, Stood, stood_of
from ..queries.consequences import (
    REDRAW,
    TABLE,
    Consequences,
    OtherWin,
    RoundEffect,
    Seat,
    effect_on,
    following_stage,
    other_wins,
)
from ..queries.effects import effects_of
from ..queries.picture import Picture, difference, picture_of
from .next_round import rearrange

SEED_LENGTH = 40


@dataclass(frozen=True)
class Correction:
    """A correction and its decisions: void, amend or insert an entry on one sheet.

    ``also`` are inserted after ``entry``: the rest of a forgotten deal. Kind ``paper`` replaces the
    whole sheet by the totals on its paper. ``change``, if given, is
    called instead of writing to the sheet. ``seen_version`` is the sheet's version that the
    director saw.

    Decisions: ``with_later`` accepts that later entries which become impossible are voided too;
    ``end_game`` ends a game that would be open again, by a ruling; ``flip_flops`` are the orders of
    groups now tied, or ``lots`` has the program draw them; ``round`` is :data:`STAND` (tables that
    have begun play on), :data:`TABLE` (only those with a wrong player begin anew) or
    :data:`REDRAW` (draw the round again); ``instead`` advances if the heat's
    new winner has qualified from another heat; empty for nobody.
    """

    sheet: Sheet
    kind: RowKind
    sequence: int
    entry: Mapping[str, Any] | None
    reason: str
    seen_version: int
    client_id: uuid.UUID = field(default_factory=uuid.uuid4)
    with_later: bool = False
    end_game: bool = False
    flip_flops: tuple[tuple[str, ...], ...] = ()
    round: str = ""
    lots: bool = False
    instead: str | None = None
    also: tuple[Mapping[str, Any], ...] = ()
    change: Callable[[], Any] | None = None

    @classmethod
    def of_change(cls, *, heat: Heat, change: Callable[[], Any], reason: str) -> Self:
        """Return the correction of a closed heat's ranking that ``change`` makes.

        Who advances follows as usual; tables of the next round that have begun play on.
        """
        sheet = Sheet.objects.filter(table=heat.table_id).order_by("number")[0]
        return cls(sheet, RowKind.VOID, 0, None, reason, sheet.version, round=STAND, change=change)


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
        self.later: list[tuple[int, str]] = []
        self.plan: Plan | None = None
        self.names: list[str] = []
        self.stand_ins: list[str] = []
        self.other_wins: list[OtherWin] = []
        game = correction.sheet.heat_game
        self.event: Event = lock_event(game.heat.event)
        self.heat: Heat = lock_heat(game.heat)
        self.heat.event = self.event
        self.reason = correction.reason.strip() or "?"
        self.seed = self._seed()

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
        self._write_on_sheet()
        sync_penalties_with_rulings(heat=self.heat, by=self.by, reason=self.reason)
        ranking = refresh_heat(heat=self.heat)
        ranking = self._flip_flop(ranking)
        if self.heat.status == HeatStatus.FINISHED:
            self._sign_again()
        seats_after = self._seats()
        effect = self._who_goes_on(ranking, ranking_before)
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
            other_wins=tuple(self.other_wins),
            playing_now=tuple(self._playing_now(won)),
            later=tuple(self.later),
            plan=self.plan,
            flip_flop_groups=ranking.needs_flip_flop
            if self.heat.status == HeatStatus.FINISHED
            else (),
            round=effect,
            payouts=tuple(self._payouts({*lost, *won, *_moved(ranking_before, ranking_after)})),
            needs=tuple(self.needs),
            stand_ins=tuple(self.stand_ins),
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

    def _seed(self) -> str:
        """Return the seed for lots, the same in every preview and in the correction itself."""
        rows = SheetEntry.objects.filter(sheet__table=self.heat.table_id)
        last = rows.order_by("sheet__number", "sequence").values_list("hash", flat=True).last()
        return str(last)[:SEED_LENGTH]

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

    def _write_on_sheet(self) -> None:
        """Write the correction; a preview makes the missing decisions itself and notes them."""
        if self.wanted.change is not None:
            self.wanted.change()
            return
        with_later, end_game = self.wanted.with_later, self.wanted.end_game
        self.later = self._go_along()
        if self.later and not with_later:
            self._need("with_later")
            with_later = True
        for _attempt in range(2):
            try:
                with transaction.atomic():
                    self._write(with_later=with_later, end_game=end_game)
                return
            except _StillOpen:
                self._need("end_game")
                end_game = True
            except ScoringError as error:
                if error.code == "would_reopen" and not end_game:
                    self._need("end_game")
                    end_game = True
                    continue
                raise self._refusal(error) from error
        raise Refused("still_open", _("The game would be open again. Nothing changed."))

    def _go_along(self) -> list[tuple[int, str]]:
        """Return the later entries that become impossible, each with the engine's message."""
        wanted = self.wanted
        sheet = Sheet.objects.select_related("table").get(pk=wanted.sheet.pk)
        if sheet.version != wanted.seen_version:
            raise Conflict("conflict", ScoringError("conflict").message())
        self.names = [names_of(sheet.table)[player_id] for player_id in sheet.seats]
        if wanted.kind == RowKind.FROM_PAPER:
            return []
        try:
            plan = plan_correction(
                sheet,
                kind=wanted.kind,
                sequence=wanted.sequence,
                entry=wanted.entry if wanted.kind != RowKind.VOID else None,
                also=wanted.also,
            )
        except ScoringError as error:
            raise self._refusal(error) from error
        self.plan = plan
        return [
            (number, say(problem, lang(), self.names)) for number, problem in plan.voids.items()
        ]

    def _refusal(self, error: ScoringError) -> Refused:
        kind = Conflict if error.code == "conflict" else Refused
        return kind(error.code, error.message(names=self.names))

    def _need(self, decision: str) -> None:
        self.needs.append(decision)

    def _write(self, *, with_later: bool, end_game: bool) -> None:
        wanted = self.wanted
        sheet = wanted.sheet
        if wanted.kind == RowKind.FROM_PAPER:
            scoring.write_from_paper(
                sheet_id=sheet.pk,
                client_id=wanted.client_id,
                seen_version=wanted.seen_version,
                author=author(self.by),
                totals=wanted.entry,
                reason=wanted.reason,
            )
            return
        ruling = {"kind": "ruling", "action": "end_game", "reason": self.reason}
        was_finished = Sheet.objects.get(pk=sheet.pk).status == SheetStatus.FINISHED
        done = scoring.correct_entry(
            sheet_id=sheet.pk,
            client_id=wanted.client_id,
            seen_version=wanted.seen_version,
            author=author(self.by),
            kind=wanted.kind,
            sequence=wanted.sequence,
            entry=None if wanted.kind == RowKind.VOID else wanted.entry or {},
            reason=self.reason,
            with_later=with_later,
            by_director=True,
            then=[ruling] if end_game else [],
            also=wanted.also,
        )
        if not done.finished and was_finished and self.heat.status == HeatStatus.FINISHED:
            raise _StillOpen

    # --- the heat --------------------------------------------------------------------------

    def _flip_flop(self, ranking: Ranking) -> Ranking:
        """Record the director's orders of ties that now matter."""
        if self.heat.status != HeatStatus.FINISHED:
            return ranking
        given = {frozenset(order): order for order in self.wanted.flip_flops}
        for group in ranking.needs_flip_flop:
            seed = self.seed if self.wanted.lots else None
            order = order_by_lots(seed, group) if seed else given.get(frozenset(group))
            if order is None:
                self._need("flip_flop")
                return ranking
            after = {"order": list(order), **({"seed": seed} if seed else {})}
            record(LogAction.FLIP_FLOP, self.heat, self.by, after=after, reason=self.reason)
            scoring.record_flip_flop(
                table_id=self.heat.table_id or 0,
                order=order,
                by=author(self.by),
                by_director=True,
                seed=seed,
            )
        return refresh_heat(heat=self.heat) if ranking.needs_flip_flop else ranking

    def _sign_again(self) -> None:
        """Sign off again, in the director's name, as a correction removes the sign-off."""
        scoring.sign_off(
            table_id=self.heat.table_id or 0,
            by=author(self.by),
            by_director=True,
            protest=self.reason,
        )

    # --- who goes on -----------------------------------------------------------------------

    def _who_goes_on(self, ranking: Ranking, before: Sequence[HeatResult]) -> RoundEffect | None:
        """Let the right players go on, and take them out of the queue and put them in the round."""
        if self.heat.status != HeatStatus.FINISHED:
            return None
        went_on = [row.entry.registration.player_id for row in before if row.advances]
        lost = [player_id for player_id in went_on if player_id not in ranking.advances]
        won = [player_id for player_id in ranking.advances if player_id not in went_on]
        if not lost and not won:
            return None
        ranked = {
            row.entry.registration.player_id
            for row in before
            if row.place <= self.heat.advance and not row.disqualified
        }
        out = {row.player for row in ranking.rows if row.disqualified}
        if ranked == set(ranking.advances) and not out & set(went_on):
            # The director had decided against the sheets, and the sheets' outcome is unchanged.
            mark_advancing(heat=self.heat, player_ids=went_on)
            return None
        if self.heat.stage.kind == StageKind.QUALIFYING:
            elsewhere, _possible = stand_ins(self.heat, lost)
            lost = [player_id for player_id in lost if player_id not in elsewhere]
            self.other_wins = other_wins(self.heat, lost)
            stay = {win.player_id for win in self.other_wins if not win.instead}
            lost = [player_id for player_id in lost if player_id not in stay]
        following = following_stage(self.heat)
        effect = effect_on(following, lost, won) if following else None
        if effect is not None and effect.begun and self.wanted.round not in {REDRAW, TABLE}:
            if self.wanted.round != STAND:
                self._need("round")
            # The tables play on: the sheets are corrected, but not who advanced.
            mark_advancing(heat=self.heat, player_ids=went_on)
            self.other_wins = []
            return effect
        if self.heat.stage.kind == StageKind.QUALIFYING:
            won = self._requalify(lost, won, ranking)
            self._leave_queue(won)
        if following is None:
            return None
        rearrange(
            stage=following,
            effect=effect,
            heat=self.heat,
            lost=lost,
            won=won,
            by=self.by,
            reason=self.reason,
            anew=self.wanted.round == TABLE,
        )
        return effect

    def _requalify(self, lost: Sequence[str], won: Sequence[str], ranking: Ranking) -> list[str]:
        now = timezone.now()
        leaving = {*lost, *(win.player_id for win in self.other_wins)}
        for row in Qualification.objects.filter(
            heat=self.heat,
            revoked_at__isnull=True,
            registration__number__in=[int(player_id) for player_id in leaving],
        ).select_related("registration__person"):
            row.revoked_at = now
            row.save(update_fields=["revoked_at"])
            record(
                LogAction.QUALIFICATION_REVOKED,
                row,
                self.by,
                heat=self.heat,
                before={"order": row.order},
                reason=self.reason,
            )
        for win in self.other_wins:
            if win.instead:
                results = win.heat.results.filter(entry__registration__number=int(win.player_id))
                results.update(advances=False)
            else:
                qualify_best(heat=win.heat, player_ids=[win.player_id], by=self.by)
        taken, self.stand_ins = stand_ins(self.heat, ranking.advances)
        if set(taken) & set(won):
            instead = self.wanted.instead
            if instead is None:
                self._need("instead")
            more = checked_stand_ins(
                self.heat, ranking.advances, [instead] if instead else [], self.reason
            )
            mark_advancing(heat=self.heat, player_ids=[*ranking.advances, *more])
            won = [*won, *more]
        made = qualify_best(heat=self.heat, player_ids=won, by=self.by)
        return [row.registration.player_id for row in made]

    # --- elsewhere -------------------------------------------------------------------------

    def _leave_queue(self, won: Sequence[str]) -> None:
        """Take players who now qualify out of the queue."""
        entries = self._entries(won, EntryStatus.WAITING)
        for entry in entries.select_related("registration__person"):
            transition_entry(entry, EntryStatus.WITHDRAWN)
            entry.ended_at = timezone.now()
            entry.save(update_fields=["status", "ended_at"])
            record(
                LogAction.LEFT_QUEUE,
                entry,
                self.by,
                before={"entry": entry.number},
                reason=self.reason,
            )

    def _playing_now(self, won: Sequence[str]) -> list[tuple[str, int]]:
        """Return who now qualifies and is playing another heat."""
        if self.heat.stage.kind != StageKind.QUALIFYING:
            return []
        entries = self._entries(won, EntryStatus.SEATED).exclude(heat=self.heat)
        return [
            (str(player), heat)
            for player, heat in entries.values_list("registration__number", "heat__number")
        ]

    def _entries(self, players: Sequence[str], status: EntryStatus) -> QuerySet[HeatEntry]:
        numbers = [int(player_id) for player_id in players]
        return HeatEntry.objects.filter(
            registration__event=self.event, registration__number__in=numbers, status=status
        )

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
                "places": [(r.entry.registration.player_id, r.place) for r in result.ranking_after],
                "no_longer_through": list(result.lost),
                "now_through": list(result.won),
                "round": self.wanted.round,
                **({"stands": result.stood.as_json()} if result.stood else {}),
                "taken_back_too": [number for number, _why in self.later],
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


class _StillOpen(Exception):
    """The correction would reopen a game of a closed heat."""
