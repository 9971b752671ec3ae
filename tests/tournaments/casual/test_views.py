"""Tables without a tournament: started from the home page, found again, deleted later."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.rules.variants import parse_rules
from scoring.models import Sheet, SheetEntry, Table
from scoring.reading.recover import seating_of
from tests.scoring.factories import hand, none, trick
from tests.scoring.web.phone import parts_of, refused, tapped, told_by
from tests.tournaments.factories import make_event
from tests.tournaments.jobs import run
from tournaments.casual.views import MAX_BLANK, MAX_STARTED
from tournaments.core.limits import count

pytestmark = pytest.mark.django_db
SIX = ("Anna", "Bo", "Cia", "Dag", "Eva", "Finn")


def start(client: Client, *names: str, **more: Any) -> Any:
    players = {f"player_{number}": name for number, name in enumerate(names, 1)}
    sent = {"rules": "svensk", "games": 2, "once": str(uuid.uuid4())}
    return client.post(reverse("tournaments:casual"), sent | players | more)


def practise(client: Client) -> str:
    answer = client.post(reverse("tournaments:casual_practice"), {"once": str(uuid.uuid4())})
    return answer["Location"]


def lesson(client: Client, path: str) -> str:
    """Return the headline of what a practice game says, empty where none is told."""
    found = re.search(r"<strong>(.*?)</strong>", parts_of(client, path).get("practice", ""))
    return found[1] if found else ""


def tap(client: Client, path: str, entry: dict[str, Any], **more: Any) -> Any:
    last = SheetEntry.objects.order_by("pk").last()
    follows = str(last.client_id) if last else None
    return tapped(client, path, "entry", game=1, entry=entry, follows=follows, **more)


def test_the_home_page_links_to_them(client: Client) -> None:
    make_event()
    assert f'href="{reverse("tournaments:casual")}"' in client.get("/").text


@pytest.mark.parametrize("names", [SIX[:2], SIX])
def test_anybody_starts_a_table(client: Client, names: tuple[str, ...]) -> None:
    answer = start(client, *names)
    assert answer.status_code == 303
    assert told_by(client, answer["Location"])["document"]["writes"]
    table = Table.objects.get()
    assert (table.players, table.rules, table.directed) == (list(names), "svensk", False)
    assert table.sheets.count() == 2


def test_its_rules_have_the_digest_that_devices_can_score(client: Client) -> None:
    start(client, *SIX[:4], rules="festival")
    assert Table.objects.get().rules_digest == parse_rules("festival").digest()


def test_rules_with_variants_can_be_chosen(client: Client) -> None:
    start(client, "Anna", "Bo", rules_variants=["C", "N"])
    assert Table.objects.get().rules == "svensk+C+N"


@pytest.mark.parametrize(
    ("names", "more", "wrong"),
    [
        (("Anna",), {}, "player_2"),
        (("Anna", "anna"), {}, "player_2"),
        (SIX, {"rules": "festival"}, "rules"),
        (SIX[:2], {"rules": "poker"}, "rules"),
        (SIX[:2], {"games": 0}, "games"),
    ],
)
def test_errors_are_shown_at_their_field(
    client: Client, names: tuple[str, ...], more: dict[str, Any], wrong: str
) -> None:
    answer = start(client, *names, **more)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [wrong])
    assert answer.context["form"]["player_1"].value() == "Anna"
    assert not Table.objects.exists()


def test_a_form_sent_twice_starts_one_table(client: Client) -> None:
    same = str(uuid.uuid4())
    first, again = (start(client, "Anna", "Bo", once=same) for _time in range(2))
    assert first["Location"] == again["Location"]
    assert Table.objects.count() == 1


def test_this_device_lists_its_tables(client: Client) -> None:
    path = start(client, "Anna", "Bo")["Location"]
    page = reverse("tournaments:casual")
    assert [where for where, _table in client.get(page).context["started"]] == [path]
    assert Client().get(page).context["started"] == []


def counted(what: str, times: int) -> None:
    """Count something for the test client's address."""
    for _time in range(times):
        count(what, "127.0.0.1")


def test_a_hall_behind_one_address_can_practise(client: Client) -> None:
    counted("casual_table", 100)
    assert client.post(reverse("tournaments:casual_practice"), {}).status_code == 303


def test_the_number_of_tables_per_address_is_limited(client: Client) -> None:
    assert start(client, "Anna", "Bo").status_code == 303
    counted("casual_table", MAX_STARTED - 2)
    answers = [start(client, "Anna", "Bo").status_code for _time in range(2)]
    assert answers == [303, 409]
    assert client.post(reverse("tournaments:casual_practice"), {}).status_code == 409


def test_a_practice_table_narrates_one_deal(client: Client) -> None:
    path = practise(client)
    titles = [lesson(client, path)]
    for entry in (
        hand(1, 1, "two_pair"),
        none(2),
        trick(3),
        hand(3, 0, "three_of_a_kind"),
    ):
        assert tap(client, path, entry)["took"]
        titles.append(lesson(client, path))
    assert len(set(titles)) == 2
    assert titles[:4] == titles[:1] * 4


def test_a_practice_table_reports_entries_that_differ(client: Client) -> None:
    path = practise(client)
    before = lesson(client, path)
    assert tap(client, path, hand(1, 2, "two_pair"))["took"]
    assert lesson(client, path) != before


def test_other_tables_are_not_narrated(client: Client) -> None:
    assert not lesson(client, start(client, "Anna", "Bo")["Location"])


def test_from_its_page_another_game_is_begun(client: Client) -> None:
    path = practise(client)
    assert f'href="{reverse("tournaments:casual")}"' in "".join(parts_of(client, path).values())


def test_its_protocol_is_a_pdf(client: Client) -> None:
    path = start(client, "Anna", "Bo")["Location"]
    answer = client.get(f"{path}protocol.pdf")
    assert (answer["Content-Type"], answer.content[:5]) == ("application/pdf", b"%PDF-")


def test_the_worker_deletes_unused_tables(client: Client) -> None:
    path = start(client, "Anna", "Bo")["Location"]
    start(client, "Cia", "Dag")
    old = timezone.now() - timedelta(days=31)
    table = Table.objects.order_by("pk")[0]
    Table.objects.filter(pk=table.pk).update(created_at=old)
    Sheet.objects.filter(table=table, number=1).update(started_at=old)
    run("purge")
    assert [each.players for each in Table.objects.all()] == [["Cia", "Dag"]]
    assert len(client.get(reverse("tournaments:casual")).context["started"]) == 1
    gone = client.get(path)
    assert gone.status_code == 404
    assert " 30 " in gone.text


def blank(client: Client, rules: str) -> Any:
    return client.post(reverse("tournaments:casual_blank", args=[rules]))


def begin(client: Client, *names: str, **more: Any) -> Any:
    players = {f"player_{number}": name for number, name in enumerate(names, 1)}
    sent = {"rules": "festival", "games": 2, "once": str(uuid.uuid4())}
    return client.post(reverse("tournaments:casual_begin"), sent | players | more)


def test_what_games_begin_with_offline_keeps_no_table(client: Client) -> None:
    for rules in ("festival", "svensk", "svensk+P10+R"):
        answer = blank(client, rules)
        assert answer["ETag"] in unescape(client.get(reverse("tournaments:casual")).text)
        begun = answer.json()
        most = parse_rules(rules).players_max
        assert list(begun) == [str(number) for number in range(2, most + 1)]
        for number, table in begun.items():
            assert len(table["names"]) == int(number)
            document = table["document"]
            assert document["games"][0]["seats"] == table["names"]
            assert (document["writes"], document["rules"]) == (True, parse_rules(rules).digest())
            assert table["parts"]["questions"]["html"]
            assert parse_rules(rules).as_json() == table["rules"]
    assert blank(client, "svensk+nothing").status_code == 404
    assert not Table.objects.exists()
    assert client.get(reverse("tournaments:casual_blank", args=["sm"])).status_code == 405


def test_the_pages_to_begin_with_are_limited_per_address(client: Client) -> None:
    counted("casual_blank", MAX_BLANK - 1)
    assert [blank(client, "sm").status_code for _time in range(2)] == [200, 429]
    assert blank(Client(REMOTE_ADDR="192.0.2.1"), "sm").status_code == 200


def test_a_game_begun_offline_is_started_once_as_its_players_sit(client: Client) -> None:
    same = str(uuid.uuid4())
    first, again = (begin(client, *SIX[:3], once=same).json() for _time in range(2))
    assert first == again
    table = Table.objects.get()
    assert (table.directed, table.seated_at is not None) == (False, True)
    one, two = table.sheets.order_by("number")
    assert (one.seats, two.seats) == (["Anna", "Bo", "Cia"], ["Bo", "Cia", "Anna"])
    assert first["seatings"] == [seating_of(one), seating_of(two)]
    assert told_by(client, first["path"])["document"]["writes"]
    started = client.get(reverse("tournaments:casual")).context["started"]
    assert [path for path, _table in started] == [first["path"]]


def test_a_game_begun_before_the_secret_key_changed_gets_a_table(
    client: Client, settings: Any
) -> None:
    same = str(uuid.uuid4())
    first = begin(client, "Anna", "Bo", once=same).json()["path"]
    settings.SECRET_KEY = "another" * 10
    again = begin(client, "Anna", "Bo", once=same).json()["path"]
    assert first != again
    assert client.get(again).status_code == 200


def test_a_game_begun_offline_waits_where_it_cannot_be_started(client: Client) -> None:
    answer = begin(client, "Anna", "anna")
    assert answer.status_code == 422
    assert [problem["code"] for problem in answer.json()["problems"]] == ["alike"]
    counted("casual_table", MAX_STARTED - 1)
    assert [begin(client, "Anna", "Bo").status_code for _time in range(2)] == [200, 503]


def test_a_games_address_on_the_device_leads_to_the_start_page(client: Client) -> None:
    answer = client.get(reverse("tournaments:casual_begun", args=[uuid.uuid4()]))
    assert (answer.status_code, answer["Location"]) == (303, reverse("tournaments:casual"))


@pytest.mark.parametrize("rules", ["festival", "svensk"])
def test_nothing_at_a_kitchen_table_speaks_of_a_director(client: Client, rules: str) -> None:
    path = start(client, *SIX[:3], rules=rules, games=1)["Location"]
    seen = []

    def see() -> None:
        parts = " ".join(parts_of(client, path).values())
        seen.append(unescape(re.sub(r"<[^>]*>", " ", parts)))

    see()
    won = {"kind": "hand", "phase": 1, "seat": 0, "category": "straight_flush"}
    assert refused(tap(client, path, won)) == "needs_confirmation"
    assert tap(client, path, won, confirmed=True)["took"]
    see()
    tapped(client, path, "sign")
    assert Table.objects.get().signed_at
    see()
    assert [text for text in seen if "director" in text.lower()] == []
