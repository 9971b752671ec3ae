"""Long names for where room is short, so that they stay tellable apart."""

from collections.abc import Mapping


def fitting(names: Mapping[str, str], letters: int) -> dict[str, str]:
    """Return the names, none longer than ``letters``; what differs stays different.

    >>> fitting({"1": "Anna Ek", "2": "Maximiliana Lindström"}, 14)
    {'1': 'Anna Ek', '2': 'Maximiliana L…'}
    >>> fitting({"1": "Maximiliana Lindström", "2": "Maximiliana Lindberg"}, 14)
    {'1': 'Maximiliana …m', '2': 'Maximiliana …g'}
    >>> fitting({"1": "Maximiliana Lind (12)", "2": "Maximiliana Lind (13)"}, 14)
    {'1': 'Maximiliana…2)', '2': 'Maximiliana…3)'}
    """
    found = {}
    taken = {name for name in names.values() if len(name) <= letters}
    long: dict[str, dict[str, str]] = {}
    for key, name in names.items():
        found[key] = name
        if len(name) > letters:
            long.setdefault(name[: letters - 1], {})[key] = name
    for alike in long.values():
        for tail in range(letters):
            short = {key: _cut(name, letters, tail) for key, name in alike.items()}
            apart = len(set(short.values())) == len(set(alike.values()))
            if apart and not taken & set(short.values()):
                break
        found |= short
        taken |= set(short.values())
    return found


def _cut(name: str, letters: int, tail: int) -> str:
    head = name[: letters - 1 - tail]
    return f"{head}…{name[len(name) - tail :]}"
