"""Reading what a page or its script sends; bad input becomes a coded problem."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest
from django.http.request import UnreadablePostError

from ..errors import ScoringError

_MOST = 2**31 - 1


def check_origin(request: HttpRequest) -> None:
    """Raise ``ScoringError("malformed")`` for what another site's page has sent.

    It is for what is sent without a token, as the Auditor's page has none.
    """
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    origin = request.headers.get("Origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.get_host()
    if site != "same-origin" or foreign:
        raise ScoringError("malformed")


def read_same_origin(request: HttpRequest) -> Mapping[str, Any]:
    """Return the fields of a JSON object that a page of this site has sent.

    No other site's page can send it with this device's cookie, so it needs no token. Raises
    ``ScoringError("malformed")`` for anything else.
    """
    check_origin(request)
    if request.content_type != "application/json":
        raise ScoringError("malformed")
    try:
        fields = json.loads(request.body)
    except (ValueError, RecursionError, SuspiciousOperation, UnreadablePostError) as error:
        raise ScoringError("malformed") from error
    if not isinstance(fields, dict):
        raise ScoringError("malformed")
    return fields


def read_uuid(fields: Mapping[str, Any], name: str) -> uuid.UUID:
    """Return a UUID made by the device; raise ``ScoringError("malformed")`` for anything else."""
    try:
        return uuid.UUID(_text(fields, name))
    except ValueError as error:
        raise ScoringError("malformed") from error


def read_word(fields: Mapping[str, Any], name: str) -> str:
    """Return one line of text; raise ``ScoringError("malformed")`` for anything else."""
    text = _text(fields, name).strip()
    if not text.isprintable():
        raise ScoringError("malformed")
    return text


def read_seen(text: str) -> dict[int, int]:
    """Return games with their versions from ``1:34 2:40``.

    Raises ``ScoringError("malformed")`` for anything else.
    """
    pairs = [pair.split(":") for pair in text.split()]
    if not pairs or len(pairs) > 20 or any(len(pair) != 2 for pair in pairs):
        raise ScoringError("malformed")
    return {
        read_number({"game": game}, "game"): read_number({"version": version}, "version")
        for game, version in pairs
    }


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or "\x00" in value:
        raise ScoringError("malformed")
    return value


def read_number(fields: Mapping[str, Any], name: str) -> int:
    """Return a whole number from 0; raise ``ScoringError("malformed")`` for anything else."""
    value = fields.get(name)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 11:
        value = int(value)
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ScoringError("malformed")
    return value
