"""Long names for where room is short, so that they stay tellable apart."""

from collections.abc import Mapping
from dataclasses import dataclass

#: A single letter after the dots looks like a mistake.
LEAST_TAIL = 3


@dataclass(frozen=True)
class Name:
    """A name in two: what is cut where it does not fit, and an end that always stays."""

    head: str
    tail: str = ""

    def __str__(self) -> str:
        return self.head + self.tail


def fitting(names: Mapping[str, str], letters: int) -> dict[str, Name]:
    """Return the names so that those that differ do so even where only ``letters`` of them fit.

    >>> fitting({"1": "Anna Ek", "2": "Maximiliana Lindström"}, 14)["2"]
    Name(head='Maximiliana Lindström', tail='')
    >>> fitting({"1": "Maximiliana Lindström", "2": "Maximiliana Lindberg"}, 14)["1"]
    Name(head='Maximiliana Lindst', tail='röm')
    >>> fitting({"1": "Maximiliana Lind (12)", "2": "Maximiliana Lind (13)"}, 14)["1"]
    Name(head='Maximiliana Lind (', tail='12)')
    """
    found = {key: Name(name) for key, name in names.items()}
    taken = {name for name in names.values() if len(name) <= letters}
    long: dict[str, dict[str, str]] = {}
    for key, name in names.items():
        if len(name) > letters:
            long.setdefault(name[: letters - 1], {})[key] = name
    for alike in long.values():
        for tail in (0, *range(LEAST_TAIL, letters)):
            short = {_cut(name, letters, tail) for name in alike.values()}
            if len(short) == len(set(alike.values())) and not taken & short:
                break
        for key, name in alike.items():
            at = len(name) - tail
            found[key] = Name(name[:at], name[at:])
        taken |= short
    return found


def _cut(name: str, letters: int, tail: int) -> str:
    head = name[: letters - 1 - tail]
    return f"{head}…{name[len(name) - tail :]}"
