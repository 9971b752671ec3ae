"""What is asked of stages, heats, entries and players everywhere, under its own name."""

from typing import Any, Self

from django.apps import apps
from django.db import models
from django.db.models import Exists, OuterRef

from .enums import (
    OPEN_ENTRY_STATUSES,
    PAID_ENTRY_STATUSES,
    DrawStatus,
    EntryStatus,
    HeatStatus,
    RegistrationStatus,
    StageKind,
    StageStatus,
)


class StageQuerySet(models.QuerySet[Any]):
    """Stages of an event."""

    def qualifying(self) -> Self:
        """The qualifying days."""
        return self.filter(kind=StageKind.QUALIFYING)

    def playoffs(self) -> Self:
        """The play-off rounds and the final."""
        return self.exclude(kind=StageKind.QUALIFYING)

    def open(self) -> Self:
        """Those that are played now."""
        return self.filter(status=StageStatus.OPEN)


class EventQuerySet(models.QuerySet[Any]):
    """Events."""

    def with_menu(self) -> Self:
        """Add what decides which pages of an event have something to show."""

        def rows(model: str, **which: Any) -> Any:
            every = apps.get_model("tournaments", model).objects
            return every.filter(event=OuterRef("pk"), **which)

        qualified = rows("Qualification", revoked_at__isnull=True)
        rounds = rows("Stage", kind__in=[StageKind.PLAYOFF, StageKind.FINAL])
        return self.annotate(
            has_players=Exists(rows("Registration", checked_in_at__isnull=False)),
            has_qualified=Exists(qualified),
            # Three make a final: the bracket shows what is to come.
            has_playoffs=Exists(qualified[2:3]) | Exists(rounds),
            has_result=Exists(rows("Heat", status=HeatStatus.FINISHED)),
        )


class DrawQuerySet(models.QuerySet[Any]):
    """Draws of tables."""

    def drafts(self) -> Self:
        """Those neither published nor thrown away."""
        return self.filter(status=DrawStatus.DRAFT)


class HeatQuerySet(models.QuerySet[Any]):
    """Heats."""

    def open(self) -> Self:
        """Those that are played now."""
        return self.filter(status=HeatStatus.OPEN)

    def finished(self) -> Self:
        """Those that are closed."""
        return self.filter(status=HeatStatus.FINISHED)

    def not_void(self) -> Self:
        """Those that count."""
        return self.exclude(status=HeatStatus.VOID)


class EntryQuerySet(models.QuerySet[Any]):
    """Entries into heats."""

    def waiting(self) -> Self:
        """Those in the queue."""
        return self.filter(status=EntryStatus.WAITING)

    def seated(self) -> Self:
        """Those whose heat is being played."""
        return self.filter(status=EntryStatus.SEATED)

    def open(self) -> Self:
        """Those that wait or play."""
        return self.filter(status__in=OPEN_ENTRY_STATUSES)

    def paid(self) -> Self:
        """Those that cost the buy-in."""
        return self.filter(status__in=PAID_ENTRY_STATUSES)


class RegistrationQuerySet(models.QuerySet[Any]):
    """Players of an event."""

    def wait_listed(self) -> Self:
        """Those who get a place when somebody withdraws."""
        return self.filter(status=RegistrationStatus.WAIT_LISTED)


class QualificationQuerySet(models.QuerySet[Any]):
    """Who is through."""

    def valid(self) -> Self:
        """Those that no correction has revoked."""
        return self.filter(revoked_at__isnull=True)


class PenaltyQuerySet(models.QuerySet[Any]):
    """Penalties."""

    def in_force(self) -> Self:
        """Those that have not been taken back."""
        return self.filter(taken_back_at__isnull=True)
