"""What everybody may read."""

import re
from typing import Any, ClassVar

from django.http import HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404
from django.urls import resolve
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from ...core.access import heat_of
from ...models import Heat
from ...results.queries.standings import qualified_of
from ..paging import limit_of, next_of, page_by, paged, slug, slug_of, small
from ..problems import Problem
from ..queries import events, play, results
from ..queries.document import public_document
from ..shapes import events as of_events
from ..shapes import play as of_play
from ..shapes import results as of_results
from ..shapes.parts import OrganiserShape
from .base import ApiView, PublicView

PAGED = paged("^[0-9]{1,9}$")
BY_SLUG = paged("^[-a-zA-Z0-9_]{1,60}$")


class Organisers(PublicView):
    """The organisers of public events."""

    shape = of_events.OrganiserPageShape
    query: ClassVar[Any] = BY_SLUG

    def get(self, request: Request) -> Response:
        rows, more = page_by(request, events.public_organisers(), "slug", slug)
        return self.answer({"items": [events.organiser_document(row) for row in rows], **more})


class Organiser(PublicView):
    """One organiser."""

    shape = OrganiserShape

    def get(self, request: Request, organiser: str) -> Response:
        found = get_object_or_404(events.public_organisers(), slug=organiser)
        return self.answer(events.organiser_document(found))


class Events(PublicView):
    """All public events, by their addresses."""

    shape = of_events.EventPageShape
    query: ClassVar[Any] = {
        **BY_SLUG,
        "organiser": ("Only this organiser's.", "^[-a-zA-Z0-9_]{1,60}$"),
    }

    def get(self, request: Request) -> Response:
        rows = events.public_events()
        if "organiser" in request.query_params:
            rows = rows.filter(organiser__slug=slug_of(request, "organiser"))
        found, more = page_by(request, rows, "slug", slug)
        items = [events.event_document(row, self.root) for row in found]
        return self.answer({"items": items, **more})


class Event(PublicView):
    """An event with its format, its timetable and how far it is."""

    shape = of_events.WholeEventShape

    def get(self, request: Request, slug: str) -> Response:
        return self.answer(events.whole_event_document(self.event_of(slug), self.root))


class Players(PublicView):
    """The players who are here or have played."""

    shape = of_events.PlayerPageShape
    query: ClassVar[Any] = PAGED

    def get(self, request: Request, slug: str) -> Response:
        rows, more = page_by(request, events.players(self.event_of(slug)), "number", small)
        return self.answer({"items": [events.player_document(row) for row in rows], **more})


class Player(PublicView):
    """One player."""

    shape = of_events.PlayerShape

    def get(self, request: Request, slug: str, number: int) -> Response:
        found = get_object_or_404(events.players(self.event_of(slug)), number=number)
        return self.answer(events.player_document(found))


class Heats(PublicView):
    """The heats with their results so far; with `since` only those that have changed.

    Begin with `since=0`, and ask with the `since` of the last answer from then on: nothing is
    missed, and nothing comes twice unless it has changed again.
    """

    shape = of_play.HeatPageShape
    query: ClassVar[Any] = {
        **PAGED,
        "since": (
            "The `since` of an earlier answer, or 0; `after` is then without meaning.",
            "^[0-9]{1,18}(-[0-9]{1,9})?$",
        ),
    }

    def get(self, request: Request, slug: str) -> Response:
        event = self.event_of(slug)
        since = request.query_params.get("since")
        if since is None:
            # Read before the heats, so that a change meanwhile is told, not missed.
            version = str(event.version.number)
            rows, more = page_by(request, play.heats(event), "number", small)
        else:
            version, rows, more = self._changed(request, event, since)
        items = play.heat_documents(event, rows, self.root)
        return self.answer({"items": items, **more, "since": version})

    def _changed(self, request: Request, event: Any, since: str) -> tuple[str, list[Heat], Any]:
        form = re.fullmatch(r"([0-9]{1,18})(?:-([0-9]{1,9}))?", since)
        if form is None:
            raise Problem(400, "bad_query", _("Give “since” as an earlier answer gave it."))
        # A bare version is that of a whole answer: nothing of it comes again.
        number = int(form[2]) if form[2] else 10**9
        limit = limit_of(request)
        rows = list(play.heats_since(event, int(form[1]), number)[: limit + 1])
        shown, more = rows[:limit], len(rows) > limit
        if shown:
            since = f"{shown[-1].changed.number}-{shown[-1].number}"
        return since, shown, {"next": next_of(request, since=since) if more else None}


class OneHeat(PublicView):
    """A heat with its players and results so far."""

    shape = of_play.HeatShape

    def get(self, request: Request, slug: str, number: int) -> Response:
        event = self.event_of(slug)
        heat = get_object_or_404(play.heats(event), number=number)
        return self.answer(play.heat_documents(event, [heat], self.root)[0])


class Games(PublicView):
    """The games of a heat that have begun."""

    shape = of_play.GamePageShape
    query: ClassVar[Any] = PAGED

    def get(self, request: Request, slug: str, number: int) -> Response:
        event = self.event_of(slug)
        heat = heat_of(event, number)
        rows = play.games(event).filter(table=heat.table)
        found, more = page_by(request, rows, "number", small)
        items = [play.game_document(event, row, self.root) for row in found]
        return self.answer({"items": items, **more})


class OneGame(PublicView):
    """A game deal by deal, with what each line of its sheet did."""

    shape = of_play.WholeGameShape

    def get(self, request: Request, slug: str, number: int, game: int) -> Response:
        heat = heat_of(self.event_of(slug), number)
        document = play.whole_game_document(heat, game, self.root)
        if document is None:
            raise Problem(404, "no_game", _("This heat has no such game yet."))
        return self.answer(document)


class Draws(PublicView):
    """The draws with their seeds."""

    shape = of_play.DrawPageShape
    query: ClassVar[Any] = PAGED

    def get(self, request: Request, slug: str) -> Response:
        rows, more = page_by(request, play.draws(self.event_of(slug)), "number", small)
        items = [play.draw_document(row, self.root) for row in rows]
        return self.answer({"items": items, **more})


class OneDraw(PublicView):
    """A draw with its tables, and what is needed to repeat it."""

    shape = of_play.WholeDrawShape

    def get(self, request: Request, slug: str, number: int) -> Response:
        found = get_object_or_404(play.draws(self.event_of(slug)), number=number)
        return self.answer(play.whole_draw_document(found, self.root))


class Standings(PublicView):
    """The whole standing of the qualifying."""

    shape = of_results.StandingsShape

    def get(self, request: Request, slug: str) -> Response:
        return self.answer(results.standings_document(self.event_of(slug)))


class Qualified(PublicView):
    """Who has qualified, in the order of qualifying."""

    shape = of_results.QualifiedPageShape
    query: ClassVar[Any] = PAGED

    def get(self, request: Request, slug: str) -> Response:
        rows, more = page_by(request, qualified_of(self.event_of(slug)), "order", small)
        return self.answer({"items": [results.qualified_document(row) for row in rows], **more})


class Playoffs(PublicView):
    """The bracket, with the rounds to come."""

    shape = of_results.PlayoffsShape

    def get(self, request: Request, slug: str) -> Response:
        return self.answer(results.playoffs_document(self.event_of(slug)))


class Result(PublicView):
    """The whole ranking with its reasons."""

    shape = of_results.ResultShape

    def get(self, request: Request, slug: str) -> Response:
        return self.answer(results.result_document(self.event_of(slug)))


class Statistics(PublicView):
    """How often hands and Chicagos came, and how often by chance."""

    shape = of_results.StatisticsShape

    def get(self, request: Request, slug: str) -> Response:
        return self.answer(results.statistics_document(self.event_of(slug)))


class EventDocument(PublicView):
    """The whole event as one document (docs/formats): shown names, published draws."""

    def get(self, request: Request, slug: str) -> Response:
        return Response(public_document(self.event_of(slug)))


class SeriesList(PublicView):
    """The public series."""

    shape = of_events.SeriesPageShape
    query: ClassVar[Any] = BY_SLUG

    def get(self, request: Request) -> Response:
        rows, more = page_by(request, events.public_series(), "slug", slug)
        items = [events.series_document(row, self.root) for row in rows]
        return self.answer({"items": items, **more})


class OneSeries(PublicView):
    """A series with its whole standing."""

    shape = of_events.WholeSeriesShape

    def get(self, request: Request, series: str) -> Response:
        found = get_object_or_404(events.public_series(), slug=series)
        return self.answer(events.whole_series_document(found, self.root))


class Nothing(ApiView):
    """Any other address; where only the last slash is missing, it leads to the right one."""

    schema = None
    # It is the same for everybody, also with a wrong token.
    authentication_classes: ClassVar[Any] = []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Whatever else is asked here is not found."""
        meant = resolve(f"{request.path_info}/").func
        if request.method not in ("GET", "HEAD") or getattr(meant, "view_class", None) is Nothing:
            raise Problem(404, "not_found", _("Nothing is found at this address."))

    def get(self, request: Request) -> HttpResponsePermanentRedirect:
        """Lead to the address with its slash."""
        return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))
