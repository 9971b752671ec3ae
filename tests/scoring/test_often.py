"""Questions that are put together once give what their query sets give."""

import pytest
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.transaction import TransactionManagementError

from scoring.models import AskedOften, Blank, Sheet, Table
from tests.tournaments.factories import finished_heat, make_event
from tournaments.models import Event, Heat, HeatEntry, HeatGame, HeatResult, Registration, Stage

pytestmark = pytest.mark.django_db


def values(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.mark.parametrize(
    "model", [Event, Stage, Heat, HeatEntry, HeatGame, HeatResult, Registration, Sheet, Table]
)
def test_rows_are_those_of_a_query_set(model):
    finished_heat(make_event(games_per_heat=2), 4)
    asked = AskedOften(
        lambda: model.objects.select_for_update().filter(pk__gte=Blank()).order_by("pk")
    )
    with transaction.atomic():
        found = asked.rows(0)
    assert [values(row) for row in found] == [values(row) for row in model.objects.order_by("pk")]
    assert not found[0]._state.adding
    assert not found[0].get_deferred_fields()


def test_each_time_other_values_fill_the_blanks(django_assert_num_queries):
    event = make_event(games_per_heat=1)
    heats = [finished_heat(event, 4), finished_heat(event, 3)]
    asked = AskedOften(
        lambda: (
            HeatResult.objects.filter(heat=Blank(1), place__gte=Blank(0), heat__event=Blank(2))
            .annotate(
                played=Exists(HeatGame.objects.filter(heat=OuterRef("heat"), number=Blank(3)))
            )
            .order_by("order")
            .values_list("place", "played")
        )
    )
    with django_assert_num_queries(4):
        assert [len(asked.rows(1, heat.pk, event.pk, 1)) for heat in heats] == [4, 3]
        assert asked.rows(3, heats[1].pk, event.pk, 1) == [(3, True)]
        assert asked.rows(3, heats[1].pk, event.pk, 2) == [(3, False)]


def test_related_rows_come_along(django_assert_num_queries):
    heat = finished_heat(make_event(games_per_heat=1), 4)
    assert heat.draw is not None
    asked = AskedOften(
        lambda: HeatGame.objects.filter(heat=Blank()).select_related("sheet", "heat__draw")
    )
    with django_assert_num_queries(1):
        found = asked.row(heat.pk)
        assert found.sheet.table_id == heat.table_id
        assert found.heat.draw == heat.draw
    Heat.objects.update(draw=None)
    with django_assert_num_queries(1):
        assert asked.row(heat.pk).heat.draw is None


def test_other_fields_are_read_when_asked_for(django_assert_num_queries):
    event = make_event()
    asked = AskedOften(lambda: Event.objects.only("slug").filter(pk=Blank()))
    with django_assert_num_queries(2):
        assert asked.row(event.pk).slug == event.slug
        assert asked.row(event.pk).get_deferred_fields() > {"name"}
    assert asked.row(event.pk).name == event.name


def test_there_may_be_none():
    asked = AskedOften(lambda: Event.objects.filter(slug=Blank()))
    assert asked.rows("nowhere") == []
    with pytest.raises(Event.DoesNotExist):
        asked.row("nowhere")
    # As Django does: SQLite's driver takes no larger numbers.
    numbered = AskedOften(lambda: Event.objects.filter(pk=Blank()))
    assert numbered.rows(10**30) == list(Event.objects.filter(pk=10**30)) == []
    with pytest.raises(Event.DoesNotExist):
        numbered.row(10**30)


@pytest.mark.django_db(transaction=True)
def test_a_row_is_locked_in_a_transaction():
    with pytest.raises(TransactionManagementError):
        AskedOften(lambda: Event.objects.select_for_update().filter(pk=Blank())).rows(1)
