"""The status: each legal transition is made, each illegal one refused with a sentence."""

import itertools

import pytest
from django.utils import timezone

from scoring.enums import SheetStatus
from scoring.errors import ScoringError
from scoring.models import Sheet
from scoring.writing.status import TRANSITIONS, transition

ALL = list(itertools.product(SheetStatus, SheetStatus))
LEGAL = [(a, b) for a, b in ALL if b in TRANSITIONS[a]]
ILLEGAL = [pair for pair in ALL if pair not in LEGAL]


def sheet(status):
    return Sheet(status=status, number=1, drawn_seats=[], seats=[], state={})


@pytest.mark.parametrize(("before", "after"), LEGAL)
def test_legal_transitions(before, after):
    moved = sheet(before)
    transition(moved, after, at=timezone.now(), reason="because")
    assert moved.status == after
    assert (moved.finished_at is not None) == (after == "finished")
    assert (moved.void_reason != "") == (after == "void")


@pytest.mark.parametrize(("before", "after"), ILLEGAL)
def test_illegal_transitions(before, after):
    still = sheet(before)
    with pytest.raises(ScoringError) as caught:
        transition(still, after, at=timezone.now(), reason="because")
    assert caught.value.code == "illegal_move"
    assert str(before.label) in str(caught.value)
    assert str(after.label) in str(caught.value)
    assert still.status == before


def test_there_are_seven_legal_transitions():
    assert len(LEGAL) == 7


def test_a_sheet_with_entries_cannot_wait_again():
    begun = sheet(SheetStatus.RUNNING)
    begun.last_entry_at = timezone.now()
    with pytest.raises(ScoringError, match="already begun"):
        transition(begun, SheetStatus.WAITING, at=timezone.now())
