"""A bar of parts: what each game gave, one after the other."""

from ..reading.sums import Bar
from .chart import parts_bar
from .shapes import Picture


def sum_picture(bar: Bar) -> Picture:
    """Draw a player's bar, as long beside the longest as its points."""
    return parts_bar(bar.pieces, bar.most)
