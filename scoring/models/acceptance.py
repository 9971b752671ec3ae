"""What the players of a table say of its sheets: this is right, or this deal is not."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from scoring.enums import AcceptedBy, SheetStatus
from scoring.models.append_only import AppendOnlyQuerySet
from scoring.models.author import Authored
from scoring.models.sheet import Sheet


class GameAcceptance(Authored):
    """A player accepts places and totals of a finished game, as they stood at that moment.

    ``chain`` is the sheet's last hash then: after a correction the game is to be accepted again.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="acceptances")
    player = models.CharField(max_length=64, help_text="reference of the player")
    means = models.CharField(max_length=8, choices=AcceptedBy.choices)
    chain = models.CharField(max_length=64)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "player", "chain"], name="scoring_acceptance_once"
            ),
            models.CheckConstraint(
                condition=Q(means__in=AcceptedBy.values), name="scoring_acceptance_means"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet_id}: {self.player}"


class ObjectionQuerySet(AppendOnlyQuerySet):
    """Objections."""

    def unanswered(self) -> ObjectionQuerySet:
        """Those that wait for the director, oldest first; a void game's wait for nobody."""
        waiting = self.filter(answer__isnull=True).exclude(sheet__status=SheetStatus.VOID)
        return waiting.order_by("pk")


class Objection(Authored):
    """A player says that a deal of a sheet is wrong; play goes on."""

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="objections")
    player = models.CharField(max_length=64, help_text="reference of the player")
    deal = models.PositiveSmallIntegerField(help_text="from 1")
    text = models.CharField(max_length=200, blank=True, default="")
    client_id = models.UUIDField(unique=True)
    created_at = models.DateTimeField()

    objects = ObjectionQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(deal__gte=1), name="scoring_objection_deal")
        ]

    def __str__(self) -> str:
        return f"{self.sheet_id}, {self.deal}: {self.player}"


class ObjectionAnswer(Authored):
    """How an objection ended: the director's word, or the player took it back (no reason)."""

    objection = models.OneToOneField(Objection, on_delete=models.PROTECT, related_name="answer")
    reason = models.CharField(max_length=200, blank=True, default="")
    withdrawn = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(withdrawn=True) | ~Q(reason=""), name="scoring_answer_reason"
            )
        ]

    def __str__(self) -> str:
        return f"{self.objection_id}: {self.reason}"
