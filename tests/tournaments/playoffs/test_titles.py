"""The names of rounds and their tables, wherever they appear."""

from __future__ import annotations

import io
import re

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from pypdf import PdfReader

from engine.messages import advance_text
from scoring.reading.links import show_token
from scoring.writing import create_link
from tests.scoring.web.phone import told_by
from tests.tournaments.conftest import client_of
from tests.tournaments.playoffs.factories import (
    drafted,
    finished_event,
    played_round,
    prepared,
    qualified_event,
)
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.documents import event_document
from tournaments.documents.reading import import_event
from tournaments.draws.queries.published import draw_view
from tournaments.heats.commands import void_heat
from tournaments.models import Heat, HeatResult
from tournaments.models.enums import Role
from tournaments.models.titles import heat_title, round_title
from tournaments.results.queries.standings import outcome

pytestmark = pytest.mark.django_db


def test_names_count_back_from_the_final() -> None:
    assert [round_title(left, 2) for left in (0, 1, 2)] == [
        "Final", "Semi-finals", "Quarter-finals",
    ]  # fmt: skip
    assert round_title(3, 2) == round_title(None, 2) != round_title(3, 1)
    codes = ("", "0-1-A", "1-2-B", "2-1-C", "3-1-D", "-1-E")
    assert [heat_title(code, 7) for code in codes] == [
        "Heat 7", "Final", "Semi-final B", "Quarter-final C", "Round 1, group D",
        "Round 1, group E",
    ]  # fmt: skip


def test_tables_are_named_after_their_rounds() -> None:
    event = finished_event(9)
    names = [str(heat) for heat in event.heats.filter(stage__kind__in=["playoff", "final"])]
    assert names == [
        "Quarter-final A", "Quarter-final B", "Quarter-final C",
        "Semi-final A", "Semi-final B", "Final",
    ]  # fmt: skip
    assert [str(stage) for stage in event.stages.playoffs().order_by("number")] == [
        "Quarter-finals", "Semi-finals", "Final",
    ]  # fmt: skip


def test_a_prepared_round_has_its_name_at_once() -> None:
    assert str(prepared(qualified_event(9))) == "Quarter-finals"


def test_a_table_played_again_keeps_its_name() -> None:
    event = qualified_event(6)
    stage = played_round(event, finish=False)
    first = stage.heats.order_by("number")[0]
    void_heat(heat=first, by=None, reason="wrong deck")
    again = Heat.objects.open().get(stage=stage, title=first.title)
    assert str(again) == "Semi-final A"


def test_voiding_a_table_of_a_round_promises_no_queue() -> None:
    heat = played_round(qualified_event(6), finish=False).heats.order_by("number")[0]
    director = client_of(heat.event, Role.DIRECTOR)
    page = text_of(director.get(url(heat.event, "heat_desk", number=heat.number)))
    assert "queue" not in page[page.index('id="do-void"') :].split("</details>")[0]
    path = url(heat.event, "heat_void", number=heat.number)
    [message] = get_messages(director.post(path, {"void-reason": "wrong deck"}).wsgi_request)
    assert "wait" not in str(message)


def test_pages_and_phone_use_the_name() -> None:
    event = qualified_event(6)
    heat = played_round(event, finish=False).heats.order_by("number")[0]
    link = create_link(table_id=heat.table_id or 0, role="auditor", by="test")
    client = Client()
    for path in (
        url(event, "event"),
        url(event, "playoffs"),
        url(event, "heat", number=heat.number),
    ):
        assert "Semi-final A" in text_of(client.get(path)), path
    told = told_by(client, f"/s/{show_token(link=link)}/")
    assert "Semi-final A" in told["document"]["label"]


def test_pages_and_prints_of_the_table_s_link_use_the_name() -> None:
    heat = played_round(qualified_event(6), finish=False).heats.order_by("number")[0]
    path = f"/s/{show_token(link=create_link(table_id=heat.table_id or 0, role='auditor', by='t'))}"
    assert f"Semi-final A · {heat.event.name}" in text_of(Client().post(f"{path}/share/"))
    pdf = PdfReader(io.BytesIO(Client().get(f"{path}/protocol.pdf").content))
    assert "Semi-final A" in pdf.pages[0].extract_text()
    assert "Semi-final A" in pdf.metadata["/Title"]


def test_a_draft_and_what_was_moved_in_it_use_the_names() -> None:
    event = qualified_event(6)
    draw = drafted(event)
    director = client_of(event, Role.DIRECTOR)
    for name in ("draft", "draw"):
        page = text_of(director.get(url(event, name, number=draw.number)))
        heads = re.findall(r'<h[23] id="(?:table|drawn)-\d">\s*(.+?)\s*</header>', page, re.S)
        assert ["A" if "Semi-final A" in head else "B" for head in heads] == ["A", "B"]
        assert all("Semi-final" in head for head in heads)
    draw.adjustments = [{"move": draw.groups[0][0], "table": 1}]
    assert "Semi-final B" in draw_view(draw).changes[0][0]


def test_nobody_qualifies_from_the_final() -> None:
    event = finished_event(6)
    final = event.heats.get(stage__kind="final")
    winner = HeatResult.objects.select_related("heat__stage").get(heat=final, place=1)
    assert outcome(winner, event) == "won"
    second = HeatResult.objects.select_related("heat__stage").get(heat=final, place=2)
    assert outcome(second, event) == "finalist"
    page = text_of(Client().get(url(event, "heat_live", number=final.number)))
    assert advance_text("en") not in page


def test_the_document_keeps_the_names() -> None:
    event = qualified_event(6)
    prepared(event)
    again = import_event(event_document(event), slug="again")
    assert again.stages.playoffs().get().rounds_left == 1
