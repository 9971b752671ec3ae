"""An event's picture and colour, and what the sign-up page says about the event."""

from __future__ import annotations

import io
import struct
import zlib
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from tests.tournaments.factories import make_event
from tests.tournaments.refusals import refused
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core import pictures as drawing
from tournaments.core.days import days_of
from tournaments.events.commands import pictures
from tournaments.models import Event, EventPicture, LogEntry
from tournaments.models.enums import LogAction
from tournaments.registration.queries.about import details_of, when_and_where


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 20), **options: object) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", size, "red").save(content, kind, **options)
    return content.getvalue()


def uploaded(content: bytes, name: str = "x.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "image/png")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_re_encoded(event: Event, director: Client, kind: str) -> None:
    sent = picture(kind) + b"<script>alert(1)</script>"
    answer = director.post(url(event, "picture_set"), {"picture": uploaded(sent)})
    assert answer.status_code == 303
    page = Client().get(url(event, "event")).content.decode()
    stored = EventPicture.objects.get()
    assert f"picture.jpg?{stored.digest}" in page
    served = Client().get(url(event, "event_picture"), query_params={stored.digest: ""})
    assert served["Content-Type"] == "image/jpeg"
    assert served["X-Content-Type-Options"] == "nosniff"
    assert b"script" not in served.content
    with Image.open(io.BytesIO(served.content)) as found:
        assert (found.format, found.size) == ("JPEG", (40, 20))


def test_the_same_picture_sent_again_changes_nothing(event: Event, director: Client) -> None:
    for _time in range(2):
        director.post(url(event, "picture_set"), {"picture": uploaded(picture())})
    changes = LogEntry.objects.filter(action=LogAction.EVENT_CHANGED, after__has_key="picture")
    assert changes.count() == 1


def test_exif_data_are_removed(event: Event) -> None:
    exif = Image.Exif()
    exif[0x010E] = "at home"
    pictures.set_picture(event=event, file=uploaded(picture("JPEG", exif=exif)), by=None)
    assert b"at home" not in bytes(EventPicture.objects.get().content)


def test_large_pictures_are_scaled_down(event: Event) -> None:
    stored = pictures.set_picture(event=event, file=uploaded(picture(size=(4000, 1000))), by=None)
    assert (stored.width, stored.height) == (1600, 400)


@pytest.mark.parametrize(
    "content", [b"", b"x", b"<svg/>", picture()[:60], picture("GIF"), b"%PDF-1.7"]
)
def test_a_file_that_is_no_picture_is_refused(
    event: Event, director: Client, content: bytes
) -> None:
    answer = director.post(url(event, "picture_set"), {"picture": uploaded(content)})
    assert answer.status_code in {409, 422}
    assert answer.context["form"].errors["picture"]
    assert not EventPicture.objects.exists()


def test_too_many_bytes_or_pixels_are_refused_unread(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "MAX_PIXELS", 799)
    with refused("too_large"):
        pictures.set_picture(event=event, file=uploaded(picture()), by=None)
    monkeypatch.setattr(drawing, "MAX_BYTES", 10)
    with refused("too_large"):
        pictures.set_picture(event=event, file=uploaded(picture()), by=None)


def test_a_picture_of_a_hundred_million_pixels_is_too_large(
    event: Event, django_assert_num_queries: Any
) -> None:
    # Nothing but a header that says so is read.
    head = struct.pack(">4sIIBBBBB", b"IHDR", 10_000, 10_000, 8, 2, 0, 0, 0)
    chunks = struct.pack(">I", 13) + head + struct.pack(">II4s", zlib.crc32(head), 0, b"IDAT")
    # And nothing is locked for it.
    with refused("too_large"), django_assert_num_queries(0):
        sent = uploaded(b"\x89PNG\r\n\x1a\n" + chunks)
        pictures.set_picture(event=event, file=sent, by=None)


def test_a_picture_can_be_removed(event: Event, director: Client) -> None:
    pictures.set_picture(event=event, file=uploaded(picture()), by=None)
    director.post(url(event, "event_picture_remove"))
    assert not EventPicture.objects.exists()
    assert Client().get(url(event, "event_picture")).status_code == 404


def test_the_sign_up_page_gives_the_practical_details(db: None) -> None:
    event = make_event(
        venue="Folkets hus", buy_in=50000, fee=10000, prizes={"shares": [7000, 3000]},
        prize_added=100000, contact="Arne, 070-1", capacity=80, colour="#7a1f5c",
        sign_up_opens_at=timezone.now() - timedelta(hours=1),
    )  # fmt: skip
    for name in ("sign_up", "event"):
        text = text_of(Client().get(url(event, name)))
        assert 'fill="#7a1f5c"' in text
        for said in ("600", "100", "70 % · 30 %", "Arne, 070-1", "80"):
            assert said in text
        page = text[text.index("<main") :]
        assert page.count("Folkets hus") == 1
        assert page.count(days_of(event)) == 1


def test_the_timetables_days_show_their_times(db: None) -> None:
    event = make_event()
    start = timezone.make_aware(datetime(2027, 5, 1, 12))
    event.timetable.create(name="1A", doors_at=start - timedelta(hours=1), starts_at=start)
    details = {detail.label: detail.text for detail in when_and_where(event)}
    assert "11:00" in details["1A"]
    assert "12:00" in details["1A"]
    assert "When" not in details


def test_unknown_details_are_left_out(db: None) -> None:
    event = make_event()
    labels = [detail.label for detail in (*when_and_where(event), *details_of(event))]
    assert labels == ["When", "Format"]
