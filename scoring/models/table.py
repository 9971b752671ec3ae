"""A table: the people who sit down together for some games."""

from __future__ import annotations

import uuid

from django.db import models

from scoring.models.append_only import AppendOnly


class Table(models.Model):
    """One table session: in a tournament a heat's table, in a kitchen the evening.

    Players are opaque references (in tournaments: registration ids); names come through the
    host (:mod:`scoring.host`).
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    label = models.CharField(max_length=120)
    rules = models.CharField(max_length=120, help_text="rule set, e.g. festival or svensk+C+N")
    rules_digest = models.CharField(max_length=64)
    #: The rule set as it was when the table was made, field by field: what games are replayed
    #: with, whatever a preset of that name says later.
    ruleset = models.JSONField()
    #: Fields of the rule set that the event sets differently (see ``scoring.reading.rules``).
    overrides = models.JSONField(default=dict, blank=True)
    players = models.JSONField(help_text="references of the players, in the order of drawing")
    games_planned = models.PositiveSmallIntegerField(default=3)
    #: How many go on from here; decides which ties need a flip-flop.
    advance = models.PositiveSmallIntegerField(default=1)
    #: The tie chain; empty means the engine's default.
    ties = models.JSONField(default=list, blank=True)
    #: What the director takes off in the ranking: {ref: {"game_points": n, "score": n}}.
    #: Players who are gone: every game that begins now is played without them.
    absent = models.JSONField(default=list, blank=True)
    auditor = models.CharField(max_length=64, blank=True, default="")
    seed = models.CharField(max_length=128)
    #: Whether a director looks after the table; without one its own Auditor may rule.
    directed = models.BooleanField(default=True)
    created_at = models.DateTimeField()
    created_by = models.CharField(max_length=80)
    call_since = models.DateTimeField(null=True, blank=True)
    call_reason = models.CharField(max_length=200, blank=True, default="")
    #: The table's own word that its results are right; a correction takes it back.
    signed_at = models.DateTimeField(null=True, blank=True)
    signed_by = models.CharField(max_length=80, blank=True, default="")
    #: Grows with every change that readers of the table's pages should see.
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(games_planned__gte=1, games_planned__lte=20),
                name="scoring_table_games_planned",
            ),
            models.CheckConstraint(
                condition=~models.Q(label="") & ~models.Q(rules="") & ~models.Q(seed=""),
                name="scoring_table_words",
            ),
            models.CheckConstraint(
                condition=models.Q(signed_at__isnull=True, signed_by="")
                | (models.Q(signed_at__isnull=False) & ~models.Q(signed_by="")),
                name="scoring_table_signed",
            ),
            models.CheckConstraint(
                condition=models.Q(call_since__isnull=False) | models.Q(call_reason=""),
                name="scoring_table_call",
            ),
        ]

    def __str__(self) -> str:
        return self.label


class FlipFlop(AppendOnly):
    """The outcome of a flip-flop, as an order of the tied players; the latest one counts."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="flip_flops")
    order = models.JSONField(help_text="references of the tied players, best first")
    author = models.CharField(max_length=80)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table_id}: {' > '.join(self.order)}"
