"""Whole events, played through the pages alone, without calling the program's functions.

The people are in ``http_people``, the event in ``http_event``. The owner makes the event and names
the staff, the cashier registers, the director draws, the floor hands out links, Auditors score on
phones without accounts, and the public reads.
"""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
import tablib
from django.test import Client
from pytest_django import Settings

from engine.draws.draw import heat_sizes
from tests.tournaments.rehearsal.http_event import Event
from tests.tournaments.rehearsal.http_people import (
    Auditor,
    Page,
    draw_now,
    names,
    publish,
    sit_down,
)
from tournaments.models import HeatEntry, Qualification

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def installation(tmp_path: Path, settings: Settings) -> None:
    """Give every test an empty installation, with its own setup code."""
    settings.DATA_DIR = tmp_path


def winner_of(auditor: Auditor) -> str:
    return sorted(auditor.players)[0]


# --- the festival ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_festival_of_sixty_from_registration_to_champion() -> None:
    everybody = names(60)
    never, gone, late = everybody[57:]
    event = Event(
        name="Festivalen",
        slug="festivalen",
        no_show_rule="nobody",
        playoff_grouping="draw",
        buy_in="100",
    )
    doors_open(event, everybody[:57], late, gone, never)
    heats = draw_now(event.director, swap=True)
    assert [len(players_of(event, heat)) for heat in heats] == heat_sizes(58)

    special = iter(heats)
    voided = next(special)
    again = void(event, voided)
    lost = [
        *royal_flush(event, next(special)),
        *two_players_out(event, next(special)),
        *flip_flop_at_the_table(event, next(special)),
        *flip_flop_by_the_director(event, next(special)),
    ]
    cheat = disqualification(event, next(special))
    entered, robbed = correction(event, next(special))
    for heat in special:
        lost.append(max(event.plays(heat).players))
    left_early = lost.pop()
    withdrawal(event, left_early)

    # Players of the void heat wait again; so do others, and the one who lost a place by correction.
    assert robbed not in event.qualified()
    assert entered in event.qualified()
    back = [name for name in lost if name not in event.qualified()][:7]
    for name in [*back, robbed]:
        event.enters_again(name)
    event.cashier.taps("player_enter", 409, number=event.numbers[entered])
    event.cashier.taps("player_enter", 409, number=event.numbers[cheat])
    pays(event, back[0], entries=2)
    assert back[0] in event.public.goes(event.public.url("player_standings"), q=back[0]).text
    second = draw_now(event.director)
    seated = [name for heat in second for name in event.plays(heat).players]
    assert sorted(seated) == sorted([*again, *back, robbed])
    qualified = event.qualified()
    assert len(set(qualified)) == len(qualified) == len(heats) - 1 + len(second) == 17

    rounds, present = day_two(event, qualified)
    assert rounds == [[4, 4, 4], [3, 3], [4]]
    champion = the_end(event, players=58)
    document = event.document()
    assert sum(len(stage["heats"]) for stage in document["stages"]) == 24
    assert len(document["lucky_losers"]) == 1
    assert len(present) == 12
    by_id = {row["id"]: row for row in document["registrations"]}
    assert by_id[str(event.numbers[never])]["status"] == "registered"
    assert by_id[str(event.numbers[gone])]["status"] == "withdrawn"
    assert by_id[str(event.numbers[left_early])]["status"] == "withdrawn"
    assert by_id[str(event.numbers[cheat])]["status"] == "disqualified"
    assert by_id[str(event.numbers[robbed])]["entries"] == 2
    assert {row["action"] for row in document["penalties"]} >= {"disqualify"}
    assert document["result"][0]["id"] == str(event.numbers[champion])
    # Nobody sat at two tables at once, and nobody qualified twice.
    assert not HeatEntry.objects.filter(status__in=["waiting", "seated"]).exists()
    valid = Qualification.objects.filter(revoked_at__isnull=True)
    assert valid.values("registration").distinct().count() == valid.count() == 17
    told_in_the_log(event)


def doors_open(event: Event, here: list[str], late: str, gone: str, never: str) -> None:
    """Register sixty: most are here, one comes late, one withdraws, one never comes."""
    event.registers(here)
    event.registers([late, gone, never], here=False)
    event.cashier.taps("player_check_in", number=event.numbers[late])
    # Withdrawals and draws are the director's. The public has no desk.
    event.cashier.taps("player_withdraw", 403, number=event.numbers[gone])
    event.director.taps("player_withdraw", number=event.numbers[gone])
    event.cashier.taps("draft_make", 403)
    event.floor.taps("draft_make", 403)
    assert event.public.client.get(event.public.url("desk")).status_code == 302
    desk = event.director.opens("desk")
    assert "13×4 + 2×3" in desk.text
    found = event.public.opens("event_find", 200)
    assert found.status == 200


def players_of(event: Event, heat: int) -> list[str]:
    """Return the players of a heat, as shown to everybody."""
    text = event.public.opens("heat", number=heat).text
    return [name for name in event.numbers if name in text]


def pays(event: Event, name: str, entries: int) -> None:
    """Pay all buy-ins due, on the player's page; the director has no access to the cash box."""
    path = event.cashier.url("cash")
    event.director.goes(path, 403)
    found = event.cashier.goes(path, q=name)
    page = event.cashier.goes(found.links("/cash/players/")[0])
    done = event.cashier.sends(page, event.cashier.url("cash_pay"))
    assert f"{name} paid {entries * 100} SEK" in done.text.replace("\xa0", " ")
    booked = event.cashier.client.get(event.cashier.url("cash_export", fmt="csv"))
    rows = list(csv.DictReader(io.StringIO(booked.content.decode("utf-8-sig"))))
    assert [row["Player"] for row in rows] == [name] * entries


def void(event: Event, heat: int) -> list[str]:
    """Void a heat; return its players, who wait again."""
    players = players_of(event, heat)
    page = event.director.opens("heat_desk", number=heat)
    at = {"number": heat}
    event.director.does(page, "heat_void", at, **{"void-reason": "the pack had 51 cards"})
    assert "the pack had 51 cards" in event.floor.opens("heat_desk", number=heat).text
    assert "notice-warning" in event.public.opens("heat", number=heat).html
    return players


def royal_flush(event: Event, heat: int) -> list[str]:
    """A royal flush needs confirmation and leaves the others 35/3 each; a call, a warning."""
    auditor = sit_down(event.floor, heat)
    best, *others = sorted(auditor.players)
    auditor.hand(others[0], "flush")
    royal = {"kind": "hand", "phase": 2, "seat": auditor.seats[best], "category": "royal_flush"}
    asked = auditor.write(royal, status=422, sure=False)
    assert asked["problems"][0]["code"] == "needs_confirmation"
    assert auditor.mode == "play"
    auditor.write(royal)
    assert "11.66" in auditor.html
    ruling = {"kind": "ruling", "action": "end_game", "reason": "late"}
    auditor.next_game()
    auditor.write(ruling, status=403)
    auditor.send("call", reason="two aces of spades")
    floor = event.floor.opens("floor")
    assert "two aces of spades" in floor.text
    event.floor.does(
        event.floor.opens("heat_desk", number=heat), "heat_call_clear", {"number": heat}
    )
    assert "two aces of spades" not in event.floor.opens("floor_now").text
    event.floor.does(floor, "warning_seen", {"number": heat})
    auditor.win(best)
    auditor.next_game()
    auditor.win(others[1])
    auditor.sign()
    page = event.public.opens("heat", number=heat)
    assert page.text.count("11.66") >= 3
    assert best in event.qualified()
    return others[1:]


def two_players_out(event: Event, heat: int) -> list[str]:
    """Two reach 52 without a Chicago and are out; the others play the game to its end."""
    auditor = sit_down(event.floor, heat)
    best, one, two, last = sorted(auditor.players)
    for out in (one, two):
        auditor.hand(out, "four_of_a_kind")
        auditor.hand(out, "four_of_a_kind")
        auditor.trick(out, deuce=True)
        auditor.hand(out, "four_of_a_kind")
        auditor.hand(out, "four_of_a_kind")
        auditor.hand(out, "four_of_a_kind")
        auditor.trick(out)
        auditor.nobody()
    page = event.public.opens("heat_live", number=heat)
    assert page.text.count("out") >= 2
    # A player who is out can score no more hands.
    late = {"kind": "hand", "phase": 1, "seat": auditor.seats[one], "category": "pair"}
    refused = auditor.write(late, status=422)
    assert one in refused["problems"][0]["message"]
    auditor.hand(last, "pair")
    auditor.win(best)
    auditor.games([best, last])
    auditor.sign()
    assert best in event.qualified()
    return [one, two]


def flip_flop_at_the_table(event: Event, heat: int) -> list[str]:
    """Three tied on everything: the Auditor enters the order given by a Flip Flop."""
    auditor = sit_down(event.floor, heat)
    one, two, three, *_rest = sorted(auditor.players)
    auditor.games([one, two, three])
    order = {
        f"order-{place}": str(event.numbers[name])
        for place, name in enumerate((three, one, two), start=1)
    }
    assert all(f'name="{field}"' in auditor.html for field in order)
    auditor.send("flip-flop", **order)
    auditor.sign()
    assert three in event.qualified()
    assert "Flip Flop" in event.public.opens("heat", number=heat).text
    return [one, two]


def flip_flop_by_the_director(event: Event, heat: int) -> list[str]:
    """The same, recorded by the director: the table signed too early, so the heat stays open."""
    auditor = sit_down(event.floor, heat)
    one, two, three, *_rest = sorted(auditor.players)
    auditor.games([one, two, three])
    auditor.sign()
    event.director.taps("heat_close", 409, number=heat)
    page = event.director.opens("heat_desk", number=heat)
    places = {
        f"tie0-place_{event.numbers[name]}": place
        for place, name in enumerate((two, three, one), start=1)
    }
    event.director.does(page, "heat_flip_flop", {"number": heat}, **places)
    assert two in event.qualified()
    return [one, three]


def disqualification(event: Event, heat: int) -> str:
    """A warning, then cheating: out of the event, after a confirmation; the others play on."""
    auditor = sit_down(event.floor, heat)
    best, cheat, *_rest = sorted(auditor.players)
    at = {"number": heat}
    for offence, status in (("language", 200), ("cheating", 422)):
        page = event.director.opens("heat_desk", number=heat)
        filled = {"penalty-player": str(event.numbers[cheat]), "penalty-offence": offence}
        page = event.director.does(page, "heat_penalty", at, status=status, **filled)
    assert 'name="penalty-sure"' in page.html
    done = event.director.does(page, "heat_penalty", at, **{"penalty-sure": "on"})
    assert "Disqualified" in done.text
    event.floor.taps("heat_penalty", 403, number=heat)
    auditor.reload()
    auditor.games([best] * 3)
    auditor.sign()
    assert best in event.qualified()
    page = event.public.opens("heat", number=heat)
    assert "disqualified" in page.text.lower()
    assert cheat in event.director.opens("penalties").text
    return cheat


def correction(event: Event, heat: int) -> tuple[str, str]:
    """The deciding hand was another's: previewed, corrected; a player in the queue qualifies."""
    auditor = sit_down(event.floor, heat)
    robbed, right, *_rest = sorted(auditor.players)
    auditor.games([robbed, right, robbed])
    seat = auditor_seat(auditor, right)
    auditor.sign()
    assert robbed in event.qualified()
    event.enters_again(right)
    page = event.director.opens("heat_desk", number=heat)
    sheet = event.director.goes(page.links(f"/heats/{heat}/games/3/")[0])
    entry = event.director.goes(sheet.links("/games/3/1/")[0])
    what = json.dumps(
        {"category": "straight_flush", "kind": "hand", "phase": 1, "seat": seat},
        separators=(",", ":"),
    )
    at = {"number": heat, "game": 3, "entry": 1}
    filled = {"entry": what, "reason": "the hand lay at the other seat"}
    before = event.table("standings_export"), event.qualified()
    preview = event.director.does(entry, "correct_preview", at, **filled)
    assert robbed in preview.text
    assert before == (event.table("standings_export"), event.qualified())
    event.director.does(preview, "correct_apply", at)
    assert robbed not in event.qualified()
    assert right in event.qualified()
    assert "the hand lay at the other seat" in event.public.opens("heat", number=heat).text
    assert right not in waiting(event.director.opens("desk_now"))
    return right, robbed


def auditor_seat(auditor: Auditor, name: str) -> int:
    """Return somebody's seat in the game that has just ended."""
    return auditor.seats[name]


def waiting(page: Page) -> str:
    """Return the part of the desk that shows the queue."""
    return page.html.partition('id="waiting-head"')[2].partition('id="qualified-head"')[0]


def withdrawal(event: Event, name: str) -> None:
    """A player who has played goes home."""
    done = event.director.taps("player_withdraw", number=event.numbers[name])
    assert name in done.text
    event.cashier.taps("player_enter", 409, number=event.numbers[name])


def day_two(event: Event, qualified: list[str]) -> tuple[list[list[int]], list[str]]:
    """Play round after round; five stay away on day 2, and one from the second round."""
    sizes: list[list[int]] = []
    away = [qualified[index] for index in (1, 4, 7, 10, 13)]
    present = [name for name in qualified if name not in away]
    while True:
        page = event.director.opens("rounds")
        if page.links(event.director.url("champion")):
            return sizes, present
        event.floor.taps("round_prepare", 403)
        page = event.director.does(page, "round_prepare")
        if len(sizes) == 0:
            for name in away:
                page = absent(event, page, name)
        elif len(sizes) == 1:
            # Six go on; one has gone home: five cannot be split, so the best loser comes in.
            # Each has two buttons: present, and not coming.
            form = page.form(event.director.url("round_absent"))
            numbers = list(dict.fromkeys(form.choices["number"]))
            assert len(numbers) == 6
            page = absent(event, page, event.known_as(int(numbers[1])))
            assert "lucky loser" in page.text
        draft = event.director.does(page, "round_draft", grouping="draw")
        heats = publish(event.director, draft)
        sizes.append([len(event.plays(heat).players) for heat in heats])
        assert event.public.opens("playoffs").status == 200
        assert "<svg" in event.public.opens("playoffs_svg").html


def absent(event: Event, page: Page, name: str) -> Page:
    """Mark a no-show with the button beside the name."""
    number = event.numbers[name]
    return event.director.does(page, "round_absent", number=number, reason="not there at noon")


def the_end(event: Event, players: int) -> str:
    """Finish the event; everybody can read the winner and the ranking. Return the champion."""
    settings = event.director.opens("event_settings")
    path = event.director.url("event_status")
    form = next(form for form in settings.forms() if form.fields.get("to") == ["finished"])
    done = event.director.client.post(path, form.filled(), follow=True)
    assert "Finished" in done.content.decode()
    rows = event.table("result_export")
    assert len(rows) == len({row["Number"] for row in rows}) == players
    assert [int(row["Place"]) for row in rows] == sorted(int(row["Place"]) for row in rows)
    best = rows[0]["Player"]
    assert [row["Place"] for row in rows].count("1") == 1
    for page in ("champion", "event", "result"):
        assert best in event.public.opens(page).text
    standings = event.table("standings_export")
    answer = event.public.client.get(event.public.url("standings_export", fmt="xlsx"))
    book = tablib.Dataset().load(answer.content, format="xlsx")
    assert [row["Player"] for row in book.dict] == [row["Player"] for row in standings]
    assert {row["Player"] for row in standings} == {row["Player"] for row in rows}
    assert event.public.client.get(event.public.url("playoffs_pdf")).content[:4] == b"%PDF"
    return best


def told_in_the_log(event: Event) -> None:
    """Check that everything is in the log, which the floor may not read."""
    page = event.owner.opens("log")
    assert "dirigent" in page.text
    event.floor.opens("log", 403)
    event.cashier.opens("event_staff", 403)


# --- five qualifiers ---------------------------------------------------------------------------


@pytest.mark.slow
def test_five_qualifiers_play_with_a_lucky_loser() -> None:
    event = Event(name="Lilla festivalen", slug="lilla", no_show_rule="nobody")
    event.registers(names(17))
    heats = draw_now(event.director)
    tables = [event.plays(heat) for heat in heats]
    assert [len(table.players) for table in tables] == [4, 4, 3, 3, 3]
    qualified = event.qualified()
    assert len(qualified) == 5
    page = event.director.does(event.director.opens("rounds"), "round_prepare")
    assert "lucky loser" in page.text
    rounds, chosen = [], ""
    while True:
        draft = event.director.does(page, "round_draft", grouping="draw")
        played = [event.plays(heat) for heat in publish(event.director, draft)]
        rounds.append([len(table.players) for table in played])
        if not chosen:
            (chosen,) = {name for table in played for name in table.players} - set(qualified)
        page = event.director.opens("rounds")
        if page.links(event.director.url("champion")):
            break
        page = event.director.does(page, "round_prepare")
    assert rounds == [[3, 3], [4]]
    champion = the_end(event, players=17)
    document = event.document()
    assert document["qualifiers"] == [str(event.numbers[name]) for name in qualified]
    assert document["lucky_losers"] == [str(event.numbers[chosen])]
    assert document["result"][0]["id"] == str(event.numbers[champion])
    # The best of those who did not win their heat: second with a game won, at a table of three.
    assert chosen in {sorted(table.players)[1] for table in tables}


# --- the Swedish Championship ------------------------------------------------------------------


@pytest.mark.slow
def test_the_championship_through_settings_only() -> None:
    event = Event(name="SM", slug="sm", format="sm")
    settings = event.director.opens("event_settings")
    form = next(form for form in settings.forms() if "rules" in form.fields)
    assert form.fields["points_4"] == ["20 12 8 5"]
    assert form.fields["playoff_advance"] == ["2 1"]
    event.registers(names(33))
    heats = draw_now(event.director)
    tables = [event.plays(heat) for heat in heats]
    assert [len(table.players) for table in tables] == heat_sizes(33)
    qualified = event.qualified()
    assert qualified == [name for table in tables for name in sorted(table.players)[:2]]
    # The championship's points: two games won and one second place.
    page = event.public.opens("heat", number=heats[0])
    assert "48.33" in page.text
    # Everybody may enter once.
    loser = max(tables[0].players)
    refused = event.cashier.taps("player_enter", 409, number=event.numbers[loser])
    assert 'data-code="no_entries_left"' in refused.html
    rounds = []
    while not (page := event.director.opens("rounds")).links(event.director.url("champion")):
        page = event.director.does(page, "round_prepare")
        if len(rounds) == 1:
            # Day 2: somebody stays away, and the next of the same heat plays instead.
            missed = page.form(event.director.url("round_absent")).choices["number"][0]
            page = absent(event, page, event.known_as(int(missed)))
        draft = event.director.does(page, "round_draft", grouping="snake" if rounds else "draw")
        played = [event.plays(heat) for heat in publish(event.director, draft)]
        rounds.append([len(table.players) for table in played])
    # Two of each table go on to a session of the same day, from day 2 on just one.
    assert rounds == [heat_sizes(18), heat_sizes(10), [3]]
    champion = the_end(event, players=33)
    document = event.document()
    assert document["game_points"] == {"3": [20, 12, 8], "4": [20, 12, 8, 5]}
    assert [stage["advance"] for stage in document["stages"]] == [2, 2, 1, 1]
    seated = [row for stage in document["stages"] for row in stage.get("players", ())]
    assert [row["replaces"] for row in seated if row["replaces"]] == [missed]
    assert document["result"][0]["id"] == str(event.numbers[champion])


# --- a club evening ----------------------------------------------------------------------------


def test_a_club_evening_of_one_table() -> None:
    event = Event(name="Tisdag", slug="tisdag", format="club")
    event.registers(names(4))
    (heat,) = draw_now(event.director)
    auditor = sit_down(event.director, heat)
    one, two, three, four = sorted(auditor.players)
    auditor.hand(two, "pair")
    auditor.hand(three, "full_house")
    auditor.trick(three)
    auditor.nobody()
    auditor.win(one)
    auditor.games([two, one])
    # Everybody follows on their own phone; only the Auditor writes.
    shared = auditor.client.post(f"{auditor.link}share/").content.decode()
    links = re.findall(r"/s/[\w.~-]+/", shared)
    reading = next(link for link in links if link != auditor.link)
    watching = Client().get(reading)
    assert watching.status_code == 200
    assert Client().post(f"{reading}sign/").status_code == 403
    auditor.sign()
    # There are no play-offs and nobody may enter again, so the evening ends by itself.
    event.public.opens("qualified", 404)
    rows = event.table("standings_export")
    assert [row["Player"] for row in rows][:3] == [one, two, three]
    assert one in event.public.opens("champion").text
    places = {row["Player"]: row["Place"] for row in event.table("result_export")}
    assert places == {one: "1", two: "2", three: "3", four: "4"}
    event.document()
