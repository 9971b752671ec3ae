"""One writing device at a time; taking over is logged."""

import pytest

from scoring.models import LeaseChange
from scoring.writing import take_lease

from ..factories import make_table, none, running, write

pytestmark = pytest.mark.django_db


def test_taking_over_is_logged():
    sheet = running(make_table())
    write(sheet, none(1), device="one", author="link 1")
    taken = take_lease(sheet_id=sheet.pk, device="two", author="link 2")
    assert (taken.lease_device, taken.lease_author) == ("two", "link 2")
    last = LeaseChange.objects.last()
    assert (last.device, last.previous_device, last.previous_author) == ("two", "one", "link 1")
    assert write(sheet, none(2), device="two").version == 2


def test_taking_ones_own_lease_changes_nothing():
    sheet = running(make_table())
    take_lease(sheet_id=sheet.pk, device="one", author="x")
    take_lease(sheet_id=sheet.pk, device="one", author="x")
    assert LeaseChange.objects.count() == 1
