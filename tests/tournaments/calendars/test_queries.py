"""What organisers, events and players have in a calendar, and how a change moves it."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from tests.tournaments.factories import make_event, make_organiser
from tournaments.calendars.queries import (
    entries_of_event,
    entries_of_organiser,
    entries_of_player,
)
from tournaments.calendars.texts import CANCELLED, CONFIRMED, TENTATIVE, Entry, calendar_file
from tournaments.events.commands.events import change_event, set_event_status, set_timetable
from tournaments.models import Day, Event, Registration
from tournaments.models.enums import EventStatus
from tournaments.registration.commands.people import register_person, withdraw
from tournaments.registration.commands.waiting_list import choose_part

SITE = "https://chicago.example.org"
NOON = datetime(2027, 11, 13, 12, tzinfo=ZoneInfo("Europe/Stockholm"))


def day(name: str, hours: int = 0, **fields: object) -> Day:
    return Day(name=name, starts_at=NOON + timedelta(hours=hours), **fields)


def timetable(event: Event, *days: Day) -> None:
    set_timetable(event=event, days=days, by=None)


def in_parts(**fields: object) -> Event:
    """An event with two parts on its first day, and a second day."""
    event = make_event(name="SM 2027", starts_on=NOON.date(), ends_on=NOON.date(), **fields)
    timetable(event, day("1A", places=40), day("1B", 6, places=40), day("2", 24))
    return event


def registered(event: Event, name: str, part: str = "") -> Registration:
    chosen = event.timetable.filter(name=part).first()
    return register_person(event=event, by=None, legal_name=name, part=chosen)


def said(entries: list[Entry]) -> list[tuple[str, str]]:
    return [(each.title, each.status) for each in entries]


def own(player: Registration) -> dict[str, str]:
    """The player's days with their status."""
    fresh = Registration.objects.select_related("part", "person").get(pk=player.pk)
    prefix, suffix = f"{fresh.event.name} · ", f" ({fresh.person.legal_name})"
    return {
        each.title.removeprefix(prefix).removesuffix(suffix): each.status
        for each in entries_of_player(fresh, SITE)
    }


def test_an_event_without_a_timetable_has_its_days(db: None) -> None:
    first = NOON.date()
    event = make_event(name="SM", starts_on=first, ends_on=first + timedelta(days=1), venue="Hall")
    [entry] = entries_of_event(event, SITE)
    assert (entry.title, entry.place, entry.status) == ("SM", "Hall", CONFIRMED)
    assert (entry.starts, entry.ends) == (first, first + timedelta(days=1))
    assert entry.address == f"{SITE}/e/{event.slug}/"


def test_a_change_moves_the_entry(db: None) -> None:
    event = in_parts()
    before = entries_of_event(event, SITE)
    timetable(event, day("1A", 1, places=40), day("1B", 6, places=40), day("2", 24))
    after = entries_of_event(event, SITE)
    assert [each.uid for each in before] == [each.uid for each in after]
    assert {each.revision for each in after} == {before[0].revision + 1}
    assert after[0].starts == NOON + timedelta(hours=1)
    change_event(event=event, by=None, name="SM i Chicago", venue="Folkets hus")
    moved = entries_of_event(Event.objects.get(pk=event.pk), SITE)
    assert {each.revision for each in moved} == {after[0].revision + 1}
    assert moved[0].title == "SM i Chicago · 1A"
    change_event(event=event, by=None, capacity=60)
    assert entries_of_event(Event.objects.get(pk=event.pk), SITE) == moved


def test_a_day_that_is_gone_is_cancelled_with_its_own_time(db: None) -> None:
    event = make_event(name="SM")
    timetable(event, day("1"), day("2", 24))
    # The whole days of before it had a timetable are cancelled, too.
    assert said(entries_of_event(event, SITE)) == [
        ("SM · 1", CONFIRMED),
        ("SM · 2", CONFIRMED),
        ("SM", CANCELLED),
    ]
    timetable(event, day("1"))
    gone = next(each for each in entries_of_event(event, SITE) if each.title == "SM · 2")
    assert (gone.status, gone.starts) == (CANCELLED, NOON + timedelta(hours=24))
    timetable(event, day("1"), day("2", 25))
    back = next(each for each in entries_of_event(event, SITE) if each.title == "SM · 2")
    assert (back.status, back.uid) == (CONFIRMED, gone.uid)
    assert back.revision > gone.revision


def test_what_was_never_public_is_nowhere(db: None) -> None:
    event = make_event(name="SM", status=EventStatus.DRAFT)
    timetable(event, day("Secret"))
    assert entries_of_event(event, SITE) == []
    timetable(event, day("1"))
    set_event_status(event=event, to=EventStatus.OPEN, by=None)
    event.refresh_from_db()
    assert said(entries_of_event(event, SITE)) == [("SM · 1", CONFIRMED)]


def test_a_draft_again_is_cancelled_and_says_nothing(db: None) -> None:
    event = make_event(name="SM", venue="Hall")
    timetable(event, day("1"))
    set_event_status(event=event, to=EventStatus.DRAFT, by=None)
    change_event(event=event, by=None, name="Not yet said", venue="Nor this")
    found = entries_of_event(Event.objects.get(pk=event.pk), SITE)
    assert {each.status for each in found} == {CANCELLED}
    content = calendar_file(found)
    assert b"Not yet" not in content
    assert b"Nor this" not in content


def test_an_organiser_has_all_its_events_in_a_few_queries(
    db: None, django_assert_num_queries: object
) -> None:
    organiser = make_organiser()
    for number in range(3):
        timetable(make_event(organiser=organiser, name=f"SM {number}"), day("1"))
    make_event(name="Somebody else's")
    with django_assert_num_queries(3):  # type: ignore[operator]
        found = entries_of_organiser(organiser, SITE)
    live = [each for each in found if each.status == CONFIRMED]
    assert {each.title for each in live} == {"SM 0 · 1", "SM 1 · 1", "SM 2 · 1"}
    assert len({each.uid for each in found}) == len(found)


def test_a_player_has_the_own_part_and_the_days_for_all(db: None) -> None:
    event = in_parts()
    anna = registered(event, "Anna", "1A")
    assert own(anna) == {"1A": CONFIRMED, "2": CONFIRMED}
    choose_part(registration=anna, part=event.timetable.get(name="1B"), by=None)
    assert own(anna) == {"1A": CANCELLED, "1B": CONFIRMED, "2": CONFIRMED}
    assert own(registered(event, "Bo")) == {"1A": TENTATIVE, "1B": TENTATIVE, "2": CONFIRMED}


def test_who_waits_comes_perhaps_and_who_withdraws_does_not(db: None) -> None:
    event = in_parts(capacity=3)
    players = [registered(event, name, "1A") for name in ("Anna", "Bo", "Cia", "Dag")]
    assert own(players[3]) == {"1A": TENTATIVE, "2": TENTATIVE}
    before = entries_of_player(players[0], SITE)
    withdraw(registration=players[0], by=None)
    players[0].refresh_from_db()
    assert own(players[0]) == {"1A": CANCELLED, "2": CANCELLED}
    after = entries_of_player(players[0], SITE)
    assert [each.uid for each in before] == [each.uid for each in after]
    assert after[0].revision > before[0].revision
    # The next one moves up; the others' entries are as they were.
    assert own(players[3]) == {"1A": CONFIRMED, "2": CONFIRMED}
    assert own(players[1]) == {"1A": CONFIRMED, "2": CONFIRMED}


def test_a_family_in_one_calendar_does_not_mix(db: None) -> None:
    event = in_parts()
    family = [registered(event, name, "1A") for name in ("Anna", "Bo", "Cia", "Dag")]
    found = [each for player in family for each in entries_of_player(player, SITE)]
    assert len({each.uid for each in found}) == len(found) == 8
    assert len({each.title for each in found}) == 8


def test_a_day_gone_before_somebody_came_is_not_cancelled_for_them(db: None) -> None:
    event = make_event(name="SM")
    timetable(event, day("1"), day("2", 24))
    anna = registered(event, "Anna")
    timetable(event, day("1"))
    bo = registered(event, "Bo")
    assert own(anna) == {"1": CONFIRMED, "2": CANCELLED}
    assert own(bo) == {"1": CONFIRMED}
