from .announcement import Announcement
from .api import ApiToken
from .contacts import ContactsSeen
from .event import Day, Event, EventPicture, EventRole, EventVersion, Planned, Stage
from .heat import Draw, Heat, HeatEntry, HeatGame, HeatVersion
from .invitation import Invitation
from .job import Job, JobFile, JobTaken, Throttle
from .ledger import Anchor, Booking, LogEntry, TillCount
from .organiser import Organiser, OrganiserMember
from .penalty import Penalty
from .people import Career, KeepApart, Person, PersonMerge, Registration
from .push import PushSubscription
from .rating import GameRating, PlayerRating, RatingState
from .requests import Attempt, ProcessedForm
from .result import (
    GameHands,
    GameResult,
    HeatResult,
    Qualification,
    SharedPicture,
    SimulatedHands,
)
from .screen import Screen, ScreenContact, ScreenPicture
from .series import (
    EventPlace,
    EventSummary,
    OutsideResult,
    SamePlayer,
    Series,
    SeriesEvent,
    SeriesPicture,
    SeriesVersion,
)
from .stage import StagePlayer
from .warning_review import WarningReview
from .webhook import Webhook, WebhookMessage

__all__ = [
    "Anchor",
    "Announcement",
    "ApiToken",
    "Attempt",
    "Booking",
    "Career",
    "ContactsSeen",
    "Day",
    "Draw",
    "Event",
    "EventPicture",
    "EventPlace",
    "EventRole",
    "EventSummary",
    "EventVersion",
    "GameHands",
    "GameRating",
    "GameResult",
    "Heat",
    "HeatEntry",
    "HeatGame",
    "HeatResult",
    "HeatVersion",
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
    "PlayerRating",
    "ProcessedForm",
    "PushSubscription",
    "Qualification",
    "RatingState",
    "Registration",
    "SamePlayer",
    "Screen",
    "ScreenContact",
    "ScreenPicture",
    "Series",
    "SeriesEvent",
    "SeriesPicture",
    "SeriesVersion",
    "SharedPicture",
    "SimulatedHands",
    "Stage",
    "StagePlayer",
    "Throttle",
    "TillCount",
    "WarningReview",
    "Webhook",
    "WebhookMessage",
]
