"""A whole event played by bots through the domain functions that people's clicks use."""

from .festival import FORMATS, Rehearsal, rehearse

__all__ = ["FORMATS", "Rehearsal", "rehearse"]
