"""A table: the people who sit down together for some games."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext as _

from scoring.reasons import reason_text


class Table(models.Model):
    """One table session: in a tournament a heat's table, in a kitchen the evening.

    Players are opaque references (in tournaments: registration ids); names come through the
    host (:mod:`scoring.host`).
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    #: What it is called: the event's name, or a casual evening's own.
    label = models.CharField(max_length=120)
    #: In a tournament, the number of the heat that is played at it.
    heat_number = models.PositiveIntegerField(null=True, blank=True)
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
    #: Players who are gone: every game that begins now is played without them.
    absent = models.JSONField(default=list, blank=True)
    #: Players who are called away: they fold each deal until they are back. Nobody ever: null.
    away = models.JSONField(null=True, blank=True)
    auditor = models.CharField(max_length=64, blank=True, default="")
    seed = models.CharField(max_length=128)
    #: Whether a director looks after the table; without one its own Auditor may rule. Never
    #: changed: the rows of a table with a director are kept for ever.
    directed = models.BooleanField(default=True)
    created_at = models.DateTimeField()
    created_by = models.CharField(max_length=80)
    #: Set on a casual table when it is purged: only then the database lets its rows go.
    expired_at = models.DateTimeField(null=True, blank=True, editable=False)
    #: When the table said that it sits as drawn, or as put right then, before the first deal.
    seated_at = models.DateTimeField(null=True, blank=True, editable=False)
    call_since = models.DateTimeField(null=True, blank=True)
    call_reason = models.CharField(max_length=200, blank=True, default="")
    #: The table's own word that its results are right; a correction takes it back.
    signed_at = models.DateTimeField(null=True, blank=True)
    signed_by = models.CharField(max_length=80, blank=True, default="")
    #: Why the director signed although a call or an objection was open.
    protest = models.CharField(max_length=200, null=True, blank=True)
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
            models.CheckConstraint(
                condition=models.Q(expired_at__isnull=True) | models.Q(directed=False),
                name="scoring_table_expired",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """What the table's pages are called; the number first, for it tells phones apart."""
        if self.heat_number is None:
            return self.label
        return _("Heat %(number)s · %(event)s") % {"number": self.heat_number, "event": self.label}

    @property
    def call_text(self) -> str:
        """Why the director is called, in the reader's language."""
        return reason_text(self.call_reason)
