"""What players do on their own page: accept results, object to a deal, enter again."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import identify_hasher
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from engine.messages import status_text
from scoring.enums import LinkRole
from scoring.models import GameAcceptance, Objection, Sheet
from scoring.reading.links import show_token
from scoring.reading.protocol import protocol_of
from scoring.writing import (
    answer_objection,
    create_link,
    declare_chicago,
    open_next_sheet,
    record_flip_flop,
)
from tests.scoring.factories import ruling, write
from tests.scoring.web.phone import parts_of, refused, tapped, told_by
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_member,
    make_players,
    play_game_now,
    play_heat,
)
from tests.tournaments.heats.test_table_cards import gone
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_player_page import page
from tournaments.core.names import registration_name
from tournaments.events.commands.events import change_event
from tournaments.heats.commands import CONTESTED, close_heat, set_auditor
from tournaments.heats.queries.cards import Need
from tournaments.models import Event, Heat, LogEntry, Registration
from tournaments.models.enums import HeatStatus, LogAction, Role

pytestmark = pytest.mark.django_db


def players_of(heat: Heat) -> list[Registration]:
    entries = heat.entries.select_related("registration__event", "registration__person")
    return [entry.registration for entry in entries.order_by("pk")]


@pytest.fixture
def asking() -> Event:
    """An event in which all other players must accept, with games of one entry."""
    return make_event(slug="fest", acceptance="all", games_per_heat=1)


@pytest.fixture
def heat(asking: Event) -> Heat:
    """A heat whose only game is over; the first player is the Auditor."""
    heat = make_heats(asking, 4).heats[0]
    assert heat.table is not None
    heat.table.auditor = players_of(heat)[0].player_id
    heat.table.save(update_fields=["auditor"])
    return play_heat(heat)


def seen(heat: Heat) -> str:
    return f"1:{Sheet.objects.get(table=heat.table, number=1).version}"


def link(heat: Heat, role: LinkRole = LinkRole.AUDITOR) -> str:
    made = create_link(table_id=heat.table_id or 0, role=role, by="test")
    return f"/s/{show_token(link=made)}/"


def accept(client: Client, player: Registration, heat: Heat) -> None:
    client.post(page(player, "player_page_accept"), {"seen": seen(heat)})


def test_every_other_player_accepts_and_the_heat_closes(heat: Heat, client: Client) -> None:
    _auditor, *others = players_of(heat)
    table = link(heat)
    take_pen(client, heat)
    for player in others:
        assert refused(tapped(client, table, "sign")) == "not_accepted"
        shown = client.get(page(player)).context["own"].table
        assert [game.number for game in shown.to_accept] == [1]
        accept(client, player, heat)
        assert client.get(page(player)).context["own"].table.to_accept == ()
    assert tapped(client, table, "sign")["took"]
    heat.refresh_from_db()
    assert heat.status == HeatStatus.FINISHED
    said = client.get(reverse("tournaments:heat", args=["fest", heat.number])).text
    for player in players_of(heat):
        assert f"✓ {player.person}" in said


@pytest.fixture
def unnamed(asking: Event) -> Heat:
    """A heat whose only game is over; nobody is its Auditor."""
    return play_heat(make_heats(asking, 4).heats[0])


def phone_of(player: Registration) -> Client:
    """Return a phone on which the player has opened the table from their own page."""
    phone = Client()
    assert phone.post(page(player, "player_page_score")).status_code == 302
    return phone


def phone_with_code(heat: Heat) -> Client:
    heat.refresh_from_db()
    phone = Client()
    path = reverse("tournaments:room_table", args=["fest", heat.table_number])
    assert phone.post(path, {"code": heat.code}).status_code == 302
    return phone


def take_pen(phone: Client, heat: Heat) -> None:
    """Let the phone keep the score of the games, which were played without one."""
    tapped(phone, link(heat), "take")


def sign(phone: Client, heat: Heat) -> str:
    """Return the code of why the table's sign-off is refused; empty if it is not."""
    return refused(tapped(phone, link(heat), "sign"))


def words() -> dict[str, str]:
    return {row.player: row.means for row in GameAcceptance.objects.order_by("pk")}


def test_after_a_handover_the_former_auditor_is_asked(unnamed: Heat, client: Client) -> None:
    first, second, *others = players_of(unnamed)
    phone_of(first)
    for player in (second, *others):
        accept(client, player, unnamed)
    phone = phone_of(second)
    assert sign(phone, unnamed) == "not_accepted"
    assert len(client.get(page(first)).context["own"].table.to_accept) == 1
    accept(client, first, unnamed)
    assert sign(phone, unnamed) == ""
    # What the new Auditor said before is still the same word, and is not said twice.
    assert words() == dict.fromkeys((each.player_id for each in players_of(unnamed)), "own")


def test_a_phone_speaks_only_for_the_player_whose_page_has_opened_it(
    unnamed: Heat, client: Client
) -> None:
    first, second, *others = players_of(unnamed)
    phone = phone_of(first)
    take_pen(phone, unnamed)
    phone_of(second)
    for player in (first, *others):
        accept(client, player, unnamed)
    # The Auditor does not speak here, and is asked like the others.
    assert sign(phone, unnamed) == "not_accepted"
    assert len(client.get(page(second)).context["own"].table.to_accept) == 1
    accept(client, second, unnamed)
    assert sign(phone, unnamed) == ""
    assert words()[second.player_id] == "own"


def test_an_auditor_by_the_own_page_accepts_with_the_sign_off(
    unnamed: Heat, client: Client
) -> None:
    first, *others = players_of(unnamed)
    phone = phone_of(first)
    take_pen(phone, unnamed)
    for player in others:
        accept(client, player, unnamed)
    assert sign(phone, unnamed) == ""
    assert words()[first.player_id] == "auditor"


def test_with_the_code_all_are_asked(unnamed: Heat, client: Client) -> None:
    phone_of(players_of(unnamed)[0])
    phone = phone_with_code(unnamed)
    for player in players_of(unnamed):
        assert sign(phone, unnamed) == "not_accepted"
        accept(client, player, unnamed)
    assert sign(phone, unnamed) == ""
    assert set(words().values()) == {"own"}


def test_a_phone_with_the_code_does_not_speak_for_who_only_looked(
    unnamed: Heat, client: Client
) -> None:
    phone = phone_with_code(unnamed)
    first, *others = players_of(unnamed)
    phone_of(first)
    for player in others:
        accept(client, player, unnamed)
    assert sign(phone, unnamed) == "not_accepted"
    assert not GameAcceptance.objects.filter(player=first.player_id).exists()


@pytest.mark.parametrize("known", [True, False])
def test_a_named_auditor_accepts_on_a_phone_that_is_nobody_elses(
    unnamed: Heat, client: Client, known: bool
) -> None:
    first, second, *others = players_of(unnamed)
    staff = make_member(unnamed.event, Role.DIRECTOR)
    set_auditor(heat=unnamed, registration=first, by=staff)
    phone = phone_of(second) if known else phone_with_code(unnamed)
    take_pen(phone, unnamed)
    for player in (second, *others):
        accept(client, player, unnamed)
    assert sign(phone, unnamed) == ("not_accepted" if known else "")
    assert words().get(first.player_id) == (None if known else "auditor")


def test_without_a_device_that_keeps_the_score_all_pages_ask_the_same(
    heat: Heat, client: Client
) -> None:
    asked = [registration_name(each) for each in players_of(heat)]
    own = [client.get(page(each)).context["own"].table for each in players_of(heat)]
    at_table = client.get(f"{link(heat)}read/").context["page"].acceptance
    for shown in (at_table, *(table.acceptance for table in own)):
        assert sorted(each.name for each in shown.asked if each.games) == sorted(asked)
    for player in players_of(heat):
        assert sign(client, heat) == "not_accepted"
        accept(client, player, heat)
    assert sign(client, heat) == ""


@pytest.mark.parametrize("how", ["absent", "disqualified"])
def test_an_auditor_who_has_gone_accepts_nothing(unnamed: Heat, client: Client, how: str) -> None:
    first, *others = players_of(unnamed)
    phone = phone_of(first)
    for player in others:
        accept(client, player, unnamed)
    gone(unnamed, first, how)
    assert sign(phone, unnamed) == ""
    assert first.player_id not in words()


def test_who_has_gone_is_not_asked(heat: Heat, client: Client) -> None:
    _auditor, second, *others = players_of(heat)
    take_pen(client, heat)
    for player in others:
        accept(client, player, heat)
    assert sign(client, heat) == "not_accepted"
    gone(heat, second, "disqualified")
    assert sign(client, heat) == ""


def test_who_keeps_the_score_after_the_code_does_not_accept_for_another(
    unnamed: Heat, client: Client
) -> None:
    change_event(event=unnamed.event, by=None, acceptance="one")
    first, second, *_others = players_of(unnamed)
    phone = phone_with_code(unnamed)
    accept(client, first, unnamed)
    assert sign(phone, unnamed) == "not_accepted"
    accept(client, second, unnamed)
    assert sign(phone, unnamed) == ""


def test_what_somebody_accepted_is_still_said_when_they_have_left(
    heat: Heat, client: Client
) -> None:
    player = players_of(heat)[1]
    accept(client, player, heat)
    gone(heat, player, "absent")
    said = client.get(reverse("tournaments:heat", args=["fest", heat.number])).text
    assert f"✓ {player.person}" in said


def test_a_place_in_an_open_heat_is_provisional(heat: Heat, client: Client) -> None:
    player = players_of(heat)[1]
    mark = str(gettext("provisional"))
    assert mark in client.get(page(player)).text
    close_heat(heat=heat, by=None)
    assert mark not in client.get(page(player)).text


def test_the_heat_page_changes_with_an_acceptance(heat: Heat, client: Client) -> None:
    path = reverse("tournaments:heat_live", args=["fest", heat.number])
    before = client.get(path)
    accept(client, players_of(heat)[1], heat)
    assert client.get(path, headers={"If-None-Match": before["ETag"]}).status_code == 200


def test_nobody_accepts_for_another_table(heat: Heat, client: Client) -> None:
    stranger = make_players(heat.event, 1)[0]
    answer = client.post(page(stranger, "player_page_accept"), {"seen": seen(heat)}, follow=True)
    assert codes_in(answer) == {"not_at_table"}
    assert not GameAcceptance.objects.exists()


def test_a_pin_is_hashed_and_kept_out_of_the_log(heat: Heat, client: Client) -> None:
    player = players_of(heat)[1]
    client.post(page(player, "player_page_pin"), {"pin": "2580"})
    player.refresh_from_db()
    assert identify_hasher(player.pin)
    assert "2580" not in player.pin
    row = LogEntry.objects.get(action=LogAction.PIN_CHOSEN)
    assert "2580" not in str(vars(row))


def test_a_pin_accepts_on_the_auditors_phone(heat: Heat, client: Client) -> None:
    player = players_of(heat)[1]
    client.post(page(player, "player_page_pin"), {"pin": "2580"})
    table = link(heat)
    fields = {"player": player.player_id, "pin": "2580", "seen": seen(heat)}
    assert tapped(client, table, "accept", **fields)["took"]
    assert GameAcceptance.objects.get().means == "pin"


def choose_a_pin(heat: Heat, client: Client) -> None:
    client.post(page(players_of(heat)[1], "player_page_pin"), {"pin": "2580"})


def ask_one(heat: Heat, _client: Client) -> None:
    change_event(event=heat.event, by=None, acceptance="one")


@pytest.mark.parametrize(("act", "fields"), [(choose_a_pin, 1), (ask_one, 0)])
def test_the_auditors_page_follows_a_new_pin_and_setting(
    heat: Heat, client: Client, act: Callable[[Heat, Client], None], fields: int
) -> None:
    path = link(heat)
    before = told_by(client, path)["version"]
    act(heat, client)
    told = told_by(client, path)
    assert told["version"] != before
    assert told["parts"].get("accept", {"html": ""})["html"].count('id="pin-') == fields


def test_wrong_pins_are_slowed_down_across_processes(heat: Heat, client: Client) -> None:
    player = players_of(heat)[1]
    client.post(page(player, "player_page_pin"), {"pin": "2580"})
    tables = [link(heat), link(heat, LinkRole.READER)]
    fields = {"player": player.player_id, "seen": seen(heat)}
    for attempt in range(5):
        answer = tapped(Client(), tables[attempt % 2], "accept", **fields, pin="0001")
        assert refused(answer) == "wrong_pin"
    answer = tapped(Client(), tables[0], "accept", **fields, pin="2580")
    assert refused(answer) == "too_many_pins"
    assert not GameAcceptance.objects.exists()


def test_only_a_first_pin_can_be_set_at_the_table(asking: Event, client: Client) -> None:
    heat = make_heats(asking, 4).heats[0]
    player, other = players_of(heat)[:2]
    table = link(heat)
    client.post(page(other, "player_page_pin"), {"pin": "2580"})
    for who, problem in ((player, ""), (other, "pin_chosen")):
        answer = tapped(client, table, "pin", player=who.player_id, pin="1470")
        assert refused(answer) == problem
    player.refresh_from_db()
    assert player.pin


def test_an_objection_is_shown_at_the_table_and_at_the_desk(
    asking: Event, director_of: Client, client: Client
) -> None:
    heat = make_heats(asking, 4).heats[0]
    assert heat.table is not None
    player = players_of(heat)[1]
    fields = {"id": str(uuid.uuid4()), "game": "1", "deal": "1", "text": "It was a flush"}
    for _twice in range(2):
        client.post(page(player, "player_page_object"), fields)
    row = Objection.objects.get()
    assert "It was a flush" in "".join(parts_of(client, link(heat)).values())
    floor = director_of.get(reverse("tournaments:floor", args=["fest"]))
    (card,) = floor.context["floor"].cards
    assert [each.pk for each in card.objections] == [row.pk]
    assert card.card.need[0] == Need.REVIEW
    play_game_now(Sheet.objects.get(table=heat.table, number=1), player.player_id)
    answer_path = reverse("tournaments:heat_objection", args=["fest", heat.number])
    director_of.post(answer_path, {"objection": row.pk, "reason": ""})
    assert Objection.objects.unanswered().exists()
    director_of.post(answer_path, {"objection": row.pk, "reason": "Looked at the cards."})
    assert not Objection.objects.unanswered().exists()
    assert LogEntry.objects.get(action=LogAction.OBJECTION_ANSWERED).reason
    assert "Looked at the cards." in client.get(page(player)).text


def test_each_game_begun_has_an_objection_of_its_own(client: Client) -> None:
    heat = make_heats(make_event(slug="fest"), 4).heats[0]
    player = players_of(heat)[1]
    for number in (1, 2):
        sheet = Sheet.objects.get(table=heat.table, number=number)
        write(sheet, {"kind": "none", "phase": 1})
        html = client.get(page(player)).text
        forms = re.findall(r"<details[^>]*hx-preserve.*?</details>", html, re.S)
        kept = [re.findall(r' id="own-object-(\d)"|name="game" value="(\d)"', f) for f in forms]
        assert kept == [[(str(n), ""), ("", str(n))] for n in range(1, number + 1)]
        play_game_now(sheet, player.player_id)
        open_next_sheet(table_id=heat.table_id or 0, by="test")


def test_a_players_own_objection_can_be_withdrawn(heat: Heat, client: Client) -> None:
    player, other = players_of(heat)[1:3]
    fields = {"id": str(uuid.uuid4()), "game": "1", "deal": "1", "text": ""}
    client.post(page(player, "player_page_object"), fields)
    back = {"objection": Objection.objects.get().pk}
    client.post(page(other, "player_page_object_back"), back)
    assert Objection.objects.unanswered().exists()
    client.post(page(player, "player_page_object_back"), back)
    assert not Objection.objects.unanswered().exists()


def test_whoever_objects_is_not_offered_to_accept(heat: Heat, client: Client) -> None:
    player, other = players_of(heat)[1:3]
    for each in (player, other):
        client.post(page(each, "player_page_pin"), {"pin": "2580"})

    def offered() -> list[bool]:
        at_table = parts_of(client, link(heat))["accept"]
        return [
            page(each, "player_page_accept") in client.get(page(each)).text
            for each in (player, other)
        ] + [f'id="pin-{each.player_id}"' in at_table for each in (player, other)]

    fields = {"id": str(uuid.uuid4()), "game": "1", "deal": "1", "text": ""}
    client.post(page(player, "player_page_object"), fields)
    assert offered() == [False, True, False, True]
    back = {"objection": Objection.objects.get().pk}
    client.post(page(player, "player_page_object_back"), back)
    assert offered() == [True, True, True, True]


def test_nobody_is_asked_before_the_flip_flop_is_played(client: Client) -> None:
    chain = ["game_points", "flip_flop"]
    event = make_event(acceptance="all", games_per_heat=2, tie_chain=chain)
    heat = make_heats(event, 4).heats[0]
    first, second, *others = players_of(heat)
    for number, player in ((1, first), (2, second)):
        play_game_now(Sheet.objects.get(table=heat.table, number=number), player.player_id)
        if number == 1:
            open_next_sheet(table_id=heat.table_id or 0, by="test")

    def asked() -> list[bool]:
        return [bool(client.get(page(each)).context["own"].table.to_accept) for each in others]

    assert asked() == [False, False]
    assert protocol_of(heat.table_id or 0).acceptance.waits_for == ""
    order = [second.player_id, first.player_id]
    record_flip_flop(table_id=heat.table_id or 0, order=order, by="test")
    assert asked() == [True, True]
    assert protocol_of(heat.table_id or 0).acceptance.waits_for


def test_what_is_accepted_says_who_went_out(asking: Event, client: Client) -> None:
    heat = make_heats(asking, 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table)
    write(sheet, ruling("sit_out_game", 2))
    play_game_now(sheet, sheet.seats[0])
    said = client.get(page(players_of(heat)[1])).text
    table = said.partition('id="own-accept"')[2].partition("</table>")[0]
    assert table.count('<th scope="col"') == 4
    assert table.count(f">{status_text('out')}<") == 1


def test_the_director_closes_under_protest(heat: Heat, director_of: Client, client: Client) -> None:
    fields = {"id": str(uuid.uuid4()), "game": "1", "deal": "1", "text": ""}
    client.post(page(players_of(heat)[1], "player_page_object"), fields)
    path = reverse("tournaments:heat_close", args=["fest", heat.number])
    refused = director_of.post(path, follow=True)
    assert codes_in(refused) == {"objection_open"}
    assert refused.content.decode().count(str(CONTESTED)) == 2  # above, and beside the field
    director_of.post(path, {"protest": "Nobody remembers the deal."})
    heat.refresh_from_db()
    assert heat.status == HeatStatus.FINISHED
    said = client.get(reverse("tournaments:heat", args=["fest", heat.number])).text
    assert "Nobody remembers the deal." in said
    assert "data-signed-off" in said


@pytest.fixture
def director_of(asking: Event) -> Client:
    """Return a browser in which the event's director is signed in."""
    from tests.tournaments.conftest import client_of
    from tournaments.models.enums import Role

    return client_of(asking, Role.DIRECTOR)


def test_entering_again_is_one_tap_if_the_event_allows_it(client: Client) -> None:
    for limit, may in ((None, True), (1, False)):
        event = make_event(games_per_heat=1, reentry_limit=limit)
        heat = finished_heat(event, 3)
        loser = next(player for player in players_of(heat) if not player.qualifications.exists())
        assert client.get(page(loser)).context["may_enter"] is may
        client.post(page(loser, "player_page_enter"))
        assert loser.entries.waiting().exists() is may


@pytest.mark.parametrize(("days", "said"), [(0, False), (1, True)])
def test_a_qualified_player_sees_when_the_next_day_is(
    client: Client, days: int, said: bool
) -> None:
    day = timezone.localdate()
    event = make_event(games_per_heat=1, venue="Folkets hus", ends_on=day + timedelta(days=days))
    heat = finished_heat(event, 3)
    winner = next(player for player in players_of(heat) if player.qualifications.exists())
    assert ("Folkets hus" in client.get(page(winner)).context["own"].note) is said


def test_the_pages_queries_do_not_grow_with_games(client: Client) -> None:
    counted = []
    for games in (1, 3):
        event = make_event(acceptance="all", games_per_heat=games)
        heat = play_heat(make_heats(event, 4).heats[0])
        path = page(players_of(heat)[0])
        client.get(path)
        with CaptureQueriesContext(connection) as queries:
            client.get(path)
        counted.append(len(queries))
    assert counted[0] == counted[1] <= 34


def test_a_ruling_is_shown_on_the_players_own_page_until_read(
    asking: Event, client: Client
) -> None:
    heat = make_heats(asking, 4).heats[0]
    player, other = players_of(heat)[:2]
    sheet = Sheet.objects.get(table=heat.table)
    write(sheet, ruling("points", 1, points=-5))
    before = client.get(page(player))
    [row] = before.context["own"].table.rulings
    client.post(page(player, "player_page_rulings"), {"rulings": row.mark})
    assert client.get(page(player)).context["own"].table.rulings == ()
    # The live part has another ETag now; another device still shows the ruling.
    now = page(player, "player_page_now")
    assert client.get(now, headers={"If-None-Match": before.context["mark"]}).status_code == 200
    assert len(Client().get(page(other)).context["own"].table.rulings) == 1


def test_the_end_of_an_objection_is_said_once_on_the_players_own_page(
    asking: Event, client: Client
) -> None:
    heat = make_heats(asking, 4).heats[0]
    player, other = players_of(heat)[:2]
    write(Sheet.objects.get(table=heat.table), {"kind": "none", "phase": 1})
    for each in (player, other):
        fields = {"id": str(uuid.uuid4()), "game": "1", "deal": "1", "text": ""}
        client.post(page(each, "player_page_object"), fields)
    mine, theirs = Objection.objects.order_by("pk")
    # Who has taken an objection back is not told so.
    client.post(page(player, "player_page_object_back"), {"objection": mine.pk})
    assert client.get(page(player)).context["own"].table.rulings == ()
    answer = {"table_id": heat.table_id, "objection_id": theirs.pk, "by": "test"}
    answer_objection(**answer, reason="Looked at the cards.")
    assert client.get(page(player)).text.count("Looked at the cards.") == 1
    [row] = client.get(page(player)).context["own"].table.rulings
    client.post(page(player, "player_page_rulings"), {"rulings": row.mark})
    table = client.get(page(player)).context["own"].table
    assert [each.pk for each in table.objections] == [mine.pk, theirs.pk]


def test_the_players_own_page_says_what_is_asked_and_who_plays_chicago(
    asking: Event, client: Client
) -> None:
    heat = make_heats(asking, 4).heats[0]
    player = players_of(heat)[1]
    sheet = Sheet.objects.get(table=heat.table)
    for entry in (ruling("points", 0, points=20), {"kind": "none", "phase": 1}):
        write(sheet, entry)
    assert "second" in client.get(page(player)).context["own"].table.question
    write(sheet, {"kind": "none", "phase": 2})
    now, mark = page(player, "player_page_now"), client.get(page(player)).context["mark"]
    declare_chicago(
        sheet_id=sheet.pk, client_id=uuid.uuid4(), deal=0, seat=0, author="test", device=""
    )
    answer = client.get(now, headers={"If-None-Match": mark})
    shown = answer.context["own"].table
    assert shown.part.shorts[0] in shown.question
    assert shown.question in answer.text
    play_game_now(sheet, player.player_id)
    assert client.get(page(player)).context["own"].table.question == ""


def test_a_corrected_line_is_shown_on_the_players_own_page(asking: Event, client: Client) -> None:
    heat = make_heats(asking, 4).heats[0]
    player = players_of(heat)[1]
    sheet = Sheet.objects.get(table=heat.table)
    write(sheet, {"kind": "hand", "phase": 1, "seat": 1, "category": "pair"})
    assert 'corrected"' not in client.get(page(player)).text
    entry = '{"category":"flush","kind":"hand","phase":1,"seat":2}'
    fields = {"kind": "amend", "entry": entry, "version": 1, "client_id": str(uuid.uuid4())}
    assert (
        client.post(f"{link(heat)}games/1/1/corrected/", fields | {"sure": "1"}).status_code == 303
    )
    assert 'corrected"' in client.get(page(player)).text
