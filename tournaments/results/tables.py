"""The public tables."""

from collections.abc import Hashable, Sequence
from datetime import datetime
from fractions import Fraction
from html import escape
from itertools import groupby
from typing import Any

import django_tables2 as tables
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from engine import messages
from engine.messages import advance_text, exact_text, mixed_text, percent_text
from scoring.reading.words import (
    points_text,
    status_text,
    sum_text,
)
from scoring.words import lang, status_name, step_name

from ..core.listing import cut
from ..core.names import by_public_name, by_shown_club, club_of, registration_name
from ..core.tables import EventTable
from ..models import Event, HeatResult, Qualification
from ..models.titles import heat_title
from .queries.final import RankedPlayer
from .queries.player_standings import (
    AGAIN,
    BARRED,
    FIRST,
    OUT,
    PLAYING,
    QUALIFIED,
    STATES,
    WAITING,
    WON,
    PlayerStandingsRow,
)
from .queries.players import CHAMPION, FINALIST, KNOCKED_OUT, NO_SHOW, PLAYOFF_ENDS
from .queries.standings import PlayedGame, games_of_results, outcome, reason

_NUM = {"th": {"class": "num"}, "td": {"class": "num"}}
# Hidden on phones, where the row has the same in a line of its own.
_WIDE = {"th": {"class": "num wide"}, "td": {"class": "num wide"}}


def points_html(points: Any) -> SafeString | str:
    """Return the points rounded as the festival shows them, with the exact value as a tooltip."""
    shown = points_text(points)
    exact = exact_text(points) if points is not None else ""
    if not exact:
        return shown
    # Safe: only numbers.
    return mark_safe(f'<abbr class="exact" title="{exact}">{shown}</abbr>')


def place_html(place: int, shared: bool) -> SafeString | str:
    """Return the place in a ranking; that somebody else has it, too, also in a word."""
    if not shared:
        return str(place)
    marked = (
        '<span title="{1}">{0}<span class="visually-hidden"> {1}</span>'
        '<span aria-hidden="true">=</span></span>'
    )
    return format_html(marked, place, _("shared"))


def nearest(share: float) -> Fraction:
    """Return the fraction that the database's float stands for: 1.15 is 115 %, not 114.99….

    >>> int(1.15 * 100), int(nearest(1.15) * 100), nearest(4 / 3)
    (114, 115, Fraction(4, 3))
    """
    return Fraction(share).limit_denominator(10**6)


def in_files(header: Any, accessor: str | None = None) -> tables.Column:
    """Return a column that only downloads have."""
    return tables.Column(header, accessor=accessor, empty_values=(), visible=False, orderable=False)


def _by_name(rows: QuerySet, is_descending: bool, path: str) -> tuple[QuerySet, bool]:
    name = by_public_name(path)
    return rows.order_by(name.desc() if is_descending else name.asc(), "pk"), True


def _marks(executed: bool, asterisks: int, status: str) -> str:
    """Return what is to be said of a player's game besides its points, as HTML."""
    texts = (messages.marks_text(executed, asterisks, lang()), status_text(status))
    return "".join(f", {escape(text)}" for text in texts if text)


def _percent(share: float) -> str:
    return percent_text(nearest(share))


class StandingsTable(EventTable):
    """Every player of every heat."""

    heat = tables.Column(
        gettext_lazy("Heat"),
        accessor="heat__number",
        order_by=("heat__number", "order"),
        attrs=_NUM,
    )
    heat_name = in_files(gettext_lazy("Name of the heat"))
    place = tables.Column(
        pgettext_lazy("column", "Place"), order_by=("place", "-heat__number"), attrs=_NUM
    )
    number = in_files(gettext_lazy("Player's number"), "entry__registration__number")
    player = tables.Column(
        gettext_lazy("Player"),
        accessor="entry__registration",
        attrs={"td": {"class": "name-cell"}},
    )
    club = in_files(gettext_lazy("Club"), "entry__registration")
    # Not sortable, as totals at tables of three and of four do not compare; the share sorts
    # instead.
    points = tables.Column(
        pgettext_lazy("column", "Game points"),
        accessor="game_points",
        orderable=False,
        attrs=_NUM,
    )
    exact = in_files(gettext_lazy("Game points, exactly"), "game_points")
    penalty = in_files(gettext_lazy("Penalty in game points"))
    share = tables.Column(
        gettext_lazy("Share of table average"), attrs=_WIDE, exclude_from_export=True
    )
    # While heats are open, totals of one game appear next to totals of three.
    games = tables.Column(gettext_lazy("Games"), attrs=_WIDE)
    score_points = tables.Column(capfirst(step_name("score_points")), attrs=_WIDE)
    asterisks = tables.Column(gettext_lazy("Chicagos"), attrs=_WIDE)
    why = in_files(gettext_lazy("Why"))
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
        """Load the games of this page's rows at once."""
        rows = self.paginated_rows if hasattr(self, "page") else self.rows
        self._games = games_of_results([row.record for row in rows])

    def shown_of(self, record: HeatResult) -> Hashable:
        """Return what :meth:`render_player` and the other cells show."""
        ahead = record.ahead_of and registration_name(record.ahead_of)
        return (
            *(record.heat.number, record.heat.title, record.place, record.order),
            *(record.shared, record.share, self._state(record)[0]),  # type: ignore[attr-defined]
            *(registration_name(record.entry.registration), record.game_points, record.penalty),
            *(record.games, record.score_points, record.asterisks, record.decided_by, ahead),
            *(record.own_value, record.next_value, tuple(self._games.get(record.entry_id, ()))),
        )

    @cached_property
    def _words(self) -> dict[str, str]:
        """What each row says, translated once for all."""
        return {
            "game": _("Game %(game)s: <b>%(points)s</b> for place %(place)s, score %(score)s"),
            "penalty": _("Penalty: %(sum)s game points"),
            "share": _("%(share)s of the table average"),
            "score": str(step_name("score_points")),
            "asterisks": _("Chicagos %(number)s"),
        }

    @cached_property
    def _states(self) -> dict[str, tuple[str, str]]:
        """The text and the HTML of each state."""
        won = advance_text(lang(), final=True) if self.event.ends_with_heats else _("won the final")
        words = {
            "playing": (_("playing"), "tag-amber"),
            "qualified": (_("qualified"), ""),
            "won": (won, ""),
            "disqualified": (str(status_name("disqualified")), "tag-red"),
            "finalist": (str(PLAYOFF_ENDS[FINALIST]), "tag-quiet"),
            "again": (_("entered again"), "tag-quiet"),
            "out": (str(status_name("out")), "tag-quiet"),
        }
        tag = '<span class="tag {}">{}</span>'
        return {key: (text, format_html(tag, kind, text)) for key, (text, kind) in words.items()}

    def order_player(self, rows: QuerySet, is_descending: bool) -> tuple[QuerySet, bool]:
        """Sort by the shown name."""
        return _by_name(rows, is_descending, "entry__registration__")

    def render_heat(self, value: int, record: HeatResult) -> SafeString:
        return self.heat_link(value, str(record.heat) if record.heat.title else "")

    # ``shared``, and ``share`` and ``again`` below, are annotated by ``standings_of``.
    def render_place(self, record: HeatResult) -> SafeString | str:
        return place_html(record.place, record.shared)  # type: ignore[attr-defined]

    def value_place(self, value: int) -> int:
        return value

    def render_player(self, record: HeatResult) -> SafeString:
        """Return the name, what decided the rank, and the games to unfold."""
        words = self._words
        why = [reason(record)]
        if record.penalty:
            why.insert(0, words["penalty"] % {"sum": sum_text(record)})
        name = registration_name(record.entry.registration)
        games = self._games.get(record.entry_id, [])
        reasons = "".join(f'<span class="reason">{escape(each)}</span>' for each in why if each)
        share = words["share"] % {"share": self.render_share(record.share)}  # type: ignore[attr-defined]
        score = f"{words['score']}\N{NO-BREAK SPACE}{record.score_points}"
        asterisks = words["asterisks"] % {"number": record.asterisks}
        # Safe: each text is escaped, but for the translators' sentence of a game, with numbers.
        return mark_safe(
            f"{self._unfolding(name, games)}{reasons}"
            f'<span class="reason slim">{self.render_state(record)} {escape(share)} · '
            f"{escape(score)} · {escape(asterisks)}</span>"
        )

    def _unfolding(self, name: str, games: Sequence[PlayedGame]) -> str:
        """Return a player's name with the games to unfold, as HTML.

        Not a template, as a page has sixty of them.
        """
        if not games:
            return escape(name)
        lines = []
        for row in games:
            told = self._words["game"] % {
                "game": row.number,
                "points": self.say(points_html, row.game_points),
                "place": row.place,
                "score": row.score,
            }
            marks = self.say(_marks, row.executed, row.asterisks, row.status)
            lines.append(f"<li>{told}{marks}</li>")
        return (
            f'<details class="unfold"><summary>{escape(name)}</summary>'
            f'<ol class="games-list">{"".join(lines)}</ol></details>'
        )

    def render_points(self, record: HeatResult) -> SafeString | str:
        return self.say(points_html, record.game_points)

    def value_heat(self, value: int) -> int:
        return value

    def value_heat_name(self, record: HeatResult) -> str:
        """Return the name of a play-off heat."""
        return str(record.heat) if record.heat.title else ""

    def value_player(self, record: HeatResult) -> str:
        return registration_name(record.entry.registration)

    def value_club(self, record: HeatResult) -> str:
        return club_of(record.entry.registration)

    def value_points(self, value: Fraction) -> int | float:
        return cut(value)

    def value_exact(self, value: Fraction) -> str:
        return mixed_text(value)

    def value_penalty(self, value: Fraction) -> str:
        """Return the exact penalty, or an empty string."""
        return mixed_text(value) if value else ""

    def value_why(self, record: HeatResult) -> str:
        """Return what put the player above the next one."""
        return reason(record)

    def value_state(self, record: HeatResult) -> str:
        return self._state(record)[0]

    def render_share(self, value: float) -> str:
        return self.say(_percent, value)

    def render_state(self, record: HeatResult) -> str:
        return self._state(record)[1]

    def _state(self, record: HeatResult) -> tuple[str, str]:
        key = outcome(record, self.event)
        if key == "out" and record.again:  # type: ignore[attr-defined]
            key = "again"
        return self._states[key]


class QualifiedTable(EventTable):
    """The qualified players, in order."""

    order = tables.Column("№", attrs=_NUM)
    number = in_files(gettext_lazy("Player's number"), "registration__number")
    player = tables.Column(
        gettext_lazy("Player"),
        accessor="registration",
        attrs={"td": {"class": "name-cell"}},
    )
    club = tables.Column(
        gettext_lazy("Club"),
        accessor="registration",
        attrs={"th": {"class": "wide"}, "td": {"class": "wide"}},
    )
    heat = tables.Column(gettext_lazy("Heat"), accessor="heat__number", attrs=_NUM)
    qualified_at = tables.Column(gettext_lazy("When"), attrs=_WIDE, exclude_from_export=True)

    class Meta:
        caption = gettext_lazy("Qualified players")
        empty_text = gettext_lazy("No one has qualified yet.")

    def shown_of(self, record: Any) -> Hashable:
        """Return who, out of which heat, and when."""
        player = record.registration
        shown = (registration_name(player), club_of(player), record.no_show)
        return (record.order, record.heat.number, record.qualified_at, *shown)

    def order_player(self, rows: QuerySet, is_descending: bool) -> tuple[QuerySet, bool]:
        """Sort by the shown name."""
        return _by_name(rows, is_descending, "registration__")

    def order_club(self, rows: QuerySet, is_descending: bool) -> tuple[QuerySet, bool]:
        """Sort by the shown club."""
        club = by_shown_club("registration__")
        return rows.order_by(club.desc() if is_descending else club.asc(), "pk"), True

    def render_player(self, record: Any) -> SafeString:
        """Return the shown name, on phones with the club, and whether the player did not come."""
        return format_html(
            '{}{}<span class="reason slim">{}</span>',
            registration_name(record.registration),
            format_html(' <span class="tag tag-quiet">{}</span>', STATES[NO_SHOW])
            if record.no_show
            else "",
            club_of(record.registration),
        )

    def value_player(self, record: Qualification) -> str:
        return registration_name(record.registration)

    def value_club(self, record: Qualification) -> str:
        return club_of(record.registration)

    def render_qualified_at(self, value: datetime) -> str:
        return f"{timezone.localtime(value):%H:%M}"

    def render_club(self, record: Qualification) -> str:
        """Return the club if the name is shown."""
        return club_of(record.registration)

    def value_heat(self, value: int) -> int:
        return value

    def render_heat(self, value: int) -> SafeString:
        return self.heat_link(value)


_KINDS = {
    CHAMPION: "",
    FINALIST: "tag-quiet",
    KNOCKED_OUT: "tag-quiet",
    NO_SHOW: "tag-quiet",
    QUALIFIED: "",
    WON: "",
    PLAYING: "tag-amber",
    WAITING: "tag-amber",
    AGAIN: "tag-quiet",
    FIRST: "tag-quiet",
    OUT: "tag-quiet",
    BARRED: "tag-red",
}


class PlayerStandingsTable(EventTable):
    """Every player of day 1, once."""

    number = in_files(gettext_lazy("Player's number"))
    name = tables.Column(gettext_lazy("Player"), attrs={"td": {"class": "name-cell"}})
    club = in_files(gettext_lazy("Club"))
    state = tables.Column(
        gettext_lazy("Now"),
        order_by=("rank",),
        attrs={"th": {"class": "wide"}, "td": {"class": "wide"}},
    )
    next_step = tables.Column(
        gettext_lazy("Next"),
        orderable=False,
        empty_values=(),
        exclude_from_export=True,
        attrs={"th": {"class": "wide"}, "td": {"class": "wide"}},
    )
    order = in_files(gettext_lazy("Order of qualifying"))
    share = tables.Column(gettext_lazy("Share of table average"), attrs=_NUM)
    best_heat = tables.Column(gettext_lazy("Best heat"), attrs=_WIDE)
    points = tables.Column(
        pgettext_lazy("column", "Game points"), accessor="result", orderable=False, attrs=_WIDE
    )
    exact = in_files(gettext_lazy("Game points, exactly"))
    seats = in_files(gettext_lazy("Players at the table"))
    score_points = in_files(capfirst(step_name("score_points")), "result__score_points")
    asterisks = in_files(gettext_lazy("Chicagos"), "result__asterisks")
    entries = tables.Column(gettext_lazy("Entries"), attrs=_WIDE)

    class Meta:
        caption = gettext_lazy("Standings by player")
        empty_text = gettext_lazy("Nobody matches.")
        attrs = {"class": "table sheet-table"}

    def shown_of(self, record: PlayerStandingsRow) -> Hashable:
        """Return the row, which has plain values only."""
        return record

    def render_name(self, record: PlayerStandingsRow) -> SafeString:
        """Return the name, on phones with what the narrow table leaves out."""
        state, step = self.render_state(record), conditional_escape(self.render_next_step(record))
        # Safe: each text is escaped.
        return mark_safe(
            f'{escape(record.name)}<span class="reason slim">{state} {step}<br>'
            f"{escape(self._best(record))}</span>"
        )

    def render_next_step(self, record: PlayerStandingsRow) -> SafeString | str:
        """Return what comes next, with a link to the current heat."""
        if record.heat_now is None:
            return record.next_step
        return self.heat_link(record.heat_now, record.next_step)

    def render_state(self, record: PlayerStandingsRow) -> SafeString:
        """Return the state, with the order of qualifying or the round one went out in."""
        text = self.say(_state_text, record.state)
        if record.state == QUALIFIED and record.order is not None:
            text += f" ({record.order})"
        elif record.out_in:
            text += f" ({record.out_in})"
        # Safe: the text is escaped.
        return mark_safe(f'<span class="tag {_KINDS[record.state]}">{escape(text)}</span>')

    def render_share(self, value: Fraction) -> str:
        """Return the share in percent of an average player's."""
        return percent_text(value)

    def render_best_heat(self, value: int) -> SafeString:
        return self.heat_link(value, self.say(heat_title, "", value))

    def render_points(self, record: PlayerStandingsRow) -> str:
        """Return the points with the size of the table."""
        found = record.result
        return self.say(_result_text, found.game_points, record.seats) if found else ""

    def _best(self, record: PlayerStandingsRow) -> str:
        """Return the best heat and the entries in one line."""
        entries = self.say(_entries_text, record.entries)
        if record.best_heat is None:
            return entries
        heat = self._best_in % {"heat": record.best_heat}
        return f"{heat}: {self.render_points(record)} · {entries}"

    @cached_property
    def _best_in(self) -> str:
        return _("best in heat %(heat)s")

    def render_entries(self, record: PlayerStandingsRow) -> str:
        """Return how many entries were used, and of how many."""
        if record.left is None:
            return str(record.entries)
        return f"{record.entries} / {record.entries + record.left}"

    def value_name(self, record: PlayerStandingsRow) -> str:
        return record.name

    def value_state(self, record: PlayerStandingsRow) -> str:
        return str(STATES[record.state])

    def value_share(self, record: PlayerStandingsRow) -> float | str:
        """Return the share as a decimal."""
        return "" if record.share is None else round(float(record.share), 4)

    def value_best_heat(self, value: int) -> int:
        return value

    def value_points(self, record: PlayerStandingsRow) -> int | float | str:
        """Return the points as the festival shows them."""
        return cut(record.result.game_points) if record.result else ""

    def value_exact(self, record: PlayerStandingsRow) -> str:
        return mixed_text(record.result.game_points) if record.result else ""

    def value_seats(self, value: int) -> int | str:
        """Return the size of the best heat's table."""
        return value or ""

    def value_entries(self, value: int) -> int:
        return value


def _state_text(state: str) -> str:
    return str(STATES[state])


def _result_text(points: Fraction, seats: int) -> str:
    words = {"points": points_text(points), "seats": seats}
    return _("%(points)s at a table of %(seats)s") % words


def _entries_text(count: int) -> str:
    return ngettext("%(count)s entry", "%(count)s entries", count) % {"count": count}


class RankingTable(tables.Table):
    """The final ranking, for downloads."""

    place = tables.Column(gettext_lazy("Place"))
    player_id = tables.Column(gettext_lazy("Player's number"))
    name = tables.Column(gettext_lazy("Player"))
    club = tables.Column(gettext_lazy("Club"))
    how_far = tables.Column(gettext_lazy("Reached"))
    heat = tables.Column(gettext_lazy("Heat that counted"))
    points = tables.Column(capfirst(step_name("game_points")))
    exact = tables.Column(gettext_lazy("Game points, exactly"), accessor="points")
    seats = tables.Column(gettext_lazy("Players at the table"), empty_values=(None, 0))
    share = tables.Column(gettext_lazy("Percentage of table average"))
    score_points = tables.Column(capfirst(step_name("score_points")))
    asterisks = tables.Column(gettext_lazy("Chicagos"))
    why = tables.Column(gettext_lazy("Why"))

    def value_player_id(self, value: str) -> int:
        return int(value)

    def value_heat(self, value: int, record: RankedPlayer) -> int | str:
        """Return the number, or the name of a play-off heat."""
        return record.heat_name or value

    def value_points(self, value: Fraction) -> int | float:
        """Return the points as the festival shows them."""
        return cut(value)

    def value_exact(self, value: Fraction) -> str:
        return mixed_text(value)

    def value_share(self, value: Fraction) -> int:
        return int(value * 100)


def ranking_sections(
    event: Event, rows: Sequence[RankedPlayer]
) -> list[tuple[str, str, SafeString]]:
    """Return the final ranking's sections for its page: kind, heading and rows."""
    # One reverse() for all heats.
    heats = reverse("tournaments:heat", args=[event.slug, 0]).removesuffix("0/")
    found = []
    for how_far, section in groupby(rows, key=lambda row: row.how_far):
        players = list(section)
        # Safe: numbers, and each text is escaped.
        lines = mark_safe("".join(_ranked(row, heats) for row in players))
        found.append((players[0].section, how_far, lines))
    return found


def _ranked(row: RankedPlayer, heats: str) -> str:
    place = place_html(row.place, row.shared) if row.place else "–"
    heat, points = "", points_html(row.points) if row.points is not None else ""
    if row.heat:
        address = f"{heats}{row.heat}/"
        name = escape(row.heat_name) or str(row.heat)
        heat = f'<a class="cell-link" href="{address}">{name}</a>'
        label = escape(row.heat_name or _("Heat %(number)s") % {"number": row.heat})
        points += f' <span class="reason slim"><a href="{address}">{label}</a></span>'
    club = f'<span class="quiet">{escape(row.club)}</span>' if row.club else ""
    why = f'<span class="reason">{escape(row.why)}</span>' if row.why else ""
    share = percent_text(row.share) if row.share is not None else ""
    first = ' class="goes-on"' if row.place == 1 else ""
    return (
        f"<tr{first}>\n"
        f'<td class="num">{place}</td>\n'
        f'<td class="name-cell"><span class="who">{escape(row.name)}</span> {club}{why}</td>\n'
        f'<td class="num wide">{heat}</td>\n'
        f'<td class="num">{points}</td>\n'
        f'<td class="num wide">{share}</td>\n'
        f'<td class="num wide">{"" if row.score_points is None else row.score_points}</td>\n'
        f'<td class="num wide">{"" if row.asterisks is None else row.asterisks}</td>\n'
        "</tr>\n"
    )
