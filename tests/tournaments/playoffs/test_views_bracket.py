"""The public bracket: page, picture, print."""

from __future__ import annotations

import io
import re
from datetime import date, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone, translation
from pypdf import PdfReader

from engine.messages import advance_text
from engine.ranking.playoff import plan
from scoring.pictures.shapes import Box, Stroke, Text
from tests.tournaments.factories import make_event
from tests.tournaments.playoffs.factories import (
    drafted,
    finished_event,
    played_round,
    played_to_the_end,
    prepared,
    qualified_event,
)
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.draws.commands.drafts import draft_round
from tournaments.events.commands.events import set_timetable
from tournaments.models import Day, Event, HeatResult
from tournaments.playoffs.commands import mark_absent
from tournaments.playoffs.drawing.bracket import NAME, marks, wide
from tournaments.playoffs.drawing.pdf import Page, bracket_pdf, scale_of
from tournaments.playoffs.drawing.sheet import pages_of
from tournaments.playoffs.queries import bracket as queries
from tournaments.playoffs.queries.bracket import (
    Bracket,
    BracketTable,
    Round,
    Seat,
    bracket_of,
    round_of,
)
from tournaments.playoffs.queries.desk import playoff_desk

pytestmark = pytest.mark.django_db


def page_of(event: Event) -> str:
    return text_of(Client().get(url(event, "playoffs")))


def texts_of(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    found = []
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        found.append("".join(part for part in text.itertext()))
    return found


def pdf_of(event: Event, language: str = "en") -> tuple[int, str]:
    answer = Client(headers={"accept-language": language}).get(url(event, "playoffs_pdf"))
    assert answer["Content-Type"] == "application/pdf"
    reader = PdfReader(io.BytesIO(answer.content))
    return len(reader.pages), reader.pages[0].extract_text()


def test_an_event_without_play_offs_says_so() -> None:
    event = make_event()
    assert 'class="empty"' in page_of(event)
    answer = Client().get(url(event, "playoffs_svg"))
    assert len(texts_of(text_of(answer))) == 1
    assert pdf_of(event)[0] == 1


def test_with_qualified_players_a_possible_bracket_is_shown() -> None:
    event = qualified_event(9)
    page = page_of(event)
    assert 'class="notice notice-warning"' in page
    svg = text_of(Client().get(url(event, "playoffs_svg")))
    assert "Final" in texts_of(svg)
    assert svg.count('class="b-ghost"') == 3 + 2 + 1


def test_the_bracket_has_names_places_points_and_who_goes_on() -> None:
    event = qualified_event(5)
    stage = played_round(event)
    svg = text_of(Client().get(url(event, "playoffs_svg")))
    page = page_of(event)
    texts = " ".join(texts_of(svg))
    for row in HeatResult.objects.filter(heat__stage=stage).select_related(
        "entry__registration__person", "heat"
    ):
        name = str(row.entry.registration.person)
        assert name in texts
        assert name in page
        assert str(row.heat) in texts
    assert svg.count('class="b-on"') == 4
    assert page.count(f">{advance_text('en')}</span>") >= 4
    sign, meaning = marks()["lucky_loser"]
    assert sign in texts
    assert meaning in page
    # The heat's page is one tap away.
    heat = stage.heats.first()
    assert heat is not None
    assert url(event, "heat", number=heat.number) in svg


def test_unknown_layout_is_404() -> None:
    event = qualified_event(3)
    assert Client().get(url(event, "playoffs_svg"), {"layout": "round"}).status_code == 404


def test_the_first_rounds_of_a_large_bracket_have_pages_of_their_own() -> None:
    event = finished_event(5)
    whole = bracket_of(event)
    assert [len(each.tables) for each in whole.rounds] == [2, 1]
    # At least the last one is shown.
    for most in (0, 2):
        found = bracket_of(event, most)
        assert found.rounds == whole.rounds[1:]
        assert found.champions == whole.champions
        assert [(each.title, each.tables, each.number) for each in found.earlier] == [
            (whole.rounds[0].title, 2, 1)
        ]
    assert bracket_of(event, 3) == whole
    page = text_of(Client().get(url(event, "playoffs_round", number=1)))
    for table in whole.rounds[0].tables:
        assert all(seat.name in page for seat in table.seats)
    for number in (0, 3):
        assert Client().get(url(event, "playoffs_round", number=number)).status_code == 404


def test_a_round_shows_a_page_of_tables_or_of_who_waits(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(queries, "PER_PAGE", 1)
    event = qualified_event(5)
    prepared(event)
    # Five and a lucky loser wait.
    first, second = (round_of(event, 1, page) for page in ("1", "2"))
    assert first is not None
    assert second is not None
    assert [len(first[0].waiting), len(second[0].waiting)] == [4, 2]
    played = finished_event(5)
    tables = bracket_of(played).rounds[0].tables
    for page in ("1", "2"):
        found = round_of(played, 1, page)
        assert found is not None
        assert found[0].tables == tables[int(page) - 1 : int(page)]
    path = url(played, "playoffs_round", number=1) + "?page=2"
    Client().get(path)
    with django_assert_num_queries(1):
        assert tables[1].seats[0].name in text_of(Client().get(path))


def test_the_champion_stands_out() -> None:
    event = finished_event(5)
    svg = text_of(Client().get(url(event, "playoffs_svg")))
    assert "Champion" in texts_of(svg)
    assert svg.count('class="w-champion"') == 1
    assert url(event, "champion") in page_of(event)


def test_a_round_not_yet_drawn_lists_its_players_and_no_shows() -> None:
    event = qualified_event(4)
    stage = prepared(event)
    place = stage.players.order_by("order")[0]
    instead = mark_absent(player=place, by=None)
    assert instead is not None
    page = page_of(event)
    assert str(place.registration.person) in page
    texts = texts_of(text_of(Client().get(url(event, "playoffs_svg"))))
    # Whoever does not come is named below the table, not at a seat.
    assert str(place.registration.person) not in texts
    assert [text for text in texts if text.endswith(f": {place.registration.person}")]
    assert str(instead.registration.person) in texts


def test_a_rounds_draft_is_not_shown() -> None:
    event = qualified_event(4)
    draw = drafted(event)
    page = page_of(event)
    assert "/heats/" not in page
    assert f"draws/{draw.number}" not in page


def test_hidden_players_are_numbers_everywhere() -> None:
    event = qualified_event(3)
    for player in event.registrations.select_related("person"):
        player.person.visibility = "hidden"
        player.person.save()
    played_to_the_end(event)
    names = [player.person.legal_name for player in event.registrations.all()]
    client = Client()
    for name in ("playoffs", "playoffs_svg", "result", "champion"):
        page = text_of(client.get(url(event, name)))
        assert not [each for each in names if each in page], name
        assert "Player " in page
    assert not [each for each in names if each in pdf_of(event)[1]]


def test_unusual_names_make_a_valid_picture() -> None:
    event = qualified_event(3)
    strange = ["<b>\"A\" & 'B'</b>", "\x01\x02 bell", "مريم ‮ الأحمد", "x" * 120]
    for player, name in zip(event.registrations.order_by("number"), strange, strict=False):
        player.person.legal_name = name
        player.person.save()
    played_to_the_end(event)
    for layout in ("wide", "tall"):
        svg = text_of(Client().get(url(event, "playoffs_svg"), {"layout": layout}))
        ElementTree.fromstring(svg)
        assert "<b>" not in svg
    assert "<b>" not in page_of(event)
    assert pdf_of(event)[0] == 1


def played(players: int, made: int = 99) -> Bracket:
    """Return a bracket whose first ``made`` rounds are played; each table's best two go on."""
    sizes = plan(players, [2] * 9).rounds
    rounds, here = [], list(range(players))
    for index, each in enumerate(sizes):
        tables, is_final = [], index == len(sizes) - 1
        for number, size in enumerate(each):
            seats = tuple(
                Seat(f"{player}", f"Łukasz Öberg {player:03}", place, goes_on=place < 3)
                for place, player in enumerate(here[:size], start=1)
            )
            here = here[size:] + [int(seat.player_id) for seat in seats[:2]]
            title = f"Round {index + 1}, table {number + 1}"
            tables.append(BracketTable(size, *((seats, 1, title) if index < made else ())))
        here = sorted(here, key=str)
        here += range(900, 900 + sum(sizes[index + 1]) - len(here) if not is_final else 900)
        rounds.append(Round(f"R{index + 1}", is_final, 2, tuple(tables), is_planned=index >= made))
    return Bracket(tuple(rounds))


def printed(bracket: Bracket) -> tuple[list[str], list[Round]]:
    """Return the text of each page, all of them readable, and the rounds left out."""
    pictures, left_out = pages_of(bracket, "T", lambda number: f"/{number}")
    assert min(map(scale_of, pictures)) * NAME >= 6.5
    page = Page("Title", "Place", lambda page, pages: f"Foot {page} of {pages}", "sv")
    pages = PdfReader(io.BytesIO(bracket_pdf(pictures, page))).pages
    assert {(round(each.mediabox.width), round(each.mediabox.height)) for each in pages} == {
        (842, 595)
    }
    return [each.extract_text() for each in pages], left_out


@pytest.mark.parametrize("players", [3, 8, 16, 48])
def test_small_brackets_are_one_sheet_of_a4_lying(players: int) -> None:
    (text,), left_out = printed(played(players))
    assert f"Łukasz Öberg {players - 1:03}" in text
    assert left_out == []


@pytest.mark.parametrize("players", [64, 100, 400])
def test_the_first_rounds_of_a_large_bracket_are_printed_in_parts(players: int) -> None:
    bracket = played(players)
    texts, _left_out = printed(bracket)
    assert f"Foot 1 of {len(texts)}" in texts[0]
    # Everybody stands once in each round.
    whole = "\n".join(texts)
    for player in range(players):
        times = sum(
            seat.player_id == f"{player}"
            for each in bracket.rounds
            for table in each.tables
            for seat in table.seats
        )
        assert whole.count(f"Öberg {player:03}") == times
    # Who goes on reads where.
    following = next(
        table.title
        for table in bracket.rounds[1].tables
        for seat in table.seats
        if seat.player_id == "0"
    )
    assert f"→ {following}" in texts[0]
    assert "→" not in texts[-1]


@pytest.mark.parametrize("share", [1, 0.8])
def test_a_long_name_is_complete_on_two_lines(share: float) -> None:

    name = "Wilhelmina von Schantz af Rosenborg-Lejonhufvud"
    lines = Text(0, 100, name, "strong", 15, 180).lines(share)
    assert "".join(line.text.replace(" ", "") for _base, line in lines) == name.replace(" ", "")
    assert [base for base, _line in lines] == pytest.approx([94.75, 105.25])


def test_later_rounds_show_the_last_day() -> None:
    event = qualified_event(8, starts_on=date(2027, 5, 1), ends_on=date(2027, 5, 2))
    with translation.override("sv"):
        rounds = bracket_of(event).rounds
    assert {each.when for each in rounds} == {"söndag 2 maj"}
    text = text_of(Client().get(url(event, "playoffs_svg")))
    assert "Sunday 2 May" in text
    # With a timetable the final is on its last day, another round on any that is left.
    noon = timezone.make_aware(datetime(2027, 5, 1, 12))
    days = [Day(name=f"{n + 1}", starts_at=noon + timedelta(days=n)) for n in range(3)]
    set_timetable(event=event, days=days, by=None)
    with translation.override("sv"):
        assert {each.when for each in bracket_of(event).rounds} == {"måndag 3 maj"}
        both = [queries._when(event, days, left, entering=False, timed=True) for left in (1, 0)]
        assert both == ["", "måndag 3 maj"]
        played_round(event)
        assert [each.when for each in bracket_of(event).rounds[1:]] == ["måndag 3 maj"]
    assert "C" not in "".join(re.findall(r'<path class="w-\w+" d="([^"]+)"', text))


def test_a_round_is_on_the_day_that_the_timetable_names(db: None) -> None:
    event = qualified_event(8)
    noon = timezone.make_aware(datetime(2083, 5, 1, 12))
    plays = {"1": "heats", "2": "playoffs", "Sunday": "final", "Cup": ""}
    days = [
        Day(name=name, session_kind=what, starts_at=noon + timedelta(days=index))
        for index, (name, what) in enumerate(plays.items())
    ]
    set_timetable(event=event, days=days, by=None)
    coming = ["2: Sunday 2 May 12:00", "Sunday: Monday 3 May 12:00"]
    assert [each.when for each in bracket_of(event).rounds] == coming
    assert playoff_desk(event).coming.when == coming[0]
    stage = prepared(event)
    assert [each.when for each in bracket_of(event).rounds] == coming
    # Its heats begin then, as long as that is still to come.
    assert draft_round(stage=stage, by=None).starts_at == days[1].starts_at


def through(stroke: Stroke, box: Box) -> bool:
    """Return whether a line runs inside a box, beyond its edge."""
    if not max(stroke.x1, box.x) < min(stroke.x2, box.x + box.width) - 0.5:
        return False

    def height(x: float) -> float:
        return stroke.y1 + (stroke.y2 - stroke.y1) * (x - stroke.x1) / (stroke.x2 - stroke.x1)

    inside = (
        height(max(stroke.x1, box.x) + 0.5),
        height(min(stroke.x2, box.x + box.width) - 0.5),
    )
    return max(inside) > box.y and min(inside) < box.y + box.height


@pytest.mark.parametrize("players", [12, 16, 27, 28, 32, 46, 64, 100])
def test_no_line_crosses_a_box_on_paper(players: int) -> None:
    # Seven groups stand in two columns, so that their names can be read.
    bracket = played(players)
    pictures = [wide(bracket, "T", str, fold) for fold in (None, 300.0, 450.0, 600.0, 900.0)]
    for picture in [*pictures, *pages_of(bracket, "T", str)[0]]:
        ways = [
            shape
            for shape in picture.shapes
            if isinstance(shape, Stroke) and shape.kind in ("way", "champion")
        ]
        front = [inner for shape in picture.shapes for inner in getattr(shape, "shapes", [shape])]
        boxes = [shape for shape in front if isinstance(shape, Box)]
        assert not [1 for way in ways for box in boxes if through(way, box)]
        ends = [y for way in ways for y in (way.y1, way.y2)]
        assert all(0 < y < picture.height for y in ends)
