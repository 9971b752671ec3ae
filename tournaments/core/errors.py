"""What a domain function answers when something may not be done."""

from typing import Any


class Refused(Exception):
    """Something that the rules of the event or of the program do not allow now.

    ``code`` is stable, for programs; ``str()`` is a sentence for a person in the language that
    is active when it is read. Nothing was changed.
    """

    def __init__(self, code: str, message: Any, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.params = params

    def __str__(self) -> str:
        """Return the sentence."""
        text = str(self.message)
        return text % self.params if self.params else text


class IllegalMove(Refused):
    """A status was to change in a way its gate does not know."""


class Conflict(Refused):
    """Somebody else changed the same thing first."""
