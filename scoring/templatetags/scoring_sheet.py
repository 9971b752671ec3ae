"""Marks of the score sheet in templates: tally fences, signed points, game points."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from engine.messages import advance_text, and_text, changes_text, exact_text, seat_name
from engine.sheet.facts import Fact

from ..enums import RowKind
from ..pictures.race import race_picture
from ..pictures.shapes import Picture
from ..pictures.svg import svg
from ..reading import words
from ..reading.race import Race
from ..reasons import reason_text
from ..words import lang, step_name

register = template.Library()

#: The number of hand-drawn shapes for a full fence (see scoring/_fences.html).
_SHAPES = 3


@register.simple_tag
def fence(points: int) -> SafeString:
    """Draw a score in tally fences of five, like a pencil; screen readers read a number."""
    return _fence(points, lang())


@lru_cache(maxsize=512)
def _fence(points: int, language: str) -> SafeString:
    fives, rest = divmod(max(points, 0), 5)
    names = [f"fence-5-{number % _SHAPES}" for number in range(fives)]
    if rest:
        names.append(f"fence-{rest}")
    drawing = '<svg class="fence" aria-hidden="true"><use href="#{}"></use></svg>'
    tens = [names[at : at + 2] for at in range(0, len(names), 2)]
    if len(tens) > 1 and len(tens[-1]) == 1:
        # Avoid a row with only one stroke.
        alone = tens.pop()
        tens[-1] += alone
    drawn = format_html_join(
        "\n",
        '<span class="ten">{}</span>',
        ((format_html_join("", drawing, ((name,) for name in ten)),) for ten in tens),
    )
    label = _("%(points)s points in tally fences") % {"points": points}
    return format_html('<span class="fences" role="img" aria-label="{}">\n{}</span>', label, drawn)


@register.simple_tag
def draw_race(race: Race, css: str = "") -> SafeString:
    """Draw a game; ``css`` is a further class of the picture."""
    return svg(race_picture(race), name=f"race-{race.number}", css=css)


@register.simple_tag
def draw(picture: Picture, name: object = "", css: str = "", *, whole: bool = False) -> SafeString:
    """Draw a picture, at its own size if ``whole``; ``name`` keeps the ids of several apart."""
    return svg(picture, name=str(name), css=css, alone=whole)


@register.simple_tag
def draw_bar(picture: Picture) -> SafeString:
    """Draw a bar, whose width and height the page chooses."""
    return svg(picture, stretched=True)


@register.filter
def game_points(points: Fraction | None) -> str:
    """Return game points as shown to people (11.66, truncated); empty if there are none."""
    return words.points_text(points)


@register.filter
def exact(points: Fraction | None) -> str:
    """Return the exact value if the shown one is truncated."""
    return "" if points is None else exact_text(points)


@register.filter
def placed(places: Sequence[int] | None) -> str:
    """Return a place, or the range of places that several share."""
    return words.place_text(places)


@register.filter
def rank_place(row: Any) -> str:
    """Return a row's place in a ranking, with a mark if somebody else has it, too."""
    return f"{row.place}=" if row.shared else str(row.place)


@register.filter
def not_begun(numbers: Sequence[int]) -> str:
    """Return which games had not begun when the time was up."""
    return ": ".join(words.not_begun_texts(numbers))


@register.filter
def soften(name: str) -> str:
    """Return a long name with soft hyphens for narrow columns."""
    return words.softened(name)


@register.filter
def shorts(names: Sequence[str]) -> list[str]:
    """Return names for narrow columns."""
    return words.short_names(names)


@register.filter
def stars(count: int) -> str:
    """Return an asterisk for each Chicago won."""
    return "*" * count


@register.filter
def winners(game: Any) -> str:
    """Return who won a game, as the device's script lists them."""
    return ", ".join(seat.name for seat in game.seats if seat.winner)


@register.filter
def won(game: Any) -> str:
    """Return how the winners won a game."""
    return words.win_text(game)


@register.filter
def outcome(game: Any) -> str:
    """Return who won a game and how, or how far it has got."""
    return words.outcome_text(game, [seat.name for seat in game.seats if seat.winner])


@register.filter
def from_paper_words(paper: Any) -> str:
    """Return that a game was entered from paper, and who has compared it."""
    return words.from_paper_text(paper)


@register.filter
def ruled_words(game: Any) -> str:
    """Return the points that rulings gave or took, if a paper sheet records them."""
    return words.ruled_text(game)


@register.filter
def json_lines(document: Mapping[str, Any], name: str) -> SafeString:
    """Return a script with JSON, each field and entry on a line that changes only with it."""
    fields = []
    for key, value in document.items():
        if isinstance(value, list):
            inside = "".join(f"\n{',' if at else ''}{_json(each)}" for at, each in enumerate(value))
            fields.append(f"{_json(key)}:[{inside}\n]")
        else:
            fields.append(f"{_json(key)}:{_json(value)}")
    text = "\n,".join(fields).translate(_IN_SCRIPT)
    return mark_safe(f'<script id="{name}" type="application/json">{{\n{text}\n}}</script>')


_IN_SCRIPT = str.maketrans({"<": "\\u003C", ">": "\\u003E", "&": "\\u0026"})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@register.filter
def marks_words(row: Any) -> str:
    """Return what the circle and the asterisks of a name say."""
    return words.marks_text(row)


@register.filter
def status_words(status: str) -> str:
    """Return a seat's status in a game: "out", "may not exchange"."""
    return words.status_text(status)


@register.filter
def step_words(step: str) -> str:
    """Return what a number that ranks players is called: "game points"."""
    return step_name(step)


@register.simple_tag
def advance_words(*, final: bool = False) -> str:
    """Return the label of a heat's best: "advances", or "won" where nobody advances."""
    return advance_text(lang(), final=final)


@register.simple_tag
def and_word() -> str:
    """Return the word between two names, where each is laid out by itself."""
    return and_text(lang())


@register.filter
def changes(facts: Iterable[Fact]) -> Iterable[tuple[int, str]]:
    """Yield seats with what an entry did to their scores."""
    return changes_text(facts, lang()).items()


@register.filter
def seat_number(seat: int) -> str:
    """Return what a seat is called without its player: "Seat 1"."""
    return seat_name(seat, lang())


@register.filter
def reason(stored: str) -> str:
    """Return a stored reason in the reader's language."""
    return reason_text(stored)


@register.filter
def struck(zeroed: Any) -> str:
    """Return which score was struck out, why and in which deal."""
    return words.zeroed_text(zeroed)


@register.filter
def penalty_sum(row: Any) -> str:
    """Return how a penalty lowers a ranking row's game points; nothing without one."""
    return words.sum_text(row)


@register.simple_tag
def rank_reason(ranking: Sequence[Any], index: int) -> str:
    """Return why the row with this index is ahead of the next one in a ranking."""
    below = ranking[index + 1] if index + 1 < len(ranking) else None
    return words.rank_text(ranking[index], below)


@register.filter
def corrected(row: Any) -> str:
    """Return the old entry of a correction, and after an arrow the current one."""
    return words.correction_text(row)


@register.filter
def correction_kind(row: Any) -> str:
    """Return the kind of correction in a word or two."""
    return str(RowKind(row.kind).label)


@register.filter
def item(sequence: Any, index: int) -> Any:
    """Return the item at an index."""
    return sequence[index]


@register.simple_tag
def change(row: Any, index: int, *, points: bool = False, wide: bool = False) -> SafeString:
    """Return a cell of a before-and-after table: both values if they differ."""
    kind = "num wide" if wide else "num"
    before, after = row.before[index], row.after[index]
    is_now = _value(after, points=points)
    if before == after:
        return format_html('<td class="{}">{}</td>', kind, is_now)
    return format_html(
        '<td class="{}"><del class="was">{}</del> <span class="is">{}</span></td>',
        kind,
        _value(before, points=points),
        is_now,
    )


def _value(value: Any, *, points: bool) -> str:
    if value is None:
        return "–"
    return words.points_text(Fraction(value)) if points else str(value)
