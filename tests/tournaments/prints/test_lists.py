"""Lists for the wall and blank protocols: what stands on them, and where their pages break."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader

from tests.tournaments.factories import finished_heat, make_event, make_heats
from tournaments.models import Event, Job
from tournaments.prints.drawing import PRINTS
from tournaments.prints.drawing._lists import Column, wall_list

LONG = "Maximiliana-Alexandra Łącka-Szczepańska Ö"


def pages(event: Event, kind: str) -> list[str]:
    job = Job.objects.create(event=event, kind=kind, language="en", site="http://hall.test")
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


@pytest.mark.parametrize("count", [0, 1, 100])
def test_pages_break_between_groups_and_are_counted(event: Event, count: int) -> None:
    groups = [[(str(number), LONG)] * 4 for number in range(count)]
    job = Job.objects.create(event=event, kind="standings", language="en")
    columns = [Column("Table", 1), Column("Player", 5)]
    found = PdfReader(BytesIO(wall_list(job, "Seats", columns, groups))).pages
    texts = [page.extract_text() for page in found]
    assert sum(text.count(LONG[:20]) for text in texts) == 4 * count
    for number, text in enumerate(texts, start=1):
        assert text.count(LONG[:20]) % 4 == 0
        assert f"Page {number} of {len(texts)}" in text
        assert event.name in text
