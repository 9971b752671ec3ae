"""Base classes of an event's tables, and the log table."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial
from inspect import signature
from operator import attrgetter
from threading import Lock
from typing import Any, TypeVar

import django_tables2 as tables
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy
from django_tables2.utils import Accessor

from ..models import Event, LogEntry
from .names import staff_text_of
from .queries import things_of

R = TypeVar("R")

#: Arguments that a column's render method may take.
_ASKED = ("value", "record", "table", "column", "bound_column", "bound_row")


class Lines:
    """The HTML of rows by what they show, for all threads; the least recently shown go first."""

    def __init__(self, most: int) -> None:
        self._most, self._guard = most, Lock()
        self._made: OrderedDict[Hashable, str] = OrderedDict()

    def __len__(self) -> int:
        return len(self._made)

    def get(self, shown: Hashable, make: Callable[[], str]) -> str:
        """Return a row, made if it is not there."""
        with self._guard:
            line = self._made.get(shown)
            if line is not None:
                self._made.move_to_end(shown)
                return line
        line = make()
        with self._guard:
            self._made[shown] = line
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return line

    def clear(self) -> None:
        """Forget all rows."""
        with self._guard:
            self._made.clear()


#: A correction, another name or another language makes other values, and so another row.
LINES = Lines(3000)


class PageTable(tables.Table):
    """A table whose rows are rendered in one fast loop.

    django-tables2 does sorting, pages and downloads. Cell attributes and the arguments of render
    methods, which it works out for every cell, are worked out here once per column.
    """

    #: What else its rows show: of which event, for one.
    of: Hashable = None
    #: No parameter of an address: somebody would ask for pages of a million rows, or of none.
    prefixed_per_page_field = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._said: dict[Any, Any] = {}
        super().__init__(*args, **kwargs)

    def shown_of(self, record: Any) -> Hashable:
        """Return all that a record's row shows as plain values, by which its HTML is kept.

        None: it is made each time.
        """
        return None

    def say(self, what: Callable[..., R], *values: Hashable) -> R:
        """Return what a function says of these values, asking it once: many rows are alike."""
        asked = (what, values)
        if asked not in self._said:
            self._said[asked] = what(*values)
        found: R = self._said[asked]
        return found

    @property
    def body(self) -> SafeString:
        """The HTML of this page's rows."""
        columns = [
            (f"<td {column.attrs['td'].as_html()}>", _cell(self, column)) for column in self.columns
        ]
        rows = self.paginated_rows if hasattr(self, "page") else self.rows
        begins = tuple(
            (column.name, begin)
            for column, (begin, _cell) in zip(self.columns, columns, strict=True)
        )
        table = (type(self), self.of, get_language(), begins)

        def line(row: Any) -> str:
            cells = [f"{begin}{_escaped(cell(row))}</td>" for begin, cell in columns]
            return f"<tr>{''.join(cells)}</tr>"

        lines = []
        for row in rows:
            shown = self.shown_of(row.record)
            kept = shown is not None
            lines.append(LINES.get((table, shown), partial(line, row)) if kept else line(row))
        # Safe: every cell is escaped, and django-tables2 writes the attributes.
        return mark_safe("\n".join(lines))


def _escaped(shown: Any) -> str:
    """Return what ``conditional_escape`` does, which first asks whether it is translated later."""
    return shown if type(shown) is SafeString else conditional_escape(shown)


def _reading(accessor: Accessor) -> Callable[[Any], Any]:
    """Return a function that reads a column's value of a record.

    For records that cannot be subscripted it is the attribute: the accessor tries a key first.
    """
    read = attrgetter(accessor.replace("__", "."))

    def value(record: Any) -> Any:
        if not hasattr(record, "__getitem__"):
            found = read(record)
            if not callable(found):
                return found
        return accessor.resolve(record)

    return value


def _cell(table: tables.Table, column: Any) -> Callable[[Any], Any]:
    """Return a function that renders the column's cell for a row."""
    parameters = signature(column.render).parameters.values()
    asked = {each.name for each in parameters} & set(_ASKED)
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        asked = set(_ASKED)
    if column.link or isinstance(column.column, tables.ManyToManyColumn):
        return lambda row: row.get_cell(column.name)
    empty, default, render = column.column.empty_values, column.default, column.render
    accessor = Accessor(column.accessor)
    read = _reading(accessor)
    display = f"get_{accessor}_display"
    given = {"table": table, "column": column.column, "bound_column": column}
    always = {name: thing for name, thing in given.items() if name in asked}

    def cell(row: Any) -> Any:
        record = row.record
        try:
            # A choice is shown by its label.
            shown = getattr(record, display, None) if "value" in asked else None
            value = shown() if shown else read(record)
        except (AttributeError, KeyError, ValueError):
            value = None
        if value in empty:
            return default
        arguments = dict(always)
        if "value" in asked:
            arguments["value"] = value
        if "record" in asked:
            arguments["record"] = record
        if "bound_row" in asked:
            arguments["bound_row"] = row
        return render(**arguments)

    return cell


class EventTable(PageTable):
    """A table of one event; its rows link to the event's pages."""

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        self.of = (event.slug, event.ends_with_heats)
        # One reverse() for all heats.
        self._heats = reverse("tournaments:heat", args=[event.slug, 0]).removesuffix("0/")
        super().__init__(*args, **kwargs)

    def heat_link(self, number: int, name: str = "") -> SafeString:
        """Return a link to a heat's page, labelled with its name or number."""
        # Safe: an address, a number, and the name escaped.
        return mark_safe(
            f'<a class="cell-link" href="{self._heats}{number}/">{escape(name or number)}</a>'
        )


class LogTable(PageTable):
    """The log, newest first."""

    at = tables.DateTimeColumn(verbose_name=gettext_lazy("When"), format="Y-m-d H:i:s")
    actor = tables.Column(gettext_lazy("Who"))
    action = tables.Column(gettext_lazy("What"))
    object_label = tables.Column(gettext_lazy("About"), empty_values=())
    details = tables.Column(gettext_lazy("Details"), empty_values=(), orderable=False)

    class Meta:
        model = LogEntry
        fields = ["at", "actor", "action", "object_label"]
        caption = gettext_lazy("Log")
        attrs = {"class": "table sheet-table log-table"}
        empty_text = gettext_lazy("Nothing in the log matches.")

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self._event = event
        super().__init__(*args, **kwargs)

    def before_render(self, request: Any) -> None:
        """Look up the objects of this page's rows in bulk."""
        self._text = staff_text_of(self._event)
        rows = self.paginated_rows if hasattr(self, "page") else self.rows
        self._things = things_of(row.record for row in rows)

    def render_actor(self, value: str) -> str:
        """Return the account's name as it was then."""
        return value

    def render_action(self, record: LogEntry) -> str:
        """Return what was done, in the reader's language."""
        return record.text

    def render_object_label(self, record: LogEntry) -> str:
        """Return what the action was done to, in the reader's language."""
        return self._things[record.pk]

    def render_details(self, record: LogEntry) -> str:
        """Return reason, before and after as an expandable block."""
        context = {
            "reason": self._text(record.reason_text),
            "before": _through(self._text, record.before),
            "after": _through(self._text, record.after),
        }
        return render_to_string("tournaments/core/_log_details.html", context)


def _through(text: Callable[[str], str], value: Any) -> Any:
    """Return what the log keeps with its texts as staff may read them."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return [_through(text, each) for each in value]
    if isinstance(value, dict):
        return {key: _through(text, each) for key, each in value.items()}
    return value
