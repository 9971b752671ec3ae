"""Day 1 by player: sortable, filterable, downloadable."""

from typing import Any

import django_tables2 as tables
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from scoring.reading.words import points_text

from ...core.access import public_event
from ...core.listing import export
from ...core.permissions import role_of
from ...core.tables import EventTable
from ...models import Event
from ..queries.player_standings import (
    AGAIN,
    BARRED,
    FIRST,
    OUT,
    PLAYING,
    THROUGH,
    WAITING,
    DayOneRow,
    day_one_of,
)

PER_PAGE = 60
STATES: dict[str, Any] = {
    THROUGH: pgettext_lazy("player", "through"),
    PLAYING: pgettext_lazy("player", "playing"),
    WAITING: pgettext_lazy("player", "waits for a heat"),
    AGAIN: pgettext_lazy("player", "could enter again"),
    FIRST: pgettext_lazy("player", "has not played yet"),
    OUT: pgettext_lazy("player", "out"),
    BARRED: pgettext_lazy("player", "disqualified"),
}
_KINDS = {
    THROUGH: "",
    PLAYING: "tag-amber",
    WAITING: "tag-amber",
    AGAIN: "tag-quiet",
    FIRST: "tag-quiet",
    OUT: "tag-quiet",
    BARRED: "tag-red",
}
_NUM = {"th": {"class": "num"}, "td": {"class": "num"}}
_WIDE = {"th": {"class": "num wide"}, "td": {"class": "num wide"}}


class DayOneFilter(forms.Form):
    """Day 1 by name and by what became of the player."""

    q = forms.CharField(label=gettext_lazy("Player"), required=False, max_length=100)
    state = forms.ChoiceField(
        label=gettext_lazy("Show"),
        required=False,
        choices=[("", gettext_lazy("All rows")), *STATES.items()],
    )

    def values(self) -> tuple[str, str]:
        """Return text and state; what makes no sense filters nothing."""
        self.is_valid()
        data = self.cleaned_data
        return str(data.get("q", "")), str(data.get("state", ""))


class DayOneTable(EventTable):
    """Every player of day 1, once."""

    name = tables.Column(gettext_lazy("Player"), attrs={"td": {"class": "name-cell"}})
    state = tables.Column(
        gettext_lazy("Now"),
        order_by=("rank",),
        attrs={"th": {"class": "wide"}, "td": {"class": "wide"}},
    )
    share = tables.Column(gettext_lazy("Best share"), attrs=_NUM)
    best_heat = tables.Column(gettext_lazy("In heat"), attrs=_WIDE)
    points = tables.Column(
        pgettext_lazy("column", "Game points"), accessor="result", orderable=False, attrs=_WIDE
    )
    entries = tables.Column(gettext_lazy("Entries"), attrs=_WIDE)

    class Meta:
        caption = gettext_lazy("Day 1 by player")
        empty_text = gettext_lazy("Nobody fits.")
        attrs = {"class": "table sheet-table"}

    def render_name(self, record: DayOneRow) -> SafeString:
        """Return the name, on a phone with what the narrow table leaves out."""
        return format_html(
            '{}<span class="reason slim">{} {}</span>',
            record.name,
            self.render_state(record),
            best_text(record),
        )

    def render_state(self, record: DayOneRow) -> SafeString:
        """Return where the player stands, with the heat or the order."""
        text: Any = STATES[record.state]
        if record.state == THROUGH:
            text = format_html("{} ({})", text, record.order)
        tag = format_html('<span class="tag {}">{}</span>', _KINDS[record.state], text)
        if record.heat_now is None:
            return tag
        return format_html("{} {}", tag, self.heat_link(record.heat_now))

    def render_share(self, record: DayOneRow) -> str:
        """Return the share in percent of an average player's."""
        return share_text(record)

    def render_best_heat(self, value: int) -> SafeString:
        """Link to the heat."""
        return self.heat_link(value)

    def render_points(self, record: DayOneRow) -> str:
        """Return the points with the size of the table that gave them."""
        return result_text(record)

    def render_entries(self, record: DayOneRow) -> str:
        """Return how many entries were used, and of how many."""
        if record.left is None:
            return str(record.entries)
        return f"{record.entries} / {record.entries + record.left}"


def share_text(row: DayOneRow) -> str:
    """Return the share in whole percent, cut."""
    return "" if row.share is None else f"{int(row.share * 100)} %"


def result_text(row: DayOneRow) -> str:
    """Return the best heat's game points and its table's size."""
    if row.result is None:
        return ""
    return _("%(points)s at a table of %(seats)s") % {
        "points": points_text(row.result.game_points),
        "seats": row.seats,
    }


def best_text(row: DayOneRow) -> str:
    """Return the best heat and the entries in one line."""
    entries = ngettext("%(count)s entry", "%(count)s entries", row.entries) % {"count": row.entries}
    if row.best_heat is None:
        return entries
    heat = _("best in heat %(heat)s") % {"heat": row.best_heat}
    return f"{heat}: {result_text(row)} · {entries}"


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every player of day 1 once: through, playing, could enter again."""
    event = public_event(request, slug)
    form = DayOneFilter(request.GET)
    table = DayOneTable(_rows(event, form), event=event)
    RequestConfig(request, paginate={"per_page": PER_PAGE, "silent": True}).configure(table)
    return render(
        request,
        "tournaments/results/day_one.html",
        {
            "event": event,
            "table": table,
            "filter": {"form": form},
            "title": _("Day 1 by player"),
            "tab": "standings",
            "export_name": "tournaments:day_one_export",
            "role": role_of(request.user, event),
        },
    )


def _rows(event: Event, form: DayOneFilter) -> list[DayOneRow]:
    text, state = form.values()
    return day_one_of(event, text, state)


@require_safe
def players_export(request: HttpRequest, slug: str, fmt: str) -> HttpResponse:
    """Return the filtered table as CSV or XLSX."""
    event = public_event(request, slug)
    return export(
        fmt,
        f"{event.slug}-players",
        [
            "№",
            _("Player"),
            _("Now"),
            _("Order of qualifying"),
            _("Best share"),
            _("In heat"),
            _("Game points"),
            _("Players at the table"),
            _("Sheet points"),
            _("Chicagos"),
            _("Entries"),
        ],
        (
            [
                row.number,
                row.name,
                str(STATES[row.state]),
                row.order or "",
                f"{float(row.share):.4f}" if row.share is not None else "",
                row.best_heat or "",
                points_text(row.result.game_points) if row.result else "",
                row.seats or "",
                row.result.score_points if row.result else "",
                row.result.asterisks if row.result else "",
                row.entries,
            ]
            for row in _rows(event, DayOneFilter(request.GET))
        ),
    )
