"""A table: people who sit down together for some games."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ..reasons import reason_text


class Table(models.Model):
    """One table session: a heat's table in a tournament, or a casual evening.

    Players are opaque references (in tournaments: registration ids); names come from the host
    (:mod:`scoring.host`).
    """

    public_id = models.UUIDField(_("address"), default=uuid.uuid4, unique=True, editable=False)
    #: The event's name, or a casual evening's own.
    label = models.CharField(_("label"), max_length=120)
    #: In a tournament, the number of the heat played at the table.
    heat_number = models.PositiveIntegerField(_("heat"), null=True, blank=True)
    rules = models.CharField(
        _("rule set"),
        max_length=120,
        help_text=_("A rule set and its variants, such as “festival” or “svensk+C+N”."),
    )
    rules_digest = models.CharField(_("digest of the rules"), max_length=64)
    #: The rule set when the table was made, field by field. Games are replayed with it, even if a
    #: preset of that name changes.
    ruleset = models.JSONField(_("the rules in full"))
    #: Fields of the rule set that the event sets differently (see ``scoring.reading.rules``).
    overrides = models.JSONField(_("what the event sets differently"), default=dict, blank=True)
    players = models.JSONField(
        _("players"), help_text=_("As the event knows them, in the order of drawing.")
    )
    games_planned = models.PositiveSmallIntegerField(_("games"), default=3)
    #: How many players advance from here; decides which ties need a flip-flop.
    advance = models.PositiveSmallIntegerField(_("players who advance"), default=1)
    #: The tie chain; empty means the engine's default.
    ties = models.JSONField(_("what decides a tie"), default=list, blank=True)
    #: Players who have left: games that begin from now on are played without them.
    absent = models.JSONField(_("missing players"), default=list, blank=True)
    #: Players who are called away: they fold every deal until they return. Null: nobody so far.
    away = models.JSONField(_("players called away"), null=True, blank=True)
    auditor = models.CharField(_("Auditor"), max_length=64, blank=True, default="")
    seed = models.CharField(_("seed"), max_length=128)
    #: Whether a director looks after the table; otherwise its own Auditor may rule. Never changed:
    #: the rows of a table with a director are kept for ever.
    directed = models.BooleanField(_("has a director"), default=True)
    created_at = models.DateTimeField(_("created"))
    created_by = models.CharField(_("created by"), max_length=80)
    #: Set on a casual table when it is purged; only then does the database allow its rows to be
    #: deleted.
    expired_at = models.DateTimeField(_("expired"), null=True, blank=True, editable=False)
    #: When the table confirmed, before the first deal, that it sits as drawn or as corrected then.
    seated_at = models.DateTimeField(_("seats confirmed"), null=True, blank=True, editable=False)
    call_since = models.DateTimeField(_("director called"), null=True, blank=True)
    #: Why, a line for each reason; empty for a call without one.
    call_reason = models.CharField(
        _("why the director was called"), max_length=200, blank=True, default=""
    )
    #: When the table signed off its results; a correction takes it back.
    signed_at = models.DateTimeField(_("signed off"), null=True, blank=True)
    signed_by = models.CharField(_("signed off by"), max_length=80, blank=True, default="")
    #: Why the director signed off despite an open call or objection.
    protest = models.CharField(
        _("signed off under protest, because"), max_length=200, null=True, blank=True
    )
    #: Increased by every change that readers of the table's pages should see.
    revision = models.PositiveIntegerField(_("version of the pages"), default=0)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
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
        """The title of the table's pages; the number comes first, to tell phones apart."""
        if self.heat_number is None:
            return self.label
        return gettext("Heat %(number)s · %(event)s") % {
            "number": self.heat_number,
            "event": self.label,
        }

    @property
    def call_mark(self) -> str:
        """Names the open call with its reasons, so that an answer is for the call that was seen."""
        if self.call_since is None:
            return ""
        return f"{self.call_since.isoformat()} {len(self.call_reasons)}"

    @property
    def call_reasons(self) -> list[str]:
        """Why the director was called, as stored; none without a call."""
        return [] if self.call_since is None else self.call_reason.split("\n")

    @property
    def call_text(self) -> str:
        """Why the director was called, in the reader's language."""
        return " · ".join(filter(None, map(reason_text, self.call_reasons)))
