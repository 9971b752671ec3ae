"""A series' picture to share: drawn by the worker, of now or not shown, without hidden names."""

from __future__ import annotations

import re
from datetime import date
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from tests.tournaments.series.test_series import make_series, played, refresh
from tests.tournaments.test_gets_write_nothing import writes
from tournaments.models import Event, Person, Series, SeriesPicture
from tournaments.results.drawing import shared_picture
from tournaments.series.commands.series import add_event, add_outside, change_series
from tournaments.series.drawing import told_of
from tournaments.series.queries.outside import read_outside

pytestmark = pytest.mark.django_db


def path(series: Series, language: str = "en") -> str:
    return reverse("tournaments:series_picture", args=[series.slug, language])


def texts(series: Series) -> str:
    shapes = shared_picture(told_of(series)).shapes
    return " ".join(str(getattr(shape, "text", "")) for shape in shapes)


def test_a_series_has_a_picture_of_now() -> None:
    series, event = make_series(), played()
    add_event(series=series, event=event, by=None)
    stands_in = Client().get(path(series))
    assert stands_in["Location"].endswith("site/share.png")
    refresh()
    answer = Client().get(path(series))
    assert answer["Content-Type"] == "image/png"
    with Image.open(BytesIO(answer.content)) as found:
        assert found.size == (1200, 630)
    again = Client().get(path(series), headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert writes(Client(), path(series)) == []
    page = Client().get(series.get_absolute_url()).content.decode()
    [told] = re.findall(r'og:image" content="http://testserver([^"]+)"', page)
    assert told == path(series)
    # What was drawn before a name was hidden is not shown.
    winner = event.registrations.get(event_place__place=1).person
    assert winner.legal_name in texts(series)
    Person.objects.filter(pk=winner.pk).update(visibility="hidden")
    assert Client().get(path(series)).status_code == 302
    assert winner.legal_name not in texts(series)
    refresh()
    assert Client().get(path(series)).content != answer.content
    change_series(series=series, by=None, is_public=False)
    assert Client().get(path(series)).status_code == 404
    assert Client().get(path(series, "xx")).status_code == 404


def test_what_looks_as_before_is_not_drawn_again() -> None:
    series, event = make_series(), played()
    add_event(series=series, event=event, by=None)
    refresh()
    before = SeriesPicture.objects.get(language="sv")
    Event.objects.filter(pk=event.pk).update(venue="Norrköping")
    refresh()
    after = SeriesPicture.objects.get(language="sv")
    assert (after.digest, after.content) == (before.digest, before.content)
    assert after.version != before.version
    assert SeriesPicture.objects.count() == 2


def test_a_finished_series_shows_its_champions() -> None:
    series = make_series()
    rows = read_outside("1; Anna Ett\n1; Bo Två\n3; Cilla Tre")
    add_outside(
        series=series, name="1998", played_on=date(1998, 5, 1), rows=rows, by=None, named=True
    )
    assert told_of(series).title == "Tour"
    Series.objects.update(is_finished=True)
    series.refresh_from_db()
    told = told_of(series)
    assert (told.title, told.under, told.is_proud) == ("Anna Ett, Bo Två", "Champions", True)
