"""The only place where a status changes: one function per model, with its legal transitions.

Any other raises :class:`IllegalTransition`. Callers hold the row's lock and save it; these
functions only set the field.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from ..models import Draw, Event, Heat, HeatEntry, Job, Registration, Stage
from ..models.enums import (
    DrawStatus,
    EntryStatus,
    EventStatus,
    HeatStatus,
    JobStatus,
    RegistrationStatus,
    StageStatus,
)
from .errors import IllegalTransition

Transitions = Mapping[Any, frozenset[Any]]

EVENT_TRANSITIONS: Transitions = {
    EventStatus.DRAFT: frozenset({EventStatus.OPEN}),
    EventStatus.OPEN: frozenset({EventStatus.DRAFT, EventStatus.FINISHED}),
    EventStatus.FINISHED: frozenset({EventStatus.OPEN}),
}
STAGE_TRANSITIONS: Transitions = {
    StageStatus.PLANNED: frozenset({StageStatus.OPEN}),
    # Back to planned: a correction redraws a play-off round.
    StageStatus.OPEN: frozenset({StageStatus.FINISHED, StageStatus.PLANNED}),
    StageStatus.FINISHED: frozenset({StageStatus.OPEN}),
}
REGISTRATION_TRANSITIONS: Transitions = {
    RegistrationStatus.WAIT_LISTED: frozenset(
        {RegistrationStatus.REGISTERED, RegistrationStatus.WITHDRAWN}
    ),
    RegistrationStatus.REGISTERED: frozenset(
        {
            RegistrationStatus.CHECKED_IN,
            RegistrationStatus.WITHDRAWN,
            RegistrationStatus.DISQUALIFIED,
        }
    ),
    RegistrationStatus.CHECKED_IN: frozenset(
        {
            RegistrationStatus.REGISTERED,
            RegistrationStatus.WITHDRAWN,
            RegistrationStatus.DISQUALIFIED,
        }
    ),
    RegistrationStatus.WITHDRAWN: frozenset(
        {RegistrationStatus.REGISTERED, RegistrationStatus.WAIT_LISTED}
    ),
    # Back: a disqualification is lifted.
    RegistrationStatus.DISQUALIFIED: frozenset({RegistrationStatus.CHECKED_IN}),
}
ENTRY_TRANSITIONS: Transitions = {
    EntryStatus.WAITING: frozenset({EntryStatus.SEATED, EntryStatus.WITHDRAWN}),
    # Back to waiting: a draft is discarded before anybody has played.
    EntryStatus.SEATED: frozenset({EntryStatus.WAITING, EntryStatus.DONE, EntryStatus.VOID}),
    # Reopened for a correction.
    EntryStatus.DONE: frozenset({EntryStatus.SEATED, EntryStatus.VOID}),
    EntryStatus.WITHDRAWN: frozenset(),
    EntryStatus.VOID: frozenset(),
}
HEAT_TRANSITIONS: Transitions = {
    HeatStatus.OPEN: frozenset({HeatStatus.FINISHED, HeatStatus.VOID}),
    # Void: a correction redraws a play-off round.
    HeatStatus.FINISHED: frozenset({HeatStatus.OPEN, HeatStatus.VOID}),
    HeatStatus.VOID: frozenset(),
}

DRAW_TRANSITIONS: Transitions = {
    DrawStatus.DRAFT: frozenset({DrawStatus.PUBLISHED, DrawStatus.DISCARDED}),
    # Only while nothing has been entered.
    DrawStatus.PUBLISHED: frozenset({DrawStatus.TAKEN_BACK}),
    DrawStatus.DISCARDED: frozenset(),
    DrawStatus.TAKEN_BACK: frozenset(),
}

JOB_TRANSITIONS: Transitions = {
    JobStatus.WAITING: frozenset({JobStatus.RUNNING, JobStatus.FAILED, JobStatus.CANCELLED}),
    # Back to waiting: it is tried again, or is a periodic task.
    JobStatus.RUNNING: frozenset(
        {JobStatus.DONE, JobStatus.FAILED, JobStatus.CANCELLED, JobStatus.WAITING}
    ),
    JobStatus.DONE: frozenset(),
    # Back to waiting: a director tries again.
    JobStatus.FAILED: frozenset({JobStatus.WAITING}),
    JobStatus.CANCELLED: frozenset(),
}


def _change(
    thing: Any, kind: type[TextChoices], legal: Transitions, to: TextChoices, name: Any
) -> None:
    now = kind(thing.status)
    if to not in legal[now]:
        raise IllegalTransition(
            "illegal_move",
            _("%(thing)s is “%(now)s” and cannot become “%(to)s”."),
            thing=name,
            now=now.label,
            to=to.label,
        )
    thing.status = to


def transition_event(event: Event, to: EventStatus) -> None:
    """Change an event's status, or raise :class:`IllegalTransition`."""
    _change(event, EventStatus, EVENT_TRANSITIONS, to, event)


def transition_stage(stage: Stage, to: StageStatus) -> None:
    """Change a stage's status, or raise :class:`IllegalTransition`."""
    _change(stage, StageStatus, STAGE_TRANSITIONS, to, stage)


def transition_registration(registration: Registration, to: RegistrationStatus) -> None:
    """Change a registration's status, or raise :class:`IllegalTransition`."""
    _change(registration, RegistrationStatus, REGISTRATION_TRANSITIONS, to, registration)


def transition_entry(entry: HeatEntry, to: EntryStatus) -> None:
    """Change an entry's status, or raise :class:`IllegalTransition`."""
    _change(entry, EntryStatus, ENTRY_TRANSITIONS, to, entry)


def transition_heat(heat: Heat, to: HeatStatus) -> None:
    """Change a heat's status, or raise :class:`IllegalTransition`."""
    _change(heat, HeatStatus, HEAT_TRANSITIONS, to, heat)


def transition_draw(draw: Draw, to: DrawStatus) -> None:
    """Change a draw's status, or raise :class:`IllegalTransition`."""
    _change(draw, DrawStatus, DRAW_TRANSITIONS, to, draw)


def transition_job(job: Job, to: JobStatus) -> None:
    """Change a job's status, or raise :class:`IllegalTransition`."""
    _change(job, JobStatus, JOB_TRANSITIONS, to, job)
