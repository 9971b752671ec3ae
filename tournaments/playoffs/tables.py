"""The bracket as a table: a body for each table of a round."""

from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from engine.messages import advance_text
from scoring.reading.words import status_text
from scoring.words import lang

from ..models import Event
from ..results.tables import points_html
from .drawing.bracket import marks
from .queries.bracket import BracketTable, Round, Seat


def round_tables(event: Event, each: Round) -> SafeString:
    """Return the round's tables with their seats; not a template, as there are dozens."""
    # One reverse() for all heats.
    heats = reverse("tournaments:heat", args=[event.slug, 0]).removesuffix("0/")
    tags = {mark: _tag(sign, " tag-amber") for mark, (sign, _meaning) in marks().items()}
    tags |= {
        "on": _tag(advance_text(lang())),
        "barred": _tag(status_text("disqualified"), " tag-red"),
    }
    # Safe: numbers, and each text is escaped.
    return mark_safe("".join(_table(table, heats, tags) for table in each.tables))


def _tag(text: str, kind: str = "") -> str:
    return f' <span class="tag{kind}">{escape(text)}</span>'


def _table(table: BracketTable, heats: str, tags: dict[str, str]) -> str:
    where = ""
    if table.room_table:
        words = _("table %(number)s") % {"number": table.room_table}
        where = f' <span class="reason">{escape(words)}</span>'
    head = (
        f'<th scope="rowgroup" rowspan="{table.size}"><a class="row-link" '
        f'href="{heats}{table.heat}/">{escape(table.title)}</a>{where}</th>'
    )
    rows = (_row(seat, "" if index else head, tags) for index, seat in enumerate(table.seats))
    return f"<tbody>\n{''.join(rows)}</tbody>\n"


def _row(seat: Seat, head: str, tags: dict[str, str]) -> str:
    name = escape(seat.name)
    if seat.goes_on:
        name = f"<strong>{name}</strong>{tags['on']}"
    if seat.mark:
        name += tags[seat.mark]
    if seat.disqualified:
        name += tags["barred"]
    points = points_html(seat.points) if seat.points is not None else "–"
    on = ' class="goes-on"' if seat.goes_on else ""
    return (
        f'<tr{on}>{head}\n<td class="num">{seat.place or "–"}</td>\n<td>{name}</td>\n'
        f'<td class="num">{points}</td>\n</tr>\n'
    )
