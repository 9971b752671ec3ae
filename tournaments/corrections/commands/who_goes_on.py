"""Who goes on after a correction: qualifications, the queue, and the players of the round."""

from collections.abc import Sequence

from django.utils import timezone

from engine.ranking.heat import Ranking

from ...core.log import By, record
from ...core.transitions import transition_entry
from ...heats.commands import qualify_best
from ...heats.queries.closing import checked_stand_ins, stand_ins
from ...models import Heat, HeatResult, Qualification
from ...models.enums import EntryStatus, HeatStatus, LogAction, StageKind
from ...results.commands import mark_advancing
from ...results.queries.stood import STAND
from ..queries.consequences import (
    REDRAW,
    TABLE,
    OtherWin,
    RoundEffect,
    effect_on,
    entries_of,
    following_stage,
    other_wins,
)
from .next_round import rearrange
from .wanted import Correction


class WhoGoesOn:
    """Lets the right players of a corrected heat go on.

    A missing decision is added to ``needs``. ``stand_ins`` are who could go on instead of a winner
    who has qualified already, ``other_wins`` the other heats that players who lose a place have
    won.
    """

    def __init__(
        self, wanted: Correction, heat: Heat, by: By, reason: str, needs: list[str]
    ) -> None:
        self.wanted = wanted
        self.heat = heat
        self.by = by
        self.reason = reason
        self.needs = needs
        self.stand_ins: list[str] = []
        self.other_wins: list[OtherWin] = []

    def decide(self, ranking: Ranking, before: Sequence[HeatResult]) -> RoundEffect | None:
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
                self.needs.append("round")
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
                self.needs.append("instead")
            more = checked_stand_ins(
                self.heat, ranking.advances, [instead] if instead else [], self.reason
            )
            mark_advancing(heat=self.heat, player_ids=[*ranking.advances, *more])
            won = [*won, *more]
        made = qualify_best(heat=self.heat, player_ids=won, by=self.by)
        return [row.registration.player_id for row in made]

    def _leave_queue(self, won: Sequence[str]) -> None:
        """Take players who now qualify out of the queue."""
        entries = entries_of(self.heat, won, EntryStatus.WAITING)
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
