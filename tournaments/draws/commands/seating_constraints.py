"""Constraints on draws: players to keep apart, and fixed tables."""

from collections.abc import Sequence
from itertools import combinations

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ...core.errors import Conflict, Refused
from ...core.locks import lock_event, lock_registration
from ...core.log import By, record
from ...core.permissions import REGISTER, needs
from ...models import Event, KeepApart, Registration
from ...models.enums import LogAction
from ...models.validators import room_tables

#: The highest possible table number.
MAX_TABLE = 999
#: The most pairs that one button keeps apart: of a club of 30, more than any draw could.
MAX_PAIRS = 300


@transaction.atomic
@needs(REGISTER)
def keep_apart(
    *, event: Event, one: Registration, other: Registration, by: By, reason: str = ""
) -> KeepApart:
    """Have draws seat these two players at different tables if possible.

    Refused with ``same_player``, ``not_of_event``, ``apart_already``, and ``apart_fixed`` if both
    always sit at the same table.
    """
    event = lock_event(event)
    if one.pk == other.pk:
        raise Refused("same_player", _("Choose two different players."))
    if {one.event_id, other.event_id} != {event.pk}:
        raise Refused("not_of_event", _("Both players must be registered here."))
    # The lower key comes first, so that no pair occurs twice.
    first, second = sorted((one, other), key=lambda each: each.pk)
    if KeepApart.objects.filter(one=first, other=second).exists():
        raise Refused(
            "apart_already",
            _("%(one)s and %(other)s are already kept apart."),
            one=first.person,
            other=second.person,
        )
    if first.fixed_table is not None and first.fixed_table == second.fixed_table:
        raise _apart_fixed(first, second, first.fixed_table)
    pair = KeepApart.objects.create(event=event, one=first, other=second, reason=reason.strip())
    record(
        LogAction.KEPT_APART,
        pair,
        by,
        label=f"№ {first.number} / № {second.number}",
        after={"players": [first.number, second.number]},
        reason=reason.strip(),
    )
    return pair


@transaction.atomic
@needs(REGISTER)
def keep_all_apart(
    *, event: Event, groups: Sequence[Sequence[Registration]], by: By, reason: str = ""
) -> int:
    """Keep everybody apart within each group, such as a family or a club; return the new pairs.

    Refused with ``nobody_to_part`` without a pair, with ``many_pairs``, and as
    :func:`keep_apart` is; pairs that are kept apart already stay as they are.
    """
    event = lock_event(event)
    pairs = {
        tuple(sorted((one.pk, other.pk))): (one, other)
        for group in groups
        for one, other in combinations(group, 2)
    }
    if not pairs:
        raise Refused("nobody_to_part", _("There are no two players of this name or club."))
    if len(pairs) > MAX_PAIRS:
        raise Refused(
            "many_pairs",
            _("These are %(count)s pairs; a draw keeps at most %(most)s apart."),
            count=len(pairs),
            most=MAX_PAIRS,
        )
    known = set(event.kept_apart.values_list("one", "other"))
    new = [pair for keys, pair in pairs.items() if keys not in known]
    for one, other in new:
        keep_apart(event=event, one=one, other=other, by=by, reason=reason)
    return len(new)


def _apart_fixed(one: Registration, other: Registration, table: int) -> Refused:
    return Refused(
        "apart_fixed",
        _("%(one)s and %(other)s are kept apart and cannot both always sit at table %(table)s."),
        one=one.person,
        other=other.person,
        table=table,
    )


@transaction.atomic
@needs(REGISTER)
def let_together(*, pair: KeepApart, by: By) -> None:
    """Let two players share a table again.

    Raise ``Conflict`` (``apart_gone``) if they already may.
    """
    lock_event(pair.event)
    stored = (
        KeepApart.objects.select_related("one__person", "other__person").filter(pk=pair.pk).first()
    )
    if stored is None:
        raise Conflict("apart_gone", _("They are no longer kept apart."))
    record(
        LogAction.KEPT_APART,
        stored,
        by,
        label=f"№ {stored.one.number} / № {stored.other.number}",
        before={"players": [stored.one.number, stored.other.number], "reason": stored.reason},
    )
    stored.delete()


@transaction.atomic
@needs(REGISTER)
def set_fixed_table(*, registration: Registration, table: int | None, by: By) -> Registration:
    """Have a player always sit at this table; None ends that.

    Refused with ``bad_table`` for an impossible number or one that the room plan lacks, and with
    ``apart_fixed`` if somebody who is kept apart from the player always sits there.
    """
    registration = lock_registration(registration)
    plan = room_tables(registration.event.room_plan)
    if table is not None and not 1 <= table <= MAX_TABLE:
        raise Refused("bad_table", _("Tables have numbers from 1 to %(most)s."), most=MAX_TABLE)
    if table is not None and plan and table not in plan:
        raise Refused(
            "bad_table",
            _("The room plan has no table %(table)s: %(plan)s."),
            table=table,
            plan=registration.event.room_plan,
        )
    before = registration.fixed_table
    if before == table:
        return registration
    apart = KeepApart.objects.filter(
        Q(one=registration, other__fixed_table=table)
        | Q(other=registration, one__fixed_table=table)
    ).select_related("one__person", "other__person")
    if table is not None and (pair := apart.first()):
        other = pair.other if pair.one_id == registration.pk else pair.one
        raise _apart_fixed(registration, other, table)
    registration.fixed_table = table
    registration.save(update_fields=["fixed_table"])
    record(
        LogAction.FIXED_TABLE,
        registration,
        by,
        before={"table": before},
        after={"table": table},
    )
    return registration
