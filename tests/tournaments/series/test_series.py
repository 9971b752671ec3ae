"""Series over events: who counts, what a correction changes, whose names are shown."""

from __future__ import annotations

import json
import re
from datetime import date
from fractions import Fraction
from io import BytesIO
from typing import Any
from urllib.parse import quote

import jsonschema
import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pypdf import PdfReader

from engine.answers import check_series_document
from engine.cli.schemas import schema
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_organiser,
    make_user,
)
from tests.tournaments.jobs import hurry, run
from tests.tournaments.test_gets_write_nothing import writes
from tournaments.core.errors import Refused
from tournaments.core.organisers import the_organiser
from tournaments.events.commands.events import set_event_status
from tournaments.models import Event, EventPlace, Organiser, Person, Series, SeriesEvent
from tournaments.models.enums import EventStatus
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.queries.player_links import token_of
from tournaments.series.commands.series import add_event, add_outside, agree, create_series
from tournaments.series.drawing import course_of
from tournaments.series.queries.outside import read_outside
from tournaments.series.queries.standing import rows_of, standing_of

pytestmark = pytest.mark.django_db


def make_series(organiser: Organiser | None = None, **fields: Any) -> Series:
    fields = {
        "name": "Tour",
        "starts_on": date(2026, 1, 1),
        "ends_on": date(2026, 12, 31),
        "is_public": True,
        "points": ["10", "6", "4", "3"],
    } | fields
    return create_series(organiser=organiser or the_organiser(), by=None, **fields)


def played(seed: str = "test", **fields: Any) -> Event:
    """Return a finished evening with a heat of four, whose first player has won."""
    event = make_event(ends_with_heats=True, **fields)
    finished_heat(event, seed=seed)
    event.refresh_from_db()
    if event.status != EventStatus.FINISHED:
        set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    return event


def refresh() -> None:
    """Let the worker take its next turn."""
    hurry("season")
    assert run("season") == [1]


def standing(series: Series, after: int | None = None) -> list[tuple[int, str, Fraction]]:
    found = standing_of(series, after)
    return [(row.place, row.name, row.total) for row in rows_of(found, list(found.lines))]


def test_events_count_when_they_are_over() -> None:
    series, event = make_series(), played()
    add_event(series=series, event=event, by=None)
    assert standing(series) == []
    assert standing_of(series).is_stale
    refresh()
    assert not standing_of(series).is_stale
    assert [(place, points) for place, _name, points in standing(series)] == [
        (1, 10),
        (2, 6),
        (3, 4),
        (4, 3),
    ]
    # Nothing has changed, so nothing is made again.
    before = set(EventPlace.objects.values_list("pk", flat=True))
    refresh()
    assert set(EventPlace.objects.values_list("pk", flat=True)) == before


def test_a_correction_marks_the_series_and_then_changes_it() -> None:
    series, event = make_series(), played()
    add_event(series=series, event=event, by=None)
    refresh()
    winner = event.registrations.get(event_place__place=1)
    winner.status = "disqualified"
    winner.save(update_fields=["status"])
    assert standing_of(series).is_stale
    refresh()
    after = standing_of(series)
    assert not after.is_stale
    assert winner.person_id not in {line.player for line in after.lines}


def test_as_of_an_event_and_results_from_elsewhere() -> None:
    series, event = make_series(), played()
    add_event(series=series, event=event, by=None)
    winner = event.registrations.order_by("number").first()
    assert winner is not None
    rows = read_outside(f"1; Okänd Person; 99\n2; {winner.person.legal_name}\n2; Delad Plats")
    add_outside(
        series=series, name="1998", played_on=date(1998, 5, 1), rows=rows, by=None, named=True
    )
    refresh()
    # The name that one of the organiser's persons has is that person.
    assert Person.objects.filter(legal_name=winner.person.legal_name).count() == 1
    first = {name: total for _place, name, total in standing(series, after=1)}
    assert first == {"Okänd Person": 99, winner.person.legal_name: 5, "Delad Plats": 5}
    now = {name: total for _place, name, total in standing(series)}
    place = event.places.get(registration=winner).place
    assert now[winner.person.legal_name] == 5 + (10, 6, 4, 3)[place - 1]


def test_the_picture_has_the_points_after_each_event() -> None:
    series, event = make_series(best_of=1), played()
    add_event(series=series, event=event, by=None)
    refresh()
    assert course_of(standing_of(series), []) is None
    names = [name for _place, name, _total in standing(series)]
    rows = read_outside(f"1; {names[3]}\n2; {names[0]}")
    add_outside(series=series, name="Sist", played_on=date(2027, 5, 1), rows=rows, by=None)
    found = standing_of(series)
    shown = rows_of(found, list(found.lines))
    chart = course_of(found, shown)
    assert chart is not None
    assert [row[0] for row in chart.rows] == [f"1. {event.name}", "2. Sist"]
    # Only the best result counts: the second one of the first player changes nothing.
    columns = list(zip(*chart.rows, strict=True))[1:]
    by_name = dict(zip([row.name for row in shown], columns, strict=True))
    assert by_name[names[0]] == ("10", "10")
    assert by_name[names[3]] == ("3", "10")
    page = Client().get(series.get_absolute_url()).content
    assert b'id="course-title"' in page
    assert page == Client().get(series.get_absolute_url()).content


def test_whom_nobody_asked_has_no_name_until_the_organiser_says_so() -> None:
    series = make_series()
    rows = read_outside("1; Aldrig Tillfrågad; 9")
    add_outside(series=series, name="1998", played_on=date(1998, 5, 1), rows=rows, by=None)
    assert standing(series) == [(1, "Hidden name", 9)]
    again = read_outside("1; Vill Synas; 4\n2; Aldrig Tillfrågad; 1")
    add_outside(
        series=series, name="1999", played_on=date(1999, 5, 1), rows=again, by=None, named=True
    )
    # A list that may be shown says nothing for who is known, and hidden.
    assert standing(series) == [(1, "Hidden name", 10), (2, "Vill Synas", 4)]


def test_another_organisers_event_needs_its_agreement() -> None:
    other = make_organiser()
    theirs = make_user()
    other.members.create(user=theirs, is_owner=True)
    own = make_user()
    the_organiser().members.create(user=own, is_owner=True)
    event = played()
    Event.objects.filter(pk=event.pk).update(organiser=other)
    event.refresh_from_db()
    series = make_series()
    row = add_event(series=series, event=event, by=own)
    refresh()
    assert row.agreed_at is None
    assert standing(series) == []
    client = Client()
    client.force_login(own)
    assert (
        client.post(
            reverse("tournaments:series_agree", args=[other.slug]), {"row": row.pk}
        ).status_code
        == 404
    )
    client.force_login(theirs)
    answer = client.post(reverse("tournaments:series_agree", args=[other.slug]), {"row": row.pk})
    assert answer.status_code == 303
    refresh()
    assert len(standing(series)) == 4


def test_only_the_player_makes_two_persons_one() -> None:
    series = make_series()
    other = make_organiser()
    first, second = played(), played("again")
    Person.objects.filter(registrations__event=second).update(organiser=other)
    Event.objects.filter(pk=second.pk).update(organiser=other)
    for event in (first, second):
        agree(row=add_event(series=series, event=event, by=None), by=None)
    refresh()
    here, there = first.registrations.get(number=1), second.registrations.get(number=1)
    # The two have the same name and stay two all the same.
    assert len(standing(series)) == 8
    path = reverse("tournaments:player_page_series", args=[token_of(here)])
    client = Client()
    wrong = client.post(path, {"series": series.pk, "link": "https://a.example/p/forged/"})
    assert wrong.status_code == 409
    link = f"https://a.example/p/{token_of(there)}/"
    assert client.post(path, {"series": series.pk, "link": link}).status_code == 303
    assert len(standing(series)) == 7
    Person.objects.filter(pk=there.person_id).update(visibility="hidden")
    assert here.person.legal_name not in str(standing(series))
    row = series.same_players.get()
    part = reverse("tournaments:player_page_apart", args=[token_of(there)])
    assert client.post(part, {"row": row.pk}).status_code == 303
    assert len(standing(series)) == 8


def test_merging_and_separating_follows() -> None:
    series, first, second = make_series(), played(), played("again")
    for event in (first, second):
        add_event(series=series, event=event, by=None)
    refresh()
    here, there = first.registrations.get(number=1), second.registrations.get(number=1)
    count = len(standing(series))
    merge = merge_persons(kept=here.person, merged=there.person, event=first, by=None)
    assert len(standing(series)) == count - 1
    undo_merge(merge=merge, event=first, by=None)
    assert len(standing(series)) == count


def test_a_hidden_name_stands_nowhere() -> None:
    series, event = make_series(), played()
    add_event(series=series, event=event, by=None)
    refresh()
    person = event.registrations.get(number=1).person
    Person.objects.filter(pk=person.pk).update(visibility="hidden")
    client = Client()
    page = client.get(reverse("tournaments:series", args=[series.slug]))
    file = client.get(reverse("tournaments:series_export", args=[series.slug, "csv"]))
    for answer in (page, file):
        assert person.legal_name not in answer.content.decode()
        assert "Hidden name" in answer.content.decode()
    found = client.get(reverse("tournaments:series", args=[series.slug]), {"q": person.legal_name})
    assert b"Nobody is in it yet" in found.content


def test_every_figure_leads_to_its_event() -> None:
    series, event = make_series(), played()
    add_event(series=series, event=event, by=None)
    refresh()
    hidden = event.registrations.get(number=1).person
    Person.objects.filter(pk=hidden.pk).update(visibility="hidden")
    client = Client()
    page = client.get(reverse("tournaments:series", args=[series.slug])).content.decode()
    links = re.findall(r'href="(/e/[^"]+/standings/\?q=[^"]+)"', page)
    # A hidden name leads nowhere.
    assert len(links) == 3
    for each in event.registrations.exclude(person=hidden):
        found = [link for link in links if quote(each.person.legal_name) in link]
        rows = client.get(found[0]).content.decode().partition("<tbody")[2].partition("</tbody")[0]
        assert rows.count("<tr>") == 1
        assert f"/e/{event.slug}/heats/1/" in rows


def test_a_series_that_is_not_public_is_only_its_organisers() -> None:
    series = make_series(is_public=False)
    path = reverse("tournaments:series", args=[series.slug])
    assert Client().get(path).status_code == 404
    user = make_user()
    client = Client()
    client.force_login(user)
    assert client.get(path).status_code == 404
    the_organiser().members.create(user=user)
    assert client.get(path).status_code == 200
    settings = reverse("tournaments:series_settings", args=[series.slug])
    assert client.get(settings).status_code == 403


def test_pages_of_an_owner() -> None:
    owner = make_user()
    organiser = the_organiser()
    organiser.members.create(user=owner, is_owner=True)
    client = Client()
    client.force_login(owner)
    path = reverse("tournaments:organiser_series", args=[organiser.slug])
    typed = {
        "name": "Våren",
        "starts_on": "2026-01-01",
        "ends_on": "2026-06-30",
        "is_public": "on",
        "points": "25 18 35/2",
        "rest": "1",
        "size_by": "players",
        "factors": "1: 1/2, 20: 1",
        "best_of": "3",
        "bonus_chicago": "0,5",
        "bonus_heat": "",
        "bonus_start": "1",
        "tie_1": "wins",
        "tie_2": "best",
    }
    wrong = client.post(path, typed | {"points": "25 x"})
    assert wrong.status_code == 422
    assert "25 x" in wrong.content.decode()
    assert client.post(path, typed | {"ends_on": "2025-01-01"}).status_code == 422
    assert client.post(path, typed).status_code == 303
    series = Series.objects.get()
    assert series.points == ["25", "18", "35/2"]
    assert series.factors == [[1, "1/2"], [20, "1"]]
    assert series.bonus_chicago == Fraction(1, 2)
    assert series.ties == ["wins", "best"]
    event = played()
    events = reverse("tournaments:series_events", args=[series.slug])
    assert client.post(events, {"own": event.pk}).status_code == 303
    assert client.post(events, {"address": "nowhere"}).status_code == 422
    elsewhere = reverse("tournaments:series_outside", args=[series.slug])
    outside = {
        "name": "1999",
        "played_on": "1999-05-01",
        "results": "1; Anna Gammal; 3",
        "named": "on",
    }
    assert client.post(elsewhere, outside | {"results": "x"}).status_code == 422
    assert client.post(elsewhere, outside).status_code == 303
    refresh()
    page = client.get(series.get_absolute_url()).content.decode()
    assert "Anna Gammal" in page
    assert event.name in page
    settings = reverse("tournaments:series_settings", args=[series.slug])
    shown = client.get(settings).content.decode()
    assert "25 18 35/2" in shown
    assert client.post(settings, typed | {"template": "final"}).status_code == 303
    series.refresh_from_db()
    assert series.points == ["20", "15", "12", "8"]
    row = series.joined.filter(event=event).get()
    remove = reverse("tournaments:series_remove", args=[series.slug])
    assert client.post(remove, {"row": row.pk}).status_code == 303
    assert not SeriesEvent.objects.filter(pk=row.pk).exists()


def test_champions_share_and_only_of_a_finished_series() -> None:
    series = make_series()
    rows = read_outside("1; Anna Ett\n1; Bo Två\n3; Cilla Tre")
    add_outside(
        series=series, name="1998", played_on=date(1998, 5, 1), rows=rows, by=None, named=True
    )
    client = Client()
    path = series.get_absolute_url()
    assert b"share the first place" not in client.get(path).content
    Series.objects.update(is_finished=True)
    assert b"share the first place" in client.get(path).content
    assert [each[0] for each in standing(series)] == [1, 1, 3]


def test_nobody_is_in_it_twice() -> None:
    series, event = make_series(), played()
    add_event(series=series, event=event, by=None)
    with pytest.raises(Refused) as refused:
        add_event(series=series, event=event, by=None)
    assert refused.value.code == "in_series"


def test_pages_write_nothing() -> None:
    series, boss = make_series(), Client()
    boss.force_login(make_user(is_staff=True, is_superuser=True))
    add_event(series=series, event=played(), by=None)
    refresh()
    paths = [
        reverse(f"tournaments:{name}", args=[series.slug])
        for name in ("series", "series_settings", "series_events")
    ]
    paths.append(reverse("tournaments:series_export", args=[series.slug, "xlsx"]))
    assert [writes(boss, path) for path in paths] == [[]] * 4


def test_statements_do_not_grow() -> None:
    series, boss = make_series(), Client()
    boss.force_login(make_user(is_staff=True, is_superuser=True))
    paths = {
        series.get_absolute_url(): 10,
        reverse("tournaments:series_list"): 4,
        reverse("tournaments:series_events", args=[series.slug]): 7,
        reverse("tournaments:organiser_series", args=[series.organiser.slug]): 5,
    }

    def filled(*seeds: int) -> None:
        elsewhere = make_organiser(f"Andra {seeds}")
        for index in seeds:
            add_event(series=series, event=played(f"{index}"), by=None)
            own = make_series(name=f"Own {index}")
            theirs = make_series(elsewhere, name=f"Theirs {index}")
            SeriesEvent.objects.create(series=theirs, event=make_event())
            SeriesEvent.objects.create(series=own, event=make_event())
        refresh()

    def asked() -> dict[str, int]:
        found = {}
        for path, most in paths.items():
            client = Client() if most == 10 else boss
            client.get(path)
            caches["pages"].clear()
            with CaptureQueriesContext(connection) as queries:
                assert client.get(path).status_code == 200
            found[path] = len(queries)
        return found

    filled(0, 1)
    few = asked()
    filled(2, 3, 4)
    lots = asked()
    assert [path for path, most in paths.items() if lots[path] > min(few[path], most)] == []


def test_the_standing_is_printed_and_exact_in_files() -> None:
    series, event = make_series(points=["10", "20/3"], best_of=1), played()
    add_event(series=series, event=event, by=None)
    refresh()
    answer = Client().get(reverse("tournaments:series_pdf", args=[series.slug]))
    assert answer["Content-Type"] == "application/pdf"
    text = PdfReader(BytesIO(answer.content)).pages[0].extract_text()
    first = event.registrations.get(event_place__place=1).person.legal_name
    assert first in text
    assert "6.66" in text
    # A print has no page behind it: it says which number is which event.
    assert f"1 = {event.name}; in brackets: does not count" in text
    csv = Client().get(reverse("tournaments:series_export", args=[series.slug, "csv"]))
    lines = csv.content.decode("utf-8-sig").splitlines()
    assert "Points, exactly" in lines[0]
    assert any("6 2/3" in line for line in lines)
    type(series).objects.filter(pk=series.pk).update(is_public=False)
    hidden = Client().get(reverse("tournaments:series_pdf", args=[series.slug]))
    assert hidden.status_code == 404


def test_a_series_is_a_document_that_the_engine_verifies() -> None:
    event = played()
    series = make_series(best_of=1, bonus_heat=1, points=["10", "20/3", "4", "3"])
    add_event(series=series, event=event, by=None)
    hidden = event.registrations.get(number=2).person
    Person.objects.filter(pk=hidden.pk).update(visibility="hidden")
    rows = read_outside("1; Anna Berg\n2; Bo Dahl; 7,5\n2; Cia Ek")
    add_outside(series=series, name="1998", played_on=date(1998, 5, 1), rows=rows, by=None)
    refresh()
    answer = Client().get(reverse("tournaments:series_document", args=[series.slug]))
    text = answer.content.decode()
    assert hidden.legal_name not in text
    document = json.loads(text)
    assert [each["event"] for each in document["events"]] == [None, event.slug]
    assert len(document["standing"]) == 7
    assert check_series_document(document) == {"valid": True}
    jsonschema.Draft202012Validator(schema("series")).validate(document)
    row = document["standing"][3]
    row["points"] = "99"
    wrong = check_series_document(document)
    assert [each["code"] for each in wrong["problems"]] == ["other_standing"]
    for rows, key, code in (
        (document["events"][0]["results"], {"id": "99"}, "bad_value"),
        (document["players"], {"id": "1"}, "repeated_item"),
        (document["rules"]["points"], "x", "bad_value"),
    ):
        was = rows[-1]
        rows[-1] = was | key if isinstance(key, dict) else key
        problems = check_series_document(document)["problems"]
        assert [each["code"] for each in problems] == [code]
        rows[-1] = was
    del document["rules"]["bonus"]
    assert check_series_document(document)["problems"][0]["code"] == "missing_field"
    series.is_public = False
    series.save()
    path = reverse("tournaments:series_document", args=[series.slug])
    assert Client().get(path).status_code == 404
