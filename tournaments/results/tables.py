"""The public tables and the log's."""

from fractions import Fraction
from typing import Any

import django_tables2 as tables
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.messages import exact_text
from scoring.reading.words import points_text

from ..core.names import club_of, registration_name
from ..core.tables import EventTable
from ..models import HeatResult, Qualification
from .queries.standings import games_of_results, outcome, reason

_NUM = {"th": {"class": "num"}, "td": {"class": "num"}}
# Not shown on a phone, where the row says the same in a line of its own.
_WIDE = {"th": {"class": "num wide"}, "td": {"class": "num wide"}}


def points_html(points: Any) -> SafeString | str:
    """Return points cut as the festival shows them, the exact value as a note."""
    shown = points_text(points)
    exact = exact_text(points) if points is not None else ""
    if not exact:
        return shown
    return format_html('<abbr class="exact" title="{}">{}</abbr>', exact, shown)


def nearest(share: float) -> Fraction:
    """Return the fraction that the database gave a share of: 1.15 is 115 %, not 114.99….

    >>> int(1.15 * 100), int(nearest(1.15) * 100), nearest(4 / 3)
    (114, 115, Fraction(4, 3))
    """
    return Fraction(share).limit_denominator(10**6)


class StandingsTable(EventTable):
    """Every player of every heat."""

    heat = tables.Column(
        gettext_lazy("Heat"),
        accessor="heat__number",
        order_by=("heat__number", "order"),
        attrs=_NUM,
    )
    place = tables.Column(
        pgettext_lazy("column", "Place"), order_by=("place", "-heat__number"), attrs=_NUM
    )
    player = tables.Column(
        gettext_lazy("Player"),
        accessor="entry__registration",
        order_by=("entry__registration__person__public_text",),
        attrs={"td": {"class": "name-cell"}},
    )
    # Totals of three and of four players are not compared: the share sorts for them.
    points = tables.Column(
        pgettext_lazy("column", "Game points"),
        accessor="game_points",
        orderable=False,
        attrs=_NUM,
    )
    share = tables.Column(gettext_lazy("Share"), accessor="share", order_by=("share",), attrs=_WIDE)
    score_points = tables.Column(gettext_lazy("Sheet points"), attrs=_WIDE)
    asterisks = tables.Column(gettext_lazy("Chicagos"), attrs=_WIDE)
    state = tables.Column(
        gettext_lazy("Now"),
        accessor="heat__status",
        order_by=("heat__status", "-advances"),
        attrs={"th": {"class": "wide"}, "td": {"class": "wide"}},
    )

    class Meta:
        caption = gettext_lazy("Standings of all heats")
        order_by = ()
        empty_text = gettext_lazy("No game has been finished yet.")
        attrs = {"class": "table sheet-table standings-table"}

    def before_render(self, request: Any) -> None:
        """Read the games of the rows of this page, all at once."""
        rows = self.paginated_rows if hasattr(self, "page") else self.rows
        self._games = games_of_results([row.record for row in rows])

    def render_heat(self, value: int) -> SafeString:
        """Link to the heat."""
        return self.heat_link(value)

    def render_player(self, record: HeatResult) -> str:
        """Return the name, what decided the rank, and the games to unfold."""
        return render_to_string(
            "tournaments/results/_standing_player.html",
            {
                "name": registration_name(record.entry.registration),
                "reason": reason(record),
                "record": record,
                "share": self.render_share(record.share),  # type: ignore[attr-defined]
                "state": self.render_state(record),
                "games": self._games.get(record.entry_id, []),
            },
        )

    def render_points(self, record: HeatResult) -> SafeString | str:
        """Return the points with their exact value."""
        return points_html(record.game_points)

    def render_share(self, value: float) -> str:
        """Return the share in percent."""
        return f"{int(nearest(value) * 100)}\u00a0%"

    def render_state(self, record: HeatResult) -> SafeString:
        """Return what became of the player."""
        words = {
            "playing": (_("playing"), "tag-amber"),
            "through": (_("through"), ""),
            "disqualified": (_("disqualified"), "tag-red"),
            "out": (_("entered again") if record.again else _("out"), "tag-quiet"),  # type: ignore[attr-defined]
        }
        text, kind = words[outcome(record)]
        return format_html('<span class="tag {}">{}</span>', kind, text)


class QualifiedTable(EventTable):
    """Who is through, in the order of qualifying."""

    order = tables.Column("№", attrs=_NUM)
    player = tables.Column(
        gettext_lazy("Player"),
        accessor="registration",
        order_by=("registration__person__public_text",),
        attrs={"td": {"class": "name-cell"}},
    )
    club = tables.Column(
        gettext_lazy("Club"),
        accessor="registration__person",
        order_by=("registration__person__club",),
        attrs={"th": {"class": "wide"}, "td": {"class": "wide"}},
    )
    heat = tables.Column(gettext_lazy("Heat"), accessor="heat__number", attrs=_NUM)
    qualified_at = tables.DateTimeColumn(
        verbose_name=gettext_lazy("When"), format="H:i", attrs=_WIDE
    )

    class Meta:
        caption = gettext_lazy("Qualified players")
        empty_text = gettext_lazy("Nobody is through yet.")

    def render_player(self, record: Qualification) -> SafeString:
        """Return the display name, on a phone with the club."""
        return format_html(
            '{}<span class="reason slim">{}</span>',
            registration_name(record.registration),
            club_of(record.registration.person),
        )

    def render_club(self, record: Qualification) -> str:
        """Return the club where the name is shown."""
        return club_of(record.registration.person)

    def render_heat(self, value: int) -> SafeString:
        """Link to the heat."""
        return self.heat_link(value)
