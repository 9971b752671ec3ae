"""A picture of numbers, with the same numbers behind it as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.pictures.shapes import Picture


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture, and its numbers in words: what stands above the columns, and the rows.

    ``name`` keeps the ids of several pictures on a page apart.
    """

    name: str
    picture: Picture
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
