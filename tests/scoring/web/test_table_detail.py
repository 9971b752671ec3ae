"""The page behind a link: what it shows, to whom, in which language, at what cost."""

import html as markup
import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine import messages
from scoring.enums import AcceptedBy
from scoring.models import Link
from scoring.reading.words import rank_text
from scoring.templatetags.scoring_sheet import fence
from scoring.web import pages
from scoring.web.access import DEVICE_COOKIE
from scoring.writing import (
    accept_games,
    call_td,
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
from .phone import parts_of, refused, tapped, told_by

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
    values = re.findall(r'name="what"\s+value="([^"]*)"', html)
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


FOUR_NAMES = ("Cia", "Dag", "Anna", "Bo")


class TestShell:
    def test_it_is_the_same_for_every_table_and_has_no_data_and_no_token(self, client):
        one = client.get(auditor_link(make_table(LONG)))
        other = client.get(auditor_link(make_table(rules="svensk", directed=False)))
        assert one.content == other.content
        assert "csrf" not in one.text
        assert one["ETag"] == other["ETag"]
        for name in LONG:
            assert name not in one.text

    def test_it_is_in_the_readers_language_and_known_by_its_mark(self, client):
        address = auditor_link(make_table())
        marks = set()
        for language, word in (("en", "saved"), ("sv", "sparat")):
            response = client.get(address, headers={"accept-language": language})
            assert word in response.text
            marks.add(response["ETag"])
            answer = told_by(client, address, **{"accept-language": language})
            assert f'"{answer["shell"]}"' == response["ETag"]
        assert len(marks) == 2

    def test_without_scripts_it_leads_to_the_reading_page(self, client):
        table = make_table()
        play(running(table), hand(1, 0, "flush"))
        address = auditor_link(table)
        (there,) = re.findall(r'<noscript><meta [^>]*url=([^"]+)"', client.get(address).text)
        assert "Anna" in client.get(address + there).text


class TestParts:
    """What the hall adds to the Auditor's page, in words."""

    def test_the_questions_have_each_category_with_its_points(self, client):
        html = parts_of(client, auditor_link(make_table()))["questions"]
        first = html.split("</template>")[0]
        shown_points = re.findall(r'class="what-points tabular">([^<]*)<', first)
        assert shown_points[:7] == ["+1", "+2", "+3", "+4", "+5", "+6", "+8"]
        assert [entry["category"] for entry in offered(first) if entry["kind"] == "hand"] == [
            *("pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"),
            *("four_of_a_kind", "four_of_a_kind", "straight_flush", "royal_flush"),
        ]

    @pytest.mark.parametrize("names", [FOUR_NAMES, LONG])
    def test_the_questions_are_the_same_whoever_plays(self, client, names):
        html = parts_of(client, auditor_link(make_table(names)))["questions"]
        assert html == parts_of(client, auditor_link(make_table()))["questions"]
        assert names[0] not in html

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
        html = parts_of(client, auditor_link(make_table(rules=rules)))["questions"]
        for word in words:
            assert word in html

    def test_names_are_escaped(self, client):
        table = make_table(("<b>A</b>", 'B"onclick', "C&D", "D'"), seated=False)
        html = parts_of(client, auditor_link(table))["seats"]
        assert "<b>A</b>" not in html
        assert 'B"onclick' not in html

    def test_a_flip_flop_is_requested_if_it_decides(self, client):
        table = make_table(("A", "B", "C"), games=1)
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "flush"), ruling("end_game"))
        address = auditor_link(table)
        html = parts_of(client, address)["ties"]
        form = re.search("(?s)<select [^>]*name=.order.*?</select>", html)
        assert re.findall('<option value="([^"]+)"', form[0]) == ["A\nB", "B\nA"]
        # They decide who goes on, and the table cannot take them back: not at one tap.
        (folded,) = re.findall("(?s)<details[^>]*>(?:(?!</details>).)*lots.*?</details>", html)
        assert 'name="lots" value="A\nB"' in folded
        # Everybody at the table is told why nobody has qualified yet.
        assert 'class="needs-box' in shown(client, auditor_link(table, "reader"))
        assert not refused(tapped(client, address, "flip", lots=["A", "B"]))
        assert table.flip_flops.get().seed
        [order] = told_by(client, address)["document"]["flips"]
        assert sorted(order) == ["A", "B"]

    def test_an_order_in_which_somebody_is_twice_is_refused(self, client):
        table = make_table(("A", "B", "C"), games=1)
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "flush"), ruling("end_game"))
        address = auditor_link(table)
        assert refused(tapped(client, address, "flip", order=["A", "A"])) == "twice_in_order"
        assert refused(tapped(client, address, "flip", order=["A", "C"])) == "not_a_tie"

    def test_players_sharing_a_place_are_not_ranked_above_each_other(self, client):
        table = make_table(("A", "B", "C"), games=1, advance=3)
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "flush"), ruling("end_game"))
        page = client.get(auditor_link(table, "reader")).context["page"]
        first, second, third = page.protocol.ranking
        assert (first.place, second.place, third.place) == (1, 1, 3)
        assert (first.decided_by, second.decided_by) == (None, "game_points")
        assert rank_text(first, second) == messages.rank_text("level", "B", 0, 0, "en")

    def test_a_second_device_is_informed(self, client):
        table = make_table()
        take_lease(sheet_id=running(table).pk, device="another", author="link 1")
        answer = told_by(client, auditor_link(table))
        assert 'data-do="take"' in answer["parts"]["lease"]["html"]
        assert not answer["document"]["writes"]

    @pytest.mark.parametrize("device", ["", "x"])
    def test_how_a_table_was_signed_off_is_shown_with_and_without_the_lease(self, client, device):
        table = make_table(games=1)
        write(running(table), quick_win())
        take_lease(sheet_id=sheet_of(table).pk, device=device, author="link 1")
        accept_games(
            table_id=table.pk, player_id="Cia", seen={1: 1}, by="x", means=AcceptedBy.OWN_PAGE
        )
        address = auditor_link(table)
        assert 'class="word"' in parts_of(client, address)["accept"]
        call_td(table_id=table.pk, reason="")
        sign_off(table_id=table.pk, by="x", by_director=True, protest="Dag had left")
        parts = parts_of(client, address)
        assert "Dag had left" in parts["signed"]
        assert 'class="word"' in parts["signed"]
        assert not parts.get("lease")
        html = shown(client, auditor_link(table, "reader"))
        assert "Dag had left" in html

    def test_a_call_is_shown(self, client):
        table = make_table()
        call_td(table_id=table.pk, reason="A quarrel")
        html = parts_of(client, auditor_link(table))["told"]
        assert 'data-do="uncall"' in html
        assert "A quarrel" in html

    def test_a_casual_table_has_no_director_to_call(self, client):
        parts = parts_of(client, auditor_link(make_table(directed=False)))
        assert not parts.get("call")
        assert "end_game" in [entry.get("action") for entry in offered(parts["questions"])]

    def test_a_void_game_is_told_and_the_next_one_waits(self, client):
        table = make_table(games=2)
        write(running(table), none(1))
        void_sheet(sheet_id=running(table).pk, reason="wrong players")
        answer = told_by(client, auditor_link(table))
        assert "wrong players" in answer["parts"]["notes"]["html"]
        assert answer["document"]["mode"] == "over"


class TestReader:
    def test_readers_have_no_way_to_write(self, client):
        table = make_table()
        to_the_tricks(running(table))
        html = shown(client, auditor_link(table, "reader"))
        assert 'name="what"' not in html
        assert "table.js" not in html
        assert "18" in html
        assert 'class="latest"' in html
        assert 'data-do="call"' in html

    def test_names_with_every_mark(self, client):
        html = shown(client, auditor_link(make_table(LONG), "reader"))
        for name in LONG:
            assert name in html

    def test_marks_for_executed_asterisk_and_discardless(self, client):
        table = make_table()
        to_the_tricks(running(table))
        play(running(table), chicago(0), none(1), none(2), chicago(0))
        html = shown(client, auditor_link(table, "reader"))
        board = html.split("board-4")[1].split("</ul>")[0]
        assert 'class="executed"' in board
        assert "**" in board
        assert "sign-stop" in board
        assert "48" in board

    def test_the_running_sheet_has_tallies_that_screen_readers_can_read(self, client):
        table = make_table()
        to_the_tricks(running(table))
        html = shown(client, auditor_link(table, "reader"))
        assert re.search('role="img" aria-label="18 ', html)
        assert html.count('href="#fence-5-') == 3
        assert html.count('href="#fence-3"') == 1

    def test_the_end_of_a_game_shows_who_won_and_how(self, client):
        table = make_table()
        play(running(table), hand(1, 0), hand(2, 1, "royal_flush"))
        html = shown(client, auditor_link(table, "reader"))
        assert '<p class="result-winner" tabindex="-1">Bo</p>' in html
        assert 'class="result-how"' in html
        assert "2–4" in html
        assert html.count("11.66") == 3
        assert "11 2/3" in html
        assert 'class="seating"' in html

    def test_the_heat_shows_what_decided(self, client):
        table = make_table(("A", "B", "C"), games=1, auditor="C")
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "straight_flush"))
        html = shown(client, auditor_link(table, "reader"))
        assert html.count('<li class="advances">') == 1
        assert re.search("checksum[^<]* 47 [^<]* 47 ", html)
        assert re.search(r"sheet-foot[^<]* C\s*<", html)

    def test_a_heat_with_only_void_games(self, client):
        table = make_table(games=1)
        void_sheet(sheet_id=running(table).pk, reason="wrong players")
        html = shown(client, auditor_link(table, "reader"))
        assert "wrong players" in html
        assert 'class="advances"' not in html


class TestLanguage:
    def test_everything_is_in_the_readers_language(self, client):
        table = make_table()
        to_the_tricks(running(table))
        html = shown(client, auditor_link(table, "reader"), **{"accept-language": "sv"})
        for words in ('lang="sv"', "direkt", "Giv 2 · stick"):
            assert words in html

    def test_hands_have_their_swedish_names(self, client):
        parts = parts_of(client, auditor_link(make_table()), **{"accept-language": "sv"})
        html = parts["questions"]
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
        assert refused(told_by(client, address)) == "link_revoked"

    @pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
    def test_only_reading(self, client, method):
        assert getattr(client, method)(auditor_link(make_table())).status_code == 405


class TestHeaders:
    @pytest.mark.parametrize(
        ("part", "cached"), [("", "no-cache, private"), ("live/", "no-store, private")]
    )
    def test_nothing_is_cached_or_leaked(self, client, part, cached):
        response = client.get(auditor_link(make_table()) + part)
        assert response.headers["Cache-Control"] == cached
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
        assert first.content.decode().lstrip().startswith('<div id="live"')
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

    def test_readers_of_a_link_share_the_latest_ones(self, client, monkeypatch):
        monkeypatch.setattr(pages, "_MADE", {})
        monkeypatch.setattr(pages, "_MAX_MADE", 2)
        table = make_table()
        address = auditor_link(table, "reader") + "live/"
        for number, entry in enumerate((none(1), none(2), trick(0)), 1):
            write(running(table), entry)
            made = client.get(address)
            assert len(pages._MADE) == min(number, 2)
            with CaptureQueriesContext(connection) as queries:
                again = client.get(address)
            assert again.content == made.content
            assert len(queries) == 1


class TestQueries:
    def count(self, client, address, **headers):
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            client.get(address, headers=headers)
        return len(queries)

    def test_the_number_does_not_grow_with_the_entries(self, client):
        table = make_table()
        address = auditor_link(table, "reader")
        few = self.count(client, address)
        for _ in range(5):
            play(running(table), none(1), none(2), trick(0), none(3))
            play(running(table), none(1), none(2), trick(1), none(3))
        assert self.count(client, address) == few <= 5

    def test_the_end_of_a_heat(self, client):
        table = make_table(games=1)
        write(running(table), quick_win())
        assert self.count(client, auditor_link(table, "reader")) <= 8

    def test_the_shell_asks_for_nothing_but_the_link(self, client):
        assert self.count(client, auditor_link(make_table())) == 1

    def test_checking_for_changes_takes_one_query(self, client):
        address = auditor_link(make_table()) + "live/"
        etag = client.get(address).headers["ETag"]
        assert self.count(client, address, **{"if-none-match": etag}) == 1
