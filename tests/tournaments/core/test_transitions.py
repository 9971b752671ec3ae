"""Status changes only in transition functions; every transition not listed is refused."""

from __future__ import annotations

import itertools
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone, translation

import tournaments
from tests.tournaments.factories import make_event, make_user
from tests.tournaments.refusals import refused
from tournaments.core import transitions
from tournaments.core.errors import IllegalTransition
from tournaments.events.commands.invitations import accept, invite, revoke_invitation
from tournaments.models import (
    Draw,
    Event,
    GameResult,
    Heat,
    HeatEntry,
    Invitation,
    Job,
    Person,
    Registration,
    Stage,
)
from tournaments.models.enums import (
    DrawStatus,
    EntryStatus,
    EventStatus,
    HeatStatus,
    JobStatus,
    RegistrationStatus,
    Role,
    StageStatus,
)


def _entry(status: str) -> HeatEntry:
    return HeatEntry(number=1, status=status, registration=_registration("registered"))


def _registration(status: str) -> Registration:
    return Registration(number=1, status=status, person=Person(legal_name="Anna"))


def _job(status: str) -> Job:
    return Job(kind="print", what="protocols", status=status, event=Event(name="Fest"))


FUNCTIONS: list[tuple[Any, Any, Any, Any]] = [
    (
        transitions.transition_event,
        transitions.EVENT_TRANSITIONS,
        EventStatus,
        lambda s: Event(name="Fest", status=s),
    ),
    (
        transitions.transition_stage,
        transitions.STAGE_TRANSITIONS,
        StageStatus,
        lambda s: Stage(number=1, status=s),
    ),
    (
        transitions.transition_registration,
        transitions.REGISTRATION_TRANSITIONS,
        RegistrationStatus,
        _registration,
    ),
    (transitions.transition_entry, transitions.ENTRY_TRANSITIONS, EntryStatus, _entry),
    (
        transitions.transition_heat,
        transitions.HEAT_TRANSITIONS,
        HeatStatus,
        lambda s: Heat(number=1, status=s),
    ),
    (
        transitions.transition_draw,
        transitions.DRAW_TRANSITIONS,
        DrawStatus,
        lambda s: Draw(number=1, status=s),
    ),
    (transitions.transition_job, transitions.JOB_TRANSITIONS, JobStatus, _job),
]
CASES = [
    (function, legal, make, now, to)
    for function, legal, kind, make in FUNCTIONS
    for now, to in itertools.product(kind, kind)
]


@pytest.mark.parametrize(
    ("function", "legal", "make", "now", "to"),
    CASES,
    ids=[f"{function.__name__}-{now}-{to}" for function, _, _, now, to in CASES],
)
def test_transition(function: Any, legal: Any, make: Any, now: Any, to: Any) -> None:
    thing = make(now)
    if to in legal[now]:
        function(thing, to)
        assert thing.status == to
        return
    with pytest.raises(IllegalTransition) as refused:
        function(thing, to)
    assert thing.status == now
    assert str(now.label) in str(refused.value)
    assert str(to.label) in str(refused.value)


def test_every_status_has_transitions() -> None:
    for _function, legal, kind, _make in FUNCTIONS:
        assert set(legal) == set(kind)
        assert all(now not in after for now, after in legal.items())


def test_every_function_is_in_the_table() -> None:
    """And every model with a status has a function."""
    named = {value for name, value in vars(transitions).items() if name.startswith("transition_")}
    assert named == {function for function, *_rest in FUNCTIONS}
    with_status = {
        model
        for model in apps.get_app_config("tournaments").get_models()
        if any(field.name == "status" for field in model._meta.fields)
    }
    # How a player ended a game is derived from the sheet, without transitions.
    made = {type(make(next(iter(kind)))) for *_, kind, make in FUNCTIONS}
    assert with_status - {GameResult} == made


def test_refusal_is_a_sentence_in_the_readers_language() -> None:
    thing = Event(name="Fest", status=EventStatus.FINISHED)
    with pytest.raises(IllegalTransition) as refused:
        transitions.transition_event(thing, EventStatus.DRAFT)
    assert re.findall(r"“(\w+)”", str(refused.value)) == ["Finished", "Draft"]
    with translation.override("sv"):
        assert re.findall(r"”(\w+)”", str(refused.value)) == ["Avslutad", "Utkast"]


def test_only_gates_set_a_status() -> None:
    folder = Path(tournaments.__file__).parent
    setting = re.compile(r"\b(?!self\b)\w+\.status\s*=[^=]|\.update\([^)]*\bstatus=")
    found = [
        f"{path.name}: {line.strip()}"
        for path in folder.rglob("*.py")
        # An import restores a document's states without transitions.
        if path.name != "transitions.py" and not {"migrations", "documents"} & set(path.parts)
        for line in path.read_text(encoding="utf-8").splitlines()
        if setting.search(line)
    ]
    assert found == []


# --- invitations have no status field: being used, revoked or expired says it all -----------------


def _invitation(state: str) -> Invitation:
    made = invite(to=make_event(), role=Role.FLOOR, by=None)
    if state == "used":
        accept(invitation=made, user=make_user())
    elif state == "taken back":
        revoke_invitation(invitation=made, by=None)
    elif state == "expired":
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    return made


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "does", "code"),
    [
        ("open", "accept", ""),
        ("open", "revoke", ""),
        ("used", "accept", "invitation_used"),
        ("used", "revoke", "invitation_used"),
        ("taken back", "accept", "invitation_revoked"),
        ("taken back", "revoke", ""),
        ("expired", "accept", "invitation_expired"),
        ("expired", "revoke", ""),
    ],
)
def test_invitations(state: str, does: str, code: str) -> None:
    made = _invitation(state)
    before = Invitation.objects.values("used_at", "used_by", "revoked_at").get()

    def act() -> None:
        if does == "accept":
            accept(invitation=made, user=make_user())
        else:
            revoke_invitation(invitation=made, by=None)

    if not code:
        act()
        return
    with refused(code):
        act()
    assert Invitation.objects.values("used_at", "used_by", "revoked_at").get() == before
