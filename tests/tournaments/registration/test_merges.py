"""Merging two records of one person, and undoing it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.factories import make_event, make_heats, make_person
from tests.tournaments.refusals import refused
from tournaments.core.names import registration_name
from tournaments.models import Event, LogEntry, Person, PersonMerge, Registration
from tournaments.models.enums import LogAction
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.commands.people import register_person
from tournaments.registration.queries.similar_names import closeness, namesakes_of, suggestions


def two(event: Event) -> tuple[Person, Person, Registration]:
    """Return a known person, a duplicate typed anew, and the duplicate's registration."""
    known = make_person("Anna Åkerlund", club="Norrköping")
    again = register_person(event=event, by=None, legal_name="Ana Åkerlund")
    return known, again.person, again


def rows() -> list[dict[str, Any]]:
    """Return everything that merging could change."""
    return [*Person.objects.order_by("pk").values(), *Registration.objects.order_by("pk").values()]


def test_registrations_are_moved_and_restored_exactly(event: Event) -> None:
    known, typed, registration = two(event)
    other = register_person(event=make_event(), by=None, person=typed)
    before = rows()
    merge = merge_persons(kept=known, merged=typed, event=event, by=None, reason="same phone")
    registration.refresh_from_db()
    assert registration.person == known
    assert registration_name(registration) == "Anna Åkerlund"
    assert LogEntry.objects.filter(action=LogAction.PERSONS_MERGED).count() == 2
    later = register_person(event=make_event(), by=None, person=known)
    undo_merge(merge=merge, event=event, by=None)
    later.refresh_from_db()
    assert later.person == known
    Registration.objects.filter(pk=later.pk).delete()
    assert rows() == before
    assert other.person == typed
    assert LogEntry.objects.filter(action=LogAction.MERGE_UNDONE).count() == 2


def test_merging_keeps_what_was_played(event: Event) -> None:
    heat = make_heats(event, 3).heats[0]
    player = event.registrations.first()
    assert player is not None
    known = make_person("Known")
    merge_persons(kept=known, merged=player.person, event=event, by=None)
    assert heat.entries.filter(registration__person=known).count() == 1


def test_refusals(event: Event) -> None:
    known, typed, _registration = two(event)
    third = make_person("Third")
    with refused("same_person"):
        merge_persons(kept=known, merged=known, event=event, by=None)
    first = merge_persons(kept=known, merged=typed, event=event, by=None)
    for kept, merged in ((typed, third), (third, typed)):
        with refused("merged"):
            merge_persons(kept=kept, merged=merged, event=event, by=None)
    with refused("merged"):
        register_person(event=make_event(), by=None, person=typed)
    second = merge_persons(kept=third, merged=known, event=event, by=None)
    with refused("merged_further"):
        undo_merge(merge=first, event=event, by=None)
    undo_merge(merge=second, event=event, by=None)
    undo_merge(merge=first, event=event, by=None)
    with refused("merge_undone"):
        undo_merge(merge=first, event=event, by=None)
    assert PersonMerge.objects.filter(undone_at=None).count() == 0


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("anna ek", "anna ek", "same"),
        ("anna ek", "ek anna", "swapped"),
        ("ek, anna", "anna ek", "swapped"),
        ("anna akerlund", "ana akerlund", "close"),
        ("johan svensson", "johan svenson", "close"),
        ("ana akerlund", "akerlund anna", "close"),
        ("anna ek", "bo ek", ""),
        ("bo", "bu", ""),
        ("anna", "anna maria karlsson", ""),
    ],
)
def test_similar_names(one: str, other: str, how: str) -> None:
    assert closeness(one, other) == how
    assert closeness(other, one) == how


def test_players_with_equal_names_are_flagged_until_merged(event: Event) -> None:
    one, _other, two = (
        register_person(event=event, by=None, legal_name=name)
        for name in ("Anna Åkerlund", "Bo Ek", "ANNA Akerlund")
    )
    assert namesakes_of(event) == {1: 3, 3: 1}
    merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    assert namesakes_of(event) == {}


def test_suggestions_are_sorted_by_likelihood_and_show_who_is_here(event: Event) -> None:
    here = register_person(event=event, by=None, legal_name="Åkerlund Anna")
    same = make_person("Anna Åkerlund")
    near = make_person("Anna Akerlind")
    gone = make_person("Anna Åkerlund")
    merge_persons(kept=same, merged=gone, event=event, by=None)
    make_person("Bo Öström")
    found = suggestions(event, "anna akerlund")
    assert [(each.person, each.why) for each in found] == [
        (same, "same"),
        (here.person, "swapped"),
        (near, "close"),
    ]
    assert [each.registration for each in found] == [None, here, None]
    assert [each.why for each in suggestions(event, "ann")] == ["contains"] * 3
    assert suggestions(event, "a") == suggestions(event, "  ") == []


def test_the_suggestions_queries_do_not_grow(
    event: Event, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        make_person(f"Anna Ek{'abcdefghij'[number % 10]} {number}")
    with django_assert_max_num_queries(4):
        assert len(suggestions(event, "anna ek")) == 6
