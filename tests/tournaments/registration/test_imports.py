"""A list becomes registrations: exactly what the preview says, or nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core import signing

from tests.tournaments.factories import make_event, make_person, make_players
from tests.tournaments.refusals import refused
from tests.tournaments.registration.lists import rows_from_text
from tournaments.models import Event, LogEntry, Person, Registration
from tournaments.models.enums import LogAction, RegistrationStatus
from tournaments.registration.commands.imports import import_rows
from tournaments.registration.commands.merges import merge_persons
from tournaments.registration.commands.people import register_person, withdraw
from tournaments.registration.queries.import_preview import (
    LEFT_OUT,
    NEW_PERSON,
    NO_ANSWERS,
    Answers,
    RowAction,
    RowPlan,
    load_preview,
    plan_rows,
    signed_preview,
)
from tournaments.registration.queries.player_list import Row, rows_of
from tournaments.registration.queries.sheets.book import Book, Line, Sheet


def actions(plans: list[RowPlan]) -> list[str]:
    return [plan.action.value for plan in plans]


def who(answers: dict[int, str]) -> Answers:
    return replace(NO_ANSWERS, who=answers)


def test_every_outcome_of_a_row(event: Event) -> None:
    known = make_person("Känd Karlsson")
    here = register_person(event=event, by=None, legal_name="Här Hansson")
    gone = register_person(event=event, by=None, legal_name="Gått Gren")
    withdraw(registration=gone, by=None)
    for _ in range(2):
        make_person("Två Tvilling")
    merged = make_person("Ny Nilsson")
    merge_persons(kept=known, merged=merged, event=event, by=None)
    plans = plan_rows(
        event,
        rows_from_text(
            "namn;klubb;e-post\nNy Nilsson;X;\nkand karlsson;;\nHär Hansson;;\nGått Gren;;\n"
            "Två Tvilling;;\nNY  NILSSON;;\n;;\n123;;"
        ),
    )
    assert actions(plans) == [
        "new", "known", "registered", "again", "unclear", "duplicate", "unreadable",
    ]  # fmt: skip
    assert [plan.person for plan in plans[1:4]] == [
        str(person.public_id) for person in (known, here.person, gone.person)
    ]
    assert [plan.other for plan in plans] == [None, None, here.number, gone.number, None, 2, None]
    again = who({plans[3].row.line: str(gone.person.public_id)})
    made = import_rows(event=event, plans=plans, by=None, answers=again)
    assert [row.person.legal_name for row in made] == ["Ny Nilsson", "Känd Karlsson", "Gått Gren"]
    assert made[0].person.club == "X"
    row = LogEntry.objects.get(action=LogAction.IMPORTED)
    assert row.after == {"rows": 7, "numbers": [row.number for row in made]}


def test_an_e_mail_address_tells_namesakes_apart(event: Event) -> None:
    one, _two = (
        register_person(event=make_event(), by=None, legal_name="Anna Ek", email=email)
        for email in ("one@example.org", "two@example.org")
    )
    rows = rows_from_text(
        "name;e-mail\nAnna Ek;ONE@example.org\nAnna Ek;three@example.org\nAnna Ek;"
    )
    plans = plan_rows(event, rows)
    assert actions(plans) == ["known", "unclear", "duplicate"]
    assert plans[0].person == str(one.person.public_id)


@pytest.mark.parametrize(
    ("contact", "kind"),
    [(";;070-123 45 67", "known"), (";;+46 70 765 43 21", "unclear"), ("", "known")],
)
def test_a_phone_number_tells_namesakes_apart(event: Event, contact: str, kind: str) -> None:
    register_person(
        event=make_event(), by=None, legal_name="Anna Ek", phone="+46701234567", email="a@b.se"
    )
    [plan] = plan_rows(event, rows_from_text(f"name;e-mail;phone\nAnna Ek{contact}"))
    assert actions([plan]) == [kind]


def test_an_ambiguous_row_is_a_known_person_a_new_one_or_left_out(event: Event) -> None:
    known = make_person("Anna Ek")
    make_person("Anna Ek")
    plans = plan_rows(event, rows_from_text("Anna Ek\nBo Ek"))
    assert actions(plans) == ["unclear", "new"]
    assert str(known.public_id) in plans[0].asks
    [bo] = import_rows(event=event, plans=plans, by=None)
    assert bo.person.legal_name == "Bo Ek"
    for answer, persons in ((str(known.public_id), 3), (NEW_PERSON, 4)):
        plans = plan_rows(event, rows_from_text("Anna Ek"))
        [made] = import_rows(event=event, plans=plans, by=None, answers=who({1: answer}))
        assert Person.objects.count() == persons
        assert (made.person == known) == (answer != NEW_PERSON)
    with refused("nothing_to_do"):
        import_rows(
            event=event,
            plans=plan_rows(event, rows_from_text("Anna Ek")),
            by=None,
            answers=who({1: str(bo.person.public_id)}),
        )


def test_an_equal_name_alone_is_asked_about(event: Event) -> None:
    known = make_person("Känd Karlsson")
    here = register_person(event=event, by=None, legal_name="Här Hansson")
    register_person(event=make_event(), by=None, legal_name="Eva Ek", email="eva@example.org")
    rows = rows_from_text(
        "name;e-mail\nBo Berg;\nBo Berg;\nKänd Karlsson;\nHär Hansson;\nEva Ek;eva@example.org\n"
        "Eva Ek;EVA@example.org"
    )
    plans = plan_rows(event, rows)
    assert actions(plans) == ["new", "duplicate", "known", "registered", "known", "duplicate"]
    theirs = [(str(person.public_id), NEW_PERSON) for person in (known, here.person)]
    # The same address is the same person.
    assert [plan.asks for plan in plans] == [(), (NEW_PERSON,), *theirs, (), ()]
    assert load_preview(event, signed_preview(event, plans)) == plans
    made = import_rows(
        event=event,
        plans=plans,
        by=None,
        answers=replace(NO_ANSWERS, who=dict.fromkeys((3, 5, 7), "new")),
    )
    assert [row.person.legal_name for row in made] == [
        "Bo Berg", "Bo Berg", "Känd Karlsson", "Här Hansson", "Eva Ek",
    ]  # fmt: skip
    assert made[2].person == known
    assert made[3].person != here.person


def test_one_known_person_cannot_be_two_rows(event: Event) -> None:
    known = str(make_person("Bo Berg").public_id)
    plans = plan_rows(event, rows_from_text("Bo Berg\nBo Berg"))
    with refused("already_registered"):
        import_rows(event=event, plans=plans, by=None, answers=who({2: known}))
    assert not event.registrations.exists()


def test_rows_beyond_the_capacity_go_onto_the_waiting_list(db: None) -> None:
    event = make_event(capacity=3)
    make_players(event, 2, here=False)
    plans = plan_rows(event, rows_from_text("A a\nB b\nC c"))
    assert [plan.waits for plan in plans] == [False, True, True]
    made = import_rows(event=event, plans=plans, by=None)
    assert [row.status for row in made] == ["registered", "wait_listed", "wait_listed"]
    assert [plan.waits for plan in plan_rows(event, rows_from_text("D d"))] == [True]


FORTY = [f"Anna Ek{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(40)]


def test_the_same_list_after_edits(event: Event) -> None:
    def listed(names: list[str], changed: str = "Nord") -> list[RowPlan]:
        lines = [
            f"{name};070-12 34 5{n:02};{changed if n == 3 else 'Nord'}"
            for n, name in enumerate(names)
        ]
        return plan_rows(event, rows_from_text("Namn;Tel;Klubb\n" + "\n".join(lines)))

    made = import_rows(event=event, plans=listed(FORTY), by=None)
    withdraw(registration=made[2], by=None)
    names = ["Carin Sten", "Bo Sten", *FORTY[2:]]
    plans = listed(names, changed="Syd")
    assert not any(plan.registers for plan in plans)
    assert [plan.action for plan in plans[:4]] == [
        "registered",
        "registered",
        "again",
        "registered",
    ]
    assert plans[0].asks == (str(made[0].person.public_id), NEW_PERSON)
    assert [(c.field, c.known, c.listed) for c in plans[3].changes] == [("club", "Nord", "Syd")]
    with refused("nothing_to_do"):
        import_rows(event=event, plans=plans, by=None)
    ticked = replace(NO_ANSWERS, ticked={5: ["club"], 2: ["legal_name"]})
    assert import_rows(event=event, plans=plans, by=None, answers=ticked) == []
    assert Person.objects.count() == 40
    for row in made:
        row.person.refresh_from_db()
    assert [made[n].person.legal_name for n in (0, 1)] == ["Carin Sten", FORTY[1]]
    assert made[3].person.club == "Syd"
    assert LogEntry.objects.filter(action=LogAction.PERSON_CHANGED).count() == 2


def test_a_changed_telephone_is_a_difference(event: Event) -> None:
    made = register_person(event=event, by=None, legal_name="Anna Ek", phone="070-1111111")
    plans = plan_rows(event, rows_from_text("Namn;Tel\nAnna Ek;070-2222222"))
    assert [plan.action for plan in plans] == ["registered"]
    assert [change.field for change in plans[0].changes] == ["phone"]
    assert NEW_PERSON in plans[0].asks
    ticked = replace(NO_ANSWERS, ticked={2: ["phone"]})
    import_rows(event=event, plans=plans, by=None, answers=ticked)
    made.refresh_from_db()
    assert made.phone == "070-2222222"


def test_hidden_rows_are_asked_about_and_rows_left_out(event: Event) -> None:
    rows = [Row(1, "Anna Ek"), Row(2, "Bo Ek", hidden=True), Row(3, "Cia Ek")]
    plans = plan_rows(event, rows)
    with refused("hidden_rows"):
        import_rows(event=event, plans=plans, by=None)
    answers = replace(who({3: LEFT_OUT}), hidden=False)
    made = import_rows(event=event, plans=plans, by=None, answers=answers)
    assert [row.person.legal_name for row in made] == ["Anna Ek"]
    answers = replace(NO_ANSWERS, hidden=True)
    made = import_rows(event=event, plans=plan_rows(event, rows), by=None, answers=answers)
    assert [row.person.legal_name for row in made] == ["Bo Ek", "Cia Ek"]


def test_a_name_that_the_spreadsheet_has_lost_is_typed(event: Event) -> None:
    plans = plan_rows(event, rows_of(Book((Sheet("", (Line(1, ("Namn",)), Line(2, (True,)))),))))
    assert plans[0].asks_name
    typed = replace(NO_ANSWERS, names={2: "Anna Sant"})
    [made] = import_rows(event=event, plans=plans, by=None, answers=typed)
    assert made.person.family_name == "Sant"


def test_nothing_is_imported_if_something_changed_since(event: Event) -> None:
    plans = plan_rows(event, rows_from_text("Anna Ek\nBo Ek"))
    register_person(event=event, by=None, legal_name="Bo Ek")
    before = (Person.objects.count(), Registration.objects.count(), LogEntry.objects.count())
    with refused("changed"):
        import_rows(event=event, plans=plans, by=None)
    assert before == (
        Person.objects.count(), Registration.objects.count(), LogEntry.objects.count(),
    )  # fmt: skip


def test_importing_twice_registers_once(event: Event) -> None:
    plans = plan_rows(event, rows_from_text("Anna Ek\nBo Ek"))
    import_rows(event=event, plans=plans, by=None)
    with refused("changed"):
        import_rows(event=event, plans=plans, by=None)
    with refused("nothing_to_do"):
        import_rows(event=event, plans=plan_rows(event, [f.row for f in plans]), by=None)
    assert event.registrations.filter(status=RegistrationStatus.REGISTERED).count() == 2


def test_a_signed_preview_comes_back_unchanged(event: Event) -> None:
    plans = plan_rows(event, rows_from_text("namn;klubb\nAnna Ek;Ö\n;"))
    text = signed_preview(event, plans)
    assert load_preview(event, text) == plans
    for forged in (text[:-2], "", "x", "é\x00", signing.dumps([event.pk, []])):
        with refused("bad_preview"):
            load_preview(event, forged)
    with refused("bad_preview"):
        load_preview(make_event(), text)


def test_an_old_preview_has_to_be_reviewed_again(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = signed_preview(event, plan_rows(event, [Row(1, "Anna")]))
    monkeypatch.setattr("tournaments.registration.queries.import_preview._GOOD_FOR", -1)
    with refused("old_preview"):
        load_preview(event, text)


def test_the_previews_queries_do_not_grow(event: Event, django_assert_max_num_queries: Any) -> None:
    rows = [Row(number, f"Anna Ek {number}") for number in range(1000)]
    with django_assert_max_num_queries(6):
        plans = plan_rows(event, rows)
    assert actions(plans) == [RowAction.NEW.value] * 1000
