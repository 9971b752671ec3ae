"""Template tags for players, points, times, money and the sign-up."""

import json
import uuid
from datetime import datetime
from fractions import Fraction
from html import escape, unescape
from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser
from django.template import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scoring.models import PROGRAM
from scoring.reading import words

from ..core import names
from ..core.days import days_of, times_of
from ..core.expiry import age_text
from ..core.guides import guide_address
from ..core.once import FIELD
from ..core.seen import FIELD as SEEN
from ..core.seen import seen_mark
from ..core.shared_links import as_data, head_of
from ..core.tabs import tabs_for
from ..models import Event, Person, Planned, Registration
from ..models.money import show_amount
from ..models.titles import heat_title
from ..notices.queries import announcements as announced
from ..notices.queries import push
from ..playoffs import tables
from ..playoffs.drawing.bracket import marks
from ..registration.queries.sign_up import sign_up_state
from ..results.queries.players import End, player_state_label
from ..results.queries.standings import reason
from ..results.tables import points_html

_ATOM = "application/atom+xml"

register = template.Library()


@register.simple_tag
def client_id() -> SafeString:
    """Return the hidden field by which a form sent twice is recognized."""
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, uuid.uuid4())


@register.simple_tag
def guide(name: str, anchor: str = "") -> str:
    """Return where a guide is read, or nothing where nobody has built them."""
    return guide_address(name, anchor)


@register.simple_tag
def seen(*shown: object) -> SafeString:
    """Return the hidden field that says what the form's button shows."""
    return format_html('<input type="hidden" name="{}" value="{}">', SEEN, seen_mark(*shown))


@register.inclusion_tag("tournaments/core/_tabs.html", takes_context=True)
def event_tabs(context: Context, event: Event, here: str) -> dict[str, Any]:
    """Show the tabs of an event's pages, with ``here`` marked."""
    user = context.get("user") or AnonymousUser()
    return {"tabs": tabs_for(user, event, here)}


@register.inclusion_tag("tournaments/core/_shared.html", takes_context=True)
def shared_link(context: Any) -> dict[str, Any]:
    """Show in the head what robots, and programs that show a link, are told of a public page."""
    event, shared = context.get("event"), context.get("shared")
    event = event if isinstance(event, Event) else None
    head = head_of(context["request"], shared, event, _title_of(context))
    if head and event is not None:
        if shared is not None and context.get("is_event_page"):
            head["data"] = as_data(event, shared, head["bare"], head["picture"])
        head["feeds"] = [
            (reverse("tournaments:event_feed", args=[event.slug]), _ATOM, event.name),
            (reverse("tournaments:event_calendar", args=[event.slug]), "text/calendar", event.name),
        ]
    return head


def _title_of(context: Any) -> str:
    """Return what the page's own block says in its head."""
    title = context.render_context[BLOCK_CONTEXT_KEY].get_block("title").render(context)
    return " ".join(unescape(title).split())


@register.inclusion_tag("tournaments/notices/_shown.html")
def announcements(event: Event, player: Registration | None = None) -> dict[str, Any]:
    """Show the announcements in force: those to all, or those that a player is to read."""
    shown = announced.to_player(player) if player is not None else announced.to_all(event)
    return {"shown": shown}


@register.simple_tag
def push_of(registration: Registration) -> push.OwnPush:
    """Return what a player's own page says of being told."""
    return push.push_of(registration)


@register.filter
def times(planned: Planned) -> str:
    """Return when a draft or a heat is to be played, in words; empty if nobody has said."""
    return times_of(planned)


@register.filter
def shown_name(registration: Registration) -> str:
    """Return the name shown in public."""
    return names.registration_name(registration)


@register.filter
def staff_name(person: Person) -> str:
    """Return the full name with the nickname; for staff pages only."""
    return names.staff_name(person)


@register.filter
def for_staff(text: str, event: Event) -> str:
    """Return what somebody typed at an event without the names that have been erased since."""
    return names.staff_text_of(event)(text)


@register.filter
def points(value: Any) -> SafeString | str:
    """Return points as shown, with the exact value as a tooltip if they were rounded."""
    if value is None or value == "":
        return ""
    return points_html(Fraction(value))


@register.filter
def days(event: Event) -> str:
    """Return the event's days: "5 June 2027", "5–6 June 2027", "30 May – 2 June 2027"."""
    return days_of(event)


@register.filter
def since(moment: datetime | None) -> str:
    """Return how long ago it was: "4 min"."""
    return age_text(moment)


@register.filter
def where(player: Any, ends: dict[str, End]) -> str:
    """Return the state of a player of ``players_of`` in words; ``ends`` are ``playoff_ends``."""
    return player_state_label(player, ends.get(player.player_id))


@register.filter
def where_seated(player: Any) -> str:
    """Return the heat in which a player of ``players_of`` sits, with the table."""
    heat = heat_title(player.open_title, player.open_heat)
    if not player.open_table:
        return heat
    return _("%(heat)s, table %(table)s") % {"heat": heat, "table": player.open_table}


@register.filter
def why(result: Any) -> str:
    """Return why a heat result is above the next one."""
    return reason(result)


@register.simple_tag
def entry_words(entry: Any, game: Any) -> str:
    """Return an entry of the sheet in words."""
    return words.entry_text(entry, game.names)


@register.simple_tag
def alike_words(row: Any, deal: Any, game: Any) -> str:
    """Return the phase of a line that reads like another one of its deal, otherwise nothing."""
    phase = row.entry.get("phase")
    text = words.entry_text(row.entry, game.names)
    texts = [words.entry_text(each.entry, game.names) for each in deal.entries]
    return _("phase %(number)s") % {"number": phase} if phase and texts.count(text) > 1 else ""


@register.simple_tag
def deal_rows(game: Any) -> SafeString:
    """Return the table rows of a game's deals, last first, each with its entries (hundreds)."""
    names = game.names
    mark = format_html(' <span class="tag tag-amber">{}</span>', _("corrected"))
    lines = []
    for deal in reversed(game.deals):
        scores = "".join(f'<td class="num">{int(score)}</td>' for score in deal.scores)
        entries = "".join(
            f"<li>{escape(words.entry_text(row.entry, names))}{mark if row.replaced else ''}</li>"
            for row in deal.entries
        )
        lines.append(
            f'<tr><th scope="row" class="num">{int(deal.number)}</th>{scores}</tr>\n<tr><td></td>'
            f'<td colspan="{len(names)}"><ul class="entries">{entries}</ul></td></tr>\n'
        )
    # Safe: numbers, and each entry's words are escaped.
    return mark_safe("".join(lines))


@register.simple_tag
def round_tables(event: Event, each: Any) -> SafeString:
    """Return the tables of a play-off round with their players (hundreds)."""
    return tables.round_tables(event, each)


@register.filter
def sign(mark: str) -> str:
    """Return the sign of how a player came into a play-off round."""
    return marks()[mark][0]


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """Return a mapping's value for a key that a template cannot write."""
    return mapping.get(key, "") if mapping else ""


@register.filter
def pretty(value: Any) -> str:
    """Return the log's data as indented JSON."""
    return json.dumps(value, ensure_ascii=False, indent=1)


@register.filter
def paper_step(game: Any) -> str:
    """Return the next step for a game's paper sheet."""
    if game.from_paper and game.finished and not game.from_paper.checked_at:
        return _("Compare")
    if game.finished:
        return _("Replace")
    return _("Finish or replace") if game.deals else _("Enter")


@register.filter
def correction_by(row: Any) -> str:
    """Return who changed a sheet, in words for the public: no account is named."""
    return _("At the table") if row.at_table else _("The tournament director")


@register.filter
def correction_author(row: Any) -> str:
    """Return who changed a sheet, by name; for staff pages only."""
    if not row.at_table:
        return _("The program") if row.author == PROGRAM else row.author
    name = {"name": row.author}
    return _("At the table (Auditor: %(name)s)") % name if row.author else _("At the table")


@register.filter
def by_director(rows: Any) -> list[Any]:
    """Keep the corrections that were not made at the table."""
    return [row for row in rows if not row.at_table]


@register.filter
def at_table(rows: Any) -> list[Any]:
    """Keep the corrections that were made at the table."""
    return [row for row in rows if row.at_table]


@register.simple_tag
def correction_words(row: Any) -> str:
    """Return what was there before and what is there now."""
    return words.correction_text(row)


@register.filter
def money(amount: int, currency: str = "") -> str:
    return show_amount(amount, currency)


@register.filter
def sign_up(event: Event) -> str:
    """Return the state of the sign-up: ``none``, ``later``, ``open`` or ``closed``."""
    return sign_up_state(event)
