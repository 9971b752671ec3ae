"""A phone and the server agree in one call, whatever either of them has lost."""

import json
import uuid
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from jsonschema import validate

from scoring.enums import RowKind
from scoring.models import Declaration, SheetEntry
from scoring.writing import (
    call_td,
    confirm_seats,
    correct_entry,
    give_heat_penalty,
    revoke_link,
    set_away,
)

from ..factories import (
    auditor_link,
    chicago,
    hand,
    make_table,
    none,
    play,
    quick_win,
    ruling,
    running,
    sheet_of,
    trick,
    write,
)
from .phone import EXCHANGE, FINAL, TRICKS, Phone, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return make_table()


@pytest.fixture
def phone(table):
    found = Phone(auditor_link(table))
    found.sync()
    return found


DEAL = (hand(1, 0, "flush"), none(2), trick(1), hand(3, 0))


def test_a_new_phone_gets_the_table(table, phone):
    play(running(table), *DEAL)
    other = Phone(phone.address)
    answer = other.sync()
    assert [line["entry"] for line in other.lines[1]] == list(DEAL)
    assert answer["document"]["games"][0]["seats"] == list(sheet_of(table).seats)
    assert answer["rules"]["fields"]["target"] == 52
    assert "questions" in answer["parts"]
    text = json.dumps(answer)
    assert phone.address.split("/")[2] not in text
    assert phone.client.cookies["scoring_device"].value not in text
    assert "hash" not in text


def test_taps_become_lines_in_order_and_the_answer_is_short(table, phone):
    phone.sync(*phone.entries(*DEAL))
    assert sheet_of(table).version == 4
    tap = phone.tap("entry", (1, "exchange", 1), entry=none(1))
    phone.sync(tap)
    tap = phone.tap("entry", (1, "exchange", 2), entry=hand(2, 3))
    answer = phone.sync(tap)
    assert answer["took"] == [tap["id"]]
    assert [line["id"] for line in answer["lines"]["1"]] == [tap["id"]]
    assert "document" not in answer
    assert len(json.dumps(answer)) < 1000


def test_an_entry_takes_few_statements_and_waits_for_no_document(table, phone):
    """Also at a game's end: the phone asks for what is said then with a call of its own."""
    phone.sync(*phone.entries(*DEAL))

    def sent(place, entry, **more):
        tap = phone.tap("entry", (1, *place), entry=entry, **more)
        with CaptureQueriesContext(connection) as found:
            answer = phone.post(version=phone.version, have=phone.have, taps=[tap]).json()
        # Among them the transaction's beginning and end.
        assert len(found) <= 9, [query["sql"] for query in found]
        assert answer["took"] == [tap["id"]]
        assert [line["entry"] for line in answer["lines"]["1"]] == [entry]
        assert "document" not in answer
        phone.lines[1] += answer["lines"]["1"]
        return answer

    answer = sent(EXCHANGE, none(1))
    phone.version = answer["version"]
    answer = sent(("exchange", 2), quick_win() | {"phase": 2}, confirmed=True)
    assert answer["more"]
    assert "version" not in answer
    assert phone.sync()["document"]["games"][0]["status"] == "finished"


def test_a_redeal_takes_back_a_declared_chicago():
    table = make_table(directed=False)
    write(running(table), ruling("points", 1, points=20))
    for entry in (none(1), none(2), trick(1), hand(3, 0)) * 2:
        write(running(table), entry)
    phone = Phone(auditor_link(table))
    phone.sync()
    for phase in (1, 2):
        phone.sync(phone.tap("entry", (2, "exchange", phase), entry=none(phase)))
    phone.sync(phone.tap("chicago", (2, *TRICKS), seat=1))
    assert phone.document["declared"] == {"game": 1, "deal": 2, "seat": 1}
    phone.sync(phone.tap("entry", (2, *TRICKS), entry=ruling("redeal")))
    assert phone.document["declared"] is None


def test_an_entry_beside_another_change_brings_the_document(table, phone):
    phone.sync(*phone.entries(*DEAL))
    before = phone.version, phone.have
    call_td(table_id=table.pk, reason="")
    tap = phone.tap("entry", (1, *EXCHANGE), entry=none(1))
    answer = phone.post(version=before[0], have=before[1], taps=[tap]).json()
    assert answer["took"] == [tap["id"]]
    assert answer["document"]["called"]


def test_nothing_is_answered_to_a_phone_that_has_it_all(phone):
    phone.sync()
    with CaptureQueriesContext(connection) as found:
        answer = phone.sync()
    assert answer.keys() == {"mark", "took", "now", "version", "shell"}
    # The link, and how far the sheets are.
    assert len(found) == 2


def test_a_lost_reply_writes_nothing_twice(table, phone):
    taps = phone.entries(*DEAL)
    held, version = phone.have, phone.version
    phone.post(version=version, have=held, taps=taps[:2])
    answer = phone.sync(*taps)
    assert answer["took"] == [tap["id"] for tap in taps]
    assert [str(row) for row in SheetEntry.objects.values_list("client_id", flat=True)] == [
        tap["id"] for tap in taps
    ]
    assert phone.sync(*taps)["took"] == answer["took"]
    assert SheetEntry.objects.count() == 4


def test_an_id_with_other_contents_is_refused(phone):
    (tap,) = phone.entries(hand(1, 0))
    phone.sync(tap)
    assert refused(phone.sync(tap | {"entry": hand(1, 1)})) == "client_id_reused"


def test_the_first_refusal_stops_what_builds_on_it_but_no_call(table, phone):
    taps = phone.entries(hand(1, 0), hand(3, 0), trick(1))
    call = {"id": str(uuid.uuid4()), "act": "call", "reason": "reason:call_rules"}
    answer = phone.sync(*taps, call)
    assert set(answer["took"]) == {taps[0]["id"], call["id"]}
    assert refused(answer) == "wrong_phase"
    assert answer["refused"]["tap"] == taps[1]["id"]
    table.refresh_from_db()
    assert table.call_since
    assert "call" in answer["parts"]


def test_a_call_that_is_refused_holds_nothing_up(phone):
    call = {"id": str(uuid.uuid4()), "act": "call", "reason": "reason:made_up"}
    (tap,) = phone.entries(hand(1, 0))
    answer = phone.sync(call, tap)
    assert tap["id"] in answer["took"]
    assert refused(answer) == "malformed"


def test_an_unusual_line_is_asked_about(phone):
    (tap,) = phone.entries(quick_win())
    answer = phone.sync(tap)
    assert refused(answer) == "needs_confirmation"
    assert answer["refused"]["problem"]["message"]
    assert phone.sync(tap | {"confirmed": True})["took"] == [tap["id"]]


def test_the_last_line_is_taken_back_by_its_id(table, phone):
    phone.sync(*phone.entries(*DEAL[:2]))
    back = phone.tap("back", (0, *TRICKS), target=phone.last())
    phone.sync(back)
    line = phone.lines[1][-1]
    assert (line["kind"], line["target"]) == ("void", phone.lines[1][1]["id"])
    assert sheet_of(table).state["phase"] == 2


@pytest.mark.parametrize("what", ["points", "penalty", "amend"])
def test_what_the_director_does_meanwhile_is_no_conflict_where_the_tap_still_fits(
    table, phone, what
):
    phone.sync(*phone.entries(hand(1, 0)))
    tap = phone.tap("entry", (0, "exchange", 2), entry=hand(2, 1))
    sheet = running(table)
    if what == "points":
        write(sheet, ruling("points", 2, points=5))
    elif what == "penalty":
        give_heat_penalty(
            table_id=table.pk,
            player_id=sheet.seats[0],
            game_points=5,
            reason="late",
            by="test",
            client_id=uuid.uuid4(),
        )
    else:
        correct_entry(
            kind=RowKind.AMEND,
            sheet_id=sheet.pk,
            client_id=uuid.uuid4(),
            seen_version=1,
            author="director",
            sequence=1,
            entry=hand(1, 3),
            reason="seen",
            by_director=True,
        )
    answer = phone.sync(tap)
    assert answer["took"] == [tap["id"]]
    assert "document" in answer
    assert sheet_of(table).state["phase"] == 3


def test_after_a_redeal_a_tap_fits_no_more(table, phone):
    phone.sync(*phone.entries(hand(1, 0)))
    write(running(table), ruling("redeal"))
    answer = phone.sync(phone.tap("entry", (0, "exchange", 2), entry=hand(2, 1)))
    assert refused(answer) == "conflict"


def test_only_one_phone_writes_and_the_other_gets_its_taps_back(table, phone):
    phone.sync(*phone.entries(hand(1, 0)))
    other = Phone(phone.address)
    other.sync()
    assert not other.document["writes"]
    assert other.document["lease"]
    tap = other.tap("entry", (0, "exchange", 2), entry=none(2))
    answer = other.sync(tap)
    assert refused(answer) == "lease_taken"
    assert (answer["took"], SheetEntry.objects.count()) == ([], 1)
    taken = other.sync({"id": str(uuid.uuid4()), "act": "take"})
    assert taken["document"]["writes"]
    assert other.sync(tap)["took"] == [tap["id"]]
    phone.sync()
    assert not phone.document["writes"]


def test_a_server_that_lacks_lines_is_given_them(table, phone):
    """The phone knows four lines; the server, restored, has two of them."""
    taps = phone.entries(*DEAL)
    phone.sync(*taps[:2])
    held = {"1": {"rows": 4, "last": taps[3]["id"]}}
    answer = phone.sync(have=held)
    assert answer["wanted"] == [1]
    answer = phone.sync(have={"1": {"ids": [tap["id"] for tap in taps]}})
    assert answer["lacks"] == {"1": [tap["id"] for tap in taps[2:]]}
    assert answer["whole"] == [1]
    given = phone.sync(*[tap | {"kept": True} for tap in taps[2:]])
    assert given["took"] == [tap["id"] for tap in taps[2:]]
    assert sheet_of(table).version == 4


def test_a_server_made_anew_takes_lines_where_they_fit(phone):
    """It knows none of the lines that they follow, nor the seats of the heat drawn again."""
    names = ["Dag", "Cia", "Bo", "Anna"]
    new = make_table(seed="new", seated=False)
    other = Phone(auditor_link(new))
    other.sync()
    lost = str(uuid.uuid4())
    taps = other.entries(*DEAL, follows=lost, kept=True, seating="elsewhere", names=names)
    answer = other.sync(*taps)
    assert answer["took"] == [tap["id"] for tap in taps]
    assert sheet_of(new).seats == names
    # Nothing is written where it was not tapped.
    late = other.tap("entry", (0, *FINAL), entry=hand(3, 1), follows=lost, kept=True)
    assert refused(other.sync(late)) == "conflict"


def test_a_game_is_begun_and_left_again_by_lines_that_are_given_back(table, phone):
    won = phone.entries(quick_win(), kept=True)
    later = phone.tap("entry", entry=hand(1, 2, "flush"), game=2, kept=True, follows=None)
    assert phone.sync(*won, later)["took"] == [won[0]["id"], later["id"]]
    assert sheet_of(table, 2).state["scores"] == [0, 0, 5, 0]


def test_no_ruling_is_taken_from_a_phone(table, phone):
    (tap,) = phone.entries(ruling("points", 0, points=5), kept=True)
    assert refused(phone.sync(tap)) == "ruling_only_director"
    lost = {"id": str(uuid.uuid4()), "act": "lost", "text": "Bo −5"}
    phone.sync(lost)
    table.refresh_from_db()
    assert table.call_reason == "reason:call_restored. Bo −5"


def test_players_called_away_fold_and_their_folds_are_nobodys_taps(table, phone):
    set_away(table_id=table.pk, player_ids=[sheet_of(table).seats[3]], by="floor")
    phone.sync()
    answer = phone.sync(*phone.entries(*DEAL))
    assert len(answer["took"]) == 4
    folds = [line for line in phone.lines[1] if line["entry"]["kind"] == "ruling"]
    assert len(folds) == 2
    assert not any(line.get("own") for line in folds)
    tap = phone.tap("entry", (1, "exchange", 1), entry=none(1))
    assert phone.sync(tap)["took"] == [tap["id"]]


def test_a_chicago_is_declared_and_taken_back(table, phone):
    write(running(table), ruling("points", 1, points=20))
    phone.sync()
    taps = phone.entries(none(1), none(2))
    said = phone.tap("chicago", (0, *TRICKS), seat=1)
    phone.sync(*taps, said)
    assert phone.document["declared"] == {"game": 1, "deal": 0, "seat": 1}
    phone.sync(phone.tap("chicago", (0, *TRICKS), seat=None))
    assert phone.document["declared"] is None
    assert list(Declaration.objects.values_list("seat", flat=True)) == [1, None]


def test_the_next_game_and_back(table, phone):
    phone.sync(*phone.entries(quick_win(), confirmed=True))
    assert phone.document["mode"] == "over"
    begin = {"id": str(uuid.uuid4()), "act": "next", "game": 2, "at": 1}
    for _twice in range(2):
        assert phone.sync(begin)["took"] == [begin["id"]]
    assert phone.document["now"] == 2
    phone.sync({"id": str(uuid.uuid4()), "act": "return", "game": 2, "at": 1})
    assert phone.document["now"] == 1
    assert refused(phone.sync({"id": str(uuid.uuid4()), "act": "next", "game": 3})) == "game_order"


def test_seats_are_confirmed_and_changed():
    table = make_table(seated=False)
    phone = Phone(auditor_link(table))
    phone.sync()
    assert "seats" in phone.parts
    order = [*reversed(sheet_of(table).seats)]
    tap = {"id": str(uuid.uuid4()), "act": "seats", "game": 1, "version": 0, "order": order}
    for _twice in range(2):
        assert phone.sync(tap)["took"] == [tap["id"]]
    assert sheet_of(table).seats == order
    assert phone.lines[1][0]["kind"] == "reseat"
    assert phone.document["seated"]


def test_the_table_signs_off(table):
    table = make_table(games=1)
    phone = Phone(auditor_link(table))
    phone.sync()
    sign = {"id": str(uuid.uuid4()), "act": "sign"}
    assert refused(phone.sync(sign)) == "games_unfinished"
    phone.sync(*phone.entries(quick_win(), confirmed=True))
    assert phone.sync(sign)["took"] == [sign["id"]]
    assert phone.document["signed"]


def test_rulings_are_read_once_per_phone(table, phone):
    write(running(table), ruling("points", 1, points=5))
    phone.sync()
    html = phone.parts["rulings"]["html"]
    mark = html.split('value="')[1].split('"')[0].strip()
    phone.sync({"id": str(uuid.uuid4()), "act": "read", "rulings": mark})
    assert phone.parts["rulings"]["html"] == ""
    other = Phone(phone.address)
    other.sync()
    assert other.parts["rulings"]["html"]


def test_a_reader_may_call_but_writes_nothing(table):
    reader = Phone(auditor_link(table, role="reader"))
    call = {"id": str(uuid.uuid4()), "act": "call", "reason": ""}
    answer = reader.post(taps=[call]).json()
    assert answer["took"] == [call["id"]]
    assert answer.keys() == {"mark", "took", "now"}
    response = reader.post(taps=[reader.tap("entry", entry=none(1))])
    assert (response.status_code, response.json()["mark"]) == (403, "chicago-table")
    assert SheetEntry.objects.count() == 0


def test_a_link_that_is_unknown_or_closed_says_so_with_the_mark(table):
    phone = Phone(auditor_link(table))
    revoke_link(link_id=table.links.get().pk, by="test")
    response = phone.post()
    assert response.status_code == 410
    assert response.json()["problems"][0]["code"] == "link_revoked"
    response = Phone("/s/nobody/").post()
    assert response.status_code == 404
    assert response.json()["mark"] == "chicago-table"


def test_an_entry_for_no_game_of_the_table_is_refused(phone):
    answer = phone.sync(phone.tap("entry", entry=none(1), game=9))
    assert refused(answer) == "malformed"


def test_a_corrected_line_is_given_back(table, phone):
    taps = phone.entries(*DEAL[:2], kept=True)
    mended = phone.tap(
        "correct",
        (0, *TRICKS),
        kind="amend",
        target=taps[0]["id"],
        entry=hand(1, 2),
        follows=taps[1]["id"],
        kept=True,
    )
    assert len(phone.sync(*taps, mended)["took"]) == 3
    assert sheet_of(table).state["scores"] == [0, 0, 1, 0]
    assert [line["kind"] for line in phone.lines[1]] == ["entry", "entry", "amend"]


def test_seats_changed_meanwhile_are_a_refusal_not_a_guess(table):
    table = make_table(seated=False)
    phone = Phone(auditor_link(table))
    phone.sync()
    seating = phone.document["games"][0]["seating"]
    taps = phone.entries(hand(1, 0), seating=seating)
    confirm_seats(
        table_id=table.pk, seen_version=0, by="test", order=[*reversed(sheet_of(table).seats)]
    )
    assert refused(phone.sync(*taps)) == "other_seats"
    assert sheet_of(table).version == 1


def test_a_lost_chicago_is_declared_again_and_its_end_written(table, phone):
    write(running(table), ruling("points", 1, points=20))
    phone.sync()
    taps = phone.entries(none(1), none(2))
    phone.sync(*taps)
    end = phone.tap("entry", (0, *TRICKS), entry=chicago(1))
    phone.sync(end)
    assert sheet_of(table).state["asterisks"] == [0, 1, 0, 0]
    assert sheet_of(table).state["deal"] == 1


def test_a_call_shows_on_every_phone(table, phone):
    other = Phone(phone.address)
    other.sync()
    call_td(table_id=table.pk, reason="reason:call_rules")
    other.sync()
    assert other.document["called"]


def test_without_the_lease_no_game_is_opened_or_closed(phone):
    """A page opened before another phone took over still shows the button."""
    phone.sync(phone.tap("entry", entry=quick_win(), follows=None, confirmed=True))
    other = Phone(phone.address)
    other.sync(phone.tap("take"))
    assert refused(phone.sync(phone.tap("next", game=2))) == "lease_taken"
    assert other.sync(other.tap("next", game=2))["took"]
    assert refused(phone.sync(phone.tap("return", game=2))) == "lease_taken"
    assert other.sync(other.tap("return", game=2))["took"]


@pytest.mark.parametrize("reopened", [False, True])
def test_a_server_with_as_many_other_lines_asks_until_it_is_told(table, phone, reopened):
    """Restored from a backup, and written on from another phone meanwhile."""
    phone.sync(*phone.entries(*DEAL))
    for line in phone.lines[1][2:]:
        line["id"] = str(uuid.uuid4())
    phone.version = "older"
    assert phone.sync()["wanted"] == [1]
    if reopened:
        assert phone.sync()["wanted"] == [1]
    answer = phone.sync(have={"1": {"ids": [line["id"] for line in phone.lines[1]]}})
    assert answer["whole"] == [1]
    assert len(answer["lacks"]["1"]) == 2
    assert answer["version"]


def test_the_answer_fits_the_schema(table, phone):
    """The page's tests hold its taps against the same schema."""
    schema = json.loads((Path(__file__).parent.parent / "table.schema.json").read_text())
    fresh = Phone(phone.address)
    answers = [fresh.sync(), fresh.sync(*fresh.entries(*DEAL)), fresh.sync()]
    answers.append(fresh.sync(*fresh.entries(hand(3, 0))))
    for answer in answers:
        validate(answer, {**schema, "$ref": "#/$defs/answer"})
    for tap in fresh.entries(*DEAL):
        validate(tap, {**schema, "$ref": "#/$defs/tap"})
