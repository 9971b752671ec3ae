from .chore import Chore
from .event import Day, Event, EventPicture, EventRole, EventVersion, Planned, Stage
from .heat import Draw, Heat, HeatEntry, HeatGame
from .invitation import Invitation
from .job import Job, JobFile, JobTaken
from .ledger import Anchor, Booking, LogEntry, TillCount
from .mail import Mail
from .organiser import Organiser, OrganiserMember
from .penalty import Penalty
from .people import KeepApart, Person, PersonMerge, Registration
from .requests import Attempt, ProcessedForm
from .result import GameHands, GameResult, HeatResult, Qualification
from .spreadsheet import Spreadsheet
from .stage import StagePlayer
from .warning_review import WarningReview

__all__ = [
    "Anchor",
    "Attempt",
    "Booking",
    "Chore",
    "Day",
    "Draw",
    "Event",
    "EventPicture",
    "EventRole",
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
    "Mail",
    "Organiser",
    "OrganiserMember",
    "Penalty",
    "Person",
    "PersonMerge",
    "Planned",
    "ProcessedForm",
    "Qualification",
    "Registration",
    "Spreadsheet",
    "Stage",
    "StagePlayer",
    "TillCount",
    "WarningReview",
]
