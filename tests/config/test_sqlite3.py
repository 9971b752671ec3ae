"""The database backend for SQLite converts placeholders as Django's does."""

from typing import Any

import pytest
from django.db import connection

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's backend"),
]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("SELECT %s || '%%' || %s", ["a", "b"]),
        ("SELECT %(first)s || '%%' || %(last)s", {"first": "a", "last": "b"}),
        ("SELECT 'a%b'", None),
    ],
)
def test_placeholders(text: str, values: Any) -> None:
    for _again in range(2):
        with connection.cursor() as cursor:
            cursor.execute(text, values)
            assert cursor.fetchone() == ("a%b",)
