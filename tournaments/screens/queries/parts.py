"""The parts that screens show, each with everything decided."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from ...models import Event
from ...models.enums import ScreenPart
from ...notices.queries.announcements import Shown, to_all
from . import lists, play
from .pages import Part, pages_of

#: So many announcements fit on a page, whatever they say.
NOTICES = 3


def part_of(event: Event, code: ScreenPart, *, beside: bool) -> Part:
    """Return a part; ``beside``: a line of announcements needs room."""
    return _PARTS[code](event, beside)


def _notices(event: Event, beside: bool) -> Part:
    shown: list[Shown] = to_all(event)
    said = "" if shown else _("There are no announcements.")
    return Part(_("Announcements"), pages_of(shown, NOTICES), said=said)


def _sponsors(event: Event, beside: bool) -> Part:
    pictures = tuple(
        (number, name, digest)
        for number, name, digest in event.screen_pictures.values_list("pk", "name", "digest")
    )
    return Part(_("Our sponsors"), pictures, said="" if pictures else event.name)


def _sign_up(event: Event, beside: bool) -> Part:
    return Part(event.name)


def _black(event: Event, beside: bool) -> Part:
    return Part("")


_PARTS: dict[ScreenPart, Callable[[Event, bool], Part]] = {
    ScreenPart.SEATS: lists.seats,
    ScreenPart.TABLES: play.tables,
    ScreenPart.CLOCK: play.clock,
    ScreenPart.WAITING: lists.waiting,
    ScreenPart.STANDINGS: lists.standings,
    ScreenPart.QUALIFIED: lists.qualified,
    ScreenPart.BRACKET: play.bracket,
    ScreenPart.FINAL: play.final,
    ScreenPart.CHAMPION: play.champion,
    ScreenPart.SERIES: lists.series,
    ScreenPart.NOTICES: _notices,
    ScreenPart.SPONSORS: _sponsors,
    ScreenPart.SIGN_UP: _sign_up,
    ScreenPart.BLACK: _black,
}
