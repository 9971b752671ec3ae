"""Prints of a whole event: one module of this package each, known by its name.

A new print is a new module and needs no registration. Modules shared by prints have names that
begin with an underscore.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from ...models import Event, Job
from ._when import NAMES


class Print(Protocol):
    """The interface of each print's module."""

    LABEL: str
    #: The group under which the page lists it (``_when``).
    WHEN: str

    def can_print(self, event: Event) -> bool:
        """Return whether the event has anything to print yet."""

    def pdf(self, job: Job) -> bytes:
        """Return the file, in the active language."""


def by_time(event: Event) -> list[tuple[object, list[tuple[str, Print]]]]:
    """Return the prints grouped by when they are needed, each group with its name.

    Leaves out those of the play-offs (``PLAY_OFFS``) if the event has none.
    """
    wanted = [
        (key, each)
        for key, each in PRINTS.items()
        if not (event.ends_with_heats and getattr(each, "PLAY_OFFS", False))
    ]
    return [
        (name, [(key, each) for key, each in wanted if when == each.WHEN])
        for when, name in NAMES.items()
    ]


PRINTS: dict[str, Print] = {
    module.name: cast(Print, import_module(f"{__name__}.{module.name}"))
    for module in iter_modules(__path__)
    if not module.name.startswith("_")
}
