"""Reading what a page or its script sends; bad input becomes a coded problem."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from django.http.request import UnreadablePostError

from engine.sheet.entries import WITHOUT_SEAT

from ..errors import ScoringError

_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Sent:
    """The parts of every write: UUID, game, version seen, and the entry, if any."""

    client_id: uuid.UUID
    game: int
    version: int
    entry: Mapping[str, Any]
    confirmed: bool


def read_fields(request: HttpRequest) -> Mapping[str, Any]:
    """Return the fields of a form or of a JSON object.

    Raises ``ScoringError("malformed")`` for anything else.
    """
    try:
        if request.content_type == "application/json":
            fields = json.loads(request.body)
        else:
            fields = {key: request.POST[key] for key in request.POST}
    except (
        ValueError,
        RecursionError,
        MultiPartParserError,
        BadRequest,
        SuspiciousOperation,
        UnreadablePostError,
        LookupError,
    ) as error:
        raise ScoringError("malformed") from error
    if not isinstance(fields, dict):
        raise ScoringError("malformed")
    return fields


def read_same_origin(request: HttpRequest) -> Mapping[str, Any]:
    """Return the fields of a JSON object that a page of this site has sent.

    No other site's page can send it with this device's cookie, so it needs no token.
    """
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    origin = request.headers.get("Origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.get_host()
    if request.content_type != "application/json" or site != "same-origin" or foreign:
        raise ScoringError("malformed")
    return read_fields(request)


def read_sent(request: HttpRequest, *, entry: bool) -> Sent:
    """Return a write as the page sends it; with ``entry`` it must contain an entry.

    A form sends the entry as ``what`` (JSON, with or without the seat) and ``seat``; the script
    sends it complete as ``entry``. Raises ``ScoringError("malformed")``.
    """
    fields = read_fields(request)
    return Sent(
        client_id=read_uuid(fields, "id"),
        game=read_number(fields, "game"),
        version=read_number(fields, "version"),
        entry=_entry(fields) if entry else {},
        confirmed=fields.get("confirmed") in (True, "1", "true"),
    )


@dataclass(frozen=True, slots=True)
class SentChicago:
    """A declared Chicago: its UUID, game, deal and seat; no seat takes it back."""

    client_id: uuid.UUID
    game: int
    deal: int
    seat: int | None


def read_chicago(request: HttpRequest) -> SentChicago:
    """Return a declaration as the page sends it. Raises ``ScoringError("malformed")``."""
    fields = read_fields(request)
    client_id = read_uuid(fields, "id")
    seat = None if fields.get("announce") in (None, "") else read_number(fields, "announce")
    return SentChicago(client_id, read_number(fields, "game"), read_number(fields, "deal"), seat)


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


def _entry(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    if "what" not in fields:
        entry = fields.get("entry")
        if isinstance(entry, str):
            entry = _json(entry)
        if not isinstance(entry, dict):
            raise ScoringError("malformed")
        return entry
    what = _json(_text(fields, "what"))
    if not isinstance(what, dict):
        raise ScoringError("malformed")
    if "seat" in what or what.get("kind") == "none" or str(what.get("action")) in WITHOUT_SEAT:
        return what
    if fields.get("seat") in (None, ""):
        raise ScoringError("seat_first")
    return {**what, "seat": read_number(fields, "seat")}


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ScoringError("malformed") from error
