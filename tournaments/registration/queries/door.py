"""The check-in page at the door: who is here, since when, and who has paid."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ...cash.queries.ledger import Balance, balances_of
from ...core.days import next_day
from ...models import Day, Event, LogEntry
from ...models.enums import LogAction, RegistrationStatus
from ...models.money import show_amount
from ...results.queries.players import (
    DeskPlayer,
    End,
    players_of,
    playoff_ends,
    search,
    with_state,
)


@dataclass(frozen=True)
class CheckIn:
    """Who checked the player in, and when."""

    who: str
    at: datetime

    @property
    def clock(self) -> str:
        """The time, with the date unless it was today."""
        at = timezone.localtime(self.at)
        if at.date() == timezone.localdate():
            return at.strftime("%H:%M")
        return date_format(at, "j F, H:i")


@dataclass(frozen=True)
class DoorRow:
    """A player at the door."""

    player: Any
    checked: CheckIn | None
    can_check_in: bool
    can_undo: bool
    label: str
    #: The CSS class that marks the label.
    tag: str
    paid: str
    paid_tag: str


@dataclass(frozen=True)
class Door:
    """How many are here, and the players shown."""

    here: int
    expected: int
    rows: tuple[DoorRow, ...]
    #: How many more match than are shown.
    more: int
    #: The parts to choose from, the one shown, and whether its check-in is still to be begun.
    parts: tuple[Day, ...] = ()
    part: Day | None = None
    to_begin: bool = False


#: More than a helper will scroll through.
MAX_SHOWN = 40


def door_of(event: Event, text: str = "", key: str = "") -> Door:
    """Return the players searched for, or all who are not here yet (a dozen queries).

    ``key``: of the day or part whose players are shown, with those who play in any; "all" for
    everybody. Without one it is the part being played, or the next.
    """
    days = list(event.timetable.all())
    part = next((day for day in days if str(day.pk) == key), None)
    if not key and len(days) > 1:
        part = next_day(days)
    rows: QuerySet[Any] = event.registrations.filter(
        status__in=[RegistrationStatus.REGISTERED, RegistrationStatus.CHECKED_IN]
    )
    found = search(players_of(event), text, staff=True)
    if part is not None and part.places:
        rows = in_part(rows, part)
        found = found if text.strip() else in_part(found, part)
    statuses = list(rows.values_list("status", flat=True))
    players = list(found if text.strip() else with_state(found, "registered"))
    return Door(
        here=statuses.count(RegistrationStatus.CHECKED_IN),
        expected=len(statuses),
        rows=tuple(door_rows(event, balances_of(event, players[:MAX_SHOWN]))),
        more=max(0, len(players) - MAX_SHOWN),
        parts=tuple(days) if len(days) > 1 else (),
        part=part,
        to_begin=part is not None and len(days) > 1 and part.begun_at is None and part != days[0],
    )


def in_part(rows: QuerySet[Any], part: Day) -> QuerySet[Any]:
    """Return the players of a part, and those who play in any."""
    return rows.filter(Q(part=part) | Q(part=None))


def door_rows(event: Event, balances: Iterable[Balance]) -> list[DoorRow]:
    """Return rows of :func:`players_of` for the door, by their balances.

    Two queries, two more in the play-offs.
    """
    balances = list(balances)
    checked = check_ins([balance.registration.pk for balance in balances])
    ends = playoff_ends(event)
    return [_row(event, balance, checked, ends) for balance in balances]


def check_ins(keys: Iterable[int]) -> dict[int, CheckIn]:
    """Return the latest check-in of these registrations, by key (one query)."""
    rows = LogEntry.objects.filter(
        action=LogAction.CHECKED_IN,
        object_type="registration",
        object_id__in=[str(key) for key in keys],
    )
    return {
        int(key): CheckIn(who, at)
        for key, who, at in rows.order_by("pk").values_list("object_id", "actor", "at")
    }


def _row(
    event: Event, balance: Balance, checked: dict[int, CheckIn], ends: dict[str, End]
) -> DoorRow:
    player: Any = balance.registration
    desk = DeskPlayer(player, directs=False, end=ends.get(player.player_id))
    here = player.status == RegistrationStatus.CHECKED_IN
    money = balance.label
    if balance.owes > 0:
        money = _("%(amount)s to pay") % {"amount": show_amount(balance.owes, event.currency)}
    return DoorRow(
        player=player,
        checked=checked.get(player.pk) if here else None,
        can_check_in=desk.state == "registered" and desk.action is not None,
        can_undo=desk.may_leave,
        label=desk.label,
        tag=desk.tag or ("tag-quiet" if desk.state == "registered" else "tag"),
        paid=money,
        paid_tag="tag-amber" if balance.owes else "",
    )
