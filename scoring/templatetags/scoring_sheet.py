"""Marks of the score sheet in templates: tally fences, signed points, game points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.reading import words

register = template.Library()

#: How many hand-drawn shapes of a full fence there are (see scoring/_fences.html).
_SHAPES = 3


@register.simple_tag
def fence(points: int) -> SafeString:
    """Draw a score in tally fences of five, as the Auditor's pencil does; read out as a number."""
    fives, rest = divmod(max(points, 0), 5)
    names = [f"fence-5-{number % _SHAPES}" for number in range(fives)]
    if rest:
        names.append(f"fence-{rest}")
    drawing = '<svg class="fence" aria-hidden="true"><use href="#{}"></use></svg>'
    drawn = format_html_join("", drawing, ((name,) for name in names))
    label = _("%(points)s points in tally fences") % {"points": points}
    return format_html('<span class="fences" role="img" aria-label="{}">{}</span>', label, drawn)


@register.filter
def signed(points: int) -> str:
    """Return a change of a score with its sign."""
    return words.signed(points)


@register.filter
def game_points(points: object) -> str:
    """Return game points as people read them (11.66, truncated); empty where there are none."""
    return "" if points is None else words.points_text(points)


@register.filter
def inexact(points: object) -> bool:
    """Whether the shown game points leave something out."""
    return isinstance(points, Fraction) and 100 % points.denominator != 0


@register.filter
def placed(places: Sequence[int] | None) -> str:
    """Return a place, or the range of places that several share."""
    return words.place_label(*places) if places else ""


@register.filter
def win_label(win: str | None) -> str:
    """Return how a game was won, as the end of a sentence."""
    return words.win_label(win)


@register.filter
def decided_label(step: str | None) -> str:
    """Return the step of the tie chain that decided."""
    return words.decided_label(step)


@register.filter
def cause_label(cause: str) -> str:
    """Return why a score was set to zero."""
    return words.cause_label(cause)


@register.filter
def soften(name: str) -> str:
    """Return a long name with soft hyphens where narrow columns may break it."""
    return words.softened(name)


@register.filter
def stars(count: int) -> str:
    """Return an asterisk for each Chicago won."""
    return "*" * count
