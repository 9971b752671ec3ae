"""game-record.md and rulebook §8 Structure, Codes: the form of a record, and each refusal."""

import json

import pytest

from .runner import record, replay, run, spell

UUID = "6f6f3c2e-4d3b-4f6e-9d0a-2f5d8c1b7a90"


def codes(ran):
    return [p["code"] for p in ran.doc["problems"] if p["severity"] == "error"]


# --- the header: exit 2, entry and state null ---------------------------------------------------

HEADERS = [
    ("not an object: a list", [], "malformed"),
    ("not an object: a number", 7, "malformed"),
    ("not an object: a string", "festival", "malformed"),
    ("not an object: null", None, "malformed"),
    ("no format", {"format": ...}, "malformed"),
    ("wrong format", {"format": "chicago-heat"}, "malformed"),
    ("format not a string", {"format": 1}, "malformed"),
    ("no version", {"version": ...}, "malformed"),
    ("other version", {"version": 2}, "malformed"),
    ("version a string", {"version": "1"}, "malformed"),
    ("rules missing", {"rules": ...}, "missing_field"),
    ("seats missing", {"seats": ...}, "missing_field"),
    ("entries missing", {"entries": ...}, "missing_field"),
    ("rules missing, six seats", {"rules": ..., "seats": list("ABCDEF")}, "missing_field"),
    ("rules a number", {"rules": 5}, "unknown_rules"),
    ("rules null", {"rules": None}, "unknown_rules"),
    ("rules unknown", {"rules": "whist"}, "unknown_rules"),
    ("rules clashing", {"rules": "svensk+C+D"}, "unknown_rules"),
    ("seats a string", {"seats": "Anna"}, "bad_seats"),
    ("seats an object", {"seats": {"0": "Anna", "1": "Bo"}}, "bad_seats"),
    ("seats null", {"seats": None}, "bad_seats"),
    ("seats of numbers", {"seats": [1, 2, 3]}, "bad_seats"),
    ("no seats", {"seats": []}, "bad_seats"),
    ("one seat", {"seats": ["Anna"]}, "bad_seats"),
    ("five seats", {"seats": list("ABCDE")}, "bad_seats"),
    ("a blank name", {"seats": ["Anna", ""]}, "bad_seats"),
    ("a name of blanks", {"seats": ["Anna", "  "]}, "bad_seats"),
    ("a repeated name", {"seats": ["Anna", "Bo", "Anna"]}, "bad_seats"),
    ("entries an object", {"entries": {}}, "bad_value"),
    ("entries a string", {"entries": "none"}, "bad_value"),
    ("entries null", {"entries": None}, "bad_value"),
    ("dealer beyond the seats", {"dealer": 4}, "bad_value"),
    ("dealer negative", {"dealer": -1}, "bad_value"),
    ("dealer a boolean", {"dealer": True}, "bad_value"),
    ("dealer a string", {"dealer": "0"}, "bad_value"),
    ("dealer null", {"dealer": None}, "bad_value"),
    ("an unknown key", {"table": 3}, "unknown_field"),
    ("an unknown key in other letters", {"Dealer": 0}, "unknown_field"),
    ("malformed comes first", {"format": "x", "rules": "whist", "seats": []}, "malformed"),
]


@pytest.mark.parametrize(("title", "change", "code"), HEADERS, ids=[h[0] for h in HEADERS])
def test_header(title, change, code):
    document = change
    if isinstance(change, dict):
        document = record()
        for key, value in change.items():
            if value is ...:
                del document[key]
            else:
                document[key] = value
    ran = replay(document)
    assert ran.code == 2
    assert codes(ran) == [code]
    assert ran.doc["valid"] is False
    assert ran.doc["state"] is None
    assert ran.doc["problems"][0]["entry"] is None
    assert ran.doc["problems"][0]["severity"] == "error"


def test_a_refusal_does_not_repeat_what_is_endless():
    for rules in ("festival" + "+C" * 100_000, "x" * 100_000, "svensk+" + "x" * 100_000):
        ran = replay(record(rules=rules))
        assert (ran.code, codes(ran)) == (2, ["unknown_rules"])
        assert len(ran.out) < 600


def test_header_is_checked_before_the_entries():
    ran = replay(record(rules="whist", entries=[5]))
    assert (ran.code, codes(ran)) == (2, ["unknown_rules"])


TEXTS = [
    ("empty", ""),
    ("blank", "  \n\n"),
    ("no JSON", "Anna 5 Bo 7"),
    ("half a record", json.dumps(record())[:-9]),
    ("two records", json.dumps(record()) * 2),
    ("an unclosed list, very deep", "[" * 100_000),
    ("an object, very deep", '{"a":' * 100_000),
    ("not a number of JSON", '{"format": NaN'),
    ("bytes that are no text", b"\xff\xfe\x00\x81"),
    ("a zero byte", "\0"),
]


@pytest.mark.parametrize(("title", "text"), TEXTS, ids=[t[0] for t in TEXTS])
def test_unreadable_text_is_malformed(title, text):
    ran = run("replay", "-", stdin=text)
    assert (ran.code, codes(ran), ran.doc["state"]) == (2, ["malformed"], None)


GOOD = [
    ("only what is required", {}),
    ("dealer", {"dealer": 3}),
    ("id, event, heat, game, started", {"id": UUID, "event": "E", "heat": "12", "game": "2",
                                        "started": "2026-11-20T10:00:00Z"}),
    ("meta is a free object", {"meta": {"anything": [1, {"at": "all"}]}}),
    ("names are compared as given", {"seats": ["anna", "Anna", "Anna ", " Anna"]}),
    ("any Unicode", {"seats": ["Åsa Öberg", "Łukasz", "李小龍", "🂡 Dag"]}),
    ("right-to-left and combining", {"seats": ["שרה", "Z\u0351\u036balgo", "\u202eevil"]}),
    ("a lone surrogate", {"seats": ["\ud800", "Bo"]}),
    ("preset and variants", {"rules": "svensk+C+N+V42"}),
    ("variants in any order", {"rules": "svensk+V42+N+C"}),
]  # fmt: skip


@pytest.mark.parametrize(("title", "change"), GOOD, ids=[g[0] for g in GOOD])
def test_header_accepted(title, change):
    ran = replay(record() | change)
    assert (ran.code, ran.doc["valid"], ran.doc["problems"]) == (0, True, [])


def test_the_record_of_the_document():
    entries = "1a:2p 2- Tc2 3c:3k"
    doc = replay(record(entries=entries)).doc
    assert doc["valid"] is True
    assert doc["problems"] == []
    assert {key: doc["state"][key] for key in (
        "deal", "phase", "dealer", "finished", "scores", "executed", "asterisks", "discardless",
        "status", "winners", "win", "places", "game_points",
    )} == {
        "deal": 1, "phase": 1, "dealer": 1, "finished": False,
        "scores": [2, 0, 13, 0], "executed": [False] * 4, "asterisks": [0] * 4,
        "discardless": [False] * 4, "status": ["in"] * 4,
        "winners": [], "win": None, "places": None, "game_points": None,
    }  # fmt: skip


# --- entries: exit 1, the entry's index, the state before it ------------------------------------

HAND = {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}
NONE = {"kind": "none", "phase": 1}
TRICK = {"kind": "last_trick", "seat": 0}
CHICAGO = {"kind": "chicago", "seat": 0, "won": True}
RULING = {"kind": "ruling", "action": "points", "seat": 0, "points": 5, "reason": "late"}
SIT = {"kind": "ruling", "action": "sit_out_deal", "seat": 0, "reason": "late"}
END = {"kind": "ruling", "action": "end_game", "reason": "late"}
TO_TRICKS = "a+20 1- 2-"


def but(entry, **changes):
    """Return the entry with fields replaced, or removed if the value is ``...``."""
    merged = entry | changes
    return {key: value for key, value in merged.items() if value is not ...}


REFUSED = [
    # malformed
    ("not an object: a number", "", 5, "malformed"),
    ("not an object: null", "", None, "malformed"),
    ("not an object: a string", "", "none", "malformed"),
    ("not an object: a list", "", ["none"], "malformed"),
    # kind
    ("no kind", "", but(NONE, kind=...), "missing_field"),
    ("an empty object has no kind", "", {}, "missing_field"),
    ("kind unknown", "", but(NONE, kind="pass"), "unknown_kind"),
    ("kind in capitals", "", but(NONE, kind="NONE"), "unknown_kind"),
    ("kind a number", "", but(NONE, kind=1), "unknown_kind"),
    ("kind null", "", but(NONE, kind=None), "unknown_kind"),
    ("kind a list", "", but(NONE, kind=["none"]), "unknown_kind"),
    ("kind before the other fields", "", {"kind": "pass", "colour": 1}, "unknown_kind"),
    # Unknown fields: known in no situation of the kind.
    ("hand with an unknown field", "", but(HAND, points=1), "unknown_field"),
    ("hand with deuce", "", but(HAND, deuce=False), "unknown_field"),
    ("none with a seat", "", but(NONE, seat=0), "unknown_field"),
    ("none with a category", "", but(NONE, category="pair"), "unknown_field"),
    ("last_trick with a phase", TO_TRICKS, but(TRICK, phase=3), "unknown_field"),
    ("last_trick with points", TO_TRICKS, but(TRICK, points=5), "unknown_field"),
    ("chicago with a phase", TO_TRICKS, but(CHICAGO, phase=3), "unknown_field"),
    ("chicago with reset", TO_TRICKS, but(CHICAGO, reset=False), "unknown_field"),
    ("revoke with a phase", TO_TRICKS, {"kind": "revoke", "seat": 0, "phase": 3}, "unknown_field"),
    ("illegal_discard with cards", "", {"kind": "illegal_discard", "seat": 0, "cards": 1},
     "unknown_field"),
    ("ruling with a phase", "", but(RULING, phase=1), "unknown_field"),
    ("unknown before missing", "", but(HAND, seat=..., points=1), "unknown_field"),
    ("unknown before bad", "", but(HAND, seat=9, points=1), "unknown_field"),
    # missing fields
    ("hand without phase", "", but(HAND, phase=...), "missing_field"),
    ("hand without seat", "", but(HAND, seat=...), "missing_field"),
    ("hand without category", "", but(HAND, category=...), "missing_field"),
    ("none without phase", "", but(NONE, phase=...), "missing_field"),
    ("last_trick without seat", TO_TRICKS, but(TRICK, seat=...), "missing_field"),
    ("chicago without seat", TO_TRICKS, but(CHICAGO, seat=...), "missing_field"),
    ("chicago without won", TO_TRICKS, but(CHICAGO, won=...), "missing_field"),
    ("revoke without seat", TO_TRICKS, {"kind": "revoke"}, "missing_field"),
    ("illegal_discard without seat", "", {"kind": "illegal_discard"}, "missing_field"),
    ("ruling without action", "", but(RULING, action=...), "missing_field"),
    ("ruling points without points", "", but(RULING, points=...), "missing_field"),
    ("ruling points without seat", "", but(RULING, seat=...), "missing_field"),
    ("ruling sit_out_deal without seat", "", but(SIT, seat=...), "missing_field"),
    ("ruling sit_out_game without seat", "", but(SIT, action="sit_out_game", seat=...),
     "missing_field"),
    ("ruling disqualify without seat", "", but(SIT, action="disqualify", seat=...),
     "missing_field"),
    ("missing before bad", "", but(HAND, seat=..., phase=9), "missing_field"),
    # bad values
    ("phase 0", "", but(HAND, phase=0), "bad_value"),
    ("phase 4", "", but(HAND, phase=4), "bad_value"),
    ("phase negative", "", but(NONE, phase=-1), "bad_value"),
    ("phase null", "", but(HAND, phase=None), "bad_value"),
    ("phase a boolean", "", but(HAND, phase=True), "bad_value"),
    ("phase a string", "", but(HAND, phase="1"), "bad_value"),
    ("phase a list", "", but(NONE, phase=[1]), "bad_value"),
    ("phase a half", "", but(NONE, phase=1.5), "bad_value"),
    ("phase null in none", "", but(NONE, phase=None), "bad_value"),
    ("seat out of range", "", but(HAND, seat=4), "bad_value"),
    ("seat negative", "", but(HAND, seat=-1), "bad_value"),
    ("seat null", "", but(HAND, seat=None), "bad_value"),
    ("seat a boolean", "", but(HAND, seat=False), "bad_value"),
    ("seat a name", "", but(HAND, seat="Anna"), "bad_value"),
    ("seat enormous", "", but(HAND, seat=10**30), "bad_value"),
    ("category unknown", "", but(HAND, category="five_of_a_kind"), "bad_value"),
    ("category nothing", "", but(HAND, category="nothing"), "bad_value"),
    ("category null", "", but(HAND, category=None), "bad_value"),
    ("category a number", "", but(HAND, category=1), "bad_value"),
    ("category a list", "", but(HAND, category=[]), "bad_value"),
    ("reset on another category", "", but(HAND, reset=True), "bad_value"),
    ("reset on a straight flush", "", but(HAND, category="straight_flush", reset=True),
     "bad_value"),
    ("reset null", "", but(HAND, category="four_of_a_kind", reset=None), "bad_value"),
    ("reset a number", "", but(HAND, category="four_of_a_kind", reset=1), "bad_value"),
    ("reset a string", "", but(HAND, category="four_of_a_kind", reset="true"), "bad_value"),
    ("suit unknown", "", but(HAND, suit="X"), "bad_value"),
    ("suit null", "", but(HAND, suit=None), "bad_value"),
    ("suit a number", "", but(HAND, suit=1), "bad_value"),
    ("last_trick seat out of range", TO_TRICKS, but(TRICK, seat=4), "bad_value"),
    ("last_trick deuce a number", TO_TRICKS, but(TRICK, deuce=1), "bad_value"),
    ("last_trick deuce null", TO_TRICKS, but(TRICK, deuce=None), "bad_value"),
    ("chicago won a number", TO_TRICKS, but(CHICAGO, won=1), "bad_value"),
    ("chicago won a string", TO_TRICKS, but(CHICAGO, won="yes"), "bad_value"),
    ("chicago won null", TO_TRICKS, but(CHICAGO, won=None), "bad_value"),
    ("chicago: breaker with won", TO_TRICKS, but(CHICAGO, breaker=1), "bad_value"),
    ("chicago: breaker null", TO_TRICKS, but(CHICAGO, won=False, breaker=None), "bad_value"),
    ("chicago: breaker out of range", TO_TRICKS, but(CHICAGO, won=False, breaker=4), "bad_value"),
    ("chicago: breaker a boolean", TO_TRICKS, but(CHICAGO, won=False, breaker=True), "bad_value"),
    ("chicago: blind where there is none", "", but(CHICAGO, blind=True), "bad_value"),
    ("chicago: blind null", TO_TRICKS, but(CHICAGO, blind=None), "bad_value"),
    ("chicago: deuce on an ordinary one", TO_TRICKS, but(CHICAGO, deuce=True), "bad_value"),
    ("chicago: deuce null", TO_TRICKS, but(CHICAGO, deuce=None), "bad_value"),
    ("revoke seat out of range", TO_TRICKS, {"kind": "revoke", "seat": 4}, "bad_value"),
    ("illegal_discard seat a string", "", {"kind": "illegal_discard", "seat": "0"}, "bad_value"),
    ("ruling action unknown", "", but(RULING, action="warn"), "bad_value"),
    ("ruling action null", "", but(RULING, action=None), "bad_value"),
    ("ruling points a string", "", but(RULING, points="5"), "bad_value"),
    ("ruling points a boolean", "", but(RULING, points=True), "bad_value"),
    ("ruling points null", "", but(RULING, points=None), "bad_value"),
    ("ruling points a half", "", but(RULING, points=0.5), "bad_value"),
    ("ruling points above 10^9", "", but(RULING, points=10**9 + 1), "bad_value"),
    ("ruling points below -10^9", "", but(RULING, points=-(10**9) - 1), "bad_value"),
    ("ruling points enormous", "", but(RULING, points=10**40), "bad_value"),
    ("ruling seat out of range", "", but(RULING, seat=4), "bad_value"),
    ("ruling end_game with a seat", "", but(END, seat=0), "bad_value"),
    ("ruling end_game with points", "", but(END, points=1), "bad_value"),
    ("ruling sit_out_deal with points", "", but(SIT, points=5), "bad_value"),
    ("ruling reason a number", "", but(RULING, reason=5), "bad_value"),
    ("id of an entry a number", "", but(NONE, id=5), "bad_value"),
    ("at of an entry a number", "", but(NONE, at=5), "bad_value"),
    ("by of an entry null", "", but(NONE, by=None), "bad_value"),
    ("note of an entry a list", "", but(NONE, note=[]), "bad_value"),
    # reasons
    ("ruling without a reason", "", but(RULING, reason=...), "missing_reason"),
    ("ruling with an empty reason", "", but(RULING, reason=""), "missing_reason"),
    ("ruling with a blank reason", "", but(RULING, reason=" \t"), "missing_reason"),
    ("end_game without a reason", "", but(END, reason=...), "missing_reason"),
    ("sit_out_deal without a reason", "", but(SIT, reason=...), "missing_reason"),
    # Precedence: structure before rules, then the order of the list.
    ("bad_value before game_finished", "~end", but(HAND, seat=4), "bad_value"),
    ("unknown_kind before game_finished", "~end", {"kind": "pass"}, "unknown_kind"),
    ("malformed before game_finished", "~end", 5, "malformed"),
    ("missing_field before game_finished", "~end", but(HAND, seat=...), "missing_field"),
    ("bad_value before wrong_phase", "", but(HAND, phase=2, seat=4), "bad_value"),
    ("bad_value before unexpected_kind", "", but(TRICK, seat=4), "bad_value"),
    ("bad_value before seat_out", "a+52", but(HAND, category="x"), "bad_value"),
    ("game_finished before wrong_phase", "~end", but(HAND, phase=3), "game_finished"),
    ("game_finished before unexpected_kind", "~end", TRICK, "game_finished"),
    ("game_finished before seat_out", "a+52 ~end", HAND, "game_finished"),
    ("game_finished before missing_reason", "~end", but(RULING, reason=...), "game_finished"),
    ("wrong_phase before seat_out", "a+52", but(HAND, phase=2), "wrong_phase"),
    ("wrong_phase before reset_bound", "1a:4k",
     but(HAND, phase=3, category="four_of_a_kind", reset=True), "wrong_phase"),
    ("unexpected_kind before seat_out", "a+52", TRICK, "unexpected_kind"),
    ("unexpected_kind before chicago_below_minimum", "", CHICAGO, "unexpected_kind"),
    ("unexpected_kind before not_discardless", "1- 2- Tb", {"kind": "illegal_discard", "seat": 0},
     "unexpected_kind"),
    ("unexpected_kind before self_break", "a+20", but(CHICAGO, won=False, breaker=0),
     "unexpected_kind"),
    ("seat_out before chicago_below_minimum", "a+52 1- 2-", CHICAGO, "seat_out"),
    ("seat_out before not_discardless", "a+52", {"kind": "illegal_discard", "seat": 0},
     "seat_out"),
    ("seat_out before missing_reason", "a+52", but(RULING, reason=...), "seat_out"),
    ("chicago_below_minimum before dead_hand", "1- 2- Ra", CHICAGO, "chicago_below_minimum"),
    ("chicago_below_minimum before self_break", "1- 2-", but(CHICAGO, won=False, breaker=0),
     "chicago_below_minimum"),
    ("seat_out of a breaker before chicago_below_minimum", "b+52 1- 2-",
     but(CHICAGO, won=False, breaker=1), "seat_out"),
    ("dead_hand before self_break", "a+20 1- 2- Ra", but(CHICAGO, won=False, breaker=0),
     "dead_hand"),
]  # fmt: skip


@pytest.mark.parametrize(("title", "before", "entry", "code"), REFUSED, ids=[r[0] for r in REFUSED])
def test_entry_refused(title, before, entry, code):
    good = spell(before)
    ran = replay(record(entries=[*good, entry]))
    problem = ran.doc["problems"][-1]
    assert (ran.code, ran.doc["valid"]) == (1, False)
    assert codes(ran) == [code]
    assert problem["entry"] == len(good)
    assert problem["message"].strip()
    assert isinstance(problem["expected"], list)
    assert ran.doc["state"] == replay(record(entries=good)).doc["state"]


OTHER_RULES = [
    ("phase 3 where two exchanges are made", "basic", "", but(HAND, phase=3), "bad_value"),
    ("blind with a breaker though won", "wikipedia", "", but(CHICAGO, blind=True, breaker=1),
     "bad_value"),
    ("deuce on a lost blind one", "wikipedia", "",
     but(CHICAGO, won=False, blind=True, deuce=True), "bad_value"),
    ("deuce on an ordinary one beside blind", "wikipedia", "1-", but(CHICAGO, deuce=True),
     "bad_value"),
    ("chicago_below_minimum before chicago_limit", "svensk+S", "a+15 1- 2- Ca-", None,
     "chicago_below_minimum"),
    ("chicago_limit before self_break", "svensk+S", "a+40 1- 2- Ca- 1- 2-",
     but(CHICAGO, won=False, breaker=0), "chicago_limit"),
    ("chicago_limit before dead_hand", "festival+S", "a+40 1- 2- Ca- 1- 2- Ra", CHICAGO,
     "chicago_limit"),
    ("reset_not_allowed before reset_bound", "svensk+C+J", "1a:4k",
     but(HAND, phase=2, category="four_of_a_kind", reset=True), "reset_not_allowed"),
    ("seat_out before reset_not_allowed", "pagat", "a~game",
     but(HAND, category="four_of_a_kind", reset=True), "seat_out"),
    ("seat_out before missing_suit", "svensk+B4", "a~game", but(HAND, category="royal_flush"),
     "seat_out"),
    ("wrong_phase before missing_suit", "svensk+B4", "",
     but(HAND, phase=2, category="royal_flush"), "wrong_phase"),
    ("bad_value before missing_suit", "svensk+B4", "",
     but(HAND, category="royal_flush", suit="h "), "bad_value"),
    ("missing reset_seat before a bad phase", "pagat+reset-one", "",
     but(HAND, phase=0, category="four_of_a_kind", reset=True), "missing_field"),
    ("missing reset_seat before a bad category", "pagat+reset-one", "",
     but(HAND, category="pair", reset=True), "missing_field"),
    ("unknown field before a missing reset_seat", "pagat+reset-one", "",
     but(HAND, category="four_of_a_kind", reset=True, points=1), "unknown_field"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "rules", "before", "entry", "code"), OTHER_RULES, ids=[r[0] for r in OTHER_RULES]
)
def test_entry_refused_by_other_rules(title, rules, before, entry, code):
    entries = spell(before)
    if entry is None:
        entries += spell("1- 2- Ca-")
    else:
        entries.append(entry)
    ran = replay(record(rules, entries))
    assert (ran.code, codes(ran)) == (1, [code])
    assert ran.doc["problems"][-1]["entry"] == len(entries) - 1


ACCEPTED = [
    ("reset false on quads", but(HAND, category="four_of_a_kind", reset=False)),
    ("reset false on a pair", but(HAND, reset=False)),
    ("suit on a pair", but(HAND, suit="S")),
    ("suit H", but(HAND, category="flush", suit="H")),
    ("suit D", but(HAND, category="flush", suit="D")),
    ("suit C", but(HAND, category="straight_flush", suit="C")),
    ("suit of a royal where it does not matter", but(HAND, category="royal_flush", suit="S")),
    ("id, at, by, note", but(NONE, id=UUID, at="2026-11-20T10:00:00Z", by="Anna", note="")),
    ("id, at, by, note of a ruling", but(RULING, id=UUID, at="2026-11-20T10:00:00Z", by="TD",
                                         note="after a warning")),
    ("points negative", but(RULING, points=-5)),
    ("points 10^9", but(RULING, points=10**9)),
    ("points -10^9", but(RULING, points=-(10**9))),
    ("reason in any letters", but(RULING, reason="försenad 遅刻")),
    ("end_game", END),
]  # fmt: skip


@pytest.mark.parametrize(("title", "entry"), ACCEPTED, ids=[a[0] for a in ACCEPTED])
def test_entry_accepted(title, entry):
    ran = replay(record(entries=[entry]))
    assert (ran.code, codes(ran)) == (0, [])


IN_FINAL = [
    ("deuce false", but(TRICK, deuce=False)),
    ("deuce true", but(TRICK, deuce=True)),
    ("blind false and deuce false", but(CHICAGO, blind=False, deuce=False)),
    ("deuce false on a lost one", but(CHICAGO, won=False, deuce=False)),
    ("breaker", but(CHICAGO, won=False, breaker=2)),
    ("breaker absent", but(CHICAGO, won=False)),
]


@pytest.mark.parametrize(("title", "entry"), IN_FINAL, ids=[a[0] for a in IN_FINAL])
@pytest.mark.parametrize("rules", ["festival", "svensk", "pagat"])
def test_final_phase_entry_accepted(rules, title, entry):
    ran = replay(record(rules, [*spell(TO_TRICKS), entry]))
    assert (ran.code, codes(ran)) == (0, [])


def test_replay_stops_at_the_first_illegal_entry():
    ran = replay(record(entries=[*spell("1a:p"), {"kind": "pass"}, 5, *spell("2b:p")]))
    assert codes(ran) == ["unknown_kind"]
    assert ran.doc["problems"][-1]["entry"] == 1
    assert ran.doc["state"]["scores"] == [1, 0, 0, 0]


def test_an_invalid_record_keeps_the_warnings_before_the_error():
    doc = replay(record("pagat", "1a:sf 2b:rf Ta 2- 3-")).doc
    assert [(p["code"], p["severity"], p["entry"]) for p in doc["problems"]] == [
        ("rare_hand", "warning", 0),
        ("rare_hand", "warning", 1),
        ("wrong_phase", "error", 3),
    ]


def test_warnings_do_not_make_a_record_invalid():
    ran = replay(record("pagat", "1a:sf"))
    assert (ran.code, ran.doc["valid"]) == (0, True)
    assert [(p["code"], p["severity"]) for p in ran.doc["problems"]] == [("rare_hand", "warning")]


EXPECTED = [
    ("phase 1", "festival", "", TRICK, {"hand", "none"}),
    ("tricks", "festival", "1- 2-", but(NONE, phase=3), {"last_trick"}),
    ("tricks with 15", "festival", TO_TRICKS, but(NONE, phase=3),
     {"last_trick", "chicago"}),
    ("final hand", "festival", "1- 2- Ta", TRICK, {"hand", "none"}),
    ("a discardless seat", "festival", "a+46", TRICK, {"hand", "none", "illegal_discard"}),
    ("a blind Chicago", "wikipedia", "", TRICK, {"hand", "none", "chicago"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "rules", "before", "entry", "kinds"), EXPECTED, ids=[e[0] for e in EXPECTED]
)
def test_an_error_says_what_would_be_legal_now(title, rules, before, entry, kinds):
    """Every kind that is certainly possible is listed; an expected entry names its kind."""
    problem = replay(record(rules, [*spell(before), entry])).doc["problems"][-1]
    assert kinds <= {option["kind"] for option in problem["expected"]}


def test_nothing_is_expected_after_the_end():
    problem = replay(record(entries="~end 1-")).doc["problems"][-1]
    assert problem["expected"] == []


def test_messages_use_the_players_names():
    message = replay(record(entries="a+52 1a:p")).doc["problems"][-1]["message"]
    assert "Anna" in message


# --- §9: five and six seats may bring their own game points -------------------------------------

FIVE = [20, 15, 12, 8, 5]


def points_of(rules, entries, seats, points):
    ran = replay(record(rules, entries, seats=seats, game_points=points))
    assert ran.code == 0
    return ran.doc["state"]["game_points"]


def test_s9_own_game_points_of_five_and_six_seats():
    assert points_of("svensk", "1e:sf", 5, FIVE) == ["10", "10", "10", "10", "20"]
    assert points_of("basic", "f+52 1- Ta 2-", 6, [*FIVE, 0]) == [
        "15",
        "25/4",
        "25/4",
        "25/4",
        "25/4",
        "20",
    ]
    assert points_of("wikipedia+C", "1a:p", 5, FIVE) is None  # The game goes on.
    assert points_of("svensk", "a+1 b+2 c+3 d+4 ~end", 5, FIVE) == ["8", "12", "15", "20", "5"]


@pytest.mark.parametrize(
    ("rules", "seats"),
    [("festival", 5), ("sm", 5), ("pagat", 5), ("pagat+C", 6), ("svensk", 7), ("basic", 7)],
)
def test_s9_more_seats_than_the_rule_set_allows(rules, seats):
    ran = replay(record(rules, seats=list("ABCDEFG"[:seats])))
    assert (ran.code, codes(ran)) == (2, ["bad_seats"])


@pytest.mark.parametrize(
    ("rules", "seats", "points"),
    [
        ("svensk", 5, FIVE[:4]),
        ("svensk", 5, [*FIVE, 0]),
        ("svensk", 6, FIVE),
        ("svensk", 4, FIVE[:4]),
        ("festival", 3, FIVE[:3]),
        ("svensk", 5, [20.5, 15, 12, 8, 5]),
        ("svensk", 5, ["20", 15, 12, 8, 5]),
        ("svensk", 5, [True, 15, 12, 8, 5]),
        ("svensk", 5, [20, 15, 12, 8, -1]),
        ("svensk", 5, 20),
        ("svensk", 5, None),
    ],
)
def test_s9_invalid_own_game_points(rules, seats, points):
    ran = replay(record(rules, seats=seats, game_points=points))
    assert ran.code == 2
    assert codes(ran) == ["bad_value"]
