"""What scoring asks of the program around it; a casual evening needs none of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping


class Host:
    """The answers of a program without tournaments; another one registers its own."""

    def names(self, table_ids: Iterable[int]) -> Mapping[int, Mapping[str, str]]:
        """Return for each table the display names of the references that are known."""
        return {}

    def text(self, table_id: int) -> Callable[[str], str]:
        """Return what takes names out of a typed text that readers of a table may not see."""
        return str

    def page(self, table_id: int) -> str:
        """Return the path where everybody reads a table's results; empty where there is none."""
        return ""

    def lock(self, table_id: int) -> None:
        """Take the locks that come before a table's sheets, for what listeners do at a sign-off."""


_host = Host()


def register(host: Host) -> Host:
    """Let this host answer from now on; returns the one before."""
    global _host
    before, _host = _host, host
    return before


def host() -> Host:
    """Return the host."""
    return _host
