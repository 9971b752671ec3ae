"""What scoring stores."""

from scoring.models.acceptance import GameAcceptance, Objection, ObjectionAnswer
from scoring.models.author import PROGRAM, Author, Authored, author_fields, author_text
from scoring.models.declaration import Declaration
from scoring.models.flip_flop import FlipFlop
from scoring.models.link import Link
from scoring.models.penalty import HeatPenalty
from scoring.models.sheet import LeaseChange, Sheet, SheetEntry
from scoring.models.table import Table

__all__ = [
    "PROGRAM",
    "Author",
    "Authored",
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
]
