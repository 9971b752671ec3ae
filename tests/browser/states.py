"""The states of a table's page, and the kinds of button in each."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.models import Table
from scoring.reasons import FOLD
from scoring.writing import call_td, confirm_seats, object_to_deal, open_next_sheet
from tests.scoring.factories import (
    auditor_link,
    chicago,
    hand,
    make_table,
    none,
    play,
    quick_win,
    ruling,
    running,
    trick,
    write,
)
from tests.tournaments.factories import make_event, make_heats
from tournaments.models import Heat, Registration
from tournaments.registration.commands.pins import choose_pin

PIN = "2580"


@dataclass(frozen=True)
class Tap:
    """A kind of button.

    ``sends``: how the address ends to which it sends what was meant; most of them send nothing.
    ``entry``: what is written. ``before``: what is tapped first. ``fills``: what is typed first.
    """

    control: str
    sends: str = ""
    entry: Mapping[str, Any] | None = None
    before: tuple[str, ...] = ()
    fills: Mapping[str, str] = field(default_factory=dict)


def seat(number: int) -> str:
    return f"label.cell >> nth={number}"


def what(kind: str) -> str:
    return f".question .kind-{kind} >> nth=0"


# ------------------------------------------------------------------------- how they come about


def heat(**event: Any) -> Heat:
    """Return a heat whose players all have a PIN but the last."""
    made = make_event(slug="fest", acceptance="all", shot_clock_seconds=30, **event)
    drawn: Heat = make_heats(made, 4).heats[0]
    for registration in Registration.objects.order_by("pk")[:3]:
        choose_pin(registration=registration, pin=PIN)
    return drawn


def seated(**event: Any) -> Table:
    """Return the table of a heat that has confirmed its seats."""
    table = heat(**event).table
    confirm_seats(table_id=table.pk, seen_version=0, by="test", device="")
    return table


def before_the_first_deal() -> str:
    return auditor_link(heat().table)


def in_an_exchange() -> str:
    """Return the address of a table in its second deal, with a call and an objection."""
    table = seated()
    play(running(table), hand(1, 0), none(2), trick(2), none(3), hand(1, 1))
    call_td(table_id=table.pk, reason="reason:call_rules")
    objection = {"text": "A flush", "player_id": table.players[1], "client_id": uuid.uuid4()}
    object_to_deal(table_id=table.pk, game=1, deal=1, by="test", **objection)
    return auditor_link(table)


#: Anna has 45 points and a Chicago in reach, and may not exchange.
RICH = (
    *(hand(1, 0, "full_house"), hand(2, 0, "full_house"), trick(0), hand(3, 0, "full_house")),
    *(hand(1, 0, "full_house"), hand(2, 0, "full_house"), trick(0), hand(3, 0, "flush")),
)


def in_the_tricks() -> str:
    table = make_table()
    play(running(table), *RICH, none(1), none(2))
    return auditor_link(table)


def with_a_stop() -> str:
    table = make_table()
    play(running(table), *RICH)
    return auditor_link(table)


def after_a_ruling() -> str:
    table = make_table()
    play(running(table), hand(1, 0), ruling("points", 1, points=-5))
    return auditor_link(table)


def between_two_games() -> str:
    table = seated()
    play(running(table), hand(1, 0), quick_win() | {"phase": 2})
    return auditor_link(table)


def in_a_game_just_opened() -> str:
    table = make_table()
    play(running(table), quick_win())
    open_next_sheet(table_id=table.pk, by="test")
    return auditor_link(table)


def to_be_signed_off() -> str:
    table = make_table(games=1)
    play(running(table), hand(1, 0), quick_win() | {"phase": 2})
    return auditor_link(table)


def tied(*hands: Mapping[str, Any]) -> str:
    table = make_table(games=1)
    play(running(table), *hands, ruling("end_game"))
    return auditor_link(table)


def two_tied() -> str:
    return tied(hand(1, 0, "flush"), hand(2, 1, "flush"))


def three_tied() -> str:
    return tied(hand(1, 0, "flush"), hand(2, 1, "flush"), trick(2))


def while_another_device_writes() -> str:
    table = make_table()
    write(running(table), hand(1, 0), device="another")
    return auditor_link(table)


def at_a_kitchen_table() -> str:
    table = make_table(("Anna", "Bo"), games=2, directed=False)
    play(running(table), hand(1, 0))
    return auditor_link(table)


# -------------------------------------------------------------------------- what can be tapped

YES, NO = "[data-answer=yes]", "[data-answer=no]"
DECLARE = "button[name=announce][value='0']"
WON = ".what-chicago button[value*='\"won\":true']"
BROKEN = ".what-broken button"
REVOKE = ".what-wrong button[value*=revoke]"
FOLDS = "details:has(> .what-fold) > summary"
DISCARDS = (".panel-wrong summary", seat(0), ".what-wrong button[value*=illegal_discard]")
PINNED = "form.accept-row >> nth=0"
ORDERED = {
    f".flip-flop select >> nth={place}": name for place, name in enumerate(("Anna", "Bo", "Cia"))
}
TYPED_PIN = {f"{PINNED} >> input.pin": PIN}

STATES: dict[Callable[[], str], tuple[Tap, ...]] = {
    before_the_first_deal: (
        Tap(".seats-asked summary"),
        Tap(".seats-asked > .btn-next", "seats"),
        Tap(".seats-asked details .btn-next", "seats", before=(".seats-asked summary",)),
        Tap(".own-pin summary"),
        Tap(
            ".own-pin button",
            "pin",
            before=(".own-pin summary",),
            fills={"#pin-who": "", "#pin-new": PIN},
        ),
        Tap(".legend summary"),
    ),
    in_an_exchange: (
        Tap(seat(0)),
        Tap(what("flush")),
        Tap(what("flush"), "entry", hand(2, 0, "flush"), before=(seat(0),)),
        Tap(seat(2), "entry", hand(2, 2, "flush"), before=(what("flush"),)),
        Tap(".what-again button >> nth=0", "entry", hand(2, 1)),
        Tap(".nobody-slot button", "entry", none(2)),
        Tap(".undo", "back"),
        Tap(what("straight_flush"), before=(seat(0),)),
        Tap(NO, before=(seat(0), what("straight_flush"))),
        Tap(YES, "entry", hand(2, 0, "straight_flush"), (seat(0), what("straight_flush"))),
        Tap(".slow summary"),
        Tap(".slow button >> nth=0", "slow", before=(".slow summary",)),
        Tap("[data-shot]"),
        Tap(".called button", "uncall"),
        Tap(".deals summary"),
        Tap(".own-objection summary"),
        Tap(
            ".own-objection button",
            "object",
            before=(".own-objection summary",),
            fills={"#objection-who": "", "#objection-pin": PIN},
        ),
    ),
    in_the_tricks: (
        Tap(".what-trick button >> nth=1", "entry", trick(1)),
        Tap(".what-deuce button >> nth=1", "entry", trick(1, deuce=True)),
        Tap("button[name=announce][value='0']", "chicago"),
        Tap(WON, "entry", chicago(0), before=(DECLARE,)),
        Tap(
            f"{BROKEN}[value*='\"breaker\":2']",
            "entry",
            chicago(0, won=False, breaker=2),
            before=(DECLARE,),
        ),
        Tap(
            f"{BROKEN}:not([value*=breaker])",
            "entry",
            chicago(0, won=False),
            before=(DECLARE,),
        ),
        Tap(".undo", "chicago", before=(DECLARE,)),
        Tap(".panel-wrong summary"),
        Tap(REVOKE, "entry", {"kind": "revoke", "seat": 1}, (".panel-wrong summary", seat(1))),
        Tap("details.call summary"),
        Tap("details.call button >> nth=0", "call", before=("details.call summary",)),
    ),
    with_a_stop: (
        Tap(
            ".what-wrong button[value*=illegal_discard]",
            before=(".panel-wrong summary", seat(0)),
        ),
        Tap(YES, "entry", {"kind": "illegal_discard", "seat": 0}, DISCARDS),
        Tap(NO, before=DISCARDS),
        Tap("details:has(> .what-fold) > summary"),
        Tap(".what-fold button", "entry", FOLD | {"seat": 2}, (FOLDS, seat(2))),
    ),
    after_a_ruling: (Tap(".rulings button", "read"),),
    between_two_games: (
        Tap(".btn-next", "next"),
        Tap(".undo", "back"),
        Tap(f"{PINNED} >> button", "accept", fills=TYPED_PIN),
        Tap(".race-table summary >> nth=0"),
    ),
    in_a_game_just_opened: (
        Tap(".undo", "return"),
        Tap(".seats-exchanged summary"),
        Tap(".seats-exchanged .btn-next", "seats", before=(".seats-exchanged summary",)),
    ),
    to_be_signed_off: (Tap(".sign-off button", "sign"),),
    two_tied: (
        Tap(".flip-flop button", "flip", fills={".flip-flop select": "Bo"}),
        Tap("details:has(input[name=lots]) summary"),
        Tap(
            "form:has(input[name=lots]) button",
            "flip",
            before=("details:has(input[name=lots]) summary",),
        ),
    ),
    three_tied: (Tap(".flip-flop button", "flip", fills=ORDERED),),
    while_another_device_writes: (Tap(".lease button", "take"),),
    at_a_kitchen_table: (
        Tap(".panel-stop summary"),
        Tap(".what-stop button", before=(".panel-stop summary",)),
        Tap(YES, "entry", None, (".panel-stop summary", ".what-stop button")),
    ),
}
