"""Records and statistics of a series and of an organiser: what counts, and what it costs."""

from __future__ import annotations

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.factories import make_event
from tests.tournaments.series.test_series import make_series, played, refresh
from tests.tournaments.test_gets_write_nothing import writes
from tournaments.core.organisers import the_organiser
from tournaments.models import Event
from tournaments.series.commands.series import add_event
from tournaments.statistics.queries.sums import of_organiser, of_series

pytestmark = pytest.mark.django_db


def test_events_that_are_over_are_added_up() -> None:
    series, first = make_series(), played()
    add_event(series=series, event=first, by=None)
    played("again")
    refresh()
    assert (of_series(series).events, of_series(series).tally.games) == (1, 3)
    summed = of_organiser(the_organiser())
    assert (summed.events, summed.tally.games, summed.is_stale) == (2, 6, False)
    Event.objects.filter(pk=first.pk).update(status="open")
    assert of_organiser(the_organiser()).is_stale
    refresh()
    assert of_organiser(the_organiser()).tally.games == 3


def test_pages_name_only_who_is_shown_and_do_not_grow() -> None:
    series, event = make_series(), played()
    add_event(series=series, event=event, by=None)
    refresh()
    winner = event.registrations.get(event_place__place=1)
    paths = [
        reverse("tournaments:series_statistics", args=[series.slug]),
        reverse("tournaments:organiser_statistics", args=[the_organiser().slug]),
    ]

    def asked(path: str) -> int:
        caches["pages"].clear()
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(path).status_code == 200
        return len(queries)

    for path in paths:
        assert winner.person.legal_name in Client().get(path).content.decode()
        assert writes(Client(), path) == []
    few = [asked(path) for path in paths]
    more = played("more")
    add_event(series=series, event=more, by=None)
    refresh()
    assert [asked(path) for path in paths] == few
    assert max(few) <= 8
    type(winner.person).objects.update(visibility="hidden")
    for path in paths:
        assert winner.person.legal_name not in Client().get(path).content.decode()


def test_whoever_has_only_drafts_is_nobody() -> None:
    path = reverse("tournaments:organiser_statistics", args=[the_organiser().slug])
    make_event(status="draft")
    assert Client().get(path).status_code == 404
    assert Client().get(reverse("tournaments:series_statistics", args=["none"])).status_code == 404
    hidden = make_series(is_public=False)
    page = reverse("tournaments:series_statistics", args=[hidden.slug])
    assert Client().get(page).status_code == 404
