from .announcement import Announcement
from .event import Day, Event, EventPicture, EventRole, EventVersion, Planned, Stage
from .heat import Draw, Heat, HeatEntry, HeatGame
from .invitation import Invitation
from .job import Job, JobFile, JobTaken, Throttle
from .ledger import Anchor, Booking, LogEntry, TillCount
from .organiser import Organiser, OrganiserMember
from .penalty import Penalty
from .people import KeepApart, Person, PersonMerge, Registration
from .push import PushSubscription
from .requests import Attempt, ProcessedForm
from .result import GameHands, GameResult, HeatResult, Qualification
from .screen import Screen, ScreenContact, ScreenPicture
from .series import (
    EventPlace,
    EventSummary,
    OutsideResult,
    SamePlayer,
    Series,
    SeriesEvent,
)
from .stage import StagePlayer
from .warning_review import WarningReview

__all__ = [
    "Anchor",
    "Announcement",
    "Attempt",
    "Booking",
    "Day",
    "Draw",
    "Event",
    "EventPicture",
    "EventPlace",
    "EventRole",
    "EventSummary",
    "EventVersion",
    "GameHands",
    "GameResult",
    "Heat",
    "HeatEntry",
    "HeatGame",
    "HeatResult",
    "Invitation",
    "Job",
    "JobFile",
    "JobTaken",
    "KeepApart",
    "LogEntry",
    "Organiser",
    "OrganiserMember",
    "OutsideResult",
    "Penalty",
    "Person",
    "PersonMerge",
    "Planned",
    "ProcessedForm",
    "PushSubscription",
    "Qualification",
    "Registration",
    "SamePlayer",
    "Screen",
    "ScreenContact",
    "ScreenPicture",
    "Series",
    "SeriesEvent",
    "Stage",
    "StagePlayer",
    "Throttle",
    "TillCount",
    "WarningReview",
]
