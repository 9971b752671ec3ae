"""Two directors do the same thing at once, through the pages: one succeeds, the other is told.

Every test runs against the configured database: SQLite in a file, or PostgreSQL. Drafts and rounds
prepared at once are in test_play_at_once.py, the commands' own races in test_concurrency.py.
"""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from scoring.models import FlipFlop, Sheet
from tests.scoring.web.phone import tapped
from tests.tournaments.conftest import client_of
from tests.tournaments.corrections.test_views import address, correction
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    play_game,
    play_heat,
    straight_flush,
    write,
)
from tests.tournaments.playoffs.factories import prepared, qualified_event
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import HTMX, text_of, url
from tests.tournaments.test_play_at_once import at_once, directors, posts
from tournaments.draws.commands.drafts import draw_heats
from tournaments.models import (
    Draw,
    Event,
    Heat,
    HeatEntry,
    LogEntry,
    Penalty,
    PersonMerge,
    Qualification,
)
from tournaments.models.enums import (
    DrawStatus,
    EntryStatus,
    EventStatus,
    HeatStatus,
    LogAction,
    Role,
)
from tournaments.registration.commands.check_in import check_in

pytestmark = pytest.mark.django_db(transaction=True)


def statuses(answers: list[Any]) -> list[int]:
    """Return the responses' status codes in order; a crash in a thread fails the test."""
    crashed = [answer for answer in answers if isinstance(answer, Exception)]
    assert crashed == []
    return sorted(answer.status_code for answer in answers)


def told(answers: list[Any]) -> set[str]:
    """Return the refusal codes that the one who came too late reads."""
    return codes_in(next(answer for answer in answers if answer.status_code >= 400))


def qualified(event: Event) -> list[str]:
    """Return the references of the qualified players."""
    rows = Qualification.objects.filter(event=event, revoked_at__isnull=True)
    return sorted(row.registration.player_id for row in rows.select_related("registration"))


def assert_seated_once(event: Event) -> None:
    """Assert that nobody sits or waits twice, and no heat has an invalid size."""
    taken = HeatEntry.objects.filter(
        registration__event=event, status__in=[EntryStatus.WAITING, EntryStatus.SEATED]
    ).values_list("registration", flat=True)
    assert len(taken) == len(set(taken))
    for heat in event.heats.exclude(status=HeatStatus.VOID):
        assert heat.entries.count() in (3, 4)
        assert heat.games.count() == heat.games_planned


# --- drawing -----------------------------------------------------------------------------------


def test_the_draw_button_draws_once() -> None:
    event = make_event()
    make_players(event, 8)
    answers = posts(directors(event, 3), url(event, "desk_draw"), {})
    assert statuses(answers) == [200, 409, 409]
    assert told(answers) == {"too_few_waiting"}
    assert Draw.objects.count() == 1
    assert Heat.objects.count() == 2
    assert_seated_once(event)


def test_clocks_are_started_and_stopped_once() -> None:
    event = make_event(minutes_per_heat=60)
    heats = make_heats(event, 8).heats
    assert (
        statuses(posts(directors(event, 3), url(event, "clocks"), {"what": "start"})) == [200] * 3
    )
    pause = url(event, "heat_clock", number=heats[0].number)
    assert statuses(posts(directors(event), pause, {"what": "pause"})) == [200, 200]
    actions = LogEntry.objects.filter(event=event).values_list("action", flat=True)
    assert actions.filter(action=LogAction.CLOCK_STARTED).count() == 2
    assert actions.filter(action=LogAction.CLOCK_PAUSED).count() == 1


def test_two_helpers_at_the_door_check_in_one_player() -> None:
    event = make_event()
    make_players(event, 1, here=False)
    answers = posts(directors(event, 3), url(event, "player_check_in", number=1), {})
    assert statuses(answers) == [200, 409, 409]
    assert told(answers) == {"already_checked_in"}
    assert LogEntry.objects.filter(action=LogAction.CHECKED_IN).count() == 1
    assert_seated_once(event)


def test_two_registrations_are_merged_once() -> None:
    event = make_event()
    one, other = make_players(event, 2)
    path = url(event, "player_merge", number=one.number)
    answers = posts(directors(event), path, {"person": str(other.person.public_id)})
    assert statuses(answers) in ([200, 409], [200, 422])
    assert PersonMerge.objects.count() == 1
    assert_seated_once(event)


def test_drawing_while_somebody_leaves_the_queue() -> None:
    event = make_event()
    players = make_players(event, 4)
    director, cashier = client_of(event, Role.DIRECTOR), client_of(event, Role.CASHIER)
    leave = url(event, "player_leave", number=players[0].number)
    answers = at_once(
        [
            lambda: director.post(url(event, "desk_draw"), headers=HTMX),
            lambda: cashier.post(leave, headers=HTMX),
        ]
    )
    # Either the player is drawn, and told so, or leaves, and three play.
    assert statuses(answers) in ([200, 200], [200, 409])
    heat = Heat.objects.get()
    gone = answers[1].status_code == 200
    assert heat.entries.count() == (3 if gone else 4)
    assert heat.entries.filter(registration=players[0]).exists() is not gone
    assert_seated_once(event)


def test_a_round_is_drafted_once() -> None:
    event = qualified_event(4)
    prepared(event)
    answers = posts(directors(event), url(event, "round_draft"), {"grouping": "draw"})
    assert statuses(answers) == [302, 409]
    assert told(answers) == {"draft_exists"}
    # Without the script the message is at the top of the page that it redirects to.
    late = client_of(event, Role.DIRECTOR)
    page = late.post(url(event, "round_draft"), {"grouping": "draw"}, follow=True)
    assert codes_in(page) == {"draft_exists"}
    assert event.draws.filter(status=DrawStatus.DRAFT).count() == 1


def test_a_player_is_added_to_a_round_once() -> None:
    event = qualified_event(3)
    stage = prepared(event)
    free = event.registrations.exclude(stage_players__stage=stage).order_by("number")[0]
    data = {"player": free.number, "reason": "the sponsor's wish"}
    answers = posts(directors(event), url(event, "round_take_in"), data)
    assert statuses(answers)[0] == 200
    assert statuses(answers)[1] in {409, 422}
    assert stage.players.filter(registration=free).count() == 1


def test_an_event_cannot_be_finished_while_heats_are_drawn() -> None:
    event = make_event()
    make_players(event, 4)
    first, second = directors(event)
    answers = at_once(
        [
            lambda: first.post(url(event, "desk_draw"), headers=HTMX),
            lambda: second.post(url(event, "event_status"), {"to": "finished"}, headers=HTMX),
        ]
    )
    assert statuses(answers) == [200, 409]
    event.refresh_from_db()
    assert (event.status == EventStatus.FINISHED) is not event.heats.exists()


# --- the desk ----------------------------------------------------------------------------------


def test_two_cashiers_enter_the_same_player_again() -> None:
    event = make_event(games_per_heat=1)
    heat = finished_heat(event, 4)
    loser = heat.results.order_by("-order")[0].entry.registration
    answers = posts(
        [client_of(event, Role.CASHIER) for _ in range(3)],
        url(event, "player_enter", number=loser.number),
        {},
    )
    assert statuses(answers) == [200, 409, 409]
    assert told(answers) == {"already_waiting"}
    assert list(loser.entries.values_list("number", flat=True).order_by("number")) == [1, 2]


def test_entering_again_while_a_correction_qualifies_the_player() -> None:
    event = make_event(games_per_heat=1)
    heat = finished_heat(event, 4)
    sheet = Sheet.objects.get(table=heat.table)
    other = event.registrations.get(number=int(sheet.seats[1]))
    assert qualified(event) != [other.player_id]
    director, cashier = client_of(event, Role.DIRECTOR), client_of(event, Role.CASHIER)
    last = sheet.version
    value = f'{{"category":"straight_flush","kind":"hand","phase":{phase_of(sheet)},"seat":1}}'
    data = correction(sheet, entry=value)
    enter = url(event, "player_enter", number=other.number)
    answers = at_once(
        [
            lambda: director.post(address(sheet, "correct_apply", last), data, headers=HTMX),
            lambda: cashier.post(enter, headers=HTMX),
        ]
    )
    assert answers[0].status_code == 200
    assert answers[1].status_code in {200, 409}
    # Whoever is first: the player has qualified and does not wait.
    assert qualified(event) == [other.player_id]
    assert not other.entries.filter(status=EntryStatus.WAITING).exists()


def phase_of(sheet: Sheet) -> int:
    """Return the phase of the last entry of a sheet."""
    entry = sheet.entries.order_by("-sequence")[0].entry
    assert entry is not None
    return int(entry["phase"])


# --- closing -----------------------------------------------------------------------------------


def test_a_heat_is_closed_once() -> None:
    event = make_event(games_per_heat=1)
    heat = make_heats(event, 4).heats[0]
    play_heat(heat)
    answers = posts(directors(event, 3), url(event, "heat_close", number=heat.number), {})
    assert statuses(answers) == [200, 409, 409]
    assert told(answers) == {"heat_not_open"}
    assert len(qualified(event)) == Qualification.objects.count() == 1
    assert LogEntry.objects.filter(action=LogAction.HEAT_CLOSED).count() == 1


def test_closing_and_voiding_at_once() -> None:
    event = make_event(games_per_heat=1)
    heat = make_heats(event, 4).heats[0]
    play_heat(heat)
    first, second = directors(event)
    void = {"void-reason": "the pack had 51 cards"}
    answers = at_once(
        [
            lambda: first.post(url(event, "heat_close", number=heat.number), headers=HTMX),
            lambda: second.post(url(event, "heat_void", number=heat.number), void, headers=HTMX),
        ]
    )
    assert statuses(answers) == [200, 409]
    heat.refresh_from_db()
    assert (heat.status == HeatStatus.FINISHED) is bool(qualified(event))
    waiting = HeatEntry.objects.filter(status=EntryStatus.WAITING).count()
    assert waiting == (0 if heat.status == HeatStatus.FINISHED else 4)
    assert_seated_once(event)


def tied_heat(event: Event) -> Heat:
    """Return an open heat of three games in which three players are tied and one must go on."""
    heat = make_heats(event, 4).heats[0]
    player_ids = [entry.registration.player_id for entry in heat.entries.order_by("pk")]
    for number in (1, 2, 3):
        sheet = Sheet.objects.get(table=heat.table, number=number)
        if number > 1:
            from scoring.writing import open_next_sheet

            sheet = open_next_sheet(table_id=heat.table_id or 0, by="test")
        write(sheet, straight_flush(sheet.seats.index(player_ids[number - 1])))
    return heat


def test_a_flip_flop_is_recorded_once() -> None:
    event = make_event()
    heat = tied_heat(event)
    player_ids = [entry.registration.player_id for entry in heat.entries.order_by("pk")][:3]
    orders = [
        {f"tie0-place_{player_id}": place for place, player_id in enumerate(order, start=1)}
        for order in (player_ids, player_ids[::-1])
    ]
    answers = posts(directors(event), url(event, "heat_flip_flop", number=heat.number), *orders)
    assert statuses(answers) == [200, 409]
    assert told(answers) == {"no_tie"}
    assert FlipFlop.objects.count() == 1


def test_ruling_on_the_same_sheet() -> None:
    event = make_event()
    heat = make_heats(event, 4).heats[0]
    rulings = [
        {
            "action": "points",
            "seat": seat,
            "points": 3,
            "reason": "showed a card",
            "game": 1,
            "version": 0,
            "client_id": str(uuid.uuid4()),
        }
        for seat in (0, 1)
    ]
    answers = posts(directors(event), url(event, "heat_ruling", number=heat.number), *rulings)
    assert statuses(answers) == [200, 409]
    # What was typed is still there, with the current sheet.
    late = next(answer for answer in answers if answer.status_code == 409)
    assert 'value="showed a card"' in text_of(late)
    sheet = Sheet.objects.get(table=heat.table, number=1)
    assert (sheet.version, sum(sheet.state["scores"])) == (1, 3)


def test_a_player_is_disqualified_once() -> None:
    event = make_event()
    heat = make_heats(event, 4).heats[0]
    player = heat.entries.select_related("registration").order_by("pk")[0].registration
    penalties = [
        {
            "penalty-player": player.player_id,
            "penalty-offence": "cheating",
            "penalty-sure": "on",
            "penalty-game": 1,
            "penalty-version": 0,
            "penalty-last": 0,
            "penalty-client_id": str(uuid.uuid4()),
        }
        for _ in range(2)
    ]
    answers = posts(directors(event), url(event, "heat_penalty", number=heat.number), *penalties)
    assert statuses(answers) == [200, 409]
    assert Penalty.objects.count() == 1
    player.refresh_from_db()
    assert player.status == "disqualified"


def test_a_player_at_no_table_is_disqualified_once() -> None:
    event = make_event()
    player = make_players(event, 1)[0]
    forms = [
        {
            "out-player": player.player_id,
            "out-offence": "cheating",
            "out-sure": "on",
            "out-last": 0,
            "out-client_id": uuid.uuid4(),
        }
        for _ in range(2)
    ]
    answers = posts(directors(event), url(event, "disqualify"), *forms)
    assert statuses(answers) == [200, 409]
    late = client_of(event, Role.DIRECTOR).post(
        url(event, "disqualify"), forms[0] | {"out-client_id": uuid.uuid4()}
    )
    assert late.status_code == 409
    assert Penalty.objects.count() == 1
    player.refresh_from_db()
    assert player.status == "disqualified"


# --- correcting --------------------------------------------------------------------------------


@pytest.fixture
def closed(db: None) -> Sheet:
    """The only sheet of a closed heat: seat 0 has won by a straight flush at once."""
    event = make_event(games_per_heat=1, playoff_games=1)
    heat = make_heats(event, 4).heats[0]
    sheet = play_game(Sheet.objects.get(table=heat.table))
    client_of(event, Role.DIRECTOR).post(url(event, "heat_close", number=heat.number))
    assert len(qualified(event)) == 1
    return sheet


def instead(sheet: Sheet, seat: int) -> dict[str, Any]:
    """Return a form: the straight flush was that seat's."""
    value = f'{{"category":"straight_flush","kind":"hand","phase":1,"seat":{seat}}}'
    return correction(sheet, entry=value)


def test_two_corrections_of_the_same_entry(closed: Sheet) -> None:
    event = closed.heat_game.heat.event
    path = address(closed, "correct_apply", 1)
    answers = posts(directors(event), path, instead(closed, 1), instead(closed, 2))
    assert statuses(answers) == [200, 409]
    assert told(answers) == {"conflict"}
    closed.refresh_from_db()
    assert closed.version == 2
    assert qualified(event) == [closed.seats[closed.state["winners"][0]]]
    assert LogEntry.objects.filter(action=LogAction.CORRECTED).count() == 1
    assert Qualification.objects.count() == 2


def test_a_correction_sent_twice_is_made_once(closed: Sheet) -> None:
    event = closed.heat_game.heat.event
    client = client_of(event, Role.DIRECTOR)
    answers = posts([client, client], address(closed, "correct_apply", 1), instead(closed, 1))
    assert statuses(answers) == [200, 200]
    closed.refresh_from_db()
    assert closed.version == 2
    assert qualified(event) == [closed.seats[1]]


def test_correcting_while_the_round_is_prepared() -> None:
    event = qualified_event(3)
    heat = event.heats.get(number=1)
    sheet = Sheet.objects.get(table=heat.table)
    before = qualified(event)
    first, second = directors(event)
    value = f'{{"category":"straight_flush","kind":"hand","phase":{phase_of(sheet)},"seat":1}}'
    wrong = sheet.seats.index(next(player_id for player_id in before if player_id in sheet.seats))
    value = value.replace('"seat":1', f'"seat":{(wrong + 1) % 4}')
    data = correction(sheet, entry=value)
    answers = at_once(
        [
            lambda: first.post(address(sheet, "correct_apply", sheet.version), data, headers=HTMX),
            lambda: second.post(url(event, "round_prepare"), headers=HTMX),
        ]
    )
    assert statuses(answers)[0] == 200
    stage = event.stages.order_by("-number")[0]
    assert stage.kind == "final"
    playing = sorted(
        place.registration.player_id
        for place in stage.players.filter(absent=False).select_related("registration")
    )
    # Prepared before or after the correction: the qualified players play.
    assert answers[1].status_code == 200
    assert playing == qualified(event)
    assert (playing == before) is not (answers[0].status_code == 200)


def test_correcting_while_its_winner_is_seated_in_a_new_heat(closed: Sheet) -> None:
    """A player drawn again just as a correction qualifies him plays on."""
    event = closed.heat_game.heat.event
    right = event.registrations.get(number=int(closed.seats[1]))
    cashier = client_of(event, Role.CASHIER)
    cashier.post(url(event, "player_enter", number=right.number))
    for player in make_players(event, 3, here=False):
        check_in(registration=player, by=None)
    first, second = directors(event)
    answers = at_once(
        [
            lambda: first.post(
                address(closed, "correct_apply", 1), instead(closed, 1), headers=HTMX
            ),
            lambda: second.post(url(event, "desk_draw"), headers=HTMX),
        ]
    )
    assert answers[1].status_code == 200
    assert answers[0].status_code in {200, 422}
    if answers[0].status_code == 200:
        assert qualified(event) == [right.player_id]
    assert_seated_once(event)


def test_signing_off_and_closing_at_once() -> None:
    """The table's sign-off closes the heat by itself; the director's button does so only once."""
    event = make_event(games_per_heat=1)
    draw_of_four = make_players(event, 4)
    heat = draw_heats(event=event, by=None).heats[0]
    play_heat(heat)
    director = client_of(event, Role.DIRECTOR)
    director.post(url(event, "heat_link", number=heat.number))
    page = text_of(director.get(url(event, "heat_desk", number=heat.number)))
    link = page.split('class="link-text mt-2 mb-2"><a href="')[1].split('"')[0]
    phone = Client()
    answers = at_once(
        [
            lambda: director.post(url(event, "heat_close", number=heat.number), headers=HTMX),
            lambda: tapped(phone, link, "sign"),
        ]
    )
    assert answers[1]["took"]
    assert answers[0].status_code in {200, 409}
    heat.refresh_from_db()
    assert heat.status == HeatStatus.FINISHED
    assert len(qualified(event)) == 1
    assert len(draw_of_four) == 4
    assert LogEntry.objects.filter(action=LogAction.HEAT_CLOSED).count() == 1
