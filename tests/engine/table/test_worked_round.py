"""The festival source's worked round, card by card (rulebook §7: it gives 4, 0 and 8).

The source gives ranks, not suits; these suits make every play in it correct.
"""

import json

from engine.answers import replay_card_record
from tests.engine.table.helpers import Table

HANDS = ("Kc Ks Qs 7s 2s", "Jd 9h 6s 4d 3d", "Tc Ts As Jh 6h")
STUB = "Ad Ac 7c 4c 7d 4s 3s 5s 9c 2h Kd 6d 7h Qh Ah 9d Th 5c"
PLAYS = "Qh Ah Th 9h 5c Kc 9d Tc Ad Ac 4d Ts Ks Jd As"


def worked_round() -> Table:
    table = Table("festival", seats=3)
    table.deal(*HANDS, stub=STUB)
    table.discards("7s 2s", "6s 3d", "Jh 6h").forced()
    assert table.scores == (2, 0, 0)
    table.discards("Qs", "4c 7c", "7d 4s").take(False).forced()
    assert table.scores == (4, 0, 0)
    table.discards("5s", "9c 2h", "Kd 6d").take(False).forced()
    return table.play(PLAYS)


def test_section_7_the_worked_round_replayed_card_by_card_gives_4_0_and_8():
    table = worked_round()
    assert table.scores == (4, 0, 8)
    assert table.entries == [
        {"kind": "hand", "phase": 1, "seat": 0, "category": "two_pair"},
        {"kind": "hand", "phase": 2, "seat": 0, "category": "two_pair"},
        {"kind": "last_trick", "seat": 2},
        {"kind": "hand", "phase": 3, "seat": 2, "category": "three_of_a_kind"},
    ]


def test_the_round_as_a_card_record_is_valid_and_survives_json():
    actions = []
    table = Table("festival", seats=3)
    original = table.do

    def remember(*done):
        actions.extend(action.as_json() for action in done)
        return original(*done)

    table.do = remember
    table.deal(*HANDS, stub=STUB)
    table.discards("7s 2s", "6s 3d", "Jh 6h").forced()
    table.discards("Qs", "4c 7c", "7d 4s").take(False).forced()
    table.discards("5s", "9c 2h", "Kd 6d").take(False).forced()
    table.play(PLAYS)
    record = {
        "format": "chicago-card-record",
        "version": 1,
        "rules": "festival",
        "seats": ["Player 1", "Player 2", "Player 3"],
        "dealer": 2,
        "actions": actions,
        "entries": table.entries,
    }
    result = replay_card_record(json.dumps(record))
    assert (result["valid"], result["problems"]) == (True, [])
    assert result["state"]["scores"] == [4, 0, 8]
    assert result["state"]["deal"] == 1
    assert result["awaits"] == "deck"
