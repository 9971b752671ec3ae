"""What somebody who runs a league tries: hidden names, merges, late corrections, odd lists."""

from __future__ import annotations

import json
from datetime import date
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from engine.answers import check_series_document
from tests.tournaments.factories import make_event, make_organiser, make_person
from tests.tournaments.series.test_series import make_series, played, refresh, standing
from tournaments.core.organisers import the_organiser
from tournaments.events.commands.events import set_event_status
from tournaments.models import Event, Person, Registration, SamePlayer, Series, SeriesPicture
from tournaments.models.enums import EventStatus
from tournaments.registration.commands.erasing import erase_player
from tournaments.registration.commands.merges import merge_persons
from tournaments.registration.queries.player_links import token_of
from tournaments.results.drawing import shared_picture
from tournaments.series.commands.same import join_players
from tournaments.series.commands.series import add_event, add_outside
from tournaments.series.drawing import course_of, told_of
from tournaments.series.queries.outside import read_outside
from tournaments.series.queries.standing import champions_of, rows_of, standing_of

pytestmark = pytest.mark.django_db


def with_event() -> tuple[Series, Event]:
    series, event = make_series(), played()
    add_event(series=series, event=event, by=None)
    refresh()
    return series, event


def text_of(answer: HttpResponse) -> str:
    """Return what a page or file says, whatever it is packed in."""
    if "sheet" in answer["Content-Type"]:
        with ZipFile(BytesIO(answer.content)) as book:
            return "".join(book.read(name).decode(errors="replace") for name in book.namelist())
    if answer["Content-Type"] == "application/pdf":
        return "".join(page.extract_text() for page in PdfReader(BytesIO(answer.content)).pages)
    return answer.content.decode()


def everything(series: Series, event: Event) -> dict[str, str]:
    """Return all that is told of a series, by what tells it."""
    paths = {
        name: reverse(f"tournaments:{name}", args=[series.slug])
        for name in ("series", "series_pdf", "series_document", "series_statistics")
    }
    for fmt in ("csv", "xlsx"):
        paths[fmt] = reverse("tournaments:series_export", args=[series.slug, fmt])
    paths["screen"] = reverse("tournaments:screen_part", args=[event.slug, "en", "series"])
    paths["interface"] = reverse("api:one_series", args=[series.slug])
    found = {name: text_of(Client().get(path)) for name, path in paths.items()}
    now = standing_of(series)
    chart = course_of(now, rows_of(now, now.lines))
    found["chart"] = "" if chart is None else f"{chart.picture} {chart.rows} {chart.heads}"
    found["picture"] = str(shared_picture(told_of(series)))
    return found


@pytest.mark.parametrize("where", ["person", "event"])
def test_a_hidden_name_is_in_nothing_that_is_told(where: str) -> None:
    series, event = with_event()
    rows = read_outside("1; Okänd Gammal\n2; Annan Gammal")
    add_outside(series=series, name="1998", played_on=date(1998, 5, 1), rows=rows, by=None)
    winner = event.registrations.select_related("person").get(event_place__place=1)
    name = winner.person.legal_name
    before = everything(series, event)
    assert [each for each, text in before.items() if name not in text] == []
    if where == "person":
        Person.objects.filter(pk=winner.person_id).update(visibility="hidden")
    else:
        Registration.objects.filter(pk=winner.pk).update(visibility="hidden")
    for words in (name, name.split()[0], name.split()[1], "Okänd", "Gammal"):
        told = everything(series, event)
        assert [each for each, text in told.items() if words in text] == [], words


def test_an_erased_player_stays_without_name_and_picture() -> None:
    series, event = with_event()
    winner = event.registrations.select_related("person").get(event_place__place=1)
    name = winner.person.legal_name
    assert SeriesPicture.objects.count() == 2
    erase_player(registration=winner, by=None)
    assert not SeriesPicture.objects.exists()
    assert [each for each, text in everything(series, event).items() if name in text] == []
    assert standing(series)[0][:2] == (1, "Hidden name")


def test_while_an_event_is_worked_out_again_all_says_so() -> None:
    series, event = with_event()
    Event.objects.filter(pk=event.pk).update(name="Ändrad")
    told = everything(series, event)
    for name in ("series", "csv", "xlsx", "series_pdf", "screen"):
        assert "being worked out again" in told[name].lower(), name
    document = json.loads(told["series_document"])
    assert document["events"][0]["stale"] is True
    assert check_series_document(document) == {"valid": True}
    assert json.loads(told["interface"])["is_being_counted"] is True
    refresh()
    assert "being worked out again" not in "".join(everything(series, event).values()).lower()


def test_who_was_one_player_before_a_merge_can_be_two_again() -> None:
    series, other = make_series(), make_organiser()
    first, second = played(), played("again")
    Person.objects.filter(registrations__event=second).update(organiser=other)
    Event.objects.filter(pk=second.pk).update(organiser=other)
    for event in (first, second):
        row = add_event(series=series, event=event, by=None)
        type(row).objects.filter(pk=row.pk).update(agreed_at=row.asked_at)
    refresh()
    here = first.registrations.select_related("person").get(number=1)
    there = second.registrations.select_related("person").get(number=1)
    join_players(series=series, own=here, other=there)
    assert len(standing(series)) == 7
    # The desk finds that the person is another one's double.
    double = make_person("Dubbel Person", the_organiser())
    merge_persons(kept=double, merged=here.person, event=first, by=None)
    here = Registration.objects.select_related("person").get(pk=here.pk)
    assert len(standing(series)) == 7
    join_players(series=series, own=here, other=there)
    row = SamePlayer.objects.get()
    page = reverse("tournaments:player_page_series", args=[token_of(here)])
    assert series.name in Client().get(page).content.decode()
    part = reverse("tournaments:player_page_apart", args=[token_of(here)])
    assert Client().post(part, {"row": row.pk}).status_code == 303
    assert len(standing(series)) == 8


def test_a_series_that_is_over_has_no_champion_while_an_event_is_open_again() -> None:
    series, event = with_event()
    Series.objects.update(is_finished=True)
    series.refresh_from_db()
    champions = champions_of(standing_of(series))
    assert len(champions) == 1
    event.refresh_from_db()
    set_event_status(event=event, to=EventStatus.OPEN, by=None)
    # Until the worker has looked, the page says that it is being worked out again.
    assert standing_of(series).is_stale
    winner = event.registrations.get(event_place__place=1)
    Registration.objects.filter(pk=winner.pk).update(status="disqualified")
    refresh()
    assert champions_of(standing_of(series)) == []
    event.refresh_from_db()
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    refresh()
    assert champions_of(standing_of(series)) not in ([], champions)


def test_rows_of_a_spreadsheet_may_end_with_empty_cells() -> None:
    found = read_outside("\ufeff1;Anna Berg;25;;\r\n2\tBo Ek\t\t\t\r\n\r\n;;;\r\n")
    assert [(each.place, each.name, each.points) for each in found] == [
        (1, "Anna Berg", "25"),
        (2, "Bo Ek", ""),
    ]


def test_an_event_in_play_changes_nothing_of_the_standing() -> None:
    series, _event = with_event()
    coming = make_event(name="Kommande", ends_on=date(2099, 1, 1))
    add_event(series=series, event=coming, by=None)
    assert not standing_of(series).is_stale
    refresh()
    Event.objects.filter(pk=coming.pk).update(venue="Norrköping")
    now = standing_of(series)
    assert (now.is_stale, now.left) == (False, 1)
    Event.objects.filter(pk=coming.pk).update(status=EventStatus.FINISHED)
    assert standing_of(series).is_stale
    refresh()
    assert (standing_of(series).is_stale, standing_of(series).left) == (False, 0)


def test_players_without_a_name_of_their_own_are_told_apart_in_the_chart() -> None:
    series, _event = with_event()
    rows = read_outside("1; Anna Berg\n2; Bo Dahl\n3; Cia Ek")
    add_outside(series=series, name="1998", played_on=date(1998, 5, 1), rows=rows, by=None)
    now = standing_of(series)
    shown = rows_of(now, now.lines)
    chart = course_of(now, shown)
    assert chart is not None
    hidden = [f"place {row.place}" for row in shown[:6] if row.name == "Hidden name"]
    assert len(hidden) > 1
    assert [head for head in chart.heads if head.startswith("place")] == hidden


def test_as_of_an_event_after_one_that_is_still_to_come() -> None:
    series = make_series()
    for day, name in ((1, "Första"), (3, "Tredje"), (4, "Fjärde")):
        rows = read_outside(f"1; Anna Berg; {day}")
        add_outside(
            series=series, name=name, played_on=date(2026, 5, day), rows=rows, by=None, named=True
        )
    moved = make_event(name="Andra", starts_on=date(2026, 5, 2), ends_on=date(2026, 5, 2))
    add_event(series=series, event=moved, by=None)
    refresh()
    # "As of event 3" is the third of the list, whatever has not been played before it.
    assert [total for _place, _name, total in standing(series, after=3)] == [1 + 3]
    assert [total for _place, _name, total in standing(series, after=2)] == [1]
    page = Client().get(series.get_absolute_url(), {"after": "3"}).content.decode()
    for option in ('value="1"', 'value="3" selected', 'value="4"'):
        assert f"<option {option}>" in page
    assert 'option value="2"' not in page


def test_no_name_is_a_formula_in_a_spreadsheet() -> None:
    series = make_series()
    rows = read_outside("1; =2+2; 1/3\n2; <b>Bo</b>")
    add_outside(
        series=series, name="=1+1", played_on=date(1998, 5, 1), rows=rows, by=None, named=True
    )
    csv = Client().get(reverse("tournaments:series_export", args=[series.slug, "csv"]))
    head, *_more, last = csv.content.decode("utf-8-sig").splitlines()
    assert "'=1+1" in head
    assert last == "2,'=2+2,,0.33,1,0.33,'1/3"
    page = Client().get(series.get_absolute_url()).content.decode()
    assert "&lt;b&gt;Bo" in page
    assert "<b>Bo" not in page
