"""What may be asked of each address below a table's or a player's link, and at which tables."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from scoring.models import Objection, Sheet, SheetEntry, Table
from scoring.reading.recover import position_of, seating_of
from scoring.writing import (
    object_to_deal,
    open_next_sheet,
    write_from_paper,
)
from tests.tournaments.factories import play_game_now, write

pytestmark = pytest.mark.django_db

PIN = "1234"


def none(phase: int) -> dict[str, Any]:
    return {"kind": "none", "phase": phase}


def pair(phase: int, seat: int) -> dict[str, Any]:
    return {"kind": "hand", "phase": phase, "seat": seat, "category": "pair"}


def sheet_of(table: Table) -> Sheet:
    """Return the game that is played, or else the last one that was."""
    begun = Sheet.objects.filter(table=table, status__in=["running", "finished"])
    return begun.order_by("-number")[0]


def object_to(table: Table) -> Objection:
    """Let the first player object to the first deal."""
    return object_to_deal(
        table_id=table.pk, game=1, deal=1, player_id=table.players[0], text="",
        client_id=uuid.uuid4(), by="test",
    )  # fmt: skip


def seats(table: Table) -> None:
    """The seats are not confirmed."""


def running(table: Table) -> None:
    write(sheet_of(table), pair(1, 0))
    object_to(table)


def tricks(table: Table) -> None:
    write(sheet_of(table), none(1), none(2))


def finished(table: Table, winner: int = 0) -> None:
    play_game_now(sheet_of(table), table.players[winner])


def from_paper(table: Table) -> None:
    at, mark = sheet_of(table), uuid.uuid4()
    write_from_paper(sheet_id=at.pk, client_id=mark, seen_version=at.version, author="test")
    finished(table)


def opened(table: Table) -> None:
    finished(table)
    open_next_sheet(table_id=table.pk, by="test")


def over(table: Table) -> None:
    opened(table)
    finished(table)


def tied(table: Table) -> None:
    opened(table)
    finished(table, winner=1)


@dataclass(frozen=True)
class Asked:
    """What is sent to an address: the table's state, the page's own request, and what it names."""

    state: Callable[[Table], None]
    sent: Callable[[Table], dict[str, Any]] = lambda _table: {}
    #: Place in what is sent -> kind of thing; ``url.`` is a place in the address.
    names: tuple[tuple[str, str], ...] = ()
    is_form: bool = False
    #: Where the request itself is refused: a casual table has no PINs and no shot clock.
    only_heats: bool = False


def written(table: Table, **more: Any) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "game": 1, "version": sheet_of(table).version, **more}


def recovered(table: Table, **more: Any) -> dict[str, Any]:
    sheet = sheet_of(table)
    deal, stage, phase = position_of(sheet.state)
    place = {"deal": deal, "stage": stage, "phase": phase}
    tap = {"id": str(uuid.uuid4()), "game": 1, "place": place, "seating": seating_of(sheet)}
    return {"taps": [tap | more]}


def recovered_correction(table: Table) -> dict[str, Any]:
    row = SheetEntry.objects.get(sheet=sheet_of(table))
    return recovered(table, act="correction", kind="void", target=str(row.client_id))


def waited(table: Table) -> dict[str, Any]:
    tap = {"id": str(uuid.uuid4()), "entry": pair(2, 1), "at": 0}
    version = sheet_of(table).version
    return {"game": 1, "base": version, "version": version, "taps": [tap], "take": "mine"}


def tapped(table: Table, act: str = "entry", **more: Any) -> dict[str, Any]:
    """Return one tap as a phone sends it: after the last line of the game that is played."""
    sheet = sheet_of(table)
    last = sheet.entries.order_by("sequence").last()
    tap = recovered(table)["taps"][0] | {"act": act, "game": sheet.number, "at": 0}
    return {"taps": [tap | {"follows": str(last.client_id) if last else None} | more]}


def tapped_back(table: Table) -> dict[str, Any]:
    row = SheetEntry.objects.filter(sheet=sheet_of(table)).order_by("sequence")[0]
    return tapped(table, "back", target=str(row.client_id))


def tapped_correction(table: Table) -> dict[str, Any]:
    row = SheetEntry.objects.filter(sheet=sheet_of(table)).order_by("sequence")[0]
    return tapped(table, "correct", target=str(row.client_id), kind="void", kept=True)


def corrected(table: Table) -> dict[str, Any]:
    form = {"kind": "void", "client_id": str(uuid.uuid4()), "sure": "1"}
    return form | {"version": sheet_of(table).version}


def forgotten(table: Table) -> dict[str, Any]:
    deal = [none(1), none(2), {"kind": "last_trick", "seat": 1}, none(3)]
    entries = [json.dumps(entry, sort_keys=True, separators=(",", ":")) for entry in deal]
    form = {"entry": entries, "client_id": str(uuid.uuid4()), "with_later": "1"}
    return form | {"version": sheet_of(table).version}


def by_player(table: Table, **more: Any) -> dict[str, Any]:
    return {"player": table.players[0], "pin": PIN, **more}


def objecting(table: Table) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "game": 1, "deal": 1, "text": "no"}


def in_order(table: Table) -> dict[str, Any]:
    return {"order": "1"} | {f"seat-{seat}": each for seat, each in enumerate(table.players)}


#: Address -> all that may be sent there. A new address has to stand here.
ASKED: dict[str, list[Asked]] = {
    "scoring:table_detail": [Asked(running)],
    "scoring:table_live": [Asked(running)],
    "scoring:table_worker": [Asked(running)],
    "scoring:table_manifest": [Asked(running)],
    "scoring:table_protocol": [Asked(running)],
    "scoring:table_share": [Asked(running)],
    "scoring:table_read": [Asked(running)],
    "scoring:table_sync": [
        Asked(
            running,
            lambda table: tapped(table, entry=pair(2, 1)),
            (("taps.0.id", "entry"), ("taps.0.game", "game")),
        ),
        Asked(
            running,
            lambda table: tapped(table, entry=pair(2, 1), follows=None, kept=True),
            (("taps.0.seating", "seating"),),
        ),
        Asked(running, tapped_back, (("taps.0.id", "entry"), ("taps.0.target", "entry"))),
        Asked(running, tapped_correction, (("taps.0.id", "entry"), ("taps.0.target", "entry"))),
        Asked(
            tricks,
            lambda table: tapped(table, "chicago", seat=None),
            (("taps.0.id", "declaration"), ("taps.0.game", "game")),
        ),
        Asked(
            seats,
            lambda table: tapped(
                table, "seats", order=list(table.players), version=sheet_of(table).version
            ),
            (("taps.0.order.0", "player"), ("taps.0.id", "entry")),
        ),
        Asked(finished, lambda table: tapped(table, "next", game=2), (("taps.0.game", "game"),)),
        Asked(opened, lambda table: tapped(table, "return"), (("taps.0.game", "game"),)),
        Asked(
            running,
            lambda table: tapped(table, "slow", player=table.players[0]),
            (("taps.0.player", "player"), ("taps.0.id", "slow")),
            only_heats=True,
        ),
        Asked(
            finished,
            lambda table: tapped(
                table, "accept", **by_player(table, seen=f"1:{sheet_of(table).version}")
            ),
            (("taps.0.player", "player"), ("taps.0.seen", "seen")),
            only_heats=True,
        ),
        Asked(
            seats,
            lambda table: tapped(table, "pin", **by_player(table, player=table.players[1])),
            (("taps.0.player", "player"),),
            only_heats=True,
        ),
        Asked(
            running,
            lambda table: tapped(table, "object", **by_player(table, **objecting(table))),
            (
                ("taps.0.player", "player"),
                ("taps.0.game", "game"),
                ("taps.0.id", "objecting"),
            ),
            only_heats=True,
        ),
        Asked(
            tied,
            lambda table: tapped(table, "flip", order=list(table.players[:2])),
            (("taps.0.order.0", "player"),),
        ),
    ],
    "scoring:entry_correct": [
        Asked(running, names=(("url.game", "game"), ("url.sequence", "sequence")))
    ],
    "scoring:entry_corrected": [
        Asked(
            running,
            corrected,
            (("url.game", "game"), ("url.sequence", "sequence"), ("client_id", "entry")),
            is_form=True,
        )
    ],
    "scoring:deal_forgotten": [
        Asked(running, names=(("url.game", "game"), ("url.deal", "sequence")))
    ],
    "scoring:deal_inserted": [
        Asked(
            running,
            forgotten,
            (("url.game", "game"), ("url.deal", "sequence"), ("client_id", "entry")),
            is_form=True,
        )
    ],
    "tournaments:player_page": [Asked(running)],
    "tournaments:player_page_now": [Asked(running)],
    "tournaments:player_page_name": [Asked(running, is_form=True)],
    "tournaments:player_page_score": [Asked(running, is_form=True)],
    "tournaments:player_page_accept": [
        Asked(
            finished,
            lambda table: {"seen": f"1:{sheet_of(table).version}"},
            (("seen", "seen"),),
            is_form=True,
        )
    ],
    "tournaments:player_page_compared": [
        Asked(from_paper, lambda t: written(t, once=str(uuid.uuid4())), (("game", "game"),), True)
    ],
    "tournaments:player_page_rulings": [Asked(running, is_form=True)],
    "tournaments:player_page_object": [
        Asked(running, objecting, (("id", "objecting"), ("game", "game")), is_form=True)
    ],
    "tournaments:player_page_object_back": [
        Asked(
            running,
            lambda table: {"objection": Objection.objects.get(sheet__table=table).pk},
            (("objection", "objection"),),
            is_form=True,
        )
    ],
    "tournaments:player_page_pin": [Asked(running, is_form=True)],
    "tournaments:player_page_enter": [Asked(running, is_form=True)],
    "tournaments:player_page_part": [Asked(running, is_form=True)],
    "tournaments:player_page_withdraw": [Asked(running, is_form=True)],
    "tournaments:player_page_push": [Asked(running, is_form=True)],
    "tournaments:player_page_push_try": [Asked(running, is_form=True)],
    "tournaments:player_page_push_end": [Asked(running, is_form=True)],
    "tournaments:player_page_worker": [Asked(running)],
    "tournaments:player_page_manifest": [Asked(running)],
    "tournaments:player_page_series": [Asked(running, is_form=True)],
    "tournaments:player_page_apart": [Asked(running, is_form=True)],
    "tournaments:player_page_career": [Asked(running, is_form=True)],
    "tournaments:player_page_data": [Asked(running)],
    "tournaments:player_page_pictures": [Asked(running, is_form=True)],
    "tournaments:player_page_erase": [Asked(running, is_form=True)],
    "tournaments:player_page_erase_back": [Asked(running, is_form=True)],
    "tournaments:player_calendar": [Asked(running)],
}
