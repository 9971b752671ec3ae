"""A correction as it is written on the sheet, with the decisions that the sheet needs."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from engine.messages import say
from engine.ranking.heat import Ranking
from scoring import writing as scoring
from scoring.enums import RowKind, SheetStatus
from scoring.errors import ScoringError
from scoring.models import Sheet, SheetEntry
from scoring.reading.correction import Plan, plan_correction, plan_rows
from scoring.reading.names import names_of
from scoring.reading.ranking import order_by_lots
from scoring.reading.rows import rows_of
from scoring.reading.take_back import rows_back
from scoring.words import lang
from scoring.writing import WriteResult

from ...core.errors import Conflict, Refused
from ...core.log import By, author, record
from ...models import Heat
from ...models.enums import HeatStatus, LogAction
from ...results.commands import refresh_heat
from .wanted import Correction

SEED_LENGTH = 40


class OnSheet:
    """One correction in progress, on the sheet and in the heat's ranking.

    A missing decision is added to ``needs``, and taken so that the preview can go on. ``later``
    are the lines that go along, ``plan`` what happens on the sheet, ``again`` the ids of struck
    lines that are written again, and of the rows that do it.
    """

    def __init__(
        self, wanted: Correction, heat: Heat, by: By, reason: str, needs: list[str]
    ) -> None:
        self.wanted = wanted
        self.heat = heat
        self.by = by
        self.reason = reason
        self.needs = needs
        self.later: list[tuple[int, str]] = []
        self.plan: Plan | None = None
        self.again: dict[uuid.UUID, uuid.UUID] = {}
        self.names: list[str] = []
        self.seed = self._seed()

    def _seed(self) -> str:
        """Return the seed for lots, the same in every preview and in the correction itself."""
        rows = SheetEntry.objects.filter(sheet__table=self.heat.table_id)
        last = rows.order_by("sheet__number", "sequence").values_list("hash", flat=True).last()
        return str(last)[:SEED_LENGTH]

    def write(self) -> None:
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
            plan = self._plan(sheet)
        except ScoringError as error:
            raise self._refusal(error) from error
        self.plan = plan
        return [
            (number, say(problem, lang(), self.names)) for number, problem in plan.voids.items()
        ]

    def _plan(self, sheet: Sheet) -> Plan:
        wanted = self.wanted
        if wanted.back:
            back, _struck = rows_back(sheet, wanted.sequence)
            return plan_rows(sheet, rows_of(sheet), back)
        return plan_correction(
            sheet,
            kind=wanted.kind,
            sequence=wanted.sequence,
            entry=wanted.entry if wanted.kind != RowKind.VOID else None,
            also=wanted.also,
        )

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
        then = [ruling] if end_game else []
        done = self._back(with_later, then) if wanted.back else self._amend(with_later, then)
        if not done.finished and was_finished and self.heat.status == HeatStatus.FINISHED:
            raise _StillOpen

    def _amend(self, with_later: bool, then: Sequence[Mapping[str, Any]]) -> WriteResult:
        wanted = self.wanted
        return scoring.correct_entry(
            sheet_id=wanted.sheet.pk,
            client_id=wanted.client_id,
            seen_version=wanted.seen_version,
            author=author(self.by),
            kind=wanted.kind,
            sequence=wanted.sequence,
            entry=None if wanted.kind == RowKind.VOID else wanted.entry or {},
            reason=self.reason,
            with_later=with_later,
            by_director=True,
            then=then,
            also=wanted.also,
        )

    def _back(self, with_later: bool, then: Sequence[Mapping[str, Any]]) -> WriteResult:
        done, self.again = scoring.take_back_correction(
            sheet_id=self.wanted.sheet.pk,
            seen_version=self.wanted.seen_version,
            author=author(self.by),
            first=self.wanted.sequence,
            reason=self.reason,
            with_later=with_later,
            then=then,
        )
        return done

    def flip_flop(self, ranking: Ranking) -> Ranking:
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

    def sign_again(self) -> None:
        """Sign off again, in the director's name, as a correction removes the sign-off."""
        scoring.sign_off(
            table_id=self.heat.table_id or 0,
            by=author(self.by),
            by_director=True,
            protest=self.reason,
        )


class _StillOpen(Exception):
    """The correction would reopen a game of a closed heat."""
