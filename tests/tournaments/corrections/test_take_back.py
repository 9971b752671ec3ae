"""A correction is taken back, with a preview; what it struck counts again."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from scoring.enums import RowKind
from scoring.models import Sheet, SheetEntry
from scoring.reading.check import verify_sheet
from scoring.reading.take_back import corrections_standing
from tests.tournaments.conftest import client_of
from tests.tournaments.corrections.test_commands import (
    other_winner,
    player,
    standing,
)
from tests.tournaments.factories import make_heats, straight_flush, write
from tests.tournaments.refusals import refused
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.errors import Refused
from tournaments.corrections.commands.correct import correct, preview_correction
from tournaments.corrections.commands.wanted import Correction
from tournaments.floor.commands.penalties import give_penalty
from tournaments.models import Event, Heat, LogEntry, Qualification
from tournaments.models.enums import LogAction, RegistrationStatus, Role

pytestmark = pytest.mark.django_db


def change(
    sheet: Sheet, kind: RowKind, sequence: int, entry: dict[str, Any] | None = None, **more: Any
) -> None:
    """Correct a line."""
    wanted = Correction(
        sheet=sheet,
        kind=kind,
        sequence=sequence,
        entry=entry,
        reason="it was not so",
        seen_version=sheet.version,
        **more,
    )
    correct(correction=wanted, by=None)


def back(sheet: Sheet, row: int | None = None, **more: Any) -> Correction:
    """Return the correction that takes back the one of this row, or the last one."""
    sheet = Sheet.objects.get(pk=sheet.pk)
    return Correction(
        sheet=sheet,
        kind=RowKind.VOID,
        sequence=row or max(corrections_standing(sheet)),
        entry=None,
        reason="the first sheet was right",
        seen_version=sheet.version,
        back=True,
        **more,
    )


def state(sheet: Sheet) -> dict[str, Any]:
    found = Sheet.objects.get(pk=sheet.pk)
    assert verify_sheet(sheet_id=found.pk)[1]
    document: dict[str, Any] = found.state
    return document


def test_everything_is_as_it_was(event: Event, sheet: Sheet) -> None:
    before = state(sheet)
    done = correct(correction=other_winner(sheet), by=None)
    seen = standing()
    found = preview_correction(correction=back(sheet), by=None)
    assert standing() == seen
    assert (found.lost, found.won) == (done.won, done.lost)
    made = correct(correction=back(sheet), by=None)
    assert made.changed == found.changed
    assert state(sheet) == before
    assert Qualification.objects.valid().get().registration == player(event, sheet, 0)
    row = LogEntry.objects.filter(action=LogAction.CORRECTED).latest("pk")
    assert (row.reason, row.after["back"]) == ("the first sheet was right", True)


def test_struck_lines_count_again(event: Event, sheet: Sheet) -> None:
    before = state(sheet)
    change(sheet, RowKind.AMEND, 1, straight_flush(1), with_later=True)
    assert state(sheet)["winners"] == [1]
    correct(correction=back(sheet), by=None)
    assert state(sheet) == before
    # Taking it back is a correction, too, and can be taken back: three lines go again.
    correct(correction=back(sheet), by=None)
    assert state(sheet)["winners"] == [1]
    correct(correction=back(sheet), by=None)
    assert state(sheet) == before


def test_a_ruling_that_ended_the_game_goes_with_it(event: Event, sheet: Sheet) -> None:
    before = state(sheet)
    change(sheet, RowKind.VOID, sheet.version, end_game=True)
    assert state(sheet)["win"] == "ended"
    correct(correction=back(sheet), by=None)
    assert state(sheet) == before


def test_a_whole_deal_goes_out_again(event: Event, sheet: Sheet) -> None:
    before = state(sheet)
    first = {"kind": "hand", "phase": 1, "seat": 3, "category": "flush"}
    also = [
        {"kind": "none", "phase": 2},
        {"kind": "last_trick", "seat": 3},
        {"kind": "hand", "phase": 3, "seat": 3, "category": "pair"},
    ]
    change(sheet, RowKind.INSERT, 1, first, also=tuple(also))
    assert state(sheet) != before
    correct(correction=back(sheet), by=None)
    assert state(sheet) == before


def test_lines_that_become_impossible_need_a_decision(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table)
    write(sheet, straight_flush(0))
    sheet.refresh_from_db()
    pair = {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}
    change(sheet, RowKind.AMEND, 1, pair)
    sheet.refresh_from_db()
    write(sheet, {"kind": "hand", "phase": 2, "seat": 1, "category": "flush"})
    found = preview_correction(correction=back(sheet), by=None)
    assert found.needs == ("with_later",)
    assert [number for number, _why in found.later] == [3]
    correct(correction=back(sheet, with_later=True), by=None)
    assert state(sheet)["winners"] == [0]


def test_the_later_correction_of_the_same_line_goes_first(event: Event, sheet: Sheet) -> None:
    correct(correction=other_winner(sheet), by=None)
    (first,) = corrections_standing(sheet)
    sheet.refresh_from_db()
    correct(correction=replace(other_winner(sheet, 2), sequence=3), by=None)
    before = standing()
    with refused("built_on"):
        preview_correction(correction=back(sheet, first), by=None)
    assert standing() == before
    correct(correction=back(sheet), by=None)
    with refused("built_on"):
        correct(correction=back(sheet, first), by=None)


def test_a_penalty_counts_again_with_its_ruling(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table)
    write(sheet, {"kind": "hand", "phase": 1, "seat": 1, "category": "flush"})
    sheet.refresh_from_db()
    out = player(event, sheet, 0)
    penalty = give_penalty(
        heat=heat,
        registration=out,
        level="disqualified",
        offence="cheating",
        by=None,
        client_id=uuid.uuid4(),
        seen_version=sheet.version,
    )
    sheet.refresh_from_db()
    before = state(sheet)
    change(sheet, RowKind.VOID, 2)
    penalty.refresh_from_db()
    out.refresh_from_db()
    assert (penalty.taken_back_at is None, out.status) == (False, RegistrationStatus.CHECKED_IN)
    correct(correction=back(sheet), by=None)
    penalty.refresh_from_db()
    out.refresh_from_db()
    assert (penalty.taken_back_at, out.status) == (None, RegistrationStatus.DISQUALIFIED)
    assert state(sheet) == before


def test_the_page_shows_what_follows_and_does_it_once(event: Event, sheet: Sheet) -> None:
    before = state(sheet)
    correct(correction=other_winner(sheet), by=None)
    client: Client = client_of(event, Role.DIRECTOR)
    heat = Heat.objects.get()
    of_game: dict[str, Any] = {"number": heat.number, "game": 1}
    (row,) = corrections_standing(sheet)
    page = url(event, "correction_back", **of_game, row=row)
    assert page in text_of(client.get(url(event, "correct_sheet", **of_game)))
    assert client.get(page).status_code == 200
    sheet.refresh_from_db()
    data = {"version": sheet.version, "reason": ""}
    path = url(event, "correction_back_preview", **of_game, row=row)
    assert client.post(path, data).status_code == 422
    data["reason"] = "the first sheet was right"
    preview = client.post(path, data)
    assert preview.context["won"] == [str(player(event, sheet, 0).person)]
    assert state(sheet) != before
    sent = {**dict(preview.context["sent"]), "decided": "1", "seen": preview.context["seen"]}
    do = url(event, "correction_back_do", **of_game, row=row)
    for _twice in range(2):
        assert client.post(do, sent).status_code == 303
    assert state(sheet) == before
    assert SheetEntry.objects.filter(kind=RowKind.AMEND).count() == 2
    assert client.get(page).status_code == 404
    # What the public reads of it.
    public = text_of(Client().get(url(event, "heat", number=heat.number)))
    assert "a correction is taken back" in public


def test_without_a_reason_nothing_happens(event: Event, sheet: Sheet) -> None:
    correct(correction=other_winner(sheet), by=None)
    with pytest.raises(Refused) as error:
        correct(correction=replace(back(sheet), reason=" "), by=None)
    assert error.value.code == "missing_reason"
