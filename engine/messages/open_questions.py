"""Questions on which the sources differ: what they say, what holds here, and how to change it."""

from __future__ import annotations

from typing import NamedTuple

from .languages import texts_in


class OpenQuestion(NamedTuple):
    """One question, in one language."""

    question: str
    sources: str
    reading: str
    change: str


def open_questions(lang: str = "en") -> list[OpenQuestion]:
    """Return the questions in the reader's language.

    >>> open_questions()[-1].question
    "Franke's Flip Flop"
    """
    return [OpenQuestion(**texts) for texts in texts_in(lang).open_questions.values()]
