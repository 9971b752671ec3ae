"""Private links stay out of every log."""

import io
import logging
import sys

import pytest
from django.test import Client

SECRET = "tHe-SeCrEt-OnE"


@pytest.mark.parametrize(
    "address", [f"/s/{SECRET}/entry/", f"/p/{SECRET}/", f"/invitation/{SECRET}/?next=/"]
)
def test_answers_are_logged_without_the_link(
    db: None, client: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = next(h for h in logging.getLogger().handlers if h.name == "console")
    lines = io.StringIO()
    monkeypatch.setattr(console, "stream", lines)
    assert client.get(address).status_code in {404, 405}
    assert address[:3] in lines.getvalue()
    assert SECRET not in lines.getvalue()


def test_tracebacks_and_streams_too() -> None:
    console = next(h for h in logging.getLogger().handlers if h.name == "console")
    try:
        raise ValueError(f"GET /p/{SECRET}/now/ HTTP/1.1")
    except ValueError:
        record = logging.LogRecord("x", 40, "", 1, f"/live/?topic={SECRET}", None, sys.exc_info())
    assert SECRET not in console.format(record)
