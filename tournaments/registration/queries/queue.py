"""The queue, and what a draw would do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import AskedOften, Blank

from ...core.errors import Refused
from ...core.locks import event_not_open
from ...draws.queries.history import tables_of_three_by_player
from ...draws.queries.plan import (
    CANNOT_SPLIT,
    STAYS,
    DrawPlan,
    drawable,
    no_open_stage,
    plan_draw,
    seats_to_draw,
    sizes_text,
    waiting_entries,
)
from ...models import Day, Draw, Event, HeatEntry, Registration, Stage
from ...models.enums import (
    EntryStatus,
    EventStatus,
    RegistrationStatus,
)

_ENTRIES = AskedOften(lambda: HeatEntry.objects.filter(registration=Blank()).order_by("pk"))


@dataclass(frozen=True)
class Queue:
    """The queue, longest wait first, with the tables a draw would make and advice in words.

    ``draft`` is the stage's draft, if any. ``tables_of_three`` counts those of each player, by
    reference. Both are read for staff only.
    """

    stage: Stage | None
    waiting: tuple[HeatEntry, ...]
    plan: DrawPlan
    advice: str
    draft: Draw | None = None
    tables_of_three: Mapping[str, int] = field(default_factory=dict)
    #: The parts to choose from, and the one whose players are shown.
    parts: tuple[Day, ...] = ()
    part: Day | None = None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the tables that a draw would make now."""
        return self.plan.sizes

    @property
    def waits_on(self) -> Mapping[int, str]:
        """Why an entry would not be drawn now, by key."""
        return {entry.pk: str(STAYS[why]) for entry, why in self.plan.stays}

    @property
    def can_draw(self) -> bool:
        """Whether a draw is possible now."""
        return bool(self.sizes) and self.draft is None

    @property
    def longest(self) -> HeatEntry | None:
        """The entry that has waited longest."""
        return self.waiting[0] if self.waiting else None


def queue_of(event: Event, *, staff: bool = False, key: str = "") -> Queue:
    """Return the queue of the open qualifying stage (three queries).

    ``key``: of the part whose players are shown, with those who play in any.

    ``staff``: include the draft and the tables of three (three more queries).
    """
    stage = event.stages.qualifying().open().first()
    parts = [day for day in event.timetable.all() if day.places] if staff else []
    part = next((day for day in parts if str(day.pk) == key), None)
    waiting = drawable(event, stage, part.pk if part else None) if stage else []
    plan = plan_draw(event, waiting)
    return Queue(
        stage=stage,
        waiting=tuple(waiting),
        plan=plan,
        advice=room_advice(plan) or advice(len(waiting), event.table_size),
        draft=stage.draws.drafts().first() if stage and staff else None,
        tables_of_three=tables_of_three_by_player(event) if staff and waiting else {},
        parts=tuple(parts),
        part=part,
    )


def waiting_count(event: Event) -> int:
    """Return how many wait to be drawn (one query)."""
    return waiting_entries(event).count()


def room_advice(plan: DrawPlan) -> str:
    """Return advice if the free tables cannot seat everybody, else an empty string."""
    if not any(why in {"room", "fixed_taken", "fixed_shared"} for _entry, why in plan.stays):
        return ""
    text = ngettext("%(count)s table is free", "%(count)s tables are free", plan.free)
    text %= {"count": plan.free}
    if not plan.sizes:
        return text + "."
    return _("%(tables)s: %(seated)s play at %(sizes)s; still waiting: %(stay)s.") % {
        "tables": text,
        "seated": len(plan.seated),
        "sizes": sizes_text(plan.sizes),
        "stay": len(plan.stays),
    }


def advice(waiting: int, table_size: int = 4) -> str:
    """Return what a draw would make now, and how many more players would make only full tables.

    "Full" means the event's preferred size (``Event.table_size``).

    >>> advice(22)
    '2 more make 6×4; now it would be 4×4 + 2×3.'
    >>> advice(8), advice(8, 3)
    ('Now it would be 2×4.', '1 more makes 3×3; now it would be 2×4.')
    """
    sizes = seats_to_draw(waiting, table_size)
    if not sizes:
        return ngettext(
            "%(count)s more is needed for a heat.",
            "%(count)s more are needed for a heat.",
            3 - waiting,
        ) % {"count": 3 - waiting}
    missing = -waiting % table_size
    then = sizes_text([table_size] * ((waiting + missing) // table_size))
    if waiting == CANNOT_SPLIT:
        more = ngettext("%(count)s more makes %(then)s.", "%(count)s more make %(then)s.", missing)
        return (
            _(
                "Five cannot be split into tables of three and four: the four who have waited "
                "longest play, and one keeps waiting."
            )
            + " "
            + more % {"count": missing, "then": then}
        )
    now = sizes_text(sizes)
    if not missing:
        return _("Now it would be %(now)s.") % {"now": now}
    return ngettext(
        "%(count)s more makes %(then)s; now it would be %(now)s.",
        "%(count)s more make %(then)s; now it would be %(now)s.",
        missing,
    ) % {"count": missing, "then": then, "now": now}


def still_seated(registration: Registration) -> Refused:
    """Return why somebody who has a seat cannot leave, and what helps instead."""
    entry = registration.entries.seated().select_related("heat").first()
    return Refused(
        "in_open_heat",
        _(
            "%(name)s has a seat: %(table)s. On its page, “Somebody comes late, or did not come” "
            "takes out who did not come; “A player is called away, missing, or back” marks who has "
            "gone."
        ),
        name=registration.person,
        table=entry.heat.at_table if entry is not None and entry.heat is not None else "–",
    )


def why_not_enter(registration: Any) -> Refused | None:
    """Return why a player, a row of ``players_of``, cannot enter a heat, or None."""
    event, name = registration.event, registration.person
    if event.status != EventStatus.OPEN:
        return event_not_open(event)
    if registration.status == RegistrationStatus.DISQUALIFIED:
        return Refused(
            "disqualified",
            _("%(name)s is disqualified and cannot play here."),
            name=name,
        )
    if registration.status != RegistrationStatus.CHECKED_IN:
        return Refused("not_checked_in", _("%(name)s is not checked in."), name=name)
    if registration.qualified is not None:
        return Refused("qualified", _("%(name)s has qualified and cannot enter again."), name=name)
    if registration.open_status == EntryStatus.WAITING:
        return Refused("already_waiting", _("%(name)s is already waiting for a heat."), name=name)
    if registration.open_status is not None:
        return Refused("in_open_heat", _("%(name)s is already playing a heat."), name=name)
    if not registration.stage_is_open:
        return no_open_stage()
    limit = event.reentry_limit
    if limit is not None and registration.entries_used >= limit:
        return Refused(
            "no_entries_left",
            _("%(name)s has no entry left (%(limit)s per player)."),
            name=name,
            limit=limit,
        )
    return None


def entries_of(registration: Registration) -> list[HeatEntry]:
    """Return a player's entries in the order in which they were made."""
    return _ENTRIES.rows(registration.pk)


def kept_turn(registration: Registration, entries: Sequence[HeatEntry]) -> datetime | None:
    """Return since when a player waited who left the queue a moment ago, else None.

    ``entries`` are all of the player's.
    """
    last = entries[-1] if entries else None
    if last is None or last.status != EntryStatus.WITHDRAWN or last.ended_at is None:
        return None
    kept_until = last.ended_at + timedelta(minutes=registration.event.keep_turn_minutes)
    return last.entered_at if timezone.now() < kept_until else None
