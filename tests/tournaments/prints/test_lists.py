"""Lists for the wall and blank protocols: their content, and where their pages break."""

from __future__ import annotations

import re
import uuid
from datetime import datetime, timedelta
from io import BytesIO

import pytest
from django.utils import timezone
from pypdf import PdfReader

from tests.tournaments.factories import finished_heat, make_event, make_heats, make_players
from tests.tournaments.jobs import run
from tests.tournaments.playoffs.factories import played_round, qualified_event
from tests.tournaments.refusals import refused
from tournaments.cash.commands import pay_entries
from tournaments.cash.queries.ledger import receipts_of
from tournaments.events.commands.events import set_event_status
from tournaments.floor.commands.floor import set_heat_times
from tournaments.floor.commands.penalties import give_penalty
from tournaments.heats.queries.links import scoring_path
from tournaments.models import Day, Event, JobFile
from tournaments.models.enums import EventStatus
from tournaments.prints.commands import ask_for
from tournaments.prints.drawing import PRINTS, day_protocols
from tournaments.prints.drawing._lists import Column, Order, Section, report, wall_list
from tournaments.prints.drawing._receipt import receipts_pdf

LONG = "Maximiliana-Alexandra Łącka-Szczepańska Ö"


def pages(event: Event, kind: str) -> list[str]:
    job = Order(event, site="http://hall.test")
    return [page.extract_text() for page in PdfReader(BytesIO(PRINTS[kind].pdf(job))).pages]


def test_who_sits_where(db: None) -> None:
    event = make_event(room_plan="5-9")
    make_heats(event, 7)
    assert "Åkerlund, Anna" in pages(event, "seats_by_name")[0]
    lines = pages(event, "seats_by_table")[0].splitlines()
    assert [line[:4] for line in lines if line[:1] in "56"] == ["5 1 ", "6 2 "]


@pytest.mark.parametrize("kind", ["standings", "qualified", "result"])
def test_lists_of_what_was_played(db: None, kind: str) -> None:
    event = make_event()
    assert not PRINTS[kind].can_print(event)
    heat = finished_heat(event, 4)
    assert PRINTS[kind].can_print(event)
    best = heat.entries.order_by("pk")[0].registration.person.legal_name
    assert best in pages(event, kind)[0]


def test_blank_protocols_are_for_four_and_for_three(event: Event) -> None:
    assert len(pages(event, "blank_protocols")) >= 2


def test_protocol_of_a_heat_has_the_day_for_which_it_is_planned(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    start = timezone.make_aware(datetime(2030, 5, 4, 12))
    set_heat_times(heat=heat, planned={"starts_at": start}, by=None)
    Day.objects.create(event=event, name="1A", starts_at=start)
    assert "1A, 4 May 2030" in pages(event, "empty")[0]


@pytest.mark.parametrize("count", [0, 1, 100])
def test_pages_break_between_groups_and_are_numbered(event: Event, count: int) -> None:
    groups = [[(str(number), LONG)] * 4 for number in range(count)]
    job = Order(event)
    columns = [Column("Table", 1), Column("Player", 5)]
    found = PdfReader(BytesIO(wall_list(job, "Seats", columns, groups))).pages
    texts = [page.extract_text() for page in found]
    assert sum(text.count(LONG[:20]) for text in texts) == 4 * count
    for number, text in enumerate(texts, start=1):
        assert text.count(LONG[:20]) % 4 == 0
        assert f"Page {number} of {len(texts)}" in text
        assert event.name in text


def test_certificates_are_for_the_first_four_of_a_finished_event(db: None) -> None:
    event = make_event(colour="#7a1f5c")
    finished_heat(event, 4)
    assert not PRINTS["certificates"].can_print(event)
    event = set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    found = pages(event, "certificates")
    assert len(found) == 4
    assert all(event.name in text for text in found)
    assert "Place 4" in found[3]
    assert ["Page 4 of 4" in text for text in found] == [False, False, False, True]


def test_links_of_all_open_heats_are_on_one_sheet(db: None) -> None:
    event = make_event()
    drawn = make_heats(event, 8)
    text = pages(event, "scoring_links")
    assert len(text) == 1
    assert all(f"Table {heat.table_number}" in text[0] for heat in drawn.heats)
    assert all(scoring_path(heat) for heat in drawn.heats)


@pytest.mark.parametrize(("players", "sheets"), [(1, 1), (8, 1), (9, 2)])
def test_player_cards_are_eight_to_a_page(db: None, players: int, sheets: int) -> None:
    event = make_event()
    assert not PRINTS["player_cards"].can_print(event)
    make_players(event, players)
    found = pages(event, "player_cards")
    assert len(found) == sheets
    for number, text in enumerate(found, start=1):
        assert f"{number} / {sheets}" in text


@pytest.mark.parametrize("kind", ["player_cards", "poster"])
def test_cards_and_poster_show_the_starting_time(db: None, kind: str) -> None:
    event = make_event(wifi_name="Hall")
    make_players(event, 1)
    start = (timezone.localtime() + timedelta(days=3)).replace(hour=12, minute=5)
    event.timetable.create(name="1A", starts_at=start)
    (text,) = pages(event, kind)
    assert "12:05" in text


def test_each_page_of_each_print_has_event_date_and_page_count(db: None) -> None:
    event = make_event(name="Fest")
    event.timetable.create(name="1A", starts_at=timezone.now())
    finished_heat(event, 4)
    make_heats(event, 4)
    year = str(timezone.localdate().year)
    for kind, each in PRINTS.items():
        for text in pages(event, kind) if each.can_print(event) else []:
            assert "Fest" in text, kind
            assert year in text, kind
            assert re.search(r"[Pp]age \d+ of \d+|\d+ / \d+", text), kind


def test_standings_use_a_heats_name(db: None) -> None:
    event = make_event()
    heat = finished_heat(event, 4)
    assert pages(event, "standings")[0].count(str(heat)) == 4


def test_long_names_are_whole_and_no_list_is_smaller_for_them(event: Event) -> None:
    job = Order(event)
    columns = [Column("Place", 1, right=True), Column("Player", 6, bold=True), Column("Club", 3)]
    names = [LONG, "Bo Öst", LONG[::-1], "Anna Bo Cia Dag Eva Fia Gun Ia Jo Li Mia"] * 20
    groups = [
        [(str(place), name, "Kortklubben i Örnsköldsvik")] for place, name in enumerate(names)
    ]
    found = PdfReader(BytesIO(wall_list(job, "Result", columns, groups))).pages
    text = " ".join(" ".join(page.extract_text().split()) for page in found)
    assert [text.count(name) for name in names[:4]] == [20] * 4
    sizes: set[float] = set()
    found[0].extract_text(
        visitor_text=lambda text, _cm, _tm, _font, size: (
            sizes.add(size) if text.startswith(("Maxim", "Bo Öst", "Anna Bo")) else None
        )
    )
    assert sizes == {14}


def test_a_report_shows_the_whole_of_a_long_reason(event: Event) -> None:
    job = Order(event)
    reason = " ".join(f"word{number}" for number in range(40))
    section = Section("Notes", [Column("When", 1), Column("Why", 2)], [("now", reason)] * 60)
    found = [page.extract_text() for page in PdfReader(BytesIO(report(job, "x", [section]))).pages]
    assert sum(text.count("word39") for text in found) == 60
    assert all(text.count("word0") == text.count("word39") for text in found)


@pytest.mark.parametrize("kind", ["seats_by_name", "seats_by_table", "empty"])
def test_tables_of_the_play_offs_have_their_names(db: None, kind: str) -> None:
    event = qualified_event(8)
    played_round(event, finish=False)
    assert "Semi-final A" in "".join(pages(event, kind)).replace("\n", " ")


def test_receipts_before_anything_is_booked(event: Event) -> None:
    content = receipts_pdf(Order(event), [])
    (page,) = PdfReader(BytesIO(content)).pages
    assert event.name in page.extract_text()


def test_a_long_event_name_is_whole_beside_a_short_heading(db: None) -> None:
    event = make_event(name="Svenska Chicagofestivalen i Örnsköldsvik med alla vänner, hösten 2026")
    make_heats(event, 4)
    assert event.name in pages(event, "seats_by_name")[0]
    event.timetable.create(name="1A", starts_at=timezone.now())
    assert event.name in pages(event, "timetable")[0]


def test_a_receipt_names_the_event_once_where_the_club_has_no_name(db: None) -> None:
    event = make_event(venue="Folkets hus", buy_in=10000)
    player = make_players(event, 1)[0]
    pay_entries(registration=player, by=None)
    content = receipts_pdf(Order(event), receipts_of(event))
    (page,) = PdfReader(BytesIO(content)).pages
    assert page.extract_text().count(event.name) == 1
    assert "Folkets hus" in page.extract_text()


def test_penalties_and_corrections(db: None) -> None:
    event = make_event()
    heat = make_heats(event, 4).heats[0]
    player = event.registrations.get(number=1)
    give_penalty(
        heat=heat, registration=player, level="warning", offence="slow", by=None,
        client_id=uuid.uuid4(), seen_version=0,
    )  # fmt: skip
    text = pages(event, "penalties")[0]
    assert str(player.person) in text
    assert "Page 1 of 1" in text


def test_protocols_of_the_last_day_have_bookmarks(db: None) -> None:
    event = make_event()
    early, late = finished_heat(event, 3), finished_heat(event, 3)
    early.finished_at -= timedelta(days=1)
    early.save(update_fields=["finished_at"])
    job = Order(event)
    outline = PdfReader(BytesIO(PRINTS["day_protocols"].pdf(job))).outline
    assert [str(late.number) in each.title for each in outline] == [True]


def test_protocols_of_a_day_go_on_past_midnight(db: None) -> None:
    event = make_event()
    noon = datetime(2026, 11, 14, 12, tzinfo=timezone.get_default_timezone())
    before, saturday, night = (finished_heat(event, 3) for _ in range(3))
    for heat, hours in ((before, -30), (saturday, 1), (night, 13)):
        heat.opened_at = noon + timedelta(hours=hours)
        heat.finished_at = heat.opened_at + timedelta(hours=1)
        heat.save(update_fields=["opened_at", "finished_at"])
    job = Order(event)
    assert len(PdfReader(BytesIO(PRINTS["day_protocols"].pdf(job))).outline) == 2
    for name, at in (("Friday", noon - timedelta(days=1)), ("Saturday", noon)):
        Day.objects.create(event=event, name=name, starts_at=at)
    heat.finished_at = noon + timedelta(hours=20)
    heat.save(update_fields=["finished_at"])
    assert len(PdfReader(BytesIO(PRINTS["day_protocols"].pdf(job))).outline) == 2


def test_protocols_of_an_earlier_day_and_of_a_part_of_it(db: None) -> None:
    event = make_event()
    noon = datetime(2026, 11, 14, 12, tzinfo=timezone.get_default_timezone())
    heats = [finished_heat(event, 3) for _ in range(3)]
    for name, hours, heat in zip(("1A", "1B", "2"), (0, 5, 24), heats, strict=True):
        start = noon + timedelta(hours=hours)
        event.timetable.create(name=name, starts_at=start)
        heat.opened_at, heat.finished_at = start, start + timedelta(hours=2)
        heat.save(update_fields=["opened_at", "finished_at"])
    part = event.timetable.get(name="1B")
    days = day_protocols.days(event)
    assert [day for day, _name in days] == [
        "2026-11-15", "2026-11-14", str(event.timetable.get(name="1A").pk), str(part.pk)
    ]  # fmt: skip
    for day, printed in (("", [2]), ("2026-11-14", [0, 1]), (str(part.pk), [1])):
        pdf = PRINTS["day_protocols"].pdf(Order(event, day=day))
        outline = PdfReader(BytesIO(pdf)).outline
        numbers = [str(heats[index].number) for index in printed]
        assert [number in each.title for number, each in zip(numbers, outline, strict=True)]


def test_a_day_without_protocols_is_refused(db: None) -> None:
    event = make_event()
    finished_heat(event, 3)
    with refused("no_day"):
        ask_for(
            event=event, kind="day_protocols", by=None, language="en", site="", day="2020-01-01"
        )


def test_black_and_colour_are_separate_prints(db: None) -> None:
    event = make_event(colour="#ff0000")
    for plain in (False, True):
        ask_for(event=event, kind="check_in", by=None, language="en", site="", plain=plain)
    assert run("print") == [2]
    red = b"1 0 0 rg"
    streams = [
        PdfReader(BytesIO(file.content)).pages[0].get_contents().get_data()
        for file in JobFile.objects.order_by("pk")
    ]
    assert [red in stream for stream in streams] == [True, False]


@pytest.mark.parametrize("rows", [0, 1, 100])
def test_the_report_repeats_its_titles_and_keeps_headings_with_rows(
    event: Event, rows: int
) -> None:
    job = Order(event)
    columns = [Column("Titel", 1), Column("Player", 5)]
    sections = [
        Section(f"Part {part}", columns, [(str(row), LONG) for row in range(rows)], "Nothing.")
        for part in range(3)
    ]
    found = [page.extract_text() for page in PdfReader(BytesIO(report(job, "x", sections))).pages]
    assert sum(text.count(LONG[:20]) for text in found) == 3 * rows
    for text in found:
        assert ("Titel" in text) == bool(rows)


def test_the_timetable_is_set_in_large_type(event: Event) -> None:
    assert not PRINTS["timetable"].can_print(event)
    start = timezone.make_aware(datetime(2027, 5, 1, 12))
    event.timetable.create(name="1A", doors_at=start - timedelta(hours=1), starts_at=start)
    (text,) = pages(event, "timetable")
    for said in ("1A", "Saturday 1 May", "11:00", "12:00", "Doors", "Start"):
        assert said in text
