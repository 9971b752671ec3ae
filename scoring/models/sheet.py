"""One game's score sheet, its rows and declared Chicagos."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ..enums import RowKind, SheetStatus
from .append_only import AppendOnly
from .author import Authored
from .table import Table

#: Begins the name of the holder of the lease when seats are new, so that each device takes over
#: and sees them.
NEW_SEATS = "seats "


class Sheet(models.Model):
    """One game: who sits where, and a cache of the replayed rows.

    ``version`` is the number of rows. ``state`` is the engine's state document. The rows are
    authoritative; :func:`scoring.reading.check.verify_sheet` compares the two.
    """

    public_id = models.UUIDField(_("address"), default=uuid.uuid4, unique=True, editable=False)
    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="sheets", verbose_name=_("table")
    )
    number = models.PositiveSmallIntegerField(_("game"))
    #: The seats as drawn: part of the head of the hash chain, never changed.
    drawn_seats = models.JSONField(_("seats as drawn"))
    #: The current seats, clockwise; they differ from the drawn ones after a ``reseat`` row.
    seats = models.JSONField(_("seats now"))
    dealer = models.PositiveSmallIntegerField(_("first dealer"), default=0)
    status = models.CharField(
        _("status"), max_length=8, choices=SheetStatus.choices, default=SheetStatus.WAITING
    )
    version = models.PositiveIntegerField(_("number of lines"), default=0)
    state = models.JSONField(_("state"))
    rules_digest = models.CharField(_("digest of the rules"), max_length=64)
    #: Hash of the last row, or of the sheet's head if there is none.
    chain = models.CharField(_("hash of the last line"), max_length=64)
    started_at = models.DateTimeField(_("begun"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    #: Changed seats do not count, nor does what was left of a game that was not running.
    last_entry_at = models.DateTimeField(_("last line"), null=True, blank=True)
    void_reason = models.CharField(_("why it is void"), max_length=200, blank=True, default="")
    lease_device = models.CharField(
        _("device that keeps the score"), max_length=64, blank=True, default=""
    )
    lease_author = models.CharField(_("kept by"), max_length=80, blank=True, default="")
    lease_since = models.DateTimeField(_("kept since"), null=True, blank=True)

    class Meta:
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")
        ordering = ["table_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="scoring_sheet_number"),
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(status=SheetStatus.RUNNING),
                name="scoring_sheet_one_running",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="scoring_sheet_number_from_1"),
            models.CheckConstraint(condition=Q(dealer__lte=3), name="scoring_sheet_dealer"),
            models.CheckConstraint(
                condition=Q(status__in=SheetStatus.values), name="scoring_sheet_status"
            ),
            models.CheckConstraint(
                condition=Q(status=SheetStatus.FINISHED, finished_at__isnull=False)
                | (~Q(status=SheetStatus.FINISHED) & Q(finished_at__isnull=True)),
                name="scoring_sheet_finished_at",
            ),
            models.CheckConstraint(
                condition=Q(started_at__isnull=False)
                | Q(status__in=[SheetStatus.WAITING, SheetStatus.VOID]),
                name="scoring_sheet_started_at",
            ),
            models.CheckConstraint(
                condition=(Q(status=SheetStatus.VOID) & ~Q(void_reason=""))
                | (~Q(status=SheetStatus.VOID) & Q(void_reason="")),
                name="scoring_sheet_void_reason",
            ),
            models.CheckConstraint(
                condition=Q(lease_device="", lease_since__isnull=True)
                | (~Q(lease_device="") & Q(lease_since__isnull=False)),
                name="scoring_sheet_lease",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} · {self.number}"

    @property
    def is_written(self) -> bool:
        """Whether anything was ever entered while it was played."""
        return self.last_entry_at is not None

    @property
    def scored_since(self) -> datetime | None:
        """Since when a device has kept the score; None while none does or the seats are unknown."""
        return None if self.lease_device.startswith(NEW_SEATS) else self.lease_since


class SheetEntry(Authored):
    """One row of a sheet, never changed and chained to the row before it by its hash."""

    # The unique number within the sheet finds its lines; a second index would cost every entry.
    sheet = models.ForeignKey(
        Sheet,
        on_delete=models.PROTECT,
        related_name="entries",
        db_index=False,
        verbose_name=_("score sheet"),
    )
    sequence = models.PositiveIntegerField(_("number"))
    client_id = models.UUIDField(_("UUID from the device"), unique=True)
    kind = models.CharField(_("kind"), max_length=8, choices=RowKind.choices)
    #: The row that this one takes back, replaces or precedes.
    target = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="corrections",
        verbose_name=_("corrected line"),
    )
    #: The engine's entry (entry, amend, insert), the new seats (reseat), the totals (paper; null if
    #: it is entered deal by deal), who compared it (checked), or null (void).
    entry = models.JSONField(_("what happened"), null=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True, default="")
    confirmed = models.BooleanField(_("confirmed though unusual"), default=False)
    created_at = models.DateTimeField(_("created"))
    previous_hash = models.CharField(_("hash of the line before"), max_length=64)
    hash = models.CharField(_("hash"), max_length=64)
    #: The answer to the writer, repeated if the same UUID arrives again.
    answer: models.JSONField[Any, Any] = models.JSONField(_("answer to the device"))

    class Meta:
        verbose_name = _("line of a sheet")
        verbose_name_plural = _("lines of sheets")
        ordering = ["sheet_id", "sequence"]
        indexes = [
            # Few rows match: the floor asks for those of a whole event.
            models.Index(
                fields=["sheet"], condition=Q(confirmed=True), name="scoring_entry_confirmed"
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "sequence"], name="scoring_entry_sequence"),
            models.UniqueConstraint(
                fields=["target"], condition=Q(kind=RowKind.VOID), name="scoring_entry_void_once"
            ),
            models.CheckConstraint(condition=Q(sequence__gte=1), name="scoring_entry_from_1"),
            models.CheckConstraint(condition=Q(kind__in=RowKind.values), name="scoring_entry_kind"),
            models.CheckConstraint(
                condition=Q(
                    kind__in=[RowKind.VOID, RowKind.AMEND, RowKind.INSERT], target__isnull=False
                )
                | Q(
                    kind__in=[RowKind.ENTRY, RowKind.RESEAT, RowKind.FROM_PAPER, RowKind.CHECKED],
                    target__isnull=True,
                ),
                name="scoring_entry_target",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=[RowKind.AMEND, RowKind.INSERT, RowKind.RESEAT])
                | ~Q(reason=""),
                name="scoring_entry_reason",
            ),
            models.CheckConstraint(
                condition=~Q(hash=F("previous_hash")), name="scoring_entry_hash"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet_id} #{self.sequence}"


class LeaseChange(AppendOnly):
    """Who took over the lease of a sheet, and from whom."""

    sheet = models.ForeignKey(
        Sheet, on_delete=models.PROTECT, related_name="lease_changes", verbose_name=_("score sheet")
    )
    device = models.CharField(_("device"), max_length=64)
    author = models.CharField(_("by"), max_length=80)
    previous_device = models.CharField(_("device before"), max_length=64, blank=True, default="")
    previous_author = models.CharField(_("before by"), max_length=80, blank=True, default="")
    created_at = models.DateTimeField(_("created"))

    class Meta:
        verbose_name = _("change of who keeps the score")
        verbose_name_plural = _("changes of who keeps the score")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.sheet_id}: {self.author}"


class Declaration(Authored):
    """A player declared a Chicago before the tricks; the latest row of a deal counts.

    ``seat`` is empty if the declaration was taken back. The outcome is an entry.
    """

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="declarations")
    deal = models.PositiveIntegerField(help_text="from 0")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    client_id = models.UUIDField(unique=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.sheet_id}: deal {self.deal}, seat {self.seat}"
