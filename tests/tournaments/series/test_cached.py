"""Pages over events are cached while nothing of them changes, and never shown as they were."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.factories import make_organiser
from tests.tournaments.jobs import hurry, run
from tests.tournaments.series.test_series import make_series, played, refresh
from tournaments.core.organisers import the_organiser
from tournaments.models import (
    Event,
    Organiser,
    Person,
    PersonMerge,
    Registration,
    SamePlayer,
    Series,
    SeriesVersion,
)
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.commands.people import change_person
from tournaments.series.commands.same import join_players, part_players
from tournaments.series.commands.series import (
    add_event,
    add_outside,
    change_series,
    remove_event,
)
from tournaments.series.queries.outside import read_outside
from tournaments.statistics.commands.career import show_career

pytestmark = pytest.mark.django_db


def pages_of(series: Series, person: Person) -> list[str]:
    organiser = series.organiser.slug
    return [
        *(
            reverse(f"tournaments:{name}", args=[series.slug])
            for name in ("series", "series_statistics", "series_document")
        ),
        reverse("tournaments:series_export", args=[series.slug, "csv"]),
        reverse("tournaments:organiser_statistics", args=[organiser]),
        reverse("tournaments:ratings", args=[organiser]),
        reverse("tournaments:career", args=[organiser, person.public_id]),
    ]


def statements(path: str) -> int:
    with CaptureQueriesContext(connection) as found:
        Client().get(path)
    return len(found)


def made_now(path: str) -> tuple[int, bytes]:
    """Return a page as a reader with a session has it, who never gets a cached one."""
    client = Client()
    client.cookies["sessionid"] = "none"
    answer = client.get(path)
    return answer.status_code, answer.content


@pytest.fixture
def series() -> Series:
    """Return a series of two events and a list, with a player who has a page over them."""
    series = make_series()
    first, second = played(), played("again")
    for event in (first, second):
        add_event(series=series, event=event, by=None)
    rows = read_outside("1; Okänd Person; 99\n2; Delad Plats")
    add_outside(
        series=series, name="1998", played_on=date(1998, 5, 1), rows=rows, by=None, named=True
    )
    show_career(registration=first.registrations.get(number=1), shown=True)
    refresh()
    return series


def first_of(series: Series) -> Registration:
    event = Event.objects.filter(in_series__series=series).order_by("pk").first()
    assert event is not None
    return event.registrations.select_related("person", "event").get(number=1)


def test_the_second_reader_costs_one_query(series: Series) -> None:
    for path in pages_of(series, first_of(series).person):
        first = Client().get(path)
        assert first.status_code == 200
        assert statements(path) == 1, path
        assert Client().get(path).content == first.content
        assert (200, first.content) == made_now(path)


def test_nothing_is_shown_as_it_was(series: Series) -> None:
    """Whatever is written, each page is then the one that is made anew."""
    own, person = first_of(series), first_of(series).person
    outside = Person.objects.get(legal_name="Okänd Person")
    other = Event.objects.filter(in_series__series=series).order_by("-pk").first()
    assert other is not None
    theirs = make_organiser()
    elsewhere = played("elsewhere")
    there = elsewhere.registrations.get(number=2)
    Person.objects.filter(registrations__event=elsewhere).update(organiser=theirs)
    Event.objects.filter(pk=elsewhere.pk).update(organiser=theirs)
    pages = pages_of(series, person)
    screen = reverse("tournaments:screen_part", args=[other.slug, "en", "series"])
    merged = other.registrations.select_related("person").get(number=3).person
    kept = own.event.registrations.select_related("person").get(number=3).person

    def rated() -> None:
        hurry("rating")
        assert run("rating") == [1]

    def joined() -> None:
        row = add_event(series=series, event=elsewhere, by=None)
        type(row).objects.filter(pk=row.pk).update(agreed_at=row.asked_at)

    def left() -> None:
        remove_event(row=series.joined.get(event=elsewhere), by=None)

    def as_one() -> None:
        there.refresh_from_db()
        join_players(series=series, own=own, other=there)

    def apart() -> None:
        part_players(same=SamePlayer.objects.get(), own=own)

    def merge() -> None:
        merge_persons(kept=kept, merged=merged, event=own.event, by=None)

    def separate() -> None:
        undo_merge(merge=PersonMerge.objects.get(), event=own.event, by=None)

    def sent_off() -> None:
        own.event.registrations.filter(number=2).update(status="disqualified")

    writes: list[tuple[Callable[[], object], bool]] = [
        # Whether the standing is another one then.
        (lambda: change_person(person=person, by=None, visibility="hidden"), True),
        (lambda: change_person(person=person, by=None, visibility="public"), True),
        (lambda: Person.objects.filter(pk=outside.pk).update(visibility="hidden"), True),
        (lambda: Registration.objects.filter(pk=own.pk).update(visibility="hidden"), True),
        (lambda: Registration.objects.filter(pk=own.pk).update(visibility=""), True),
        (lambda: change_series(series=series, by=None, best_of=1), True),
        (lambda: change_series(series=series, by=None, bonus_start=1), True),
        (lambda: Organiser.objects.filter(pk=series.organiser_id).update(name="Ny"), True),
        (refresh, True),
        (sent_off, True),
        (refresh, True),
        (rated, False),
        (joined, True),
        (refresh, True),
        (as_one, True),
        (apart, True),
        (left, True),
        (merge, True),
        (refresh, True),
        (separate, True),
        (refresh, True),
        (lambda: series.joined.get(event=None).delete(), True),
        (lambda: show_career(registration=own, shown=False), True),
        (lambda: Event.objects.filter(pk=other.pk).update(status="draft"), True),
        (lambda: change_series(series=series, by=None, is_public=False), True),
    ]
    for number, (write, changes) in enumerate(writes):
        before = Client().get(pages[0]).content
        for page in (*pages, screen):
            Client().get(page)
        write()
        for page in (*pages, screen):
            answer = Client().get(page)
            assert (answer.status_code, answer.content) == made_now(page), (number, page)
        assert (Client().get(pages[0]).content != before) == changes, number


def test_play_at_an_event_does_not_make_the_standing_anew(series: Series) -> None:
    path = series.get_absolute_url()
    Client().get(path)
    event = first_of(series).event
    type(event.version).objects.filter(event=event).update(number=event.version.number + 1)
    assert statements(path) == 1


def test_versions_only_grow_and_every_series_has_one(series: Series) -> None:
    assert SeriesVersion.objects.count() == Series.objects.count()
    before = SeriesVersion.objects.get(series=series).number
    Series.objects.filter(pk=series.pk).update(name="Ny")
    assert SeriesVersion.objects.get(series=series).number > before
    series.delete()
    assert not SeriesVersion.objects.exists()


def test_free_texts_fill_no_cache(series: Series) -> None:
    path = series.get_absolute_url()
    caches["pages"].clear()
    Client().get(path, {"q": "anna"})
    assert not caches["pages"]._cache
    # The form always sends the field.
    Client().get(path, {"q": ["", "anna"]})
    Client().get(path, {"q": "", "other": ""})
    assert not caches["pages"]._cache
    Client().get(path, {"q": "", "after": "1"})
    assert len(caches["pages"]._cache) == 1
    assert the_organiser() == series.organiser
