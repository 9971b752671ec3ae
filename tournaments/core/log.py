"""Write the log of who did what."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.contrib.auth.models import User
from django.db import models, transaction
from django.forms.models import model_to_dict

from scoring.live import wake
from scoring.models import PROGRAM, Author

from ..models import (
    Booking,
    Draw,
    Event,
    Heat,
    HeatEntry,
    Invitation,
    LogEntry,
    Organiser,
    Penalty,
    Person,
    PersonMerge,
    Qualification,
    Registration,
    Stage,
    StagePlayer,
)
from ..models.enums import LogAction
from .signals import logged

#: Who acts: an account, or None for the program itself.
By = User | None

#: The program through which the account acts, empty if it acts itself.
_program: ContextVar[str] = ContextVar("program", default="")

#: Rows that the log names by their player.
_OF_A_PLAYER = (HeatEntry, Penalty, Qualification, StagePlayer)


@contextmanager
def acting_through(program: str) -> Iterator[None]:
    """Name a program beside the account in the rows that are recorded meanwhile."""
    token = _program.set(program)
    try:
        yield
    finally:
        _program.reset(token)


def actor_for(by: By) -> str:
    """Return who acts, as the log names the account and the program that it uses."""
    if by is None:
        return ""
    program = _program.get()
    return f"{by.get_username()[:80]} ({program})" if program else by.get_username()


def snapshot(thing: models.Model, fields: Iterable[str] | None = None) -> dict[str, Any]:
    """Return the row's stored fields as the log keeps them."""
    return model_to_dict(thing, fields=list(fields) if fields is not None else None)


def label_of(model: type[models.Model], field: str) -> str:
    """Return the field's label."""
    return str(getattr(model._meta.get_field(field), "verbose_name", field))


def changed(before: dict[str, Any], after: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both snapshots reduced to the fields that differ."""
    keys = [key for key in after if before.get(key) != after[key]]
    return {key: before.get(key) for key in keys}, {key: after[key] for key in keys}


def record(
    action: LogAction,
    thing: models.Model,
    by: By,
    *,
    event: Event | None = None,
    heat: Heat | None = None,
    before: Any = None,
    after: Any = None,
    reason: str = "",
    label: str = "",
    actor: str = "",
) -> LogEntry:
    """Add a row to the log, in the caller's transaction.

    ``event``: needed if ``thing`` has none. ``actor``: who acted if not an account, such as a
    player with their own link.
    """
    transaction.on_commit(wake)
    heat = thing if isinstance(thing, Heat) else heat
    named = thing.registration if isinstance(thing, _OF_A_PLAYER) else thing
    entry = LogEntry.objects.create(
        event=event or (thing if isinstance(thing, Event) else getattr(thing, "event", None)),
        user=by,
        actor=actor_for(by) or actor,
        action=action,
        object_type=thing._meta.model_name or "",
        object_id=str(thing.pk),
        object_label=(label or _name(named))[:200],
        heat_number=heat.number if heat else None,
        before=before,
        after=after,
        reason=reason,
    )
    logged.send(LogEntry, entry=entry)
    return entry


def _name(thing: models.Model) -> str:
    """Return a name to search the log by, in no language; ``things_of`` translates it.

    Players have their number, as a row is kept when their name is to go.
    """
    if isinstance(thing, Registration):
        return f"№ {thing.number}"
    if isinstance(thing, Person):
        return f"person {thing.public_id}"
    if isinstance(thing, PersonMerge):
        return f"merge {thing.pk}"
    if isinstance(thing, Heat | Draw):
        return f"{thing._meta.model_name} {thing.number}"
    if isinstance(thing, Stage):
        return f"stage {thing.number}"
    if isinstance(thing, Invitation):
        return thing.note
    if isinstance(thing, Organiser):
        return thing.name or thing.slug
    if isinstance(thing, Booking):
        return _name(thing.registration) if thing.registration else ""
    return str(thing)


def author(by: By) -> Author:
    """Return the author for scoring's rows."""
    return PROGRAM if by is None else by
