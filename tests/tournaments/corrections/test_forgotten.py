"""The director puts a whole forgotten deal into a game, also of a closed heat."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from scoring.models import Sheet, SheetEntry
from scoring.reading.games import games_of
from tests.tournaments.conftest import client_of
from tests.tournaments.corrections.test_commands import standing
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.models import Event, Heat, LogEntry
from tournaments.models.enums import LogAction, Role

#: As the page sends them. In the closed heat's only deal seat 0 has won in the last phase.
DEAL = [
    {"kind": "hand", "phase": 1, "seat": 3, "category": "flush"},
    {"kind": "none", "phase": 2},
    {"kind": "last_trick", "seat": 3},
    {"kind": "hand", "phase": 3, "seat": 3, "category": "pair"},
]
WINS = [{"kind": "hand", "phase": 1, "seat": 3, "category": "straight_flush"}]


@pytest.fixture
def client(event: Event) -> Client:
    """The director's browser."""
    return client_of(event, Role.DIRECTOR)


def values(entries: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(entry, sort_keys=True, separators=(",", ":")) for entry in entries]


def path_of(sheet: Sheet, name: str, deal: int = 1) -> str:
    heat = sheet.heat_game.heat
    return url(heat.event, name, number=heat.number, game=sheet.number, deal=deal)


def form(sheet: Sheet, entries: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    sheet.refresh_from_db()
    return {
        "entry": values(entries),
        "reason": "nobody wrote the first deal",
        "version": sheet.version,
        "client_id": str(uuid.uuid4()),
    } | more


def test_the_sheet_leads_to_the_questions_and_the_last_one_to_the_reason(
    event: Event, client: Client, sheet: Sheet
) -> None:
    heat = sheet.heat_game.heat
    shown = client.get(url(heat.event, "correct_sheet", number=heat.number, game=sheet.number))
    path = path_of(sheet, "deal_forgotten")
    assert path in text_of(shown)
    for asked in range(len(DEAL)):
        page = text_of(client.get(path, {"entry": values(DEAL[:asked])}))
        assert values(DEAL)[asked].replace('"', "&quot;") in page
        assert path_of(sheet, "deal_preview") not in page
    page = text_of(client.get(path, {"entry": values(DEAL)}))
    assert path_of(sheet, "deal_preview") in page
    assert re.search('name="reason"', page)
    assert client.get(path_of(sheet, "deal_forgotten", deal=5)).status_code == 404


def test_the_preview_changes_nothing(event: Event, client: Client, sheet: Sheet) -> None:
    before = standing()
    answer = client.post(path_of(sheet, "deal_preview"), form(sheet, DEAL))
    assert standing() == before
    assert answer.status_code == 200
    (moved,) = answer.context["moved_deals"]
    assert (moved.number, moved.then) == (1, 2)
    assert moved.dealer != moved.dealer_then
    assert [row.after[0] for row in answer.context["game_rows"]] == [52, 11, 6, 5]


def test_the_deal_is_put_in_and_the_heat_stays_closed(
    event: Event, client: Client, sheet: Sheet
) -> None:
    sent = form(sheet, DEAL, decided="1", seen="|")
    client.post(path_of(sheet, "deal_put_in"), sent)
    client.post(path_of(sheet, "deal_put_in"), sent)
    sheet.refresh_from_db()
    (game,) = games_of(sheet.table, [sheet], {}).games
    assert [(deal.number, deal.dealer, len(deal.entries)) for deal in game.deals] == [
        (1, 0, 4),
        (2, 1, 3),
    ]
    assert sheet.state["scores"] == [52, 6, 5, 11]
    assert SheetEntry.objects.filter(sheet=sheet, kind="insert").count() == 4
    heat = Heat.objects.get(pk=sheet.heat_game.heat_id)
    assert (heat.status, sheet.status) == ("finished", "finished")
    log = LogEntry.objects.filter(action=LogAction.CORRECTED).get()
    assert [log.after["entry"], *log.after["also"]] == DEAL


def test_a_deal_that_wins_asks_about_the_lines_after_it(
    event: Event, client: Client, sheet: Sheet
) -> None:
    sent = form(sheet, WINS, decided="1", seen="|")
    answer = client.post(path_of(sheet, "deal_put_in"), sent)
    assert (answer.status_code, answer.context["missing"]) == (422, ("with_later",))
    decided = sent | {"d-with_later": "on", "seen": answer.context["seen"]}
    client.post(path_of(sheet, "deal_put_in"), decided)
    sheet.refresh_from_db()
    assert sheet.state["winners"] == [3]


def test_without_a_reason_or_with_half_a_deal_nothing_happens(
    event: Event, client: Client, sheet: Sheet
) -> None:
    before = standing()
    answer = client.post(path_of(sheet, "deal_preview"), form(sheet, DEAL, reason=""))
    assert answer.status_code == 422
    client.post(path_of(sheet, "deal_put_in"), form(sheet, DEAL[:2], decided="1", seen="|"))
    assert standing() == before
