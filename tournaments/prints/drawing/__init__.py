"""Prints of a whole event: one module of this package each, known by its name.

A new print is a new module and needs no registration. Modules shared by prints have names that
begin with an underscore.
"""

from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from ...models import Event
from ._lists import NAMES, Order


class Print(Protocol):
    """The interface of each print's module."""

    LABEL: str
    #: The group under which the page lists it (``_when``).
    WHEN: str

    def can_print(self, event: Event) -> bool:
        """Return whether the event has anything to print yet."""

    def pdf(self, order: Order) -> bytes:
        """Return the file, in the active language."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A print as the page offers it: whether there is anything on it yet, and days to choose.

    ``amount`` says how much would be printed, where a director could expect another number;
    ``decided_at`` is the page (address and label) that decides it, for those who may set up.
    """

    kind: str
    label: str
    ready: bool
    days: list[tuple[str, str]]
    amount: str
    decided_at: tuple[str, str] | None


def days_of_print(each: Print, event: Event) -> list[tuple[str, str]]:
    """Return the days that can be chosen (value and label, the last first); [] for most prints."""
    days = getattr(each, "days", None)
    return days(event) if days else []


def by_time(event: Event) -> list[tuple[object, list[Offer]]]:
    """Return the prints grouped by when they are needed, each group with its name.

    Leaves out those of the play-offs (``PLAY_OFFS``) if the event has none.
    """
    return [
        (
            name,
            [
                Offer(
                    kind,
                    each.LABEL,
                    each.can_print(event),
                    days_of_print(each, event),
                    each.amount(event) if hasattr(each, "amount") else "",
                    each.what_decides(event) if hasattr(each, "what_decides") else None,
                )
                for kind, each in PRINTS.items()
                if when == each.WHEN
                and not (event.ends_with_heats and getattr(each, "PLAY_OFFS", False))
            ],
        )
        for when, name in NAMES.items()
    ]


PRINTS: dict[str, Print] = {
    module.name: cast(Print, import_module(f"{__name__}.{module.name}"))
    for module in iter_modules(__path__)
    if not module.name.startswith("_")
}
