"""The place that becomes free when two who are both through turn out to be one person."""

from dataclasses import dataclass

from ...core.names import staff_name
from ...heats.queries.closing import could_go_on
from ...models import Heat, Qualification, Registration


def second_place(one: Registration, other: Registration) -> Qualification | None:
    """Return the later of two registrations' qualifications, None unless both have one."""
    places = one.event.qualifications.valid().filter(registration__in=[one, other])
    found = list(places.select_related("heat__event", "heat__stage").order_by("order"))
    return found[1] if len(found) == 2 else None


def winners_of_heat(heat: Heat) -> list[str]:
    """Return who goes on from a closed heat, best first."""
    rows = heat.results.filter(advances=True).order_by("order")
    return [str(number) for number in rows.values_list("entry__registration__number", flat=True)]


@dataclass(frozen=True)
class FreedPlace:
    """The heat in which a place becomes free, and who could go on instead: number and name."""

    heat: Heat
    possible: tuple[tuple[int, str], ...]


def freed_place(one: Registration, other: Registration) -> FreedPlace | None:
    """Return the place that a merge frees; None in the play-offs, whose no-show rule fills it."""
    second = second_place(one, other)
    heat = second.heat if second else None
    if heat is None or one.event.stages.playoffs().exists():
        return None
    rows = could_go_on(heat, winners_of_heat(heat))
    players = [row.entry.registration for row in rows.select_related("entry__registration__person")]
    return FreedPlace(heat, tuple((player.number, staff_name(player.person)) for player in players))
