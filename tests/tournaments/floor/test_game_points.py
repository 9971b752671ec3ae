"""Penalties in game points: deducted from a heat's sum before ranking, shown, returned."""

from __future__ import annotations

import csv
import io
import json
import re
import uuid
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from engine.messages import points_text
from scoring.errors import ScoringError
from scoring.models import HeatPenalty
from scoring.reading.ranking import order_by_lots
from tests.scoring.factories import auditor_link
from tests.scoring.web.phone import parts_of
from tests.tournaments.factories import make_event, make_heats, play_heat
from tests.tournaments.floor.test_commands import at_seat, sheet_of
from tests.tournaments.floor.test_penalties import again, next_level, punish
from tests.tournaments.played_once import played_once
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.errors import Refused
from tournaments.core.guards import guarded
from tournaments.documents import BadDocument, event_document, import_event
from tournaments.floor.commands.floor import SeatedPlayer, swap_seated_players
from tournaments.floor.commands.penalties import take_back_penalty
from tournaments.floor.queries.penalties import last_penalty
from tournaments.heats.commands import close_heat
from tournaments.models import Event, Heat, HeatResult, LogEntry, Penalty
from tournaments.models.enums import PenaltyLevel
from tournaments.registration.commands.check_in import enter_heat

pytestmark = pytest.mark.django_db

OFF = PenaltyLevel.GAME_POINTS


@played_once
def played_heat() -> Heat:
    return play_heat(make_heats(make_event(games_per_heat=1), 4).heats[0])


@pytest.fixture
def heat() -> Heat:
    """An open heat of one game, won by its first player: 20, and 35/3 each for the others."""
    return played_heat()


def ranked(heat: Heat) -> list[tuple[str, Fraction, Fraction, int]]:
    rows = HeatResult.objects.filter(heat=heat).select_related("entry__registration")
    return [
        (row.entry.registration.player_id, row.game_points, row.penalty, row.place) for row in rows
    ]


def test_game_points_are_deducted_before_ranking(heat: Heat) -> None:
    (best, *_), (second, points, _, _), *_ = ranked(heat)
    punish(heat, heat.event.registrations.get(number=int(best)), OFF, points=10)
    rows = ranked(heat)
    assert rows[0] == (second, points, 0, 1)
    assert (best, 10, 10) in [row[:3] for row in rows]
    assert HeatResult.objects.filter(heat=heat).first().table_points == 55
    close_heat(heat=heat, by=None)
    assert [row.registration.player_id for row in heat.event.qualifications.valid()] == [second]


def test_the_sum_may_fall_below_zero(heat: Heat) -> None:
    last = ranked(heat)[-1][0]
    player = heat.event.registrations.get(number=int(last))
    punish(heat, player, OFF, points=50)
    assert ranked(heat)[-1][:3] == (last, -42, 50)


def test_deducting_game_points_needs_no_running_game_and_counts_from_the_start() -> None:
    heat = make_heats(make_event(games_per_heat=1), 4).heats[0]
    punish(heat, at_seat(heat, 0), OFF, points=5)
    assert not HeatResult.objects.filter(heat=heat).exists()
    assert not sheet_of(heat).entries.exists()
    play_heat(heat)
    assert sum(row[2] for row in ranked(heat)) == 5


def test_the_same_penalty_sent_twice_counts_once(heat: Heat) -> None:
    client_id = uuid.uuid4()
    for _ in range(2):
        punish(heat, at_seat(heat, 0), OFF, points=5, client_id=client_id)
    assert Penalty.objects.count() == HeatPenalty.objects.count() == 1


def test_impossible_game_points_are_refused(heat: Heat) -> None:
    for points in (0, 53, Fraction(1, 7), Fraction(-5, 2)):
        with pytest.raises(Refused) as refused:
            punish(heat, at_seat(heat, 0), OFF, points=points)
        assert refused.value.code == "bad_points"
    assert not HeatPenalty.objects.exists()


def test_a_deduction_is_taken_back_by_a_further_row(heat: Heat) -> None:
    before = ranked(heat)
    player = at_seat(heat, 0)
    penalty = punish(heat, player, OFF, points=5)
    take_back_penalty(penalty=penalty, by=None, reason="it was the neighbour")
    assert ranked(heat) == before
    given, back = HeatPenalty.objects.order_by("pk")
    assert (back.takes_back, back.reason) == (given, "it was the neighbour")
    assert next_level(player) == PenaltyLevel.WARNING
    assert list(LogEntry.objects.order_by("-pk").values_list("action", flat=True)[:2]) == [
        "penalty_taken_back",
        "penalty",
    ]
    with pytest.raises(Refused):
        take_back_penalty(penalty=penalty, by=None, reason="again")


def test_game_points_can_be_a_step_of_the_penalty_ladder(heat: Heat) -> None:
    heat.event.penalty_ladder = [
        {"level": "warning"},
        {"level": "game_points", "points": 4},
        {"level": "disqualified"},
    ]
    heat.event.save()
    player = at_seat(heat, 0)
    punish(heat, player, "warning")
    assert next_level(player) == OFF
    punish(heat, player, OFF, points=4)
    assert next_level(player) == PenaltyLevel.DISQUALIFIED


def test_players_with_deducted_game_points_cannot_change_tables() -> None:
    one, other = make_heats(make_event(), 8).heats
    punish(one, at_seat(one, 0), OFF, points=5)
    with pytest.raises(ScoringError) as refused:
        swap_seated_players(
            one=SeatedPlayer(one, at_seat(one, 0)),
            other=SeatedPlayer(other, at_seat(other, 0)),
            by=None,
            reason="wrong table",
        )
    assert refused.value.code == "penalty_recorded"


def test_points_on_the_sheet_are_whole_numbers(heat: Heat) -> None:
    with pytest.raises(Refused) as refused:
        punish(heat, at_seat(heat, 0), "points", points=Fraction(5, 2))
    assert refused.value.code == "bad_points"


# --- the event document -----------------------------------------------------------------------


def test_game_points_survive_export_and_import(heat: Heat) -> None:
    player, other = at_seat(heat, 0), at_seat(heat, 1)
    punish(heat, player, OFF, points=5, reason="phone on the table")
    take_back_penalty(penalty=punish(heat, other, OFF, points=3), by=None, reason="no")
    punish(heat, other, OFF, points=3, offence="language")
    close_heat(heat=heat, by=None)
    first = event_document(heat.event)
    (stage,) = first["stages"]
    assert [(row["player"], row["game_points"]) for row in stage["heats"][0]["penalties"]] == [
        (player.player_id, "5"),
        (other.player_id, "3"),
    ]
    assert [(row["id"], row["action"], row["points"]) for row in first["penalties"]] == [
        (player.player_id, "game_points", -5),
        (other.player_id, "game_points", -3),
    ]
    made = again(heat.event)
    assert json.dumps(event_document(made) | {"slug": first["slug"]}) == json.dumps(
        event_document(heat.event)
    )
    for old in (player, other):
        assert next_level(made.registrations.get(number=old.number)) == next_level(old)


def test_a_document_may_have_fractional_game_points(heat: Heat) -> None:
    document = event_document(heat.event)
    (stage,) = document["stages"]
    taken = {"player": stage["heats"][0]["players"][0], "game_points": "5/2", "reason": "late"}
    stage["heats"][0]["penalties"] = [taken]
    made = import_event({**document, "slug": "again"})
    assert sum(row[2] for row in ranked(made.heats.get())) == Fraction(5, 2)
    assert event_document(made)["stages"][0]["heats"][0]["penalties"] == [taken]
    for change in ({"game_points": "0"}, {"game_points": "1/7"}, {"player": "9"}, {"reason": " "}):
        stage["heats"][0]["penalties"] = [taken | change]
        with pytest.raises(BadDocument):
            import_event({**document, "slug": "once-more"})


def test_fractional_game_points_survive_export_and_import(heat: Heat) -> None:
    player = at_seat(heat, 0)
    punish(heat, player, OFF, points=Fraction(5, 2))
    first = event_document(heat.event)
    assert [row["points"] for row in first["penalties"]] == ["-5/2"]
    made = again(heat.event)
    assert made.penalties.get().points == Fraction(5, 2)
    assert event_document(made) | {"slug": first["slug"]} == first


# --- pages ------------------------------------------------------------------------------------


def give(client: Client, heat: Heat, **more: Any) -> Any:
    data = {
        "player": sheet_of(heat).seats[0],
        "offence": "language",
        "level": "game_points",
        "points": 5,
        "reason": "loud words",
        "game": 1,
        "version": 0,
        "last": last_penalty(heat.event),
        "client_id": uuid.uuid4(),
    } | more
    path = url(heat.event, "heat_penalty", number=heat.number)
    return client.post(path, {f"penalty-{key}": value for key, value in data.items()}, follow=True)


def test_the_director_deducts_game_points_and_everybody_sees_it(
    event: Event, director: Client, client: Client
) -> None:
    event.games_per_heat = 1
    event.save()
    heat = play_heat(make_heats(event, 4).heats[0])
    player_id = sheet_of(heat).seats[0]
    assert give(director, heat).status_code == 200
    assert "(−5)" in text_of(director.get(url(event, "floor")))
    (row,) = [row for row in ranked(heat) if row[2]]
    assert (row[0], row[2]) == (player_id, 5)
    page = text_of(client.get(url(event, "heat", number=heat.number)))
    assert "loud words" in page
    shown = f"{points_text(row[1] + 5)} − 5"
    assert shown in page
    assert shown in text_of(client.get(url(event, "standings")))
    assert shown in text_of(director.get(url(event, "player_edit", number=int(player_id))))
    assert "loud words" in "".join(parts_of(client, auditor_link(heat.table)).values())
    answer = client.get(url(event, "standings_export", fmt="csv"))
    found = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    # Exact game points are text, which may be "2 1/2": a spreadsheet is kept from changing it.
    taken = sorted(line["Penalty in game points"] for line in found)
    assert taken == ["", "", "", guarded("5")]


def test_bad_game_points_keep_what_was_typed(event: Event, director: Client) -> None:
    heat = make_heats(event, 4).heats[0]
    answer = give(director, heat, points="")
    assert answer.status_code in (409, 422)
    assert "loud words" in text_of(answer)
    assert not Penalty.objects.exists()


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("5", 5),
        ("2.5", "5/2"),
        ("2,5", "5/2"),
        ("5/2", "5/2"),
        ("2 1/2", "5/2"),
        (" 1/12 ", "1/12"),
    ],
)
def test_the_director_types_fractional_game_points(
    event: Event, director: Client, typed: str, points: str
) -> None:
    heat = make_heats(event, 4).heats[0]
    assert give(director, heat, points=typed).status_code == 200
    assert Penalty.objects.get().points == HeatPenalty.objects.get().game_points == Fraction(points)
    assert "2 1/2" in text_of(director.get(url(event, "penalties"))) or typed in ("5", " 1/12 ")


def test_anything_but_twelfths_is_refused(event: Event, director: Client) -> None:
    heat = make_heats(event, 4).heats[0]
    for typed in ("1/7", "0", "-5", "5/0", "1e9", "five", "2.3", "53", "٥", "1/2/3"):
        answer = give(director, heat, points=typed)
        assert answer.status_code in (409, 422), typed
        assert f'value="{typed}"' in answer.content.decode()
    assert not Penalty.objects.exists()


# --- after a heat is closed -------------------------------------------------------------------


def after(client: Client, heat: Heat, player: str, **more: Any) -> Any:
    data = {
        "player": player,
        "offence": "collusion",
        "points": 30,
        "reason": "found out later",
        "last": last_penalty(heat.event),
        "client_id": uuid.uuid4(),
    } | more
    path = url(heat.event, "closed_penalty", number=heat.number)
    return client.post(path, {f"closed-{key}": value for key, value in data.items()}, follow=True)


def seen(answer: Any) -> str:
    """Return the versions that the director has seen, as the page sends them back."""
    (found,) = re.findall(r'name="closed-seen" value="([^"]*)"', answer.content.decode())
    return str(found)


def qualified(heat: Heat) -> list[str]:
    return [row.registration.player_id for row in heat.event.qualifications.valid()]


def test_deductions_after_the_heat_change_who_qualifies(event: Event, director: Client) -> None:
    event.games_per_heat = 1
    event.save()
    heat = play_heat(make_heats(event, 4).heats[0])
    close_heat(heat=heat, by=None)
    (best,) = qualified(heat)
    asked = after(director, heat, best)
    assert asked.status_code == 422
    sure = {"sure": "on", "seen": seen(asked)}
    assert "found out later" in text_of(asked)
    assert 'name="closed-sure"' in text_of(asked)
    assert qualified(heat) == [best]
    assert not HeatPenalty.objects.exists()
    other_points = after(director, heat, best, **sure, points=31)
    assert other_points.status_code == 422
    assert after(director, heat, best, **sure).status_code == 200
    (other,) = qualified(heat)
    assert other != best
    heat.refresh_from_db()
    assert heat.status == "finished"
    row = Penalty.objects.get()
    assert event_document(again(event)) | {"slug": event.slug} == event_document(event)
    back = f"back-{row.pk}"
    sure["seen"] = seen(after(director, heat, back))
    assert after(director, heat, back, **sure).status_code == 200
    assert qualified(heat) == [best]
    assert sum(line[2] for line in ranked(heat)) == 0


#: One player wins all games: 60. The second gets 15 and twice a share of 35/3: 38 1/3.
TIE = "21 2/3"


@pytest.fixture
def tied(event: Event) -> tuple[Heat, list[str]]:
    """A closed heat in which deducting ``TIE`` from the winner makes a tie with the second."""
    event.tie_chain = ["game_points", "flip_flop"]
    event.save()
    heat = play_heat(make_heats(event, 4).heats[0])
    close_heat(heat=heat, by=None)
    return heat, [row[0] for row in ranked(heat)]


def test_a_tie_after_the_heat_is_settled_by_places_in_the_same_form(
    tied: tuple[Heat, list[str]], director: Client
) -> None:
    heat, (best, second, *_others) = tied
    asked = after(director, heat, best, points=TIE)
    assert asked.status_code == 409
    for name in (f"place_{best}", f"place_{second}", "lots"):
        assert f'name="closed-{name}"' in asked.content.decode()
    assert not HeatPenalty.objects.exists()
    places = {"points": TIE, f"place_{best}": "2", f"place_{second}": "1"}
    told = after(director, heat, best, **places)
    assert told.status_code == 422
    assert after(director, heat, best, **places, sure="on", seen=seen(told)).status_code == 200
    assert qualified(heat) == [second]
    assert heat.table.flip_flops.get().order == [second, best]


def test_a_tie_after_the_heat_is_settled_by_lots_drawn_once(
    tied: tuple[Heat, list[str]], director: Client
) -> None:
    heat, (best, second, *_others) = tied
    lots = {"points": TIE, "lots": "on"}
    told = [after(director, heat, best, **lots) for _ in range(2)]
    assert after(director, heat, best, **lots, sure="on", seen=seen(told[1])).status_code == 200
    drawn = heat.table.flip_flops.get()
    assert drawn.order == order_by_lots(drawn.seed, [best, second])
    assert qualified(heat) == drawn.order[:1]
    assert LogEntry.objects.get(action="flip_flop").after == {
        "order": drawn.order,
        "seed": drawn.seed,
    }
    made = again(heat.event)
    assert event_document(made) | {"slug": heat.event.slug} == event_document(heat.event)


def test_a_stand_in_after_the_heat_is_chosen_in_the_same_form(
    tied: tuple[Heat, list[str]], event: Event, director: Client
) -> None:
    heat, (best, second, third, _last) = tied
    enter_heat(registration=event.registrations.get(number=int(second)), by=None)
    other = make_heats(event, 3).heats[0]
    play_heat(other, event.registrations.get(number=int(second)))
    close_heat(heat=other, by=None)
    assert qualified(heat) == [best, second]
    asked = after(director, heat, best, points=22)
    assert asked.status_code == 409
    assert f'name="closed-instead" value="{third}"' in " ".join(asked.content.decode().split())
    chosen = {"points": 22, "instead": third}
    told = after(director, heat, best, **chosen)
    assert after(director, heat, best, **chosen, sure="on", seen=seen(told)).status_code == 200
    assert qualified(heat) == [second, third]


def test_the_form_for_closed_heats_is_refused_on_an_open_one(
    event: Event, director: Client
) -> None:
    heat = make_heats(event, 4).heats[0]
    after(director, heat, sheet_of(heat).seats[0], sure="on")
    assert not Penalty.objects.exists()
