"""What scoring stores."""

from scoring.models.link import Link
from scoring.models.sheet import PenChange, Sheet, SheetEntry
from scoring.models.table import FlipFlop, Table

__all__ = ["FlipFlop", "Link", "PenChange", "Sheet", "SheetEntry", "Table"]
