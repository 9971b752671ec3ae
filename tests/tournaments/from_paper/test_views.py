"""Sheets from paper through the pages: totals, deal by deal, compared."""

from __future__ import annotations

import json
import re
import uuid
from html import unescape
from typing import Any

import jsonschema
import pytest
from django.test import Client
from django.urls import reverse

from engine.cli.schemas import schema
from scoring.errors import ScoringError
from scoring.models import Sheet, Table
from scoring.reading.check import verify_sheet
from scoring.reading.links import show_token
from scoring.writing import create_link, take_lease, write_entry
from tests.scoring.web.phone import refused, tapped, told_by
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_member, straight_flush, write
from tests.tournaments.html_forms import form_to, form_with
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.documents import event_document, import_event
from tournaments.from_paper.commands import compare_as_player
from tournaments.heats.checks import check_heat
from tournaments.heats.commands import close_heat
from tournaments.models import Event, Heat, HeatResult, LogEntry, Registration
from tournaments.models.enums import LogAction, Role
from tournaments.registration.commands.pins import WRONG_PINS, choose_pin
from tournaments.registration.queries.player_links import token_of
from tournaments.verify.checks import verify

#: What the form that voids the totals sends besides the reason.
KEPT = ("version", "client_id")
SCHEMA = jsonschema.Draft202012Validator(schema("event"))


@pytest.fixture
def event(db: None) -> Event:
    return make_event(slug="fest", name="Festival", games_per_heat=1, playoff_games=1)


@pytest.fixture
def heat(event: Event) -> Heat:
    return make_heats(event, 4).heats[0]


@pytest.fixture
def client(event: Event) -> Client:
    """A browser of the floor staff."""
    return client_of(event, Role.FLOOR)


def address(heat: Heat, name: str, game: int = 1) -> str:
    return url(heat.event, f"paper_{name}", number=heat.number, game=game)


def sheet_of(heat: Heat, game: int = 1) -> Sheet:
    return Sheet.objects.get(table=heat.table, number=game)


def typed(client: Client, heat: Heat, **more: Any) -> dict[str, Any]:
    """Return the filled totals form: seat 0 wins at 53 with a Chicago."""
    form = dict(form_with(client.get(address(heat, "sheet")).text, "win"))
    scores = {f"score_{seat}": score for seat, score in enumerate((53, 31, 12, 40))}
    return form | scores | {"executed_0": "on", "win": "target", "winner": ["0"]} | more


def enter(client: Client, heat: Heat, **more: Any) -> Any:
    return client.post(address(heat, "enter"), typed(client, heat, **more))


def compared(client: Client, heat: Heat, **more: Any) -> Any:
    to = address(heat, "compared")
    return client.post(to, dict(form_to(client.get(address(heat, "sheet")).text, to)) | more)


def test_the_preview_shows_places_and_writes_nothing(client: Client, heat: Heat) -> None:
    answer = client.post(address(heat, "preview"), typed(client, heat))
    assert answer.status_code == 200
    rows = answer.context["game_rows"]
    assert [(row.after[0], row.after[1]) for row in rows] == [(53, 1), (40, 2), (31, 3), (12, 4)]
    assert sheet_of(heat).version == 0


def test_entered_totals_rank_and_are_logged(client: Client, heat: Heat) -> None:
    assert enter(client, heat).status_code == 303
    sheet = sheet_of(heat)
    assert (sheet.status, sheet.state["scores"]) == ("finished", [53, 31, 12, 40])
    places = HeatResult.objects.filter(heat=heat).order_by("place").values_list("score_points")
    assert [score for (score,) in places] == [53, 40, 31, 12]
    assert LogEntry.objects.filter(action=LogAction.PAPER_ENTERED).count() == 1
    assert not list(check_heat(heat=heat))
    assert verify_sheet(sheet_id=sheet.pk)[1]


def test_the_heats_page_offers_only_what_there_is_to_do(event: Event, heat: Heat) -> None:
    page = url(event, "heat_desk", number=heat.number)
    director, floor = client_of(event, Role.DIRECTOR), client_of(event, Role.FLOOR)
    assert 'id="does"' in text_of(floor.get(page))
    assert enter(floor, heat).status_code == 303
    # Totals have no lines to correct, and no game runs from which a player could be missing.
    assert 'id="does"' in text_of(director.get(page))
    assert 'id="sheets-head"' not in text_of(director.get(page))
    # Nor can anybody still come late.
    assert 'id="do-players"' not in text_of(director.get(page))
    assert "#does" not in text_of(floor.get(page))
    assert 'id="does"' not in text_of(floor.get(page))


def test_impossible_totals_are_explained_beside_their_seat(client: Client, heat: Heat) -> None:
    form = typed(client, heat)
    del form["executed_0"]
    answer = client.post(address(heat, "preview"), form)
    assert answer.status_code == 409
    assert list(answer.context["form"].errors) == ["score_0"]
    assert answer.context["form"]["score_1"].value() == "31"


def test_a_winner_is_required_unless_time_was_up(client: Client, heat: Heat) -> None:
    answer = client.post(address(heat, "preview"), typed(client, heat, winner=[]))
    assert list(answer.context["form"].errors) == ["winner"]
    time_up = {"win": "ended", "winner": [], "score_0": 44}
    assert client.post(address(heat, "preview"), typed(client, heat, **time_up)).status_code == 200


def test_a_sheet_already_begun_needs_a_reason(client: Client, heat: Heat) -> None:
    write(sheet_of(heat), {"kind": "hand", "phase": 1, "seat": 1, "category": "flush"})
    assert list(enter(client, heat).context["form"].errors) == ["reason"]
    assert enter(client, heat, reason="the phone died").status_code == 303
    log = LogEntry.objects.get(action=LogAction.CORRECTED)
    assert log.reason == "the phone died"


def test_totals_sent_twice_are_entered_once(client: Client, heat: Heat) -> None:
    form = typed(client, heat)
    client.post(address(heat, "enter"), form)
    client.post(address(heat, "enter"), form)
    assert sheet_of(heat).version == 1


def test_the_second_person_is_another_account(event: Event, client: Client, heat: Heat) -> None:
    enter(client, heat)
    assert compared(client, heat).status_code == 409
    with pytest.raises(Exception, match="compare") as error:
        close_heat(heat=heat, by=make_member(event, Role.DIRECTOR))
    assert getattr(error.value, "code", "") == "paper_unchecked"
    # The table's own button says so, too.
    table = heat.table
    assert table is not None
    link = create_link(table_id=table.pk, role="auditor", by="test")
    told = told_by(client, f"/s/{show_token(link=link)}/")
    unchecked = ScoringError("paper_unchecked", game=1).message()
    assert told["document"]["waits"] == unchecked
    assert unchecked in unescape(told["parts"]["sign-off"]["html"])
    assert compared(client_of(event, Role.DIRECTOR), heat).status_code == 303
    waits = told_by(client, f"/s/{show_token(link=link)}/")["document"]["waits"]
    assert waits != unchecked
    assert check_heat(heat=heat) == []
    assert close_heat(heat=heat, by=make_member(event, Role.DIRECTOR))


def player_in(heat: Heat, seat: int) -> Registration:
    return heat.event.registrations.get(number=int(sheet_of(heat).seats[seat]))


def with_pin(heat: Heat, seat: int) -> str:
    player = player_in(heat, seat)
    choose_pin(registration=player, pin="2580")
    return player.player_id


def test_nobody_compares_for_a_player(client: Client, heat: Heat) -> None:
    enter(client, heat)
    with_pin(heat, 1)
    for seat, pin in ((2, "2580"), (1, ""), (1, "2581")):
        answer = compared(client, heat, player=sheet_of(heat).seats[seat], pin=pin)
        assert answer.status_code in {409, 422}
    assert not LogEntry.objects.filter(action=LogAction.PAPER_COMPARED).exists()


def test_a_player_compares_with_a_pin(client: Client, heat: Heat) -> None:
    enter(client, heat)
    player = with_pin(heat, 2)
    assert compared(client, heat, player=player, pin="2580").status_code == 303
    assert LogEntry.objects.get(action=LogAction.PAPER_COMPARED).after["player"] == player


def test_wrong_pins_count_in_a_form_that_is_taken_once(client: Client, heat: Heat) -> None:
    enter(client, heat)
    player = with_pin(heat, 2)
    for number in range(WRONG_PINS):
        compared(client, heat, player=player, pin="2581", once=f"{number}")
    compared(client, heat, player=player, pin="2580", once="right")
    assert not LogEntry.objects.filter(action=LogAction.PAPER_COMPARED).exists()


def test_a_player_compares_on_the_own_page(client: Client, heat: Heat) -> None:
    enter(client, heat)
    player = player_in(heat, 2)
    own = reverse("tournaments:player_page", args=[token_of(player)])
    # Who won is part of what is compared.
    assert f'<p class="quiet">{player_in(heat, 0).person} ' in text_of(Client().get(own))
    form = form_to(Client().get(own).text, f"{own}compared/")
    answers = [Client().post(f"{own}compared/", form) for _twice in range(2)]
    assert {answer.status_code for answer in answers} == {303}
    row = LogEntry.objects.get(action=LogAction.PAPER_COMPARED)
    assert (row.after["player"], row.user) == (player.player_id, None)
    assert close_heat(heat=heat, by=make_member(heat.event, Role.DIRECTOR))


def test_the_auditor_does_not_compare_what_the_phone_has_written(
    client: Client, heat: Heat
) -> None:
    form = dict(form_with(client.get(address(heat, "sheet")).text, "version"))
    client.post(address(heat, "deals"), form)
    sheet = sheet_of(heat)
    write_entry(
        sheet_id=sheet.pk,
        client_id=uuid.uuid4(),
        seen_version=sheet.version,
        entry=straight_flush(1, 1),
        author=create_link(table_id=heat.table_id or 0, role="auditor", by="test"),
        confirmed=True,
    )
    auditor, other = player_in(heat, 1), player_in(heat, 2)
    Table.objects.filter(pk=heat.table_id).update(auditor=auditor.player_id)
    sheet.refresh_from_db()
    values = {"game": 1, "seen_version": sheet.version}
    with pytest.raises(ScoringError) as error:
        compare_as_player(player=auditor, client_id=uuid.uuid4(), **values)
    assert error.value.code == "same_person"
    compare_as_player(player=other, client_id=uuid.uuid4(), **values)


def test_the_pen_is_not_taken_from_a_writing_phone_unasked(client: Client, heat: Heat) -> None:
    link = create_link(table_id=heat.table_id or 0, role="auditor", by="test")
    asked = "data-confirm"
    page = form_in(client, heat)
    assert asked not in page
    take_lease(sheet_id=sheet_of(heat).pk, device="a phone", author=link)
    page = form_in(client, heat)
    assert asked in page
    client.post(address(heat, "deals"), dict(form_with(page, "version")))
    # The device that writes already goes on unasked.
    assert asked not in form_in(client, heat)


def form_in(client: Client, heat: Heat) -> str:
    return text_of(client.get(address(heat, "sheet")))


def test_entries_deal_by_deal_are_attributed_to_the_account(client: Client, heat: Heat) -> None:
    form = dict(form_with(client.get(address(heat, "sheet")).text, "version"))
    answer = client.post(address(heat, "deals"), form)
    told = told_by(client, answer["Location"])
    assert told["document"]["writes"]
    flush = {"kind": "hand", "phase": 1, "seat": 1, "category": "flush"}
    last = told["lines"]["1"][-1]["id"]
    assert not refused(
        tapped(client, answer["Location"], "entry", game=1, entry=flush, follows=last)
    )
    row = sheet_of(heat).entries.get(sequence=2)
    assert row.author_user is not None
    assert row.author_link is None


def test_who_keeps_the_score_by_the_link_writes_as_the_link_though_signed_in(
    client: Client, heat: Heat
) -> None:
    link = create_link(table_id=heat.table_id or 0, role="auditor", by="test")
    path = reverse("scoring:table_detail", args=[show_token(link=link)])
    last = None
    for phase in (1, 2):
        pair = {"kind": "hand", "phase": phase, "seat": 1, "category": "pair"}
        [last] = tapped(client, path, "entry", game=1, entry=pair, follows=last)["took"]
    rows = sheet_of(heat).entries.order_by("sequence")
    assert [(row.author_link, row.author_user) for row in rows] == [(link, None), (link, None)]


def test_only_the_director_may_change_a_closed_heat(
    event: Event, client: Client, heat: Heat
) -> None:
    write(sheet_of(heat), straight_flush(1, 1))
    close_heat(heat=heat, by=None)
    assert client.get(address(heat, "sheet")).status_code == 403
    director = client_of(event, Role.DIRECTOR)
    form = typed(director, heat, reason="the phone's sheet was another table's")
    answer = director.post(address(heat, "preview"), form)
    assert (len(answer.context["lost"]), len(answer.context["won"])) == (1, 1)
    assert director.post(address(heat, "enter"), form | {"seen": answer.context["seen"]})
    assert sheet_of(heat).state["scores"][0] == 53
    heat.refresh_from_db()
    assert heat.status == "finished"


def test_an_event_with_paper_sheets_survives_export_and_import(client: Client, heat: Heat) -> None:
    enter(client, heat)
    compared(client_of(heat.event, Role.DIRECTOR), heat)
    close_heat(heat=heat, by=None)
    document = event_document(heat.event)
    game = document["stages"][0]["heats"][0]["games"][0]
    assert (game["format"], game["meta"]["paper"]) == ("chicago-totals", {"checked": True})
    SCHEMA.validate(json.loads(json.dumps(event_document(heat.event, history=True))))
    again = import_event(document, slug="again")
    assert event_document(again) | {"slug": "fest"} == document


def test_a_paper_sheet_entered_deal_by_deal_survives_too(client: Client, heat: Heat) -> None:
    form = dict(form_with(client.get(address(heat, "sheet")).text, "version"))
    client.post(address(heat, "deals"), form)
    sheet = sheet_of(heat)
    write(sheet, straight_flush(1, 1))
    document = event_document(heat.event)
    again = import_event(document, slug="again")
    assert event_document(again) | {"slug": "fest"} == document


def test_every_page_can_show_a_game_of_totals(event: Event, client: Client, heat: Heat) -> None:
    enter(client, heat)
    director = client_of(event, Role.DIRECTOR)
    for name in ("heat", "heat_live", "heat_desk", "heat_desk_live", "protocol_pdf"):
        answer = director.get(url(event, name, number=heat.number))
        assert answer.status_code == 200, name
        if name != "protocol_pdf":
            assert "tag-amber" in answer.text, name
    for name in ("event", "standings", "player_standings", "floor_now", "verification", "desk"):
        assert director.get(url(event, name)).status_code == 200, name
    token = token_of(event.registrations.get(number=int(sheet_of(heat).seats[0])))
    page = reverse("tournaments:player_page", args=[token])
    assert Client().get(page, follow=True).status_code == 200
    link = create_link(table_id=heat.table_id or 0, role="reader", by="test")
    table = Client().get(reverse("scoring:table_detail", args=[show_token(link=link)]))
    assert table.context["page"].game.from_paper is not None
    assert verify(event) == []


def test_starting_deal_by_deal_twice_is_logged_once(client: Client, heat: Heat) -> None:
    form = dict(form_with(client.get(address(heat, "sheet")).text, "version"))
    paths = {client.post(address(heat, "deals"), form)["Location"] for _time in range(2)}
    assert len(paths) == 1
    assert LogEntry.objects.filter(action=LogAction.PAPER_ENTERED).count() == 1
    assert sheet_of(heat).version == 1


def take_back(client: Client, heat: Heat, name: str = "take_back", **more: Any) -> Any:
    page = client.get(address(heat, "sheet")).text
    [part] = [part for part in page.split("<form") if "paper/back/preview/" in part[:300]]
    form = {key: re.findall(rf'name="{key}" value="([^"]*)"', part)[0] for key in KEPT}
    return client.post(address(heat, name), form | {"reason": "another table's paper"} | more)


def test_totals_are_voided_with_a_reason(client: Client, heat: Heat) -> None:
    write(sheet_of(heat), {"kind": "hand", "phase": 1, "seat": 1, "category": "flush"})
    enter(client, heat, reason="the phone died")
    assert list(take_back(client, heat, reason="").context["back_form"].errors) == ["reason"]
    looked = take_back(client, heat, "back_preview")
    assert [row.after[0] for row in looked.context["game_rows"]] != [53, 40, 31, 12]
    assert sheet_of(heat).status == "finished"
    assert take_back(client, heat).status_code == 303
    # The entries before them count again, and the game goes on.
    sheet = sheet_of(heat)
    assert (sheet.status, sheet.state["scores"]) == ("running", [0, 5, 0, 0])
    assert not HeatResult.objects.filter(heat=heat, score_points=53).exists()
    log = LogEntry.objects.filter(action=LogAction.CORRECTED).latest("pk")
    assert (log.reason, log.after["kind"]) == ("another table's paper", "void")
    assert verify_sheet(sheet_id=sheet.pk)[1]
    # The game is no longer from paper, so nobody has to compare it.
    write(sheet, straight_flush(1, 2))
    assert close_heat(heat=heat, by=None)
    game = event_document(heat.event)["stages"][0]["heats"][0]["games"][0]
    assert "paper" not in game["meta"]


def test_only_totals_can_be_voided_here(client: Client, heat: Heat) -> None:
    answer = client.post(address(heat, "take_back"), {"reason": "x"})
    assert answer.status_code == 303
    assert sheet_of(heat).version == 0


def test_the_floor_marks_a_game_from_paper(client: Client, heat: Heat) -> None:
    def marks() -> list[tuple[int, bool]]:
        page = client.get(url(heat.event, "floor_now"))
        [card] = page.context["floor"].cards
        assert page.text.count("from-paper") == len(card.from_paper)
        return list(card.from_paper)

    assert marks() == []
    enter(client, heat)
    assert marks() == [(1, False)]
    compared(client_of(heat.event, Role.DIRECTOR), heat)
    assert marks() == [(1, True)]
    take_back(client, heat)
    assert marks() == []


@pytest.mark.parametrize("does", ["preview", "enter"])
def test_the_second_of_two_typists_reads_who_was_first_and_what_differs(
    client: Client, event: Event, heat: Heat, does: str
) -> None:
    second = client_of(event, Role.FLOOR)
    late = typed(second, heat, score_1="13", asterisks_0="2")
    del late["executed_0"]
    assert enter(client, heat).status_code == 303
    page = second.post(address(heat, does), late)
    assert page.status_code in (409, 422)
    found = page.context["meanwhile"]
    mark = LogEntry.objects.get(action=LogAction.PAPER_ENTERED)
    assert found.by == mark.actor
    figures = [re.findall(r"\d+", text.partition(":")[2]) for text in found.differences]
    # The circle of seat 0 and its asterisks, and the score of seat 1.
    assert figures == [[], ["0", "2"], ["31", "13"]]
    assert page.context["form"]["score_1"].value() == "13"
    assert sheet_of(heat).state["scores"] == [53, 31, 12, 40]


def test_two_typists_of_the_same_figures_read_that_all_is_well(
    client: Client, event: Event, heat: Heat
) -> None:
    second = client_of(event, Role.FLOOR)
    late = typed(second, heat)
    enter(client, heat)
    assert second.post(address(heat, "enter"), late).context["meanwhile"].differences == ()
    # Whoever has seen what is there replaces it.
    assert second.post(address(heat, "enter"), typed(second, heat)).context["meanwhile"] is None
