"""The qualification that becomes free when two qualified players turn out to be one person."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from ...core.names import staff_name
from ...heats.queries.closing import could_go_on
from ...models import Event, Heat, HeatResult, PersonMerge, Qualification, Registration


def second_qualification(one: Registration, other: Registration) -> Qualification | None:
    """Return the later of two registrations' qualifications, None unless both have one."""
    valid = one.event.qualifications.valid().filter(registration__in=[one, other])
    found = list(valid.select_related("heat__event", "heat__stage").order_by("order"))
    return found[1] if len(found) == 2 else None


def winners_of_heat(heat: Heat) -> list[str]:
    """Return who advances from a closed heat, best first."""
    rows = heat.results.filter(advances=True).order_by("order")
    return [str(number) for number in rows.values_list("entry__registration__number", flat=True)]


@dataclass(frozen=True)
class FreedQualification:
    """The heat whose qualification becomes free, and who could advance instead: number and name."""

    heat: Heat
    possible: tuple[tuple[int, str], ...]


def freed_qualification(one: Registration, other: Registration) -> FreedQualification | None:
    """Return the qualification that a merge frees; None in the play-offs (no-show rule)."""
    second = second_qualification(one, other)
    heat = second.heat if second else None
    if heat is None or one.event.stages.playoffs().exists():
        return None
    rows = could_go_on(heat, winners_of_heat(heat))
    players = [row.entry.registration for row in rows.select_related("entry__registration__person")]
    return FreedQualification(
        heat, tuple((player.number, staff_name(player.person)) for player in players)
    )


def through_instead(keys: Iterable[int]) -> QuerySet[Qualification]:
    """Return which of these qualifications stand in for somebody else, not won by the player."""
    own = HeatResult.objects.filter(
        heat=OuterRef("heat"),
        entry__registration=OuterRef("registration"),
        place__lte=OuterRef("heat__advance"),
        disqualified=False,
    )
    return Qualification.objects.valid().filter(~Exists(own), pk__in=list(keys))


class MergeRow(NamedTuple):
    """A merge; the numbers that the two had if both were registered; what undoing it costs."""

    merge: PersonMerge
    kept_number: int | None
    merged_number: int | None
    cost: str


def merge_rows(event: Event, merges: Iterable[PersonMerge]) -> list[MergeRow]:
    """Return the rows of an event's list of merges (four queries)."""
    merges = list(merges)
    joined = [each for merge in merges for each in merge.carried]
    here = set(
        event.registrations.filter(pk__in=[each["kept"] for each in joined]).values_list(
            "pk", flat=True
        )
    )
    # Once there are play-offs, who went on instead stays.
    instead = [pk for each in joined for pk in each["instead"]]
    freed = (
        event.qualifications.none()
        if event.stages.playoffs().exists()
        else through_instead(instead)
    )
    costs = {
        row.pk: _("%(name)s, who advanced instead from %(heat)s, is then no longer qualified.")
        % {"name": staff_name(row.registration.person), "heat": row.heat}
        for row in freed.select_related("registration__person", "heat__event", "heat__stage")
    }
    rows = []
    for merge in merges:
        carried: dict[str, Any] = next((each for each in merge.carried if each["kept"] in here), {})
        kept, merged = carried.get("numbers", (None, None))
        cost = " ".join(costs[pk] for pk in carried.get("instead", ()) if pk in costs)
        rows.append(MergeRow(merge, kept, merged, cost))
    return rows
