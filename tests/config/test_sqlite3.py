"""The database backend for SQLite converts placeholders as Django's does."""

from typing import Any

import pytest
from django.db.utils import ConnectionHandler

# The tests also run on PostgreSQL; this backend is tried on a database of its own.
DATABASES = {"default": {"ENGINE": "config.sqlite3", "NAME": ":memory:"}}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("SELECT %s || '%%' || %s", ["a", "b"]),
        ("SELECT %(first)s || '%%' || %(last)s", {"first": "a", "last": "b"}),
        ("SELECT 'a%b'", None),
    ],
)
def test_placeholders(text: str, values: Any) -> None:
    connection = ConnectionHandler(DATABASES)["default"]
    try:
        for _again in range(2):
            with connection.cursor() as cursor:
                cursor.execute(text, values)
                assert cursor.fetchone() == ("a%b",)
    finally:
        connection.close()
