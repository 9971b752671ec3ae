"""What a stream's overlays show, from the same parts as the screens."""

from ...models import Event
from ...models.enums import ScreenPart
from .pages import Part
from .parts import part_of

#: Overlays by the word in their address, and the part that each is made of.
OVERLAYS = {
    "tiles": ScreenPart.FINAL,
    "lower": ScreenPart.FINAL,
    "bracket": ScreenPart.BRACKET,
}


def overlay_of(event: Event, kind: str) -> Part:
    """Return what an overlay is made of."""
    return part_of(event, OVERLAYS[kind], beside=False)
