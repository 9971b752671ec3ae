"""What can be printed of a whole event: a module of this package each, known by its name.

A further print is a further module; nothing else needs to know of it. What prints share stands in
modules whose names begin with a line.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from ...models import Event, Job
from ._when import NAMES


class Print(Protocol):
    """What every module here has."""

    LABEL: str
    #: Under which head the page lists it (``_when``).
    WHEN: str

    def can_print(self, event: Event) -> bool:
        """Say whether the event has anything for this print yet."""

    def pdf(self, job: Job) -> bytes:
        """Return the file, in the language that is active."""


def by_time(event: Event) -> list[tuple[object, list[tuple[str, Print]]]]:
    """Return the prints by when they are wanted, each group with its name.

    Those of the play-offs (``PLAY_OFFS``) only where the event has some.
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
