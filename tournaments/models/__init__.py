"""The tournament's tables."""

from .event import Event, EventRole, Stage
from .heat import Draw, Heat, HeatEntry, HeatGame
from .invitation import Invitation
from .job import Job
from .ledger import Booking, LogEntry
from .look import LookedAt
from .penalty import Penalty
from .people import KeepApart, Person, PersonMerge, Registration
from .result import GameResult, HeatResult, Qualification
from .stage import StagePlayer

__all__ = [
    "Booking",
    "Draw",
    "Event",
    "EventRole",
    "GameResult",
    "Heat",
    "HeatEntry",
    "HeatGame",
    "HeatResult",
    "Invitation",
    "Job",
    "KeepApart",
    "LogEntry",
    "LookedAt",
    "Penalty",
    "Person",
    "PersonMerge",
    "Qualification",
    "Registration",
    "Stage",
    "StagePlayer",
]
