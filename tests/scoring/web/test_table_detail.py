"""The page behind a link: what it shows, to whom, in which language, at what cost."""

import html as markup
import json
import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine import messages
from scoring.enums import AcceptedBy
from scoring.models import Link
from scoring.reading.words import rank_text
from scoring.templatetags.scoring_sheet import fence
from scoring.web.access import DEVICE_COOKIE
from scoring.writing import (
    accept_games,
    call_td,
    open_next_sheet,
    revoke_link,
    sign_off,
    take_lease,
    void_sheet,
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

pytestmark = pytest.mark.django_db

LONG = (
    "Bartholomäus Szczęśniak-Łukasiewicz",
    "Anna-Karin Bergström",
    "Mohammed al-Rashid",
    "Øyvind Ærø",
)


def shown(client, address, **headers):
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def offered(html):
    """Return the entries on the buttons."""
    values = re.findall(r'name="what" value="([^"]*)"', html)
    return [json.loads(markup.unescape(value)) for value in values]


def to_the_tricks(sheet):
    """Bring Anna to 18 and the sheet to its tricks."""
    play(
        sheet,
        hand(1, 0, "flush"),
        hand(2, 0, "full_house"),
        trick(0),
        hand(3, 0, "two_pair"),
        none(1),
        none(2),
    )


@pytest.mark.parametrize("points", range(60))
def test_tallies_wrap_between_tens_only(points):
    tens = [part.count("<use") for part in str(fence(points)).split('class="ten"')[1:]]
    assert sum(tens) == -(-points // 5)
    assert len(tens) < 2 or min(tens) > 1


class TestAuditor:
    def test_shows_seats_clockwise_dealer_and_question(self, client):
        html = shown(client, auditor_link(make_table()))
        places = [html.index(f'value="{seat}" data-name') for seat in range(4)]
        assert places == sorted(places)
        assert 'data-step="hand"' in html
        assert html.count("sign-dealer") == 2  # One on the board, one in the legend.
        assert 'data-game="1" data-version="0" data-mode="play"' in html
        assert {entry["phase"] for entry in offered(html) if entry["kind"] == "hand"} == {1}

    def test_each_category_has_its_points(self, client):
        html = shown(client, auditor_link(make_table()))
        shown_points = re.findall(r'class="what-points tabular">([^<]*)<', html)
        assert shown_points[:7] == ["+1", "+2", "+3", "+4", "+5", "+6", "+8"]
        assert [entry["category"] for entry in offered(html) if entry["kind"] == "hand"] == [
            *("pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"),
            *("four_of_a_kind", "four_of_a_kind", "straight_flush", "royal_flush"),
        ]

    def test_names_with_every_mark(self, client):
        html = shown(client, auditor_link(make_table(LONG)))
        for name in LONG:
            assert name in html

    def test_names_are_escaped(self, client):
        html = shown(client, auditor_link(make_table(("<b>A</b>", 'B"onclick', "C&D", "D'"))))
        assert "<b>A</b>" not in html
        assert 'B"onclick' not in html

    def test_chicago_is_offered_beside_the_last_trick(self, client):
        table = make_table()
        to_the_tricks(running(table))
        html = shown(client, auditor_link(table))
        assert '<div class="question" data-step="trick">' in html
        row = html.split("what-declare")[1].split("</div>")[0]
        buttons = re.findall(r'class="btn what-button( off)?" name="announce" value="(\d)"', row)
        assert buttons == [("", "0"), (" off", "1"), (" off", "2"), (" off", "3")]
        assert "chicago/" in row

    def test_after_a_declaration_only_the_chicago_is_offered(self, client):
        table = make_table()
        to_the_tricks(running(table))
        address = auditor_link(table)
        fields = {"id": uuid.uuid4(), "game": 1, "deal": 1, "announce": 0}
        assert client.post(address + "chicago/", fields).status_code == 303
        html = shown(client, address)
        assert '<div class="question" data-step="chicago">' in html
        kinds = {(entry["kind"], entry["seat"]) for entry in offered(html) if "seat" in entry}
        assert kinds == {("chicago", 0)}

    def test_a_redeal_ends_a_declaration_and_empties_the_deals_fields(self, client):
        table = make_table()
        to_the_tricks(running(table))
        address = auditor_link(table)
        fields = {"game": 1, "deal": 1}
        client.post(address + "chicago/", {**fields, "id": uuid.uuid4(), "announce": 0})
        play(running(table), ruling("redeal"))
        assert not re.search(r'<li class="field[^>]*> <a', shown(client, address))
        play(running(table), none(1), none(2))
        assert '<div class="question" data-step="trick">' in shown(client, address)
        client.post(address + "chicago/", {**fields, "id": uuid.uuid4(), "announce": 0})
        assert '<div class="question" data-step="chicago">' in shown(client, address)

    def test_chicago_is_not_offered_if_nobody_may_declare(self, client):
        table = make_table()
        play(running(table), none(1), none(2))
        html = shown(client, auditor_link(table))
        assert 'name="announce"' not in html
        assert 'data-step="trick"' in html
        assert {"kind": "last_trick", "seat": 0, "deuce": True} in offered(html)

    def test_marks_for_executed_asterisk_and_discardless(self, client):
        table = make_table()
        to_the_tricks(running(table))
        play(running(table), chicago(0), none(1), none(2), chicago(0))
        html = shown(client, auditor_link(table))
        board = html.split("board-4")[1].split("</fieldset>")[0]
        assert 'class="executed"' in board
        assert "**" in board
        assert "sign-stop" in board
        assert "48" in board

    def test_the_last_entry_can_be_taken_back(self, client):
        table = make_table()
        play(running(table), hand(1, 0, "flush"))
        undo = shown(client, auditor_link(table)).split('form="undo"')[1].split("</button>")[0]
        assert "Anna" in undo
        assert "+5" in undo

    def test_a_ruling_is_shown_but_cannot_be_taken_back(self, client):
        table = make_table()
        write(running(table), ruling("points", 1, points=-5))
        html = shown(client, auditor_link(table))
        latest = html.split('class="latest')[1].split("</p>")[0]
        assert "Bo −5" in latest
        assert "take-back/" not in html

    def test_the_running_sheet_has_tallies_that_screen_readers_can_read(self, client):
        table = make_table()
        to_the_tricks(running(table))
        html = shown(client, auditor_link(table))
        assert re.search('role="img" aria-label="18 ', html)
        assert html.count('href="#fence-5-') == 3
        assert html.count('href="#fence-3"') == 1

    def test_the_end_of_a_game_shows_who_won_and_how(self, client):
        table = make_table()
        play(running(table), hand(1, 0), hand(2, 1, "royal_flush"))
        html = shown(client, auditor_link(table))
        assert '<p class="result-winner" tabindex="-1">Bo</p>' in html
        assert 'class="result-how"' in html
        assert "2–4" in html
        assert html.count("11.66") == 3
        assert "11 2/3" in html
        assert "next-game/" in html
        assert 'class="seating"' in html

    def test_the_heat_shows_what_decided(self, client):
        table = make_table(("A", "B", "C"), games=1, auditor="C")
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "straight_flush"))
        html = shown(client, auditor_link(table))
        assert html.count('<li class="advances">') == 1
        assert re.search("checksum[^<]* 47 [^<]* 47 ", html)
        assert "/sign/" in html
        assert re.search(r"sheet-foot[^<]* C\s*<", html)

    def test_a_flip_flop_is_requested_if_it_decides(self, client):
        table = make_table(("A", "B", "C"), games=1)
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "flush"), ruling("end_game"))
        html = client.get(auditor_link(table)).text
        form = re.search("(?s)<select [^>]*name=.order.*?</select>", html)
        assert re.findall('<option value="([^"]+)"', form[0]) == ["A\nB", "B\nA"]
        # Everybody at the table is told why nobody has qualified yet.
        assert 'class="needs-box' in shown(client, auditor_link(table, "reader"))
        assert "/sign/" not in html

    def test_players_sharing_a_place_are_not_ranked_above_each_other(self, client):
        table = make_table(("A", "B", "C"), games=1, advance=3)
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "flush"), ruling("end_game"))
        page = client.get(auditor_link(table)).context["page"]
        first, second, third = page.protocol.ranking
        assert (first.place, second.place, third.place) == (1, 1, 3)
        assert (first.decided_by, second.decided_by) == (None, "game_points")
        assert rank_text(first, second) == messages.rank_text("level", "B", 0, 0, "en")

    def test_lots_are_drawn_instead_of_a_flip_flop(self, client):
        table = make_table(("A", "B", "C"), games=1)
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "flush"), ruling("end_game"))
        address = auditor_link(table)
        html = client.get(address).text
        # They decide who goes on, and the table cannot take them back: not at one tap.
        (folded,) = re.findall("(?s)<details[^>]*>(?:(?!</details>).)*lots.*?</details>", html)
        assert 'name="lots" value="A\nB"' in folded
        (action,) = set(re.findall(r'action="([^"]*flip-flop/)"', html))
        client.post(action, {"lots": "A\r\nB"})
        assert table.flip_flops.get().seed
        assert "/sign/" in shown(client, address)

    def test_a_second_device_is_informed(self, client):
        table = make_table()
        sheet = running(table)
        take_lease(sheet_id=sheet.pk, device="another", author="link 1")
        html = shown(client, auditor_link(table))
        assert "/lease/" in html
        assert 'name="what"' not in html

    @pytest.mark.parametrize(
        ("role", "device"), [("auditor", ""), ("auditor", "x"), ("reader", "")]
    )
    def test_how_a_table_was_signed_off_is_shown_with_and_without_the_lease(
        self, client, role, device
    ):
        table = make_table(games=1)
        write(running(table), quick_win())
        take_lease(sheet_id=sheet_of(table).pk, device=device, author="link 1")
        accept_games(
            table_id=table.pk, player_id="Cia", seen={1: 1}, by="x", means=AcceptedBy.OWN_PAGE
        )
        address = auditor_link(table, role)
        assert 'class="word"' in shown(client, address)
        call_td(table_id=table.pk, reason="")
        sign_off(table_id=table.pk, by="x", by_director=True, protest="Dag had left")
        html = shown(client, address)
        assert "Dag had left" in html
        assert 'class="word"' in html
        assert "/lease/" not in html

    def test_a_new_game_can_be_closed_again(self, client):
        table = make_table()
        write(running(table), quick_win())
        open_next_sheet(table_id=table.pk, by="x")
        assert "last-game/" in shown(client, auditor_link(table))

    def test_a_call_is_shown(self, client):
        table = make_table()
        call_td(table_id=table.pk, reason="A quarrel")
        html = shown(client, auditor_link(table))
        assert "call-done/" in html
        assert "A quarrel" in html

    def test_a_casual_table_has_no_director_to_call(self, client):
        html = shown(client, auditor_link(make_table(directed=False)))
        assert "/call/" not in html
        assert "end_game" in [entry.get("action") for entry in offered(html)]

    def test_after_a_void_game_the_next_one_can_begin(self, client):
        table = make_table(games=2)
        write(running(table), none(1))
        void_sheet(sheet_id=running(table).pk, reason="wrong players")
        html = shown(client, auditor_link(table))
        assert "wrong players" in html
        assert 'data-mode="over"' in html
        assert "next-game/" in html
        assert "result-winner" not in html

    def test_a_heat_with_only_void_games(self, client):
        table = make_table(games=1)
        void_sheet(sheet_id=running(table).pk, reason="wrong players")
        html = shown(client, auditor_link(table))
        assert "wrong players" in html
        assert 'class="advances"' not in html

    def test_a_final_hand_after_a_chicago_if_the_rules_have_one(self, client):
        table = make_table(rules="svensk+Q+R")
        play(running(table), none(1), none(2), chicago(0))
        html = shown(client, auditor_link(table))
        assert 'data-step="hand"' in html
        assert {entry["phase"] for entry in offered(html) if entry["kind"] == "hand"} == {3}

    @pytest.mark.parametrize(
        ("rules", "words"),
        [
            ("wikipedia", ["panel-blind", "+60"]),
            ("svensk+B4", ["suit&quot;:&quot;H", "suit&quot;:&quot;C", "+20"]),
            ("svensk+D", [">+8, "]),
            ("pagat", ["+52"]),
        ],
    )
    def test_other_rule_sets_ask_their_own_questions(self, client, rules, words):
        html = shown(client, auditor_link(make_table(rules=rules)))
        for word in words:
            assert word in html


FOUR_NAMES = ("Cia", "Dag", "Anna", "Bo")


class TestReader:
    def test_readers_have_no_way_to_write(self, client):
        table = make_table()
        to_the_tricks(running(table))
        html = shown(client, auditor_link(table, "reader"))
        assert 'name="what"' not in html
        assert "auditor.js" not in html
        assert "take-back" not in html
        assert "18" in html
        assert 'class="latest"' in html
        assert "/call/" in html


class TestLanguage:
    def test_everything_is_in_the_readers_language(self, client):
        table = make_table()
        to_the_tricks(running(table))
        html = shown(client, auditor_link(table), **{"accept-language": "sv"})
        for words in (
            'lang="sv"',
            "sparat",
            "Giv 2 · stick",
            "Cia står på 0",
        ):
            assert words in html

    def test_hands_have_their_swedish_names(self, client):
        html = shown(client, auditor_link(make_table()), **{"accept-language": "sv"})
        for words in ("Två par", "Triss", "Stege", "Färg", "Kåk", "Fyrtal", "Färgstege"):
            assert words in html


class TestLinks:
    @pytest.mark.parametrize("token", ["x", "å", "a" * 26, "a" * 500])
    def test_an_unknown_link_gets_a_friendly_404(self, client, token):
        response = client.get(f"/s/{token}/")
        assert response.status_code == 404
        assert 'class="gone"' in response.content.decode()

    def test_a_revoked_link_gets_a_friendly_410(self, client):
        address = auditor_link(make_table())
        revoke_link(link_id=Link.objects.get().pk, by="x")
        response = client.get(address)
        assert response.status_code == 410
        answer = client.post(address + "entry/", {}, headers={"accept": "application/json"})
        assert answer.status_code == 410
        assert answer.json()["problems"][0]["code"] == "link_revoked"

    @pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
    def test_only_reading(self, client, method):
        assert getattr(client, method)(auditor_link(make_table())).status_code == 405


class TestHeaders:
    @pytest.mark.parametrize("part", ["", "live/"])
    def test_nothing_is_cached_or_leaked(self, client, part):
        response = client.get(auditor_link(make_table()) + part)
        assert response.headers["Cache-Control"] == "no-store, private"
        assert response.headers["Referrer-Policy"] == "same-origin"
        assert response.headers["X-Robots-Tag"] == "noindex, nofollow"

    def test_no_inline_scripts_or_styles(self, client):
        response = client.get(auditor_link(make_table()))
        html = response.content.decode()
        assert "style=" not in html
        assert "<style" not in html
        assert "onclick" not in html
        scripts = [part.split(">")[0] for part in html.split("<script")[1:]]
        assert all("src=" in script or "application/json" in script for script in scripts)
        assert "unsafe-inline" not in response.headers["Content-Security-Policy"]

    def test_the_device_cookie_is_set_once(self, client):
        address = auditor_link(make_table())
        cookie = client.get(address).cookies[DEVICE_COOKIE]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        assert DEVICE_COOKIE not in client.get(address).cookies

    def test_an_invalid_device_cookie_is_replaced(self, client):
        client.cookies[DEVICE_COOKIE] = "'; DROP TABLE"
        assert DEVICE_COOKIE in client.get(auditor_link(make_table())).cookies


class TestLive:
    def test_an_unchanged_state_is_not_sent_again(self, client):
        table = make_table()
        address = auditor_link(table) + "live/"
        first = client.get(address)
        assert first.content.decode().lstrip().startswith('<!--drawn--><div id="live"')
        etag = first.headers["ETag"]
        again = client.get(address, headers={"if-none-match": etag})
        assert (again.status_code, again.content) == (304, b"")
        write(running(table), none(1))
        changed = client.get(address, headers={"if-none-match": etag})
        assert changed.status_code == 200
        assert changed.headers["ETag"] != etag

    def test_a_call_or_another_language_changes_it(self, client):
        table = make_table()
        address = auditor_link(table) + "live/"
        etag = client.get(address).headers["ETag"]
        swedish = client.get(address, headers={"if-none-match": etag, "accept-language": "sv"})
        assert swedish.status_code == 200
        call_td(table_id=table.pk, reason="")
        assert client.get(address, headers={"if-none-match": etag}).status_code == 200


class TestQueries:
    def count(self, client, address, **headers):
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            client.get(address, headers=headers)
        return len(queries)

    def test_the_number_does_not_grow_with_the_entries(self, client):
        table = make_table()
        address = auditor_link(table)
        few = self.count(client, address)
        for _ in range(5):
            play(running(table), none(1), none(2), trick(0), none(3))
            play(running(table), none(1), none(2), trick(1), none(3))
        assert self.count(client, address) == few <= 5

    def test_the_end_of_a_heat(self, client):
        table = make_table(games=1)
        write(running(table), quick_win())
        assert self.count(client, auditor_link(table)) <= 8

    def test_checking_for_changes_takes_one_query(self, client):
        address = auditor_link(make_table()) + "live/"
        etag = client.get(address).headers["ETag"]
        assert self.count(client, address, **{"if-none-match": etag}) == 1
