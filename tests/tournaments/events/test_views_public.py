"""The public pages: events, live heats, standings, downloads."""

from __future__ import annotations

import csv
import io
import re
import uuid

import pytest
from django.test import Client
from openpyxl import load_workbook
from pypdf import PdfReader

from scoring.models import Sheet
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_person,
    make_players,
    make_user,
    play_game,
    write,
)
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.names import names_for_tables
from tournaments.events.commands.events import set_event_status
from tournaments.heats.commands import close_heat, void_heat
from tournaments.models import Event
from tournaments.models.enums import EventStatus, Role, Visibility
from tournaments.registration.commands.people import change_person, register_person
from tournaments.results.commands import refresh_heat
from tournaments.results.queries import standings
from tournaments.results.tables import nearest


def test_home_without_events(db: None, client: Client) -> None:
    make_user()
    assert 'class="empty"' in text_of(client.get("/"))


def test_home_shows_twenty_finished_events_at_a_time(event: Event, client: Client) -> None:
    for number in range(21):
        past = make_event(slug=f"past-{number}")
        set_event_status(event=past, to=EventStatus.FINISHED, by=None)
    assert text_of(client.get("/")).count("/e/past-") == 20
    assert text_of(client.get("/?page=2")).count("/e/past-") == 1


def test_home_of_a_new_installation_leads_to_the_first_account(db: None, client: Client) -> None:
    answer = client.get("/")
    assert (answer.status_code, answer["Location"]) == (302, "/first-run/")


def test_home_sorts_events(event: Event, client: Client) -> None:
    make_event(name="Höstfesten", starts_on="2999-01-01", ends_on="2999-01-02")
    past = make_event(name="Vårfesten")
    set_event_status(event=past, to=EventStatus.FINISHED, by=None)
    make_event(name="Hemligt", status=EventStatus.DRAFT)
    page = text_of(client.get("/"))
    order = ['id="running"', "Festival", 'id="coming"', "Höstfesten", 'id="past"', "Vårfesten"]
    assert sorted(order, key=page.index) == order
    assert "Hemligt" not in page
    client.force_login(make_user(is_staff=True, is_superuser=True))
    assert "Hemligt" in text_of(client.get("/"))


def test_home_lists_an_event_of_ones_own_once(event: Event) -> None:
    other = make_event(name="Vårfesten")
    page = text_of(client_of(event, Role.DIRECTOR).get("/"))
    assert [page.count(f"/e/{each.slug}/") for each in (event, other)] == [1, 1]


def test_the_event_page_is_fine_without_content(event: Event, client: Client) -> None:
    page = text_of(client.get(url(event, "event")))
    assert page.count('class="empty"') == 1
    assert 'id="find"' in page


def test_search_finds_heat_and_table(event: Event, client: Client) -> None:
    make_heats(event, 4)
    found = text_of(client.get(url(event, "event_find"), {"q": "akerlund"}))
    assert "Anna Åkerlund" in found
    assert url(event, "heat", number=1) in found
    assert "“zzz”" in text_of(client.get(url(event, "event_find"), {"q": "zzz"}))
    assert text_of(client.get(url(event, "event_find"), {"q": "  "})).strip() == ""


@pytest.mark.parametrize("q", ["%", "_", "'", "\x00", "9" * 50, "<b>", "ÅÄÖ" * 50])
def test_search_accepts_any_text(event: Event, client: Client, q: str) -> None:
    make_players(event, 2)
    assert client.get(url(event, "event_find"), {"q": q}).status_code == 200
    assert client.get(url(event, "standings"), {"q": q, "heat": q}).status_code == 200


def test_name_visibility_applies_to_every_page(event: Event, client: Client) -> None:
    heat = finished_heat(event)
    best, second = [entry.registration for entry in heat.entries.order_by("pk")][:2]
    change_person(person=best.person, by=None, visibility=Visibility.HIDDEN, club="Secret club")
    change_person(
        person=second.person, by=None, visibility=Visibility.NICKNAME, display_name="Smultron"
    )
    pages = [
        url(event, "event"),
        url(event, "standings"),
        url(event, "standings_export", fmt="csv"),
        url(event, "qualified"),
        url(event, "qualified_export", fmt="csv"),
        url(event, "heat", number=1),
        url(event, "heat_live", number=1),
        url(event, "heat_game", number=1, game=1),
        url(event, "heat_deals", number=1, game=1),
        url(event, "draw", number=1),
        url(event, "event_find") + "?q=" + best.person.legal_name.split()[0],
        url(event, "event_find") + "?q=" + second.person.legal_name.split()[0],
    ]
    for page in pages:
        text = text_of(client.get(page))
        assert best.person.legal_name not in text, page
        assert second.person.legal_name not in text, page
        assert "Secret club" not in text, page
    assert f"Player {best.number}" in text_of(client.get(url(event, "standings")))
    assert "Smultron" in text_of(client.get(url(event, "standings")))


def test_equal_names_are_distinguished(event: Event, client: Client) -> None:
    for _ in range(3):
        person = make_person("Anna Berg")
        register_person(event=event, by=None, person=person)
    from tournaments.draws.commands.drafts import draw_heats
    from tournaments.registration.commands.check_in import check_in

    for player in event.registrations.all():
        check_in(registration=player, by=None)
    draw_heats(event=event, by=None)
    page = text_of(client.get(url(event, "heat", number=1)))
    for number in (1, 2, 3):
        assert f"Anna Berg ({number})" in page


def test_the_heat_page_is_the_protocol(event: Event, client: Client) -> None:
    finished_heat(event)
    page = text_of(client.get(url(event, "heat", number=1)))
    assert page.count('class="goes-on"') == 1
    assert "165 of 165" in page
    assert "hx-get" not in page


def test_a_games_deals_are_fetched_when_unfolded_and_have_a_page(
    event: Event, client: Client
) -> None:
    heat = finished_heat(event)
    page = text_of(client.get(url(event, "heat", number=1)))
    assert 'class="entries"' not in page
    sheet = Sheet.objects.get(table=heat.table, number=1)
    for name in ("heat_game", "heat_deals"):
        path = url(event, name, number=1, game=1)
        assert f'"{path}"' in page
        assert text_of(client.get(path)).count("<li>") == sheet.entries.count()
    for number in (0, 99):
        assert client.get(url(event, "heat_deals", number=1, game=number)).status_code == 404


def test_the_heat_page_shows_truncated_points_with_the_exact_value(
    event: Event, client: Client
) -> None:
    heat = make_heats(event, 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table, number=1)
    play_game(sheet, before=[])
    other = make_heats(event, 4, seed="royal").heats[0]
    royal = Sheet.objects.get(table=other.table, number=1)
    write(royal, {"kind": "hand", "phase": 1, "seat": 0, "category": "royal_flush"})
    refresh_heat(heat=other)
    page = text_of(client.get(url(event, "heat", number=other.number)))
    assert 'title="11 2/3">11.66<' in page
    assert "11.67" not in page
    rows = text_of(client.get(url(event, "standings"), {"heat": other.number}))
    assert 'title="11 2/3">11.66<' in rows


def test_the_live_protocol_is_304_until_an_entry(event: Event, client: Client) -> None:
    heat = make_heats(event, 4).heats[0]
    path = url(event, "heat_live", number=1)
    etag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 304
    sheet = Sheet.objects.get(table=heat.table, number=1)
    write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"})
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 200
    in_swedish = client.get(path, headers={"If-None-Match": etag, "Accept-Language": "sv"})
    assert in_swedish.status_code == 200
    # An entry that changes no score changes the deals, which may be unfolded.
    etag = client.get(path)["ETag"]
    write(sheet, {"kind": "none", "phase": 2})
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 200


def test_a_void_heat_is_in_no_standings(event: Event, client: Client) -> None:
    heat = make_heats(event, 4).heats[0]
    play_game(Sheet.objects.get(table=heat.table, number=1))
    refresh_heat(heat=heat)
    void_heat(heat=heat, by=None, reason="wrong cards")
    assert 'class="games-list"' not in text_of(client.get(url(event, "standings")))
    assert "notice-warning" in text_of(client.get(url(event, "heat", number=1)))


def test_every_column_of_the_standings_sorts_and_is_in_the_download(
    event: Event, client: Client
) -> None:
    finished_heat(event)
    page = url(event, "standings")
    table = client.get(page).context["table"]
    for name in (column.name for column in table.columns if column.orderable):
        for sort, order in ((name, "ascending"), (f"-{name}", "descending")):
            assert f'aria-sort="{order}"' in text_of(client.get(page, {"sort": sort})), sort
    for sort in ("points", "nonsense", "-"):
        assert "aria-sort" not in text_of(client.get(page, {"sort": sort})), sort
    answer = client.get(url(event, "standings_export", fmt="csv"))
    written = [each for each in table.columns.iterall() if not each.column.exclude_from_export]
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0] == [str(column.header) for column in written]
    assert len(rows) == 5


def test_totals_of_three_and_of_four_are_sorted_by_share_alone(
    event: Event, client: Client
) -> None:
    finished_heat(event, 4)
    finished_heat(event, 3)
    page = text_of(client.get(url(event, "standings"), {"sort": "-share"}))
    # Three games won: 60 of 41.25 at a table of four, 60 of 47 at one of three.
    assert page.index("145\xa0%") < page.index("127\xa0%")
    assert "sort=-share" in page or "sort=share" in page
    assert "sort=points" not in page
    assert "sort=-points" not in page


@pytest.mark.parametrize("share", [0.29, 0.57, 0.58, 1.13, 1.15])
def test_a_share_is_shown_exactly(share: float) -> None:
    assert int(nearest(share) * 100) == round(share * 100)


@pytest.mark.parametrize(
    ("state", "rows"), [("", 7), ("playing", 3), ("qualified", 1), ("out", 3), ("nonsense", 7)]
)
def test_standings_can_be_filtered(event: Event, client: Client, state: str, rows: int) -> None:
    finished_heat(event)
    running = make_heats(event, 3, seed="two").heats[0]
    play_game(Sheet.objects.get(table=running.table, number=1))
    refresh_heat(heat=running)
    page = text_of(client.get(url(event, "standings"), {"state": state}))
    assert page.count('class="games-list"') == rows


def test_repeated_entries_are_shown(event: Event, client: Client) -> None:
    from tournaments.registration.commands.check_in import enter_heat

    heat = finished_heat(event)
    enter_heat(registration=heat.entries.order_by("-pk")[0].registration, by=None)
    states = re.findall(
        r'class="tag tag-quiet">([^<]*)', text_of(client.get(url(event, "standings")))
    )
    # Whoever is out, and whoever is out but has entered again.
    assert len(set(states)) == 2


@pytest.mark.parametrize("page", ["0", "-1", "x", "999"])
def test_page_numbers_out_of_range_are_no_error(event: Event, client: Client, page: str) -> None:
    finished_heat(event)
    for name in ("standings", "qualified"):
        assert client.get(url(event, name), {"page": page}).status_code == 200


def test_csv_is_safe_and_filtered(event: Event, client: Client) -> None:
    heat = finished_heat(event)
    best = heat.entries.order_by("pk")[0].registration
    change_person(person=best.person, by=None, legal_name="=HYPERLINK(1)")
    answer = client.get(url(event, "standings_export", fmt="csv"), {"state": "qualified"})
    assert answer["Content-Disposition"] == 'attachment; filename="fest-heats.csv"'
    text = answer.content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 1
    assert rows[0]["Player"] == "'=HYPERLINK(1)"
    assert "60" in rows[0].values()


def test_xlsx_has_numbers(event: Event, client: Client) -> None:
    finished_heat(event)
    answer = client.get(url(event, "standings_export", fmt="xlsx"))
    sheet = load_workbook(io.BytesIO(answer.content)).active
    rows = list(sheet.values)
    assert rows[0][0] == "Heat"
    assert rows[1][0] == 1
    assert len(rows) == 5
    qualified = client.get(url(event, "qualified_export", fmt="xlsx"))
    assert len(list(load_workbook(io.BytesIO(qualified.content)).active.values)) == 2


def test_the_protocol_and_the_blank_protocol_are_pdf(event: Event, client: Client) -> None:
    finished_heat(event)
    for name in ("protocol_pdf", "empty_pdf"):
        answer = client.get(url(event, name, number=1))
        assert answer["Content-Type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF")
    short = client.get(url(event, "protocol_pdf", number=1))
    again = {"If-None-Match": short["ETag"]}
    assert client.get(url(event, "protocol_pdf", number=1), headers=again).status_code == 304
    long = client.get(url(event, "protocol_pdf", number=1), {"deals": "1"})
    assert len(long.content) > len(short.content)


def test_the_blank_protocol_has_the_drawn_seats(event: Event, client: Client) -> None:
    heat = make_heats(event, 4).heats[0]
    names = names_for_tables([heat.table_id or 0])[heat.table_id or 0]
    answer = client.get(url(event, "empty_pdf", number=1))
    text = PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
    words = re.split(r"Game (?=[1-3]\n)", text)
    for sheet in Sheet.objects.filter(table=heat.table).order_by("number"):
        firsts = [names[player_id].split()[0] for player_id in sheet.seats]
        places = [words[sheet.number].index(first) for first in firsts]
        assert places == sorted(places)


def test_pages_are_in_swedish(event: Event, client: Client) -> None:
    finished_heat(event)
    for name, words in {
        "event": "Resultat",
        "standings": "Ställning",
        "qualified": "gått vidare",
    }.items():
        page = text_of(client.get(url(event, name), headers={"Accept-Language": "sv"}))
        assert words in page, name


def test_points_from_rulings_count_on_the_sheet_only(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table, number=1)
    ruling = {"kind": "ruling", "action": "points", "seat": 1, "points": 9, "reason": "x"}
    write(sheet, ruling)
    play_game(sheet)
    refresh_heat(heat=heat)
    assert {row.score for row in heat.games.get(number=1).results.all()} == {52, 9, 0}


def test_the_draw_page_lets_anybody_repeat_it(event: Event, client: Client) -> None:
    make_heats(event, 8, seed="a public seed")
    page = text_of(client.get(url(event, "draw", number=1)))
    assert "a public seed" in page
    assert str(uuid.UUID(int=0)) not in page


def test_closing_a_heat_is_visible(event: Event, client: Client) -> None:
    heat = make_heats(event, 4).heats[0]
    from tests.tournaments.factories import play_heat

    play_heat(heat)
    assert "provisional" in text_of(client.get(url(event, "heat", number=1)))
    close_heat(heat=heat, by=None)
    assert "provisional" not in text_of(client.get(url(event, "heat", number=1)))


def test_long_lists_of_the_qualified_are_cut_on_first_pages(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make_event(games_per_heat=1)
    for _heat in range(3):
        finished_heat(event)
    monkeypatch.setattr(standings, "MAX_QUALIFIED", 2)
    for client, name in ((Client(), "event"), (client_of(event, Role.DIRECTOR), "desk")):
        context = client.get(url(event, name)).context
        assert (len(context["qualified"]), context["qualified_count"]) == (2, 3), name
