"""The admin shows everything and changes nothing."""

import pytest
from django.contrib.auth import get_user_model

from scoring.models import Link, SheetEntry
from scoring.writing import take_lease

from .factories import auditor_link, make_table, none, running, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief(client, settings):
    settings.ROOT_URLCONF = "config.urls"
    client.force_login(get_user_model().objects.create_superuser("chief"))
    return client


def test_lists_open_and_nothing_can_be_added(chief):
    table = make_table()
    write(running(table), none(1))
    take_lease(sheet_id=running(table).pk, device="x", author="y")
    auditor_link(table)
    for name in ("table", "sheet", "sheetentry", "link", "leasechange", "flipflop"):
        assert chief.get(f"/admin/scoring/{name}/").status_code == 200, name
        assert chief.get(f"/admin/scoring/{name}/add/").status_code == 403, name


def test_rows_are_read_only(chief):
    write(running(make_table()), none(1))
    row = SheetEntry.objects.get()
    page = f"/admin/scoring/sheetentry/{row.pk}/"
    assert chief.get(page + "change/").status_code == 200
    assert chief.post(page + "change/", {"author": "x"}).status_code == 403
    assert chief.post(page + "delete/", {"post": "yes"}).status_code == 403


def test_a_links_secret_is_not_shown(chief):
    auditor_link(make_table())
    link = Link.objects.get()
    html = chief.get(f"/admin/scoring/link/{link.pk}/change/").content.decode()
    assert link.nonce not in html
    assert link.digest not in html
