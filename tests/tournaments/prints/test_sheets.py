"""Prints on paper of either size: what is on a sheet is whole, and inside its margins."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.files.base import File
from django.utils import timezone
from PIL import Image
from pypdf import PdfReader

from scoring import paper
from tests.tournaments.factories import finished_heat, make_event, make_heats
from tests.tournaments.playoffs.factories import played_round, qualified_event
from tournaments.events.commands.events import set_timetable
from tournaments.events.commands.pictures import set_picture
from tournaments.models import Day, Event
from tournaments.prints.drawing import PRINTS, certificates
from tournaments.prints.drawing._lists import Order

#: Width and height in points, upright.
SIZES = {"a4": (595, 842), "letter": (612, 792)}
#: No printer prints closer to the edge than this (5 mm).
EDGE = 14


def texts_of(page: Any) -> list[tuple[str, float, float]]:
    """Return the texts of a page with where each begins, in points from the lower left corner."""
    found: list[tuple[str, float, float]] = []

    def note(text: str, cm: Any, tm: Any, _font: Any, _size: Any) -> None:
        if text.strip():
            a, b, c, d, e, f = cm
            found.append((text.strip(), a * tm[4] + c * tm[5] + e, b * tm[4] + d * tm[5] + f))

    page.extract_text(visitor_text=note)
    return found


def check(content: bytes, size: str) -> None:
    for page in PdfReader(BytesIO(content)).pages:
        width, height = round(page.mediabox.width), round(page.mediabox.height)
        assert tuple(sorted((width, height))) == SIZES[size]
        for text, x, y in texts_of(page):
            assert EDGE < x < width - EDGE, text
            assert EDGE < y < height - EDGE, text


@pytest.mark.parametrize("size", SIZES)
def test_every_print_fits_the_sheet(db: None, size: str) -> None:
    event = make_event(paper_size=size)
    start = timezone.now() + timedelta(days=1)
    set_timetable(event=event, days=[Day(name="1A", starts_at=start)], by=None)
    heat = finished_heat(event, 4)
    make_heats(event, 7)
    order = Order(event, site="http://hall.test")
    for each in PRINTS.values():
        if each.can_print(event):
            check(each.pdf(order), size)
    assert heat.table_id is not None
    labels = paper.Labels(event_name="Fest", public_url="http://hall.test/1", sheet=size)
    single = paper.protocol_pdf(heat.table_id, labels, language="en", with_deals=True)
    check(single, size)


def test_the_bracket_fits_the_sheet(db: None) -> None:
    event = qualified_event(8)
    played_round(event, finish=False)
    Event.objects.filter(pk=event.pk).update(paper_size="letter")
    check(PRINTS["bracket"].pdf(Order(Event.objects.get(pk=event.pk))), "letter")


def test_the_poster_and_the_timetable_name_every_part(db: None) -> None:
    event = make_event(wifi_name="Hall")
    start = timezone.now() + timedelta(days=1)
    names = ["1A", "1B", "1C", "1D", "2A", "2B", "3A"]
    days = [
        Day(name=name, starts_at=start + timedelta(hours=4 * number))
        for number, name in enumerate(names)
    ]
    days.append(
        Day(name="Söndag eftermiddag", starts_at=start + timedelta(days=2), session_kind="final")
    )
    set_timetable(event=event, days=days, by=None)
    for kind in ("poster", "timetable"):
        pages = PdfReader(BytesIO(PRINTS[kind].pdf(Order(event)))).pages
        text = " ".join(" ".join(page.extract_text() for page in pages).split())
        assert all(name in text for name in [*names, "Söndag eftermiddag", "Final"]), kind


def test_name_and_table_stand_side_by_side(db: None) -> None:
    event = make_event(room_plan="5-9")
    make_heats(event, 4)
    [page] = PdfReader(BytesIO(PRINTS["seats_by_name"].pdf(Order(event)))).pages
    found = texts_of(page)
    [(left, line)] = [(x, y) for text, x, y in found if text == "Åkerlund, Anna"]
    [right] = [x for text, x, y in found if text == "5" and abs(y - line) < 1]
    # Of 520 points of a line.
    assert right - left < 260


def test_certificates_show_the_events_picture(db: None) -> None:
    event = make_event(venue="Folkets hus, Örebro")
    finished_heat(event, 4)
    Event.objects.filter(pk=event.pk).update(status="finished")
    event.refresh_from_db()
    file = BytesIO()
    Image.new("RGB", (400, 200), "red").save(file, "JPEG")
    assert not PdfReader(BytesIO(certificates.pdf(Order(event)))).pages[0].images
    file.seek(0)
    set_picture(event=event, file=File(file, "x.jpg"), by=None)
    for plain, mode in ((False, "RGB"), (True, "L")):
        page = PdfReader(BytesIO(certificates.pdf(Order(event, plain=plain)))).pages[0]
        assert [each.image.mode for each in page.images if each.image] == [mode]
        assert "Folkets hus, Örebro" in page.extract_text()
