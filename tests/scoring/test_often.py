"""Questions that are put together once give what Django's query sets give."""

import pytest
from django.db import transaction
from django.db.models import Model
from django.db.transaction import TransactionManagementError

from scoring.models import AskedOften, Sheet, Table
from scoring.models.often import M
from tests.tournaments.factories import finished_heat, make_event
from tournaments.models import Event, Heat, HeatEntry, HeatGame, HeatResult, Registration, Stage

pytestmark = pytest.mark.django_db


def values(row: Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.mark.parametrize(
    "model", [Event, Stage, Heat, HeatEntry, HeatGame, HeatResult, Registration, Sheet, Table]
)
def test_rows_are_those_of_a_query_set(model: type[M]) -> None:
    finished_heat(make_event(games_per_heat=2), 4)
    asked = AskedOften(model, "own.id >= %s ORDER BY own.id", lock="UPDATE")
    with transaction.atomic():
        found = asked.rows(0)
    assert [values(row) for row in found] == [
        values(row) for row in model._default_manager.order_by("pk")
    ]
    assert not found[0]._state.adding
    assert not found[0].get_deferred_fields()


def test_related_rows_come_along(django_assert_num_queries) -> None:
    heat = finished_heat(make_event(games_per_heat=1), 4)
    assert heat.draw is not None
    asked = AskedOften(
        HeatGame, "own.heat_id = %s", related=("sheet", "heat", "heat__table", "heat__draw")
    )
    with django_assert_num_queries(1):
        found = asked.row(heat.pk)
        assert found.heat.table is not None
        assert found.heat.table.pk == heat.table_id
        assert found.sheet.table_id == heat.table_id
        assert found.heat.draw == heat.draw
    Heat.objects.update(draw=None)
    with django_assert_num_queries(1):
        assert asked.row(heat.pk).heat.draw is None


def test_other_fields_are_read_when_asked_for(django_assert_num_queries) -> None:
    event = make_event()
    asked = AskedOften(Event, "own.id = %s", only={"id", "slug"})
    with django_assert_num_queries(2):
        assert asked.row(event.pk).slug == event.slug
        assert asked.row(event.pk).get_deferred_fields() > {"name"}
    assert asked.row(event.pk).name == event.name


def test_there_may_be_none() -> None:
    asked = AskedOften(Event, "own.id = %s")
    assert asked.rows(1) == []
    with pytest.raises(Event.DoesNotExist):
        asked.row(1)


@pytest.mark.django_db(transaction=True)
def test_a_row_is_locked_in_a_transaction() -> None:
    with pytest.raises(TransactionManagementError):
        AskedOften(Event, "own.id = %s", lock="UPDATE").rows(1)
