"""The program's own reasons: codes in the rows, sentences in the reader's language."""

import pytest
from django.utils import translation

from engine.messages import languages, texts_in
from scoring.reasons import WORDS, coded, reason_text
from scoring.writing import call_td, open_next_sheet, set_absent

from .factories import auditor_link, make_table, quick_win, ruling, running, write
from .web.phone import parts_of


def test_codes_are_shown_in_the_readers_language():
    stored = coded("disqualified_before", game=2)
    for language in languages():
        with translation.override(language):
            words = texts_in(language).reasons["disqualified_before"].format(game=2)
            assert reason_text(stored) == words


@pytest.mark.parametrize("typed", ["slow. very", "reason:nonsense", "Cheated", ""])
def test_typed_reasons_stay_as_typed(typed):
    assert reason_text(typed) == typed


def test_a_note_follows_the_code():
    words = WORDS["offence.slow"]
    assert reason_text(coded("offence.slow"), "third time") == f"{words}: third time"


@pytest.mark.django_db
def test_a_carried_over_ruling_is_stored_as_a_code():
    table = make_table()
    write(running(table), ruling("disqualify", 1))
    write(running(table), quick_win())
    set_absent(table_id=table.pk, player_ids=["Cia"], by="x", reason="")
    sheet = open_next_sheet(table_id=table.pk, by="x")
    assert [row.entry["reason"] for row in sheet.entries.all()] == [
        coded("disqualified_before", game=1),
        coded("not_at_table"),
    ]


@pytest.mark.django_db
def test_a_call_is_shown_in_the_readers_language(client):
    table = make_table()
    address = auditor_link(table)
    for code in ("call_rules", "call_quarrel", "call_correction"):
        assert f'value="{coded(code)}"' in parts_of(client, address)["call"]
    table = call_td(table_id=table.pk, reason=coded("call_rules"))
    assert table.call_text == WORDS["call_rules"]
    with translation.override("sv"):
        assert table.call_text == "En regelfråga"


def test_a_code_without_its_parameters_is_typed_text():
    assert reason_text("reason:call_slow") == "reason:call_slow"
