"""Django's admin shows what scoring stores; nothing is changed there.

Every change has its own function with its own checks and log, so the admin only reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from scoring.models import FlipFlop, HeatPenalty, LeaseChange, Link, Sheet, SheetEntry, Table

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[models.Model]
else:
    _Admin = admin.ModelAdmin


class ReadOnlyAdmin(_Admin):
    """An admin page that only shows."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing is added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Nothing is changed here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Nothing is deleted here."""
        return False


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    """The tables."""

    list_display = ["label", "rules", "games_planned", "created_at", "call_since", "signed_at"]
    list_filter = ["rules"]
    search_fields = ["label", "seed"]


@admin.register(Sheet)
class SheetAdmin(ReadOnlyAdmin):
    """The sheets, one per game."""

    list_display = ["table", "number", "status", "version", "last_entry_at"]
    list_filter = ["status"]
    list_select_related = ["table"]
    search_fields = ["table__label"]


@admin.register(SheetEntry)
class SheetEntryAdmin(ReadOnlyAdmin):
    """The rows of all sheets."""

    list_display = ["sheet_id", "sequence", "kind", "entry", "author", "created_at", "reason"]
    list_filter = ["kind"]
    search_fields = ["client_id", "author"]


@admin.register(Link)
class LinkAdmin(ReadOnlyAdmin):
    """The links, without what would open them."""

    list_display = ["table", "role", "created_at", "created_by", "expires_at", "revoked_at"]
    list_filter = ["role"]
    list_select_related = ["table"]
    exclude = ["nonce", "digest"]


@admin.register(LeaseChange)
class LeaseChangeAdmin(ReadOnlyAdmin):
    """Who took a lease over."""

    list_display = ["sheet_id", "author", "previous_author", "created_at"]


@admin.register(FlipFlop)
class FlipFlopAdmin(ReadOnlyAdmin):
    """The flip-flops."""

    list_display = ["table", "order", "author", "created_at"]
    list_select_related = ["table"]


@admin.register(HeatPenalty)
class HeatPenaltyAdmin(ReadOnlyAdmin):
    """Game points taken from players, and given back."""

    list_display = ["table", "player", "game_points", "reason", "author", "created_at"]
    list_select_related = ["table"]
