"""Named queries on stages, heats, entries and players."""

from typing import Any, Self

from django.apps import apps
from django.db import models
from django.db.models import Exists, OuterRef, Q

from .enums import (
    COUNTED_ENTRY_STATUSES,
    OPEN_ENTRY_STATUSES,
    DrawStatus,
    EntryStatus,
    HeatStatus,
    RegistrationStatus,
    StageKind,
    StageStatus,
)


class StageQuerySet(models.QuerySet[Any]):
    def qualifying(self) -> Self:
        return self.filter(kind=StageKind.QUALIFYING)

    def playoffs(self) -> Self:
        """The play-off rounds and the final."""
        return self.exclude(kind=StageKind.QUALIFYING)

    def open(self) -> Self:
        """The stages now being played."""
        return self.filter(status=StageStatus.OPEN)


class EventQuerySet(models.QuerySet[Any]):
    def with_menu(self) -> Self:
        """Annotate what the menu needs to leave out empty pages."""

        def rows(model: str, **which: Any) -> Any:
            every = apps.get_model("tournaments", model).objects
            return every.filter(event=OuterRef("pk"), **which)

        qualified = rows("Qualification", revoked_at__isnull=True)
        rounds = rows("Stage", kind__in=[StageKind.PLAYOFF, StageKind.FINAL])
        return self.annotate(
            has_players=Exists(rows("Registration", checked_in_at__isnull=False)),
            has_qualified=Exists(qualified),
            # Three make a final, so the bracket has something to show.
            has_playoffs=Exists(qualified[2:3]) | Exists(rounds),
            has_rounds=Exists(rounds),
            has_result=Exists(rows("Heat", status=HeatStatus.FINISHED)),
            has_money=Q(buy_in__gt=0)
            | Q(fee__gt=0)
            | Q(prize_added__gt=0)
            | ~Q(prizes={})
            | Q(Exists(rows("Booking"))),
        )


class DrawQuerySet(models.QuerySet[Any]):
    def drafts(self) -> Self:
        """Drafts neither published nor discarded."""
        return self.filter(status=DrawStatus.DRAFT)


class HeatQuerySet(models.QuerySet[Any]):
    def open(self) -> Self:
        """Heats now being played."""
        return self.filter(status=HeatStatus.OPEN)

    def finished(self) -> Self:
        return self.filter(status=HeatStatus.FINISHED)

    def not_void(self) -> Self:
        """Heats that count."""
        return self.exclude(status=HeatStatus.VOID)


class EntryQuerySet(models.QuerySet[Any]):
    def waiting(self) -> Self:
        """Entries in the queue."""
        return self.filter(status=EntryStatus.WAITING)

    def seated(self) -> Self:
        """Entries whose heat is being played."""
        return self.filter(status=EntryStatus.SEATED)

    def open(self) -> Self:
        """Entries waiting or playing."""
        return self.filter(status__in=OPEN_ENTRY_STATUSES)

    def counted(self) -> Self:
        """Entries that count, seats in play-off rounds too."""
        return self.filter(status__in=COUNTED_ENTRY_STATUSES)

    def paid(self) -> Self:
        """Entries that count and that players pay for; a seat in the play-offs costs nothing."""
        return self.counted().filter(stage__kind=StageKind.QUALIFYING)


class RegistrationQuerySet(models.QuerySet[Any]):
    def wait_listed(self) -> Self:
        """Players on the waiting list."""
        return self.filter(status=RegistrationStatus.WAIT_LISTED)


class QualificationQuerySet(models.QuerySet[Any]):
    def valid(self) -> Self:
        """Qualifications that no correction has revoked."""
        return self.filter(revoked_at__isnull=True)


class PenaltyQuerySet(models.QuerySet[Any]):
    def in_force(self) -> Self:
        """Penalties that have not been taken back."""
        return self.filter(taken_back_at__isnull=True)
