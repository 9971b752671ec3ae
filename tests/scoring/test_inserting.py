"""Rows inserted by prepared SQL are those that Django inserts."""

import pytest

from scoring.models import insert_all
from tests.tournaments.factories import finished_heat, make_event
from tournaments.models import GameHands, GameResult, HeatResult

pytestmark = pytest.mark.django_db


def _values(row):
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field is not row._meta.auto_field
    }


@pytest.mark.parametrize("model", [HeatResult, GameResult, GameHands])
def test_objects_are_stored_with_all_their_values(model):
    finished_heat(make_event(games_per_heat=2), 4)
    rows = list(model.objects.order_by("pk"))
    before = [_values(row) for row in rows]
    model.objects.all().delete()
    insert_all(model, rows)
    assert [_values(row) for row in model.objects.order_by("pk")] == before


def test_none_are_no_statement(django_assert_num_queries):
    with django_assert_num_queries(0):
        insert_all(HeatResult, [])
