"""The public bracket: page, picture, print."""

from __future__ import annotations

import io
import re
from datetime import date
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import translation
from pypdf import PdfReader

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
from tournaments.models import Event, HeatResult
from tournaments.playoffs.commands import mark_absent
from tournaments.playoffs.queries.bracket import bracket_of

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


def test_event_without_play_offs_says_so() -> None:
    event = make_event()
    assert 'class="empty"' in page_of(event)
    answer = Client().get(url(event, "playoffs_svg"))
    assert len(texts_of(text_of(answer))) == 1
    assert pdf_of(event)[0] == 1


def test_qualified_see_what_it_would_look_like() -> None:
    event = qualified_event(9)
    page = page_of(event)
    assert "Not begun." in page
    svg = text_of(Client().get(url(event, "playoffs_svg")))
    assert "Final" in texts_of(svg)
    assert svg.count('class="b-ghost"') == 3 + 2 + 1


def test_bracket_has_names_places_points_and_who_goes_on() -> None:
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
    assert page.count(">goes on</span>") >= 4
    assert "LL" in texts
    assert "lucky loser" in page
    # The heat's page is one tap away.
    heat = stage.heats.first()
    assert heat is not None
    assert url(event, "heat", number=heat.number) in svg


def test_picture_has_no_style_and_no_script() -> None:
    event = finished_event(5)
    for layout in ("wide", "tall"):
        svg = text_of(Client().get(url(event, "playoffs_svg"), {"layout": layout}))
        assert "style=" not in svg
        assert "<style" not in svg
        assert "<script" not in svg
        ElementTree.fromstring(svg)
    assert "style=" not in re.sub(r"<link[^>]*>", "", page_of(event))


def test_unknown_layout_is_404() -> None:
    event = qualified_event(3)
    assert Client().get(url(event, "playoffs_svg"), {"layout": "round"}).status_code == 404


def test_layouts_of_the_page() -> None:
    page = page_of(finished_event(5))
    assert 'class="bracket bracket-wide"' in page
    assert 'class="bracket bracket-tall"' in page
    assert page.count("<svg") == 2
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_champion_stands_out() -> None:
    event = finished_event(5)
    svg = text_of(Client().get(url(event, "playoffs_svg")))
    assert "Champion" in texts_of(svg)
    assert svg.count('class="w-champion"') == 1
    assert url(event, "champion") in page_of(event)


def test_round_not_drawn_lists_its_players_and_no_shows() -> None:
    event = qualified_event(4)
    stage = prepared(event)
    place = stage.players.order_by("order")[0]
    instead = mark_absent(place=place, by=None)
    assert instead is not None
    page = page_of(event)
    assert str(place.registration.person) in page
    texts = texts_of(text_of(Client().get(url(event, "playoffs_svg"))))
    assert f"Absent: {place.registration.person}" in texts
    assert str(instead.registration.person) in texts


def test_draft_of_a_round_is_not_shown() -> None:
    event = qualified_event(4)
    draw = drafted(event)
    page = page_of(event)
    assert "/heats/" not in page
    assert f"draws/{draw.number}" not in page


def test_live_part_answers_304() -> None:
    event = qualified_event(3)
    client = Client()
    path = url(event, "playoffs_now")
    etag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 304
    prepared(event)
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 200


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


def test_strange_names_make_a_proper_picture() -> None:
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


@pytest.mark.parametrize("heats", [3, 5, 17, 40])
def test_print_is_one_sheet_of_a4_lying(heats: int) -> None:
    from tournaments.playoffs.drawing.bracket import wide
    from tournaments.playoffs.drawing.pdf import Page, bracket_pdf
    from tournaments.playoffs.queries.bracket import Bracket, BracketTable, Round, Seat

    rounds, players = [], heats * 4
    while True:
        tables = max(1, players // 4)
        rounds.append(
            Round(
                title=f"Round {len(rounds) + 1}",
                is_final=tables == 1,
                advance=2,
                tables=tuple(
                    BracketTable(
                        size=4,
                        heat=table,
                        seats=tuple(
                            Seat(f"{table}-{seat}", f"Łukasz Öberg {table}/{seat}", seat + 1)
                            for seat in range(4)
                        ),
                    )
                    for table in range(tables)
                ),
            )
        )
        if tables == 1:
            break
        players = tables * 2
    bracket = Bracket(tuple(rounds))
    content = bracket_pdf(
        lambda fold: wide(bracket, "T", lambda number: f"/{number}", fold),
        Page("Title", "Place", "Foot", "sv"),
    )
    reader = PdfReader(io.BytesIO(content))
    assert len(reader.pages) == 1
    box = reader.pages[0].mediabox
    assert (round(box.width), round(box.height)) == (842, 595)
    text = reader.pages[0].extract_text()
    assert "Łukasz Öberg 0/0" in text
    assert f"Łukasz Öberg {heats - 1}/3" in text


@pytest.mark.parametrize("share", [1, 0.8])
def test_a_long_name_is_whole_on_two_lines(share: float) -> None:
    from tournaments.playoffs.drawing.shapes import Text

    name = "Wilhelmina von Schantz af Rosenborg-Lejonhufvud"
    lines = Text(0, 100, name, "strong", 15, 180).lines(share)
    assert "".join(line.text.replace(" ", "") for _base, line in lines) == name.replace(" ", "")
    assert [base for base, _line in lines] == pytest.approx([94.75, 105.25])


def test_print_says_who_in_swedish() -> None:
    event = finished_event(5)
    pages, text = pdf_of(event, "sv")
    assert pages == 1
    assert "Slutspel" in text
    champion = HeatResult.objects.get(heat__stage__kind="final", place=1)
    assert str(champion.entry.registration.person) in text


def test_rounds_to_come_have_the_last_day() -> None:
    event = qualified_event(8, starts_on=date(2027, 5, 1), ends_on=date(2027, 5, 2))
    with translation.override("sv"):
        rounds = bracket_of(event).rounds
    assert {each.when for each in rounds} == {"söndag 2 maj"}
    text = text_of(Client().get(url(event, "playoffs_svg")))
    assert "Sunday 2 May" in text
    assert "C" not in "".join(re.findall(r'<path class="w-\w+" d="([^"]+)"', text))
