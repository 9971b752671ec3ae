"""What scoring stores."""

from .acceptance import GameAcceptance, Objection, ObjectionAnswer
from .author import PROGRAM, Author, Authored, author_fields, author_text
from .inserting import insert_all
from .link import Link
from .often import AskedOften, Blank
from .penalty import FlipFlop, HeatPenalty
from .sheet import Declaration, LeaseChange, Sheet, SheetEntry
from .table import Table

__all__ = [
    "PROGRAM",
    "AskedOften",
    "Author",
    "Authored",
    "Blank",
    "Declaration",
    "FlipFlop",
    "GameAcceptance",
    "HeatPenalty",
    "LeaseChange",
    "Link",
    "Objection",
    "ObjectionAnswer",
    "Sheet",
    "SheetEntry",
    "Table",
    "author_fields",
    "author_text",
    "insert_all",
]
