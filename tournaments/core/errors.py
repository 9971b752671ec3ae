"""Exceptions by which commands refuse."""

from typing import Any


class Refused(Exception):
    """Refused by the rules of the event or of the program; nothing was changed.

    ``code`` is stable, for programs; ``str()`` is a message in the language active when it is read.
    """

    def __init__(self, code: str, message: Any, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.params = params

    def __str__(self) -> str:
        text = str(self.message)
        return text % self.params if self.params else text


class IllegalTransition(Refused):
    """The status change is not one of the legal transitions."""


class Conflict(Refused):
    """Somebody else changed the same row first."""
