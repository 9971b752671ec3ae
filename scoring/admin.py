"""Read-only admin pages for everything that scoring stores.

Every change has a function of its own with checks and a log, so the admin must not write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from .models import FlipFlop, HeatPenalty, LeaseChange, Link, Sheet, SheetEntry, Table

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[models.Model]
else:
    _Admin = admin.ModelAdmin


class ReadOnlyAdmin(_Admin):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    list_display = ["label", "rules", "games_planned", "created_at", "call_since", "signed_at"]
    list_filter = ["rules"]
    search_fields = ["label", "seed"]


@admin.register(Sheet)
class SheetAdmin(ReadOnlyAdmin):
    list_display = ["table", "number", "status", "version", "last_entry_at"]
    list_filter = ["status"]
    list_select_related = ["table"]
    search_fields = ["table__label"]


@admin.register(SheetEntry)
class SheetEntryAdmin(ReadOnlyAdmin):
    """The lines without what was typed on them: only pages of the sheet take out erased names."""

    list_display = ["sheet_id", "sequence", "kind", "author", "created_at"]
    exclude = ["entry", "reason", "answer"]
    list_filter = ["kind"]
    search_fields = ["client_id", "author"]


@admin.register(Link)
class LinkAdmin(ReadOnlyAdmin):
    """The links, without the nonce and digest."""

    list_display = ["table", "role", "created_at", "created_by", "revoked_at"]
    list_filter = ["role"]
    list_select_related = ["table"]
    exclude = ["nonce", "digest"]


@admin.register(LeaseChange)
class LeaseChangeAdmin(ReadOnlyAdmin):
    list_display = ["sheet_id", "author", "previous_author", "created_at"]


@admin.register(FlipFlop)
class FlipFlopAdmin(ReadOnlyAdmin):
    list_display = ["table", "order", "author", "created_at"]
    list_select_related = ["table"]


@admin.register(HeatPenalty)
class HeatPenaltyAdmin(ReadOnlyAdmin):
    list_display = ["table", "player", "game_points", "author", "created_at"]
    exclude = ["reason"]
    list_select_related = ["table"]
