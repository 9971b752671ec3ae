"""Private links stay out of every log."""

import io
import json
import logging
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from config.logs import formatter
from scoring.reading.links import new_nonce, token_of

SECRET = "tHe-SeCrEt-OnE"


@pytest.mark.parametrize(
    "address",
    [
        f"/s/{SECRET}/sync/",
        f"/p/{SECRET}/",
        f"/invitation/{SECRET}/?next=/",
        f"/S/{SECRET}/",
        f"/s//{SECRET}/",
    ],
)
def test_requests_are_logged_without_the_link(
    db: None, client: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = next(h for h in logging.getLogger().handlers if h.name == "console")
    lines = io.StringIO()
    monkeypatch.setattr(console, "stream", lines)
    assert client.get(address).status_code in {404, 405}
    assert SECRET not in lines.getvalue()
    assert "…" in lines.getvalue()


def test_a_link_is_not_logged_however_it_was_typed() -> None:
    console = next(h for h in logging.getLogger().handlers if h.name == "console")
    for typed in (f"//s//{SECRET}", f"/s%2F{SECRET}", f"/P\\{SECRET}/", f"/Invitation//{SECRET}"):
        record = logging.LogRecord("x", 40, "", 1, f"Not Found: {typed}", None, None)
        assert SECRET not in console.format(record)
    token = token_of(new_nonce())
    for path in (f"/d/{token}/", f"/{token}", f"/e/s/{token}?x=1"):
        record = logging.LogRecord("x", 40, "", 1, f"Not Found: {path}", None, None)
        assert token not in console.format(record)
    for plain in ("/static/scoring/count/abcdefghijklmnopqrstuvwxyz.js", "/e/fest/desk/prints/"):
        record = logging.LogRecord("x", 40, "", 1, plain, None, None)
        assert plain in console.format(record)


def test_tracebacks_and_streams_are_logged_without_the_link() -> None:
    console = next(h for h in logging.getLogger().handlers if h.name == "console")
    try:
        raise ValueError(f"GET /p/{SECRET}/now/ HTTP/1.1")
    except ValueError:
        record = logging.LogRecord("x", 40, "", 1, f"/live/?topic={SECRET}", None, sys.exc_info())
    assert SECRET not in console.format(record)


def test_log_lines_carry_the_request_id(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    console = next(h for h in logging.getLogger().handlers if h.name == "console")
    lines = io.StringIO()
    monkeypatch.setattr(console, "stream", lines)
    answer = client.get("/no/such/page/")
    line = json.loads(lines.getvalue().splitlines()[0])
    assert line["request"] == answer["X-Request-ID"]
    assert (line["status"], line["level"]) == (404, "WARNING")
    given = {"X-Request-ID": "proxy-17"}
    assert client.get("/healthz", headers=given)["X-Request-ID"] != "proxy-17"
    settings.TRUST_PROXY = 1
    assert client.get("/healthz", headers=given)["X-Request-ID"] == "proxy-17"
    bad = {"X-Request-ID": "x" * 100}
    assert client.get("/healthz", headers=bad)["X-Request-ID"] != bad["X-Request-ID"]


@pytest.mark.parametrize(
    ("wanted", "terminal", "is_json"),
    [
        ("plain", False, False),
        ("json", True, True),
        ("", False, True),
        ("", True, False),
    ],
)
def test_lines_are_plain_or_json(
    settings: Any, monkeypatch: pytest.MonkeyPatch, wanted: str, terminal: bool, is_json: bool
) -> None:
    settings.LOG_FORMAT = wanted
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: terminal))
    record = logging.LogRecord("x", 40, "", 1, f"GET /p/{SECRET}/", None, None)
    line = formatter().format(record)
    assert line.startswith("{") is is_json
    assert SECRET not in line
