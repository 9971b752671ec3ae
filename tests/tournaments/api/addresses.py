"""The interface's addresses, for the tests that ask all of them."""

from __future__ import annotations

#: An address of the interface -> method, its arguments, whether it is public.
API: dict[str, tuple[str, tuple[str, ...], bool]] = {
    "organisers": ("get", (), True),
    "organiser": ("get", ("organiser",), True),
    "events": ("get", (), True),
    "event": ("get", ("slug",), True),
    "players": ("get", ("slug",), True),
    "player": ("get", ("slug", "number"), True),
    "heats": ("get", ("slug",), True),
    "heat": ("get", ("slug", "number"), True),
    "games": ("get", ("slug", "number"), True),
    "game": ("get", ("slug", "number", "game"), True),
    "draws": ("get", ("slug",), True),
    "draw": ("get", ("slug", "number"), True),
    "standings": ("get", ("slug",), True),
    "qualified": ("get", ("slug",), True),
    "playoffs": ("get", ("slug",), True),
    "result": ("get", ("slug",), True),
    "statistics": ("get", ("slug",), True),
    "document": ("get", ("slug",), True),
    "series": ("get", (), True),
    "one_series": ("get", ("series",), True),
    "registrations": ("get", ("slug",), False),
    "register": ("post", ("slug",), False),
    "withdraw": ("post", ("slug", "number"), False),
    "check_in": ("post", ("slug", "number"), False),
    "payments": ("post", ("slug", "number"), False),
    "staff_document": ("get", ("slug",), False),
}
