"""A whole event played by bots, with the same commands that the pages use."""

from .festival import FORMATS, Rehearsal, rehearse

__all__ = ["FORMATS", "Rehearsal", "rehearse"]
