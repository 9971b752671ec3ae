"""Corrections through the pages: chosen, previewed, decided, applied or abandoned."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from scoring.models import Sheet, SheetEntry
from scoring.reading.ranking import order_by_lots
from tests.tournaments.conftest import client_of
from tests.tournaments.corrections.test_commands import play, player, standing, twice_through
from tests.tournaments.factories import make_heats, straight_flush, write
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.cash.commands import book
from tournaments.draws.commands.drafts import draft_round, publish
from tournaments.models import Event, Heat, LogEntry, Qualification
from tournaments.models.enums import BookingKind, HeatStatus, LogAction, Role
from tournaments.playoffs.commands import prepare_round

FLUSH = '{"category":"flush","kind":"hand","phase":1,"seat":2}'


@pytest.fixture
def client(event: Event) -> Client:
    """The director's browser."""
    return client_of(event, Role.DIRECTOR)


def address(sheet: Sheet, name: str, entry: int) -> str:
    heat = sheet.heat_game.heat
    more = {} if name == "correct_sheet" else {"entry": entry}
    return url(heat.event, name, number=heat.number, game=sheet.number, **more)


def correction(sheet: Sheet, **more: object) -> dict[str, Any]:
    sheet.refresh_from_db()
    data: dict[str, Any] = {
        "kind": "amend",
        "entry": FLUSH,
        "reason": "the hand was at the other seat",
        "version": sheet.version,
        "client_id": str(uuid.uuid4()),
    }
    return data | more


def winner(sheet: Sheet, seat: int = 1, **more: object) -> dict[str, Any]:
    """Return a form: the straight flush was another player's."""
    value = f'{{"category":"straight_flush","kind":"hand","phase":3,"seat":{seat}}}'
    return correction(sheet, entry=value, **more)


# --- choosing ---------------------------------------------------------------------------------


def test_the_sheet_lists_every_entry_with_a_link_to_correct_it(
    event: Event, client: Client, sheet: Sheet
) -> None:
    page = text_of(client.get(address(sheet, "correct_sheet", 0)))
    for sequence in (1, 2, 3):
        assert address(sheet, "correct_entry", sequence) in page
    assert address(sheet, "correct_entry", 4) not in page


def test_only_legal_entries_can_be_chosen(event: Event, client: Client, sheet: Sheet) -> None:
    page = text_of(client.get(address(sheet, "correct_entry", 1)))
    values = re.findall(r'name="entry" value="([^"]+)"', page)
    assert FLUSH.replace('"', "&quot;") in values
    # Before the first exchange nobody can take a trick or declare a Chicago.
    assert not [value for value in values if "last_trick" in value]
    assert "&quot;seat&quot;:1" in re.findall(r'value="([^"]+)" checked', page)[-1]


def test_every_offered_entry_is_legal_there(event: Event, client: Client) -> None:
    from engine.sheet.entries import entry_from_json
    from engine.sheet.sheet import legal_entries, legal_rulings
    from scoring.reading.slots import as_value, grids_of, legal_values, slot_of
    from tournaments.corrections.queries.consequences import game_of

    heat = make_heats(event, 4).heats[0]
    sheet = play(heat)
    for sequence in (1, 2, 3):
        game = game_of(heat, 1, {})
        assert game is not None
        slot = slot_of(game, sequence)
        assert slot is not None
        offered = legal_values(grids_of(slot, ""))
        legal = {as_value(entry.as_json()) for entry in legal_entries(slot.before)}
        rulings = [each for each in offered.values() if each["kind"] == "ruling"]
        assert {(each["action"], each["seat"]) for each in rulings} <= set(
            legal_rulings(slot.before)
        )
        entries = [each for each in offered.values() if each not in rulings]
        assert {as_value(entry_from_json(dict(each)).as_json()) for each in entries} == legal
    assert sheet.version == 3


# --- the preview ------------------------------------------------------------------------------


def test_a_preview_shows_the_changes_and_makes_none(
    event: Event, client: Client, sheet: Sheet
) -> None:
    before = standing()
    page = text_of(client.post(address(sheet, "correct_preview", 3), winner(sheet)))
    assert standing() == before
    effects = page.split('<h2 id="effects-head">')[1].split("</ul>")[0]
    lost, won = re.findall(r'<li><span class="(tag[^"]*)">', effects)
    assert (lost, won) == ("tag tag-red", "tag")
    assert address(sheet, "correct_apply", 3) in page


def test_a_preview_shows_what_has_been_paid(event: Event, client: Client, sheet: Sheet) -> None:
    paid = event.registrations.get(number=int(sheet.seats[0]))
    book(event=event, kind=BookingKind.PAYOUT, amount=123450, registration=paid, by=None)
    page = text_of(client.post(address(sheet, "correct_preview", 3), winner(sheet)))
    assert re.search(rf"tag-amber.*\s+{paid.person} .*1\xa0234.50\xa0SEK", page)


def test_a_preview_says_who_has_the_place_of_another_heat_won(event: Event, client: Client) -> None:
    first, second, _merge = twice_through(event, 1)
    page = text_of(client.post(address(first, "correct_preview", 3), winner(first)))
    assert str(second.heat_game.heat) in page
    assert str(player(event, second, 1).person) in page
    # If both are to play, that is done on the page of the play-offs, where the director ends.
    assert f'href="{url(event, "rounds")}">' in page.split('id="effects-head"')[1]
    [seen] = re.findall(r'name="seen" value="([^"]+)"', page)
    form = {**winner(first), "seen": seen}
    # A second click must not put the director anywhere else.
    for _click in range(2):
        answer = client.post(address(first, "correct_apply", 3), form)
        assert answer.headers["Location"].startswith(url(event, "rounds"))
        notice = text_of(client.get(answer.headers["Location"])).split("notice-success")[1]
        assert str(second.heat_game.heat) in notice.split("</")[0]


def test_a_correction_is_made_once_and_shown_to_everybody(
    event: Event, client: Client, sheet: Sheet
) -> None:
    data = winner(sheet)
    done = client.post(address(sheet, "correct_apply", 3), data, follow=True)
    assert "notice-success" in text_of(done)
    again = client.post(address(sheet, "correct_apply", 3), data, follow=True)
    assert again.status_code == 200
    assert LogEntry.objects.filter(action=LogAction.CORRECTED).count() == 1
    valid = Qualification.objects.get(revoked_at__isnull=True)
    assert valid.registration.player_id == sheet.seats[1]
    public = text_of(Client().get(url(event, "heat", number=sheet.heat_game.heat.number)))
    assert "the hand was at the other seat" in public
    director = LogEntry.objects.get(action=LogAction.CORRECTED).actor
    assert director not in public


def test_taking_back_and_adding(event: Event, client: Client, sheet: Sheet) -> None:
    data = correction(sheet, kind="void", entry="")
    client.post(address(sheet, "correct_apply", 2), data | {"decided": "1", "d-with_later": "on"})
    sheet.refresh_from_db()
    # The flush of phase 2 is gone, and with it the straight flush of phase 3.
    assert sheet.version == 3
    page = text_of(client.post(address(sheet, "correct_preview", 2), data))
    assert 'name="d-with_later"' in page
    assert 'name="d-end_game"' in page


# --- decisions --------------------------------------------------------------------------------


def test_missing_decisions_are_asked_for_and_nothing_is_changed(
    event: Event, client: Client, sheet: Sheet
) -> None:
    data = correction(sheet, kind="void", entry="")
    before = standing()
    asked = client.post(address(sheet, "correct_apply", 3), data)
    assert asked.status_code == 422
    assert 'name="d-end_game"' in text_of(asked)
    assert standing() == before
    sure = data | {"decided": "1", "d-end_game": "on"}
    client.post(address(sheet, "correct_apply", 3), sure)
    sheet.refresh_from_db()
    assert sheet.state["win"] == "ended"


def test_later_entries_are_dropped_only_if_decided(
    event: Event, client: Client, sheet: Sheet
) -> None:
    data = correction(sheet, entry='{"category":"straight_flush","kind":"hand","phase":1,"seat":1}')
    path = address(sheet, "correct_apply", 1)
    asked = client.post(path, data)
    assert asked.status_code == 422
    assert 'name="d-with_later"' in text_of(asked)
    client.post(path, data | {"decided": "1", "d-with_later": "on"})
    sheet.refresh_from_db()
    assert sheet.state["winners"] == [1]
    log = LogEntry.objects.get(action=LogAction.CORRECTED)
    assert log.after["taken_back_too"] == [2, 3]


def test_a_new_tie_is_ordered_on_the_preview(event: Event, client: Client) -> None:
    heat = make_heats(event, 3).heats[0]
    sheet = play(heat, [{"kind": "hand", "phase": 1, "seat": 1, "category": "flush"}])
    data = correction(sheet, entry='{"category":"flush","kind":"hand","phase":2,"seat":0}')
    sure = data | {"decided": "1", "d-end_game": "on"}
    path = address(sheet, "correct_apply", sheet.version)
    asked = client.post(path, sure)
    assert asked.status_code == 422
    player_ids = re.findall(r'name="d-place_(\d+)"', text_of(asked))
    assert len(player_ids) == 2
    same = sure | {f"d-place_{player_id}": "1" for player_id in player_ids}
    assert client.post(path, same).status_code == 422
    order = sure | {f"d-place_{player_ids[0]}": "2", f"d-place_{player_ids[1]}": "1"}
    # Who goes on depends on the order, so the preview is shown once more.
    before = standing()
    shown = client.post(path, order | {"seen": "|"})
    assert shown.status_code == 200
    assert "notice-warning" in text_of(shown)
    assert standing() == before
    seen = re.findall(r'name="seen" value="([^"]+)"', text_of(shown))[0]
    client.post(path, order | {"seen": seen})
    assert (
        Qualification.objects.get(revoked_at__isnull=True).registration.player_id == player_ids[1]
    )


def test_lots_are_drawn_on_the_preview(event: Event, client: Client) -> None:
    sheet = play(
        make_heats(event, 3).heats[0],
        [{"kind": "hand", "phase": 1, "seat": 1, "category": "flush"}],
    )
    data = correction(sheet, entry='{"category":"flush","kind":"hand","phase":2,"seat":0}')
    sure = data | {"decided": "1", "d-end_game": "on", "d-lots": "on"}
    path = address(sheet, "correct_apply", sheet.version)
    shown = client.post(path, sure | {"seen": "|"})
    assert shown.status_code == 200
    seen = re.findall(r'name="seen" value="([^"]+)"', text_of(shown))[0]
    client.post(path, sure | {"seen": seen})
    drawn = sheet.table.flip_flops.get()
    assert drawn.order == order_by_lots(drawn.seed, drawn.order[::-1])
    through = Qualification.objects.get(revoked_at__isnull=True).registration
    assert through.player_id == drawn.order[0]


@pytest.fixture
def begun(event: Event, sheets: list[Sheet]) -> list[Sheet]:
    """Three qualified players, and a play-off table that has begun."""
    publish(draw=draft_round(stage=prepare_round(event=event, by=None), by=None), by=None)
    return sheets


@pytest.mark.parametrize(
    ("choice", "status"), [("stand", HeatStatus.OPEN), ("redraw", HeatStatus.VOID)]
)
def test_a_begun_play_off_table_stays_or_is_drawn_again(
    client: Client, begun: list[Sheet], choice: str, status: str
) -> None:
    data = winner(begun[0])
    path = address(begun[0], "correct_apply", 3)
    before = standing()
    asked = client.post(path, data)
    assert asked.status_code == 422
    assert 'name="d-round"' in text_of(asked)
    assert standing() == before
    decided = data | {"decided": "1", "d-round": choice}
    assert "notice-warning" in text_of(client.post(path, decided | {"seen": "|"}))
    assert standing() == before
    client.post(path, decided | {"seen": f"{choice}|"})
    assert Heat.objects.get(number=4).status == status


def test_only_what_can_be_done_with_the_tables_is_offered(
    event: Event, client: Client, sheets: list[Sheet]
) -> None:
    sheets += [play(heat) for heat in make_heats(event, 12).heats]
    publish(draw=draft_round(stage=prepare_round(event=event, by=None), by=None), by=None)
    for heat in Heat.objects.filter(number__gt=6):
        play(heat)
    prepare_round(event=event, by=None)
    before = standing()
    again = winner(sheets[0]) | {"decided": "1", "d-round": "redraw"}
    answer = client.post(address(sheets[0], "correct_apply", 3), again)
    assert answer.status_code == 422
    assert "notice-error" in text_of(answer)
    assert 'value="stand"' in text_of(answer)
    assert 'value="redraw"' not in text_of(answer)
    assert 'value="table"' not in text_of(answer)
    assert standing() == before


# --- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"kind": ""},
        {"kind": "erase"},
        {"entry": ""},
        {"entry": '{"kind":"last_trick","seat":0}'},
        {"entry": "ruling", "action": "points", "seat": ""},
        {"entry": "ruling", "action": "points", "seat": "0", "points": ""},
        {"entry": "ruling", "action": "fly"},
        {"entry": "\x00"},
        {"version": "x"},
        {"client_id": "x"},
        {"entry": '{"category":"full_house","kind":"hand","phase":1,"seat":1}'},
    ],
)
def test_a_bad_correction_keeps_what_was_typed(
    event: Event, client: Client, change: dict[str, object], sheet: Sheet
) -> None:
    before = standing()
    for name in ("correct_preview", "correct_apply"):
        answer = client.post(address(sheet, name, 1), correction(sheet, **change))
        assert answer.status_code == 422
        assert 'value="the hand was at the other seat"' in text_of(answer)
    assert standing() == before


def test_a_ruling_can_be_added(event: Event, client: Client, sheet: Sheet) -> None:
    data = correction(sheet, kind="insert", entry="ruling", action="points", seat="1", points="-3")
    client.post(address(sheet, "correct_apply", 2), data)
    sheet.refresh_from_db()
    assert sheet.state["scores"][1] == 3


def test_a_missing_entry_leads_back_to_the_sheet(
    event: Event, client: Client, sheet: Sheet
) -> None:
    data = correction(sheet)
    void = correction(sheet, kind="void") | {"decided": "1", "d-end_game": "on"}
    client.post(address(sheet, "correct_apply", 3), void)
    answer = client.post(address(sheet, "correct_apply", 3), data, follow=True)
    assert answer.redirect_chain[0][0] == address(sheet, "correct_sheet", 0)
    assert "notice-error" in text_of(answer)


def test_unknown_games_and_entries(event: Event, client: Client, sheet: Sheet) -> None:
    assert client.get(url(event, "correct_sheet", number=1, game=9)).status_code == 404
    assert client.get(address(sheet, "correct_entry", 99)).status_code == 404


def test_a_running_game_can_be_corrected_too(event: Event, client: Client) -> None:
    heat = make_heats(event, 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table)
    write(sheet, {"kind": "hand", "phase": 1, "seat": 1, "category": "flush"})
    client.post(address(sheet, "correct_apply", 1), correction(sheet))
    sheet.refresh_from_db()
    assert sheet.state["scores"] == [0, 0, 5, 0]
    assert SheetEntry.objects.filter(sheet=sheet).count() == 2
    assert straight_flush(0)["kind"] == "hand"


def test_two_equal_lines_of_a_deal_say_their_phase(event: Event, client: Client) -> None:
    pair = {"kind": "hand", "seat": 0, "category": "pair"}
    heat = make_heats(event, 3).heats[0]
    sheet = play(heat, [{**pair, "phase": 1}, {**pair, "phase": 2}])
    page = text_of(client.get(address(sheet, "correct_sheet", 0)))
    assert "(phase 1)" in page
    assert "(phase 2)" in page
    assert "(phase 3)" not in page
