"""What the players of a table say about its sheets: accepted games and objections."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from ..enums import AcceptedBy, SheetStatus
from .append_only import AppendOnlyQuerySet
from .author import Authored
from .sheet import Sheet


class GameAcceptance(Authored):
    """A player accepts the places and totals of a finished game, as they stood at that moment.

    ``chain`` is the sheet's last hash at that time. After a correction, the game must be accepted
    again; after rows that change no result, the same words are noted with the new hash.
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
    def unanswered(self) -> ObjectionQuerySet:
        """Return the objections that wait for the director, oldest first, without void games."""
        waiting = self.filter(answer__isnull=True).exclude(sheet__status=SheetStatus.VOID)
        return waiting.order_by("pk")


class Objection(Authored):
    """A player says that a deal on a sheet is wrong; play goes on."""

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="objections")
    player = models.CharField(max_length=64, help_text="reference of the player")
    deal = models.PositiveSmallIntegerField(help_text="from 1")
    text = models.CharField(max_length=200, blank=True, default="")
    client_id = models.UUIDField(unique=True)
    created_at = models.DateTimeField()

    objects = ObjectionQuerySet.as_manager()  # type: ignore[misc]  # narrower than the base's

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(deal__gte=1), name="scoring_objection_deal")
        ]

    def __str__(self) -> str:
        return f"{self.sheet_id}, {self.deal}: {self.player}"


class ObjectionAnswer(Authored):
    """The end of an objection: the director's answer, or the player's withdrawal (no reason)."""

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
