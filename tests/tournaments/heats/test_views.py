from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.draws.draw import shuffled
from engine.messages import entry_text, status_text
from scoring.errors import ScoringError
from scoring.models import FlipFlop, Link, Sheet, Table
from scoring.paper.data import Labels, printout
from scoring.reading.links import find_link, show_token
from scoring.reading.protocol import protocol_of
from scoring.writing import call_td, open_next_sheet, sign_off
from tests.scoring.web.phone import parts_of
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    play_game,
    play_heat,
    write,
)
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import HTMX, text_of, url
from tournaments.documents import BadDocument, event_document, import_event
from tournaments.heats.commands import close_heat, make_link, qualify, record_flip_flop
from tournaments.heats.queries.closing import going_on, went_on_text
from tournaments.heats.queries.links import current_link
from tournaments.models import Event, Heat, LogEntry, Qualification
from tournaments.models.enums import HeatStatus


@pytest.fixture
def heat(event: Event) -> Heat:
    """An open heat of four."""
    return make_heats(event, 4).heats[0]


def post_to(client: Client, heat: Heat, name: str, **data: object) -> object:
    return client.post(url(heat.event, name, number=heat.number), data, headers=HTMX)


def test_auditor_is_named(heat: Heat, director: Client) -> None:
    player = heat.entries.order_by("pk")[1].registration
    answer = post_to(director, heat, "heat_auditor", auditor=player.player_id)
    assert answer.status_code == 200
    heat.table.refresh_from_db()
    assert heat.table.auditor == player.player_id
    assert LogEntry.objects.filter(action="auditor_set").count() == 1


@pytest.mark.parametrize("who", ["999999", "x", "-1"])
def test_auditor_must_sit_at_the_table(heat: Heat, director: Client, who: str) -> None:
    answer = post_to(director, heat, "heat_auditor", auditor=who)
    assert answer.status_code == 422


def test_only_a_sheet_with_entries_can_be_corrected(heat: Heat, director: Client) -> None:
    address = url(heat.event, "heat_desk", number=heat.number)
    assert 'id="sheets-head"' not in text_of(director.get(address))
    play_heat(heat)
    assert 'id="sheets-head"' in text_of(director.get(address))


def test_a_link_is_made_shown_and_revoked(heat: Heat, director: Client) -> None:
    qr = url(heat.event, "heat_qr", number=heat.number)
    assert director.get(qr).status_code == 404
    post_to(director, heat, "heat_link")
    link = current_link(heat)
    assert link is not None
    token = show_token(link=link)
    page = text_of(director.get(url(heat.event, "heat_desk", number=heat.number)))
    assert f"/s/{token}/" in page
    picture = director.get(qr)
    assert picture["Content-Type"] == "image/svg+xml"
    assert picture.content.startswith(b"<svg xmlns=")
    assert b"style=" not in picture.content
    post_to(director, heat, "heat_link_revoke")
    assert director.get(qr).status_code == 404
    with pytest.raises(ScoringError):
        find_link(token=token)


@pytest.mark.parametrize(
    ("host", "warned"),
    [("127.0.0.1:8000", True), ("localhost", True), ("192.168.1.7:8000", False)],
)
def test_a_qr_code_that_no_phone_can_open_is_flagged(
    heat: Heat, director: Client, settings: Any, host: str, warned: bool
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    make_link(heat=heat, by=None)
    page = director.get(url(heat.event, "heat_desk", number=heat.number), headers={"Host": host})
    assert page.context["link_here_only"] is warned


def test_a_link_is_made_once_and_replaced_on_request(heat: Heat, director: Client) -> None:
    post_to(director, heat, "heat_link")
    post_to(director, heat, "heat_link")
    assert Link.objects.count() == 1
    post_to(director, heat, "heat_link", new="1")
    assert Link.objects.filter(revoked_at__isnull=True).count() == 1
    assert Link.objects.count() == 2


def test_the_table_can_be_changed_but_not_to_an_occupied_one(
    event: Event, director: Client
) -> None:
    first, second = make_heats(event, 8).heats
    post_to(director, first, "heat_table", table_number=7)
    first.refresh_from_db()
    assert first.table_number == 7
    answer = post_to(director, second, "heat_table", table_number=7)
    assert answer.status_code == 409
    assert codes_in(answer) == {"table_taken"}


@pytest.mark.parametrize("table", ["", "0", "-3", "x", "99999999999999999999"])
def test_bad_table_is_refused(heat: Heat, director: Client, table: str) -> None:
    answer = post_to(director, heat, "heat_table", table_number=table)
    assert answer.status_code == 422


def ruling(heat: Heat, **more: object) -> dict[str, object]:
    data: dict[str, object] = {
        "action": "points",
        "seat": 0,
        "points": 7,
        "reason": "miscounted",
        "game": 1,
        "version": 0,
        "client_id": uuid.uuid4(),
    }
    return data | more


def test_a_ruling_is_written_on_the_sheet_once(heat: Heat, director: Client) -> None:
    data = ruling(heat)
    post_to(director, heat, "heat_ruling", **data)
    post_to(director, heat, "heat_ruling", **data)
    sheet = Sheet.objects.get(table=heat.table, number=1)
    assert sheet.version == 1
    assert sheet.state["scores"][0] == 7


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"reason": ""}, 422),
        ({"points": ""}, 422),
        ({"seat": ""}, 422),
        ({"seat": 9}, 422),
        ({"action": "fly"}, 422),
        ({"game": ""}, 422),
        ({"version": "x"}, 422),
        ({"client_id": "x"}, 422),
        ({"version": 5}, 409),
    ],
)
def test_bad_ruling_keeps_what_was_typed(
    heat: Heat, director: Client, change: dict[str, object], status: int
) -> None:
    answer = post_to(director, heat, "heat_ruling", **ruling(heat, **change))
    assert answer.status_code == status
    if change.get("reason") != "":
        assert "miscounted" in text_of(answer)
    assert Sheet.objects.get(table=heat.table, number=1).version == 0


def test_a_ruling_is_not_written_on_another_game_than_shown(heat: Heat, director: Client) -> None:
    first = Sheet.objects.get(table=heat.table, number=1)
    play_game(first)
    second = open_next_sheet(table_id=heat.table_id or 0, by="test")
    live = reverse("tournaments:heat_desk_live", args=[heat.event.slug, heat.number])
    for shown, gone_on in (("1", True), ("2", False)):
        said = director.get(live, {"ruling": shown}, headers=HTMX).text
        beside = said.partition('id="ruling-now"')[2].partition("<div")[0]
        assert ("tag-amber" in beside) is gone_on
    # A page without the form has no place for it.
    assert "ruling-now" not in director.get(live, headers=HTMX).text
    answer = post_to(director, heat, "heat_ruling", **ruling(heat))
    assert codes_in(answer) == {"other_game"}
    form = answer.context["ruling_form"]
    assert [form[name].value() for name in ("game", "seat", "reason")] == ["2", "", "miscounted"]
    again = ruling(heat, game=2, client_id=form["client_id"].value())
    assert post_to(director, heat, "heat_ruling", **again).status_code == 200
    second.refresh_from_db()
    assert second.state["scores"][0] == 7


def test_an_illegal_ruling_says_why(heat: Heat, director: Client) -> None:
    post_to(director, heat, "heat_ruling", **ruling(heat, action="disqualify"))
    answer = post_to(director, heat, "heat_ruling", **ruling(heat, version=1))
    assert answer.status_code == 409
    assert heat.entries.first() is not None


def test_the_director_has_a_deal_redealt(heat: Heat, director: Client, client: Client) -> None:
    sheet = Sheet.objects.get(table=heat.table, number=1)
    write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "straight"})
    data = ruling(heat, action="redeal", seat="", points="", reason="five aces", version=1)
    assert post_to(director, heat, "heat_ruling", **data).status_code == 200
    sheet.refresh_from_db()
    assert (sheet.state["scores"], sheet.state["deal"], sheet.state["phase"]) == ([0] * 4, 0, 1)
    sentence = entry_text({"kind": "ruling", "action": "redeal", "reason": "five aces"}, "en", [])
    assert sentence in parts_of(client, scoring_page(heat))["rulings"]
    again = ruling(heat, action="redeal", seat="", points="", version=2)
    assert post_to(director, heat, "heat_ruling", **again).status_code == 409


def test_the_director_lets_a_player_miss_the_next_deal(
    heat: Heat, director: Client, client: Client
) -> None:
    sheet = Sheet.objects.get(table=heat.table, number=1)
    write(sheet, {"kind": "none", "phase": 1})
    data = ruling(heat, action="sit_out_next_deal", seat=2, points="", version=1)
    assert post_to(director, heat, "heat_ruling", **data).status_code == 200
    next_words, now_words = (status_text(key) for key in ("sitting_out_next", "sitting_out"))
    read = f"{scoring_page(heat)}read/"
    page = client.get(read).content.decode()
    assert (f">{next_words}<" in page, f">{now_words}<" in page) == (True, False)
    write(
        sheet,
        {"kind": "none", "phase": 2},
        {"kind": "last_trick", "seat": 2},
        {"kind": "none", "phase": 3},
    )
    assert sheet.state["sitting_out"] == [False, False, True, False]
    page = client.get(read).content.decode()
    assert (f">{next_words}<" in page, f">{now_words}<" in page) == (False, True)


def scoring_page(heat: Heat) -> str:
    return reverse("scoring:table_detail", args=[show_token(link=make_link(heat=heat, by=None))])


def test_call_is_shown_and_cleared(heat: Heat, director: Client) -> None:
    call_td(table_id=heat.table_id or 0, reason="two aces of spades")
    page = text_of(director.get(url(heat.event, "heat_desk", number=heat.number)))
    assert "two aces of spades" in page
    assert "two aces" in text_of(director.get(url(heat.event, "desk")))
    shown = Table.objects.get(pk=heat.table_id).call_mark
    call_td(table_id=heat.table_id or 0, reason="a card too many")
    old = post_to(director, heat, "heat_call_clear", call=shown)
    assert codes_in(old) == {"called_again"}
    assert "two aces" in text_of(director.get(url(heat.event, "desk")))
    now = Table.objects.get(pk=heat.table_id).call_mark
    post_to(director, heat, "heat_call_clear", call=now)
    assert "two aces" not in text_of(director.get(url(heat.event, "desk")))
    post_to(director, heat, "heat_call_clear", call=now)
    # Called again, and an old page's button comes late.
    call_td(table_id=heat.table_id or 0, reason="a fight")
    assert codes_in(post_to(director, heat, "heat_call_clear", call=now)) == {"called_again"}
    assert Table.objects.get(pk=heat.table_id).call_since is not None
    answered = LogEntry.objects.get(action="call_answered").before["reason"]
    assert answered.splitlines() == ["two aces of spades", "a card too many"]


def test_closing_lets_the_best_go_on(heat: Heat, director: Client) -> None:
    early = post_to(director, heat, "heat_close")
    assert early.status_code == 409
    assert codes_in(early) == {"games_unfinished"}
    play_heat(heat)
    answer = post_to(director, heat, "heat_close")
    assert "Qualified: " in text_of(answer)
    assert Qualification.objects.count() == 1
    desk = director.get(url(heat.event, "heat_desk", number=heat.number)).content.decode()
    assert not re.search(r'class="tag">\s*</span>', desk), "the winner's mark is empty"
    again = post_to(director, heat, "heat_close")
    assert again.status_code == 409
    assert Qualification.objects.count() == 1


def test_the_director_chooses_who_goes_on_if_the_winner_has_qualified_already(
    heat: Heat, director: Client
) -> None:
    winner, other, *_rest = (row.registration for row in heat.entries.order_by("pk"))
    qualify(registration=winner, heat=finished_heat(heat.event, 3), by=None)
    play_heat(heat, winner)
    desk = text_of(director.get(url(heat.event, "heat_desk", number=heat.number)))
    assert f"instead-of_{winner.player_id}" in desk
    assert f'value="{other.player_id}" selected' in desk
    refused = post_to(
        director, heat, "heat_close", **{f"instead-of_{winner.player_id}": other.player_id}
    )
    assert refused.status_code == 422
    post_to(
        director,
        heat,
        "heat_close",
        **{f"instead-of_{winner.player_id}": other.player_id, "instead-reason": "the next"},
    )
    assert heat.qualifications.get().registration == other
    assert LogEntry.objects.get(action="heat_closed", heat_number=heat.number).reason == "the next"


def test_page_and_protocol_mark_who_goes_on_instead(heat: Heat, client: Client) -> None:
    winner, other, *_rest = (row.registration for row in heat.entries.order_by("pk"))
    qualify(registration=winner, heat=finished_heat(heat.event, 3), by=None)
    play_heat(heat, winner)
    close_heat(heat=heat, by=None, instead=[other.player_id], reason="the next")
    both = {winner.player_id, other.player_id}
    page = client.get(url(heat.event, "heat", number=heat.number))
    assert page.text.count('class="goes-on"') == len(both)
    heat.refresh_from_db()
    said = going_on(heat, {winner.player_id: "the winner"})
    assert said[winner.player_id] == went_on_text(heat)
    assert "the winner" in said[other.player_id]
    printed = printout(protocol_of(heat.table_id or 0), Labels())
    assert {row.player_id for row in printed.ranking if row.advances} == both


def test_the_director_may_let_nobody_go_on_with_a_reason(heat: Heat, director: Client) -> None:
    winner = heat.entries.order_by("pk")[0].registration
    qualify(registration=winner, heat=finished_heat(heat.event, 3), by=None)
    play_heat(heat, winner)
    silent = post_to(director, heat, "heat_close")
    assert silent.status_code == 422
    heat.refresh_from_db()
    assert heat.status == "open"
    said = {f"instead-of_{winner.player_id}": "", "instead-reason": "two went home"}
    post_to(director, heat, "heat_close", **said)
    heat.refresh_from_db()
    assert heat.status == "finished"
    assert not heat.qualifications.exists()
    row = LogEntry.objects.get(action="heat_closed", heat_number=heat.number)
    assert row.reason == "two went home"


def test_a_sign_off_does_not_close_a_heat_whose_winner_has_qualified_already(
    heat: Heat, director: Client
) -> None:
    winner = heat.entries.order_by("pk")[0].registration
    qualify(registration=winner, heat=finished_heat(heat.event, 3), by=None)
    play_heat(heat, winner)
    sign_off(table_id=heat.table_id or 0, by="test")
    heat.refresh_from_db()
    assert heat.status == "open"
    desk = text_of(director.get(url(heat.event, "heat_desk", number=heat.number)))
    assert f"instead-of_{winner.player_id}" in desk


def test_after_the_sign_off_the_auditors_page_links_onwards(heat: Heat, client: Client) -> None:
    token = show_token(link=make_link(heat=heat, by=None))
    page = reverse("scoring:table_detail", args=[token])
    on = f'href="{url(heat.event, "heat", number=1)}"'
    play_heat(heat)
    assert on not in "".join(parts_of(client, page).values())
    sign_off(table_id=heat.table_id or 0, by="test")
    assert on in "".join(parts_of(client, page).values())


def tie(director: Client) -> Heat:
    """Return a played heat of three whose best two are completely tied."""
    from tests.tournaments.factories import straight_flush, write

    event = make_event(slug="tied", games_per_heat=2)
    make_players(event, 3)
    heat = make_heats_of(event)
    player_ids = [entry.registration.player_id for entry in heat.entries.order_by("pk")]
    for number, best in ((1, player_ids[0]), (2, player_ids[1])):
        sheet = Sheet.objects.get(table=heat.table, number=number)
        if number == 2:
            from scoring.writing import open_next_sheet

            sheet = open_next_sheet(table_id=heat.table_id or 0, by="test")
        other = player_ids[1] if best == player_ids[0] else player_ids[0]
        write(
            sheet,
            {"kind": "hand", "phase": 1, "seat": sheet.seats.index(other), "category": "pair"},
            straight_flush(sheet.seats.index(best), 2),
        )
    return heat


def make_heats_of(event: Event) -> Heat:
    from tournaments.draws.commands.drafts import draw_heats

    return draw_heats(event=event, by=None, seed="tie").heats[0]


def test_a_tie_over_the_line_asks_for_a_flip_flop(db: None) -> None:
    from tests.tournaments.conftest import client_of
    from tournaments.models.enums import Role

    heat = tie(Client())
    client = client_of(heat.event, Role.DIRECTOR)
    refused = post_to(client, heat, "heat_close")
    assert refused.status_code == 409
    assert codes_in(refused) == {"needs_flip_flop"}
    page = text_of(client.get(url(heat.event, "heat_desk", number=heat.number)))
    assert url(heat.event, "heat_flip_flop", number=heat.number) in page
    player_ids = [entry.registration.player_id for entry in heat.entries.order_by("pk")][:2]
    same = post_to(
        client,
        heat,
        "heat_flip_flop",
        **{f"tie0-place_{player_id}": "1" for player_id in player_ids},
    )
    assert same.status_code == 422
    data = {f"tie0-place_{player_ids[0]}": "2", f"tie0-place_{player_ids[1]}": "1"}
    assert post_to(client, heat, "heat_flip_flop", **data).status_code == 200
    post_to(client, heat, "heat_close")
    assert Qualification.objects.get().registration.player_id == player_ids[1]
    reasons = list(heat.results.order_by("order").values_list("decided_by", flat=True))
    assert reasons[0] == "flip_flop"
    public = text_of(Client().get(url(heat.event, "heat", number=heat.number)))
    assert "Flip Flop: " in public


def test_the_program_draws_lots_instead_of_a_flip_flop(db: None) -> None:
    from tests.tournaments.conftest import client_of
    from tournaments.models.enums import Role

    heat = tie(Client())
    director = client_of(heat.event, Role.DIRECTOR)
    post_to(director, heat, "heat_flip_flop", lots="1")
    drawn = FlipFlop.objects.get(table=heat.table)
    assert drawn.order == shuffled(drawn.seed or "", "flip flop", sorted(drawn.order))
    assert LogEntry.objects.get(action="flip_flop").after["seed"] == drawn.seed
    assert drawn.seed in text_of(director.get(url(heat.event, "heat", number=heat.number)))


def test_lots_survive_export_and_import(db: None) -> None:
    heat = tie(Client())
    order = [entry.registration.player_id for entry in heat.entries.order_by("pk")][:2]
    record_flip_flop(heat=heat, order=order, by=None, lots=True)
    document = event_document(heat.event)
    made = import_event({**document, "slug": "again"})
    assert {**event_document(made), "slug": document["slug"]} == document
    drawn = FlipFlop.objects.get(table=heat.table)
    assert FlipFlop.objects.exclude(pk=drawn.pk).get().seed == drawn.seed
    (stage,) = document["stages"]
    stage["heats"][0]["flip_flops"][0].reverse()
    with pytest.raises(BadDocument, match="seed"):
        import_event({**document, "slug": "once-more"})


def test_the_director_records_the_flip_flop_of_a_signed_table(db: None) -> None:
    from scoring.writing import sign_off
    from tests.tournaments.conftest import client_of
    from tournaments.models.enums import Role

    heat = tie(Client())
    sign_off(table_id=heat.table_id or 0, by="test")
    client = client_of(heat.event, Role.DIRECTOR)
    player_ids = [entry.registration.player_id for entry in heat.entries.order_by("pk")][:2]
    data = {f"tie0-place_{player_ids[0]}": "2", f"tie0-place_{player_ids[1]}": "1"}
    assert post_to(client, heat, "heat_flip_flop", **data).status_code == 200


def test_an_unneeded_flip_flop_is_refused(heat: Heat, director: Client) -> None:
    answer = post_to(director, heat, "heat_flip_flop")
    assert answer.status_code == 409


def test_voiding_needs_a_reason(heat: Heat, director: Client) -> None:
    assert post_to(director, heat, "heat_void").status_code == 422
    post_to(director, heat, "heat_void", **{"void-reason": "wrong cards"})
    heat.refresh_from_db()
    assert heat.status == HeatStatus.VOID
    page = text_of(director.get(url(heat.event, "heat_desk", number=heat.number)))
    assert "wrong cards" in page
    again = post_to(director, heat, "heat_void", **{"void-reason": "again"})
    assert again.status_code == 409


def test_a_closed_heat_refuses_everything(heat: Heat, director: Client) -> None:
    play_heat(heat)
    post_to(director, heat, "heat_close")
    for name in ("heat_auditor", "heat_table", "heat_link", "heat_ruling", "heat_void"):
        data = {"auditor": "", "table_number": 3, "void-reason": "x", "new": "1"}
        answer = post_to(director, heat, name, **data)
        # Removing an Auditor who is not set changes nothing, and is accepted.
        assert answer.status_code == 409, name


def test_a_voided_heats_link_is_revoked(heat: Heat, director: Client) -> None:
    token = show_token(link=make_link(heat=heat, by=None))
    post_to(director, heat, "heat_void", **{"void-reason": "wrong cards"})
    with pytest.raises(ScoringError):
        find_link(token=token)
