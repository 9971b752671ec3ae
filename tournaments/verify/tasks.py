"""Checks and signed lines as periodic tasks of the queue."""

from datetime import timedelta
from typing import Any

from ..core.queue import Kind
from ..models import Job
from . import anchors
from .checks import check_in_turn
from .queries import CHECK


def check(job: Job) -> list[dict[str, Any]]:
    """Check sheets and results; return what does not match."""
    return check_in_turn()


def anchor(job: Job) -> None:
    """Write the day's line, and have it sent to those who keep it."""
    made = anchors.make_anchor()
    if made is not None:
        anchors.mail(made)


KINDS = (
    Kind(CHECK, check, every=timedelta(minutes=5)),
    Kind("anchor", anchor, every=timedelta(days=1)),
)
