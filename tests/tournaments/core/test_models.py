"""Invariants that the database itself enforces."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Sum

from scoring.models.append_only import AppendOnlyError
from tests.tournaments.factories import finished_heat, make_event, make_heats, make_players
from tournaments.models import (
    Booking,
    Event,
    GameResult,
    Heat,
    HeatEntry,
    LogEntry,
    Person,
    Qualification,
)
from tournaments.models.enums import EntryStatus, HeatStatus, Visibility
from tournaments.models.fields import TwelfthsField
from tournaments.models.search import plain
from tournaments.models.validators import validate_visible

pytestmark = pytest.mark.django_db


def refused(make: object) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make()


def test_one_open_entry_per_registration(event: Event) -> None:
    player = make_players(event, 1)[0]
    stage = event.stages.get()
    refused(lambda: HeatEntry.objects.create(registration=player, stage=stage, number=2))


def test_entry_numbers_are_unique(event: Event) -> None:
    player = make_players(event, 1, here=False)[0]
    stage = event.stages.get()
    heat = make_heats(event, 3).heats[0]
    done = {"registration": player, "stage": stage, "number": 1, "status": EntryStatus.DONE}
    HeatEntry.objects.create(**done, heat=heat)
    other = make_heats(event, 3, seed="b").heats[0]
    refused(lambda: HeatEntry.objects.create(**done, heat=other))


def test_a_waiting_entry_has_no_heat_and_a_seated_one_has(event: Event) -> None:
    heat = make_heats(event, 3).heats[0]
    refused(lambda: heat.entries.update(status=EntryStatus.WAITING))
    refused(lambda: HeatEntry.objects.update(heat=None))


def test_one_qualification_per_registration(event: Event) -> None:
    finished_heat(event)
    row = Qualification.objects.get()
    again = {"event": event, "registration": row.registration, "stage": row.stage, "order": 2}
    refused(lambda: Qualification.objects.create(**again))


def test_the_order_of_qualification_is_unique(event: Event) -> None:
    heat = finished_heat(event)
    other = heat.entries.order_by("-pk")[0].registration
    row = {"event": event, "registration": other, "stage": heat.stage, "order": 1}
    refused(lambda: Qualification.objects.create(**row))


def test_two_open_heats_never_share_a_table(event: Event) -> None:
    first, second = make_heats(event, 8).heats
    refused(lambda: Heat.objects.filter(pk=second.pk).update(table_number=first.table_number))


def test_an_open_heat_has_its_sheets(event: Event) -> None:
    heat = make_heats(event, 3).heats[0]
    refused(lambda: Heat.objects.filter(pk=heat.pk).update(table=None))


def test_seats_of_a_game_are_unique(event: Event) -> None:
    finished_heat(event)
    first = GameResult.objects.order_by("pk")[0]
    refused(
        lambda: (
            GameResult.objects.filter(game=first.game).exclude(pk=first.pk).update(seat=first.seat)
        )
    )


def test_unknown_status_is_refused(event: Event) -> None:
    make_heats(event, 3)
    refused(lambda: Heat.objects.update(status="gone"))
    refused(lambda: Event.objects.update(status="gone"))


def test_a_person_is_not_registered_twice(event: Event) -> None:
    player = make_players(event, 1)[0]
    refused(lambda: event.registrations.create(person=player.person, number=9))


def test_nickname_visibility_needs_a_nickname() -> None:
    refused(lambda: Person.objects.create(legal_name="Anna", visibility=Visibility.NICKNAME))


def test_log_is_never_changed_or_deleted(event: Event) -> None:
    row = LogEntry.objects.filter(event=event)[0]
    with pytest.raises(AppendOnlyError):
        row.save()
    with pytest.raises(AppendOnlyError):
        row.delete()
    with pytest.raises(AppendOnlyError):
        LogEntry.objects.all().delete()
    table = LogEntry._meta.db_table
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET reason = 'x'")


@pytest.mark.parametrize(
    ("kind", "amount"), [("buy_in", -100), ("refund", 100), ("fee", 0), ("void", 100)]
)
def test_bookings_have_the_sign_of_their_kind(event: Event, kind: str, amount: int) -> None:
    refused(lambda: Booking.objects.create(event=event, kind=kind, amount=amount, currency="SEK"))


def test_points_are_exact_and_can_be_summed(event: Event) -> None:
    heat = finished_heat(event, 4)
    result = GameResult.objects.order_by("pk")[0]
    GameResult.objects.filter(pk=result.pk).update(game_points=Fraction(35, 3))
    result.refresh_from_db()
    assert result.game_points == Fraction(35, 3)
    rows = GameResult.objects.filter(game__heat=heat)
    total = rows.aggregate(sum=Sum("game_points"))["sum"]
    assert total == sum(row.game_points for row in rows)
    assert isinstance(total, Fraction)


def test_points_are_never_rounded() -> None:
    with pytest.raises(ValueError, match="twelfths"):
        TwelfthsField().get_prep_value(Fraction(1, 7))


@pytest.mark.parametrize("value", ["x", "1/0", "", object()])
def test_invalid_points(value: object) -> None:
    with pytest.raises(ValidationError):
        TwelfthsField().to_python(value)


def test_points_as_text() -> None:
    assert TwelfthsField().to_python("35/3") == Fraction(35, 3)
    assert TwelfthsField().to_python(None) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"rules": "nonsense"},
        {"rules": "svensk+B"},
        {"game_points": {"3": [1, 2, 3], "4": [4, 3, 2, 1]}},
        {"game_points": {"4": [20, 15, 12, 8]}},
        {"game_points": []},
        {"tie_chain": ["flip_flop", "game_points"]},
        {"tie_chain": ["luck"]},
        {"starts_on": "2026-05-02", "ends_on": "2026-05-01"},
        {"games_per_heat": 0},
        {"name": ""},
        {"slug": "no good"},
    ],
)
def test_impossible_events_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        make_event(**fields)


def test_an_event_takes_the_rule_sets_points_and_digest() -> None:
    event = make_event(rules="sm")
    assert event.game_points == {"3": [20, 12, 8], "4": [20, 12, 8, 5]}
    assert len(event.rules_digest) == 64


def test_an_event_with_its_own_points_gives_them_to_its_tables() -> None:
    event = make_event(game_points={"3": [10, 5, 1], "4": [10, 5, 2, 1]}, games_per_heat=1)
    heat = finished_heat(event, 3)
    assert heat.results.order_by("order")[0].game_points == 10
    assert heat.status == HeatStatus.FINISHED


@pytest.mark.parametrize(
    "sign", [*"\ufe0f\ufe00\u034f\u17b4\u17b5\u180b\u180e\u180f\u3164\u200d\U000e0100\U000e01ef"]
)
def test_invisible_signs_are_refused_in_names_and_do_not_count(sign: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_visible(f"An{sign}na")
    assert refused.value.code == "invisible_sign"
    assert plain(f"An{sign}na") == "anna"


def test_a_symbol_may_be_drawn_as_an_emoji() -> None:
    validate_visible("Hjärterkvällen \u2665\ufe0f")
    assert plain("A\u2665\ufe0f") == plain("A\u2665")
