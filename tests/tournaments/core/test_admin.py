"""Django's admin: every list opens, and immutable rows cannot be changed."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.factories import finished_heat, make_user
from tournaments.models import Event, LogEntry

MODELS = [
    model
    for model in apps.get_app_config("tournaments").get_models()
    if admin.site.is_registered(model)
]


@pytest.fixture
def boss(db: None) -> Client:
    """The installation's administrator."""
    client = Client()
    client.force_login(make_user("boss", is_staff=True, is_superuser=True))
    return client


def test_every_list_opens(event: Event, boss: Client) -> None:
    finished_heat(event)
    for model in MODELS:
        name = model._meta.model_name
        path = reverse(f"admin:tournaments_{name}_changelist")
        assert boss.get(path).status_code == 200, name
        first = model._default_manager.first()
        if first is None:
            continue
        change = reverse(f"admin:tournaments_{name}_change", args=[first.pk])
        assert boss.get(change).status_code == 200, name
        delete = reverse(f"admin:tournaments_{name}_delete", args=[first.pk])
        assert boss.post(delete, {"post": "yes"}).status_code == 403, name
        assert boss.post(change, {}).status_code == 403, name
        add = reverse(f"admin:tournaments_{name}_add")
        assert boss.get(add).status_code == 403, name


def test_lists_do_not_query_row_by_row(event: Event, boss: Client) -> None:
    finished_heat(event)
    for name in ("registration", "heatentry", "heatresult", "gameresult", "qualification"):
        path = reverse(f"admin:tournaments_{name}_changelist")
        boss.get(path)
        with CaptureQueriesContext(connection) as queries:
            boss.get(path)
        assert len(queries) <= 9, name


def test_the_log_needs_its_permission(event: Event) -> None:
    client = Client()
    client.force_login(make_user("helper", is_staff=True))
    assert client.get(reverse("admin:tournaments_logentry_changelist")).status_code == 403
    assert LogEntry.objects.exists()
