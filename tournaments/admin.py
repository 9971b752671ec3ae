"""Django admin for models without a page of their own; append-only rows are read-only here."""

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from .models import (
    Booking,
    Draw,
    Event,
    EventRole,
    GameResult,
    Heat,
    HeatEntry,
    HeatResult,
    LogEntry,
    Qualification,
    Registration,
    Stage,
)


class ReadOnlyAdmin(admin.ModelAdmin):
    """Show rows that only the commands write."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class RoleInline(admin.TabularInline):
    """The event's staff."""

    model = EventRole
    extra = 0
    autocomplete_fields = ["user"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: roles are given on the event's staff page, which logs it."""
        return False

    has_add_permission = has_delete_permission = has_change_permission


class StageInline(admin.TabularInline):
    model = Stage
    extra = 0
    can_delete = False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: stages are opened and finished on the director's pages."""
        return False

    has_add_permission = has_change_permission


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """Events with roles and stages, to read; they are changed on their own pages."""

    list_display = ["name", "slug", "starts_on", "status", "rules"]
    list_filter = ["status", "rules"]
    search_fields = ["name", "slug", "venue"]
    inlines = [RoleInline, StageInline]


@admin.register(Registration)
class RegistrationAdmin(ReadOnlyAdmin):
    list_display = ["number", "person", "event", "status", "checked_in_at"]
    # Only pages that note who looks at them show contacts.
    exclude = ["email", "phone", "note"]
    list_filter = ["event", "status"]
    list_select_related = ["person", "event"]
    search_fields = ["person__search_text", "person__legal_name"]


@admin.register(HeatEntry)
class HeatEntryAdmin(ReadOnlyAdmin):
    list_display = ["registration", "number", "status", "heat", "entered_at"]
    list_filter = ["registration__event", "status"]
    list_select_related = ["registration__person", "heat"]


@admin.register(Heat)
class HeatAdmin(ReadOnlyAdmin):
    list_display = ["number", "event", "stage", "status", "table_number", "opened_at"]
    list_filter = ["event", "status"]
    list_select_related = ["event", "stage"]


@admin.register(LogEntry)
class LogAdmin(ReadOnlyAdmin):
    """The log of all events; only an event's own page shows reasons, without erased names."""

    list_display = ["at", "actor", "action", "object_label", "event"]
    exclude = ["before", "after", "reason"]
    list_filter = ["action", "event"]
    list_select_related = ["event"]
    search_fields = ["actor", "object_label"]
    date_hierarchy = "at"


@admin.register(Booking)
class BookingAdmin(ReadOnlyAdmin):
    list_display = ["booked_at", "event", "registration", "kind", "amount", "currency"]
    exclude = ["note"]
    list_filter = ["event", "kind"]
    list_select_related = ["event", "registration__person"]


def _read_only(model: type[models.Model], columns: list[str], related: list[str]) -> None:
    name = f"{model.__name__}Admin"
    fields = {"list_display": columns, "list_select_related": related}
    admin.site.register(model, type(name, (ReadOnlyAdmin,), fields))


_read_only(Draw, ["number", "event", "seed", "method", "made_at"], ["event"])
_read_only(
    GameResult,
    ["game", "entry", "place", "score", "game_points"],
    ["game__heat", "entry__registration__person"],
)
_read_only(
    HeatResult,
    ["heat", "place", "entry", "game_points", "decided_by"],
    ["heat", "entry__registration__person"],
)
_read_only(
    Qualification,
    ["order", "event", "registration", "heat"],
    ["event", "registration__person", "heat"],
)
