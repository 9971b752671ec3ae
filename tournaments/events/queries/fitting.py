"""Who fits where: people, tables, and the parts of the days."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...models import Day, Event
from ...models.enums import SessionKind
from ...registration.queries.waiting_list import TAKES_UP_CAPACITY

SEATS_PER_TABLE = 4


@dataclass(frozen=True)
class Fitted:
    """A part of a day, and who plays in it.

    ``chosen`` people have chosen it, ``more`` of those who play in any fit in it; ``limit`` are its
    places, or the seats at the tables; ``seats`` can play at once.
    """

    name: str
    chosen: int
    more: int
    limit: int
    seats: int

    @property
    def is_over(self) -> bool:
        """Whether it has more people than places, or than can play at once."""
        return self.chosen > self.limit or self.chosen + self.more > self.seats

    @property
    def text(self) -> str:
        """Who fits in it: "1A 24 of 24", and how many have to wait for a table."""
        people = self.chosen + self.more
        text = _("%(name)s: %(people)s of %(limit)s") % {
            "name": self.name,
            "people": people,
            "limit": self.limit,
        }
        if people > self.seats:
            waits = ngettext(
                "%(count)s waits for a free table",
                "%(count)s wait for a free table",
                people - self.seats,
            ) % {"count": people - self.seats}
            text += f" ({waits})"
        return text


def heat_parts(days: Sequence[Day]) -> list[Day]:
    """Return the parts of days in which heats are played, in the order of their starts."""
    parts = [day for day in days if day.places]
    kinds = {"", SessionKind.HEATS}
    parts = parts or [day for day in days if day.session_kind in kinds]
    return sorted(parts, key=lambda day: day.starts_at)


def fit(parts: Sequence[Day], tables: int, people: Mapping[int | None, int]) -> list[Fitted]:
    """Return who fits in which part, the first ones filled first.

    ``people`` are how many have chosen a part, by its key, and under None those who play in any.
    """
    seats, left, found = SEATS_PER_TABLE * tables, people.get(None, 0), []
    for part in parts:
        chosen, limit = people.get(part.pk, 0), part.places or seats
        more = min(left, max(0, limit - chosen))
        left -= more
        found.append(Fitted(part.name, chosen, more, limit, seats))
    return found


def people_by_part(event: Event) -> dict[int | None, int]:
    """Return how many people have chosen each part, and under None those who play in any."""
    rows = event.registrations.filter(status__in=TAKES_UP_CAPACITY).order_by()
    return dict(rows.values_list("part").annotate(count=Count("pk")))


def fit_text(fitted: Sequence[Fitted], tables: int, people: int) -> str:
    """Return "126 people, 14 tables, 6 parts", and then who fits where."""
    head = _("%(people)s people, %(tables)s tables, %(parts)s parts.") % {
        "people": people,
        "tables": tables,
        "parts": len(fitted),
    }
    text = f"{head} {'; '.join(each.text for each in fitted)}."
    over = people - sum(each.chosen + each.more for each in fitted)
    if over > 0:
        text += " " + ngettext(
            "There is no room for %(count)s.", "There is no room for %(count)s.", over
        ) % {"count": over}
    return text
