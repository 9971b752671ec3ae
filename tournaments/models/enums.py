"""All statuses and kinds of this app, as text choices.

A status is changed only by its function in :mod:`tournaments.core.transitions`.
"""

from functools import cache
from typing import Any

from django.db.models import TextChoices
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.reasons import WORDS
from scoring.words import penalty_name, ruling_name, status_name, value_name


class Visibility(TextChoices):
    """How much of a person's name other people may see."""

    PUBLIC = "public", _("Name shown")
    NICKNAME = "nickname", _("Only the nickname shown")
    HIDDEN = "hidden", _("No name shown, only a number")

    @classmethod
    @cache  # A ranking asks for hundreds.
    def strictest(cls, *values: str) -> "Visibility":
        """Return the one that shows least; empty values do not count."""
        return next(each for each in reversed(cls) if each in values)

    @classmethod
    def at_event(cls, person: str, registration: str, nickname: str) -> "Visibility":
        """Return how a name is shown: the stricter of the person's and the event's choice.

        A player without a nickname who wants only that shown is hidden.
        """
        shown = cls.strictest(person, registration)
        return cls.HIDDEN if shown == cls.NICKNAME and not nickname else shown


class ApiScope(TextChoices):
    """What a program may do with a token of an event."""

    READ = "read", _("Read what the staff reads")
    DESK = "desk", _("Also register, withdraw, check in and book payments")


class ContactsWhere(TextChoices):
    """Where staff sees the contacts of players."""

    PLAYER = "player", _("The player’s page at the desk")
    LIST = "list", _("The list of players as a file")
    MAILS = "mails", _("The list of mails")
    IMPORT = "import", _("A list compared with the players")
    OWN = "own", _("The player’s own data as a file")


class WebhookKind(TextChoices):
    """What other programs are told of."""

    DRAWN = "draw_published", _("Draw published")
    HEAT_CLOSED = "heat_closed", _("Heat closed")
    CORRECTED = "corrected", _("Sheet corrected")
    ROUND_DRAWN = "round_drawn", _("Round drawn")
    ENDED = "event_ended", _("Event ended")


class EventStatus(TextChoices):
    """Only staff see a draft; an open event is being played; a finished one is read-only."""

    DRAFT = "draft", pgettext_lazy("event", "Draft")
    OPEN = "open", pgettext_lazy("event", "Open")
    FINISHED = "finished", pgettext_lazy("event", "Finished")


class PaperSize(TextChoices):
    """The sheets of an event's prints (``scoring.paper.paper.SHEETS``)."""

    A4 = "a4", _("A4")
    LETTER = "letter", _("US Letter")


class OutPoints(TextChoices):
    """What players who went out of a game get for it (rulebook §4)."""

    LAST_PLACE = "last_place", capfirst(value_name("out_points", "last_place"))
    ZERO = "zero", capfirst(value_name("out_points", "zero"))


class Role(TextChoices):
    """The role of an account at one event."""

    OWNER = "owner", _("Owner")
    DIRECTOR = "director", _("Director")
    JUDGE = "judge", _("Judge")
    FLOOR = "floor", _("Floor staff")
    CASHIER = "cashier", _("Cashier")

    @property
    def rights(self) -> frozenset[str]:
        """The role's rights."""
        return frozenset(RIGHTS[self].split())

    @property
    def may(self) -> str:
        """What the role may do, in words."""
        return str(_MAY[self])


#: The rights of each role; ``core.permissions`` names and registers them.
RIGHTS: dict[Role, str] = {
    Role.OWNER: """
        view_desk register_players edit_persons run_floor judge direct view_log set_up_event
        manage_roles book_money
    """,
    Role.DIRECTOR: """
        view_desk register_players edit_persons run_floor judge direct view_log set_up_event
    """,
    Role.JUDGE: "view_desk register_players run_floor judge",
    Role.FLOOR: "view_desk register_players run_floor",
    Role.CASHIER: "view_desk register_players edit_persons book_money",
}
_MAY: dict[Role, Any] = {
    Role.OWNER: _("everything, also roles and money."),
    Role.DIRECTOR: _("everything but roles and money."),
    Role.JUDGE: _(
        "what floor staff may do, and decides at the tables: clocks, time, penalties and rulings, "
        "but no disqualification; voids no heat and ends no event."
    ),
    Role.FLOOR: _(
        "the desk and the floor: registers, checks in, sees to Auditors and links, calls, unusual "
        "lines, and who is away or missing."
    ),
    Role.CASHIER: _("registers, imports, edits people, takes and pays out money."),
}


def role_choices() -> list[tuple[str, Any]]:
    """Return the roles to choose from; a function, so that a new role needs no migration."""
    return Role.choices


class ScreenPart(TextChoices):
    """What a screen of the hall shows, one at a time."""

    SEATS = "seats", _("Seats by name")
    TABLES = "tables", _("All tables")
    CLOCK = "clock", _("The clock and what comes next")
    WAITING = "waiting", _("Who waits for a heat")
    STANDINGS = "standings", _("Standings")
    QUALIFIED = "qualified", _("Who is through")
    BRACKET = "bracket", _("The bracket")
    FINAL = "final", _("The final's table")
    CHAMPION = "champion", _("The champion")
    SERIES = "series", _("The standing of the series")
    NOTICES = "notices", _("Announcements")
    SPONSORS = "sponsors", _("Pictures of sponsors")
    SIGN_UP = "sign_up", _("The way to this event")
    BLACK = "black", pgettext_lazy("screen", "Black")


class TakesOver(TextChoices):
    """What interrupts a screen's programme for a while."""

    CALL = "call", _("an announcement to all")
    DRAW = "draw", _("a draw, with the seats by name")
    FINAL = "final", _("the final, and then the champion")


class Audience(TextChoices):
    """To whom an announcement goes."""

    ALL = "all", _("all")
    TABLE = "table", _("a table")
    PLAYING = "playing", _("those who play")
    WAITING = "waiting", _("those who wait")
    THROUGH = "through", _("those who are through")


class PushKind(TextChoices):
    """What a player's device can be told."""

    DRAWN = "drawn", _("my table is drawn")
    BEGINS = "begins", _("my heat begins")
    RESULT = "result", _("I am through, or out")
    SOON = "soon", _("the next draw is soon")
    ANNOUNCED = "announced", _("announcements")


class StageKind(TextChoices):
    """The kinds of stages."""

    QUALIFYING = "qualifying", _("Qualifying")
    PLAYOFF = "playoff", _("Play-off")
    FINAL = "final", _("Final")


class SessionKind(TextChoices):
    """What the timetable says is played on a day."""

    HEATS = "heats", _("Qualifying heats")
    PLAYOFFS = "playoffs", _("Play-offs")
    QUARTER_FINALS = "quarter", _("Quarter-finals")
    SEMI_FINALS = "semi", _("Semi-finals")
    FINAL = "final", _("Final")


class Grouping(TextChoices):
    """How players are distributed over the tables of a play-off round."""

    DRAW = "draw", _("Drawn, as few repeated opponents as possible")
    SNAKE = "snake", _("In snake order of the ranking")


class NoShowRule(TextChoices):
    """Who replaces a qualified player who does not show up (rulebook §6, organiser's decision)."""

    NEXT_OF_HEAT = "next_of_heat", _("The next player of the same heat")
    LUCKY_LOSER = "lucky_loser", _("The best of all who did not advance")
    NOBODY = "nobody", _("Nobody")


class StagePlayerSource(TextChoices):
    """How a player got into a play-off round."""

    QUALIFIED = "qualified", _("Qualified in a heat")
    ADVANCED = "advanced", _("Advanced from the round before")
    LUCKY_LOSER = "lucky_loser", _("Lucky loser")
    REPLACEMENT = "replacement", _("In place of a no-show")


class TimeRule(TextChoices):
    """What is still played when a heat's time is up; games not yet begun are not."""

    FINISH_DEAL = "deal", _("The running deal is finished, then places are by score")
    FINISH_GAME = "game", _("The running game is finished")


class DrawStatus(TextChoices):
    """A draft draw can be changed; a published one has made its heats."""

    DRAFT = "draft", pgettext_lazy("draw", "Draft")
    PUBLISHED = "published", pgettext_lazy("draw", "Published")
    DISCARDED = "discarded", pgettext_lazy("draw", "Thrown away")
    TAKEN_BACK = "taken_back", pgettext_lazy("draw", "Taken back")


class StageStatus(TextChoices):
    """Heats are drawn only in an open stage."""

    PLANNED = "planned", pgettext_lazy("stage", "Planned")
    OPEN = "open", pgettext_lazy("stage", "Open")
    FINISHED = "finished", pgettext_lazy("stage", "Finished")


class RegistrationStatus(TextChoices):
    """A player's status at an event."""

    WAIT_LISTED = "wait_listed", _("On the waiting list")
    REGISTERED = "registered", _("Registered")
    CHECKED_IN = "checked_in", _("Checked in")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    DISQUALIFIED = "disqualified", ruling_name("disqualify")


#: Players who are out of the event.
GONE = (RegistrationStatus.WITHDRAWN, RegistrationStatus.DISQUALIFIED)


class EntryStatus(TextChoices):
    """The status of a paid entry, from the queue to the end of its heat."""

    WAITING = "waiting", pgettext_lazy("entry", "Waiting")
    SEATED = "seated", pgettext_lazy("entry", "Playing")
    DONE = "done", pgettext_lazy("entry", "Played")
    WITHDRAWN = "withdrawn", pgettext_lazy("entry", "Taken back")
    VOID = "void", pgettext_lazy("entry", "Void")


#: With an entry in one of these, a player cannot enter again.
OPEN_ENTRY_STATUSES = (EntryStatus.WAITING, EntryStatus.SEATED)
#: These count as entries: they are numbered and count towards the limit.
COUNTED_ENTRY_STATUSES = (*OPEN_ENTRY_STATUSES, EntryStatus.DONE)


class HeatStatus(TextChoices):
    """An open heat is being played; tables not yet seated are a draft *draw*."""

    OPEN = "open", pgettext_lazy("heat", "Playing")
    FINISHED = "finished", pgettext_lazy("heat", "Finished")
    VOID = "void", pgettext_lazy("heat", "Void")


class SeatStatus(TextChoices):
    IN = "in", _("In")
    OUT = "out", capfirst(status_name("out"))
    DISQUALIFIED = "disqualified", ruling_name("disqualify")


class PenaltyLevel(TextChoices):
    """Penalties from light to severe (rulebook §3)."""

    WARNING = "warning", penalty_name("warning")
    POINTS = "points", penalty_name("points")
    MISS_DEAL = "miss_deal", ruling_name("sit_out_deal")
    MISS_NEXT_DEAL = "miss_next", ruling_name("sit_out_next_deal")
    MISS_GAME = "miss_game", ruling_name("sit_out_game")
    GAME_POINTS = "game_points", penalty_name("game_points")
    DISQUALIFIED = "disqualified", format_lazy("{}, {}", ruling_name("disqualify"), _("no refund"))


class Offence(TextChoices):
    """What the player did; the director may add a text."""

    SLOW = "slow", WORDS["offence.slow"]
    LANGUAGE = "language", WORDS["offence.language"]
    SHOWED_CARDS = "showed_cards", WORDS["offence.showed_cards"]
    WRONG_EXCHANGE = "wrong_exchange", WORDS["offence.wrong_exchange"]
    FALSE_CLAIM = "false_claim", WORDS["offence.false_claim"]
    WRONG_SCORE = "wrong_score", WORDS["offence.wrong_score"]
    ABSENT = "absent", WORDS["offence.absent"]
    CHEATING = "cheating", WORDS["offence.cheating"]
    COLLUSION = "collusion", WORDS["offence.collusion"]
    OTHER = "other", WORDS["offence.other"]


class JobStatus(TextChoices):
    """The status of a job of the queue."""

    WAITING = "waiting", pgettext_lazy("job", "Waiting")
    RUNNING = "running", pgettext_lazy("job", "Being made")
    DONE = "done", pgettext_lazy("job", "Done")
    FAILED = "failed", pgettext_lazy("job", "Failed")
    CANCELLED = "cancelled", pgettext_lazy("job", "Cancelled")


class BookingKind(TextChoices):
    """What a booking is for."""

    BUY_IN = "buy_in", _("Buy-in")
    FEE = "fee", _("Fee")
    REFUND = "refund", _("Refund")
    PAYOUT = "payout", _("Payout")
    RETURNED = "returned", _("Prize paid back")
    ADVANCE = "advance", _("Paid in advance")
    VOID = "void", _("Taken back")


class FreeReason(TextChoices):
    """Why a player's starts cost nothing."""

    GUEST = "guest", _("Guest")
    CHAMPION = "champion", _("Last year’s champion")
    STAFF = "staff", _("Staff")
    OTHER = "other", pgettext_lazy("free starts", "Something else")


class PaymentMethod(TextChoices):
    """The way of payment."""

    CASH = "cash", pgettext_lazy("paid by", "Cash")
    SWISH = "swish", _("Swish")
    CARD = "card", _("Card")
    INVOICE = "invoice", _("Invoice")


class MailKind(TextChoices):
    """The subject of a mail to a player; the label is also its subject line."""

    SIGNED_UP = "signed_up", _("You are signed up")
    WAIT_LISTED = "wait_listed", _("You are on the waiting list")
    PROMOTED = "promoted", _("You have a place")
    TIMES = "times", _("Day and time")
    RESULT = "result", _("Your result")
    WITHDRAWN = "withdrawn", _("You are no longer signed up")
    LINK = "link", _("Your link")
    #: Written by the desk, with a subject of its own.
    LETTER = "letter", _("A letter from the desk")


#: Mails that a director sends to all players.
MAILS_TO_ALL = (MailKind.TIMES, MailKind.RESULT)


class SizeBy(TextChoices):
    """What makes an event of a series larger."""

    NONE = "none", _("of no importance")
    PLAYERS = "players", _("the number of its players")
    ENTRIES = "entries", _("the number of its entries into heats")


class SeriesTie(TextChoices):
    """A step by which players with as many points in a series are told apart."""

    BEST = "best", _("the best result, then the second best and so on")
    WINS = "wins", _("events won")
    LATEST = "latest", _("the result at the latest event, then at the one before")
    HEATS = "heats", _("heats won")
    CHICAGOS = "chicagos", _("the number of Chicagos won")


class LogAction(TextChoices):
    """The actions in the log."""

    EVENT_CREATED = "event_created", _("Event created")
    EVENT_CHANGED = "event_changed", _("Event changed")
    EVENT_STATUS = "event_status", _("Event's status changed")
    TIMETABLE = "timetable", _("Timetable changed")
    ROLE_SET = "role_set", _("Role given")
    ROLE_REMOVED = "role_removed", _("Role removed")
    ORGANISER_CREATED = "organiser_created", _("Organiser added")
    ORGANISER_CHANGED = "organiser_changed", _("Organiser changed")
    MEMBER_SET = "member_set", _("Given the right to create events")
    MEMBER_REMOVED = "member_removed", _("May no longer create events")
    STAGE_STATUS = "stage_status", _("Stage's status changed")
    PERSON_CREATED = "person_created", _("Person added")
    PERSON_CHANGED = "person_changed", _("Person changed")
    CONTACT_CHANGED = "contact_changed", _("Contact, note or visibility changed")
    REGISTERED = "registered", _("Player registered")
    CHECKED_IN = "checked_in", _("Checked in")
    CHECK_IN_UNDONE = "check_in_undone", _("Check-in taken back")
    WITHDRAWN = "withdrawn", _("Registration withdrawn")
    REINSTATED = "reinstated", _("Registration reinstated")
    ENTERED = "entered", _("Entered for a heat")
    LEFT_QUEUE = "left_queue", _("Left the queue")
    DRAWN = "drawn", _("Heats drawn")
    DRAFTED = "drafted", _("Draft of a draw made")
    DRAFT_CHANGED = "draft_changed", _("Draft of a draw changed")
    DRAW_TAKEN_BACK = "draw_taken_back", _("Draw taken back")
    DRAFT_DISCARDED = "draft_discarded", _("Draft of a draw thrown away")
    KEPT_APART = "kept_apart", _("Changed who is kept apart")
    FIXED_TABLE = "fixed_table", _("Fixed table changed")
    ROUND_PREPARED = "round_prepared", _("Play-off round prepared")
    ROUND_DISCARDED = "round_discarded", _("Play-off round taken back")
    NO_SHOW = "no_show", _("Marked as a no-show in a play-off round")
    SHOWED_UP = "showed_up", _("Came to a play-off round after all")
    LUCKY_LOSER = "lucky_loser", _("Lucky loser taken in")
    REPLACED = "replaced", _("No-show replaced")
    TABLE_SET = "table_set", _("Table number changed")
    AUDITOR_SET = "auditor_set", _("Auditor named")
    LINK_MADE = "link_made", _("Scoring link made")
    CODES_LET_IN = "codes_let_in", _("Phones let in with the table’s code")
    CODE_USED = "code_used", _("Scoring taken over with the table’s code")
    SCORE_TAKEN = "score_taken", _("Scoring taken over with a player’s own link")
    LINK_REVOKED = "link_revoked", _("Scoring link revoked")
    PLAYER_LINK = "player_link", _("Player's link renewed")
    PIN_CHOSEN = "pin_chosen", _("PIN chosen")
    OBJECTION_ANSWERED = "objection_answered", _("Objection answered")
    CALL_ANSWERED = "call_answered", _("Call answered")
    RULING = "ruling", _("Ruling")
    PENALTY = "penalty", _("Penalty")
    PENALTY_TAKEN_BACK = "penalty_taken_back", _("Penalty taken back")
    HEAT_TIMES = "heat_times", _("Times of heats changed")
    EXTRA_TIME = "extra_time", _("Extra time")
    CLOCK_STARTED = "clock_started", _("Clock started")
    CLOCK_PAUSED = "clock_paused", _("Clock stopped for a break")
    CLOCK_WENT_ON = "clock_went_on", _("Clock resumed after a break")
    TIME_UP = "time_up", _("Ended because time was up")
    RESEATED = "reseated", _("Players put on other seats")
    SWAPPED = "swapped", _("Players swapped between tables")
    PLAYERS_CHANGED = "players_changed", _("Players of a heat changed")
    PLAYER_MISSING = "player_missing", _("Player away, missing or back")
    REVIEWED = "reviewed", _("Results reviewed")
    WARNING_SEEN = "warning_seen", _("Warning reviewed")
    PERSONS_MERGED = "persons_merged", _("People merged")
    MERGE_UNDONE = "merge_undone", _("Merge undone")
    SERIES_CREATED = "series_created", _("Series created")
    SERIES_CHANGED = "series_changed", _("Series changed")
    SERIES_ASKED = "series_asked", _("Event to be part of a series")
    SERIES_JOINED = "series_joined", _("Event part of a series")
    SERIES_LEFT = "series_left", _("Event no longer part of a series")
    OUTSIDE_RESULTS = "outside_results", _("Results from elsewhere added")
    SAME_PLAYER = "same_player", _("Player of two organisers counted as one in a series")
    SAME_PLAYER_ENDED = "same_player_ended", _("Player of two organisers counted as two again")
    ERASE_ASKED = "erase_asked", _("Asked to be erased")
    ERASE_NOT_ASKED = "erase_not_asked", _("No longer asks to be erased")
    ERASED = "erased", _("Name, contacts and notes erased")
    CONTACTS_FORGOTTEN = "contacts_gone", _("Contacts deleted, as their time was over")
    CAREER_SHOWN = "career_shown", _("Page over all events agreed to")
    CAREER_ENDED = "career_ended", _("Page over all events ended")
    SIGNED_UP = "signed_up", _("Signed up")
    WAIT_LISTED = "wait_listed", _("Put on the waiting list")
    MOVED_UP = "moved_up", _("Moved up from the waiting list")
    IMPORTED = "imported", _("Registrations imported")
    INVITED = "invited", _("Invitation created")
    INVITATION_USED = "invitation_used", _("Invitation used")
    INVITATION_REVOKED = "invitation_revoked", _("Invitation revoked")
    FLIP_FLOP = "flip_flop", _("Flip Flop recorded")
    HEAT_CLOSED = "heat_closed", _("Heat closed")
    HEAT_VOIDED = "heat_voided", _("Heat voided")
    QUALIFIED = "qualified", _("Qualified")
    QUALIFICATION_REVOKED = "qualification_revoked", _("Qualification taken back")
    CORRECTED = "corrected", _("Sheet corrected")
    PAPER_ENTERED = "paper_entered", _("Entered from paper")
    PAPER_COMPARED = "paper_compared", _("Compared with the paper")
    RESULTS_REPAIRED = "results_repaired", _("Results recomputed from the sheets")
    BOOKED = "booked", _("Money booked")
    BOOKING_VOIDED = "booking_voided", _("Booking taken back")
    PART_CHOSEN = "part_chosen", _("Part chosen")
    PART_BEGUN = "part_begun", _("Check-in of a part begun")
    FREE_STARTS = "free_starts", _("Free starts changed")
    MAIL_ASKED = "mail_asked", _("Mail to all players")
    MAIL_AGAIN = "mail_again", _("Failed mail sent again")
    MAIL_SET = "mail_set", _("Mail turned on or off")
    PRINT_CANCELLED = "print_cancelled", _("Print cancelled")
    SCREEN_SET = "screen_set", _("Screen set up")
    SCREEN_SHOWS = "screen_shows", _("Screen steered")
    SCREEN_ENDED = "screen_ended", _("Screen ended")
    ANNOUNCED = "announced", _("Announced")
    ANNOUNCEMENT_BACK = "announcement_back", _("Announcement taken back")
    TILL_COUNTED = "till_counted", _("Till counted")
    TOKEN_MADE = "token_made", _("Token for a program made")
    TOKEN_ENDED = "token_ended", _("Token for a program ended")
    WEBHOOK_MADE = "webhook_made", _("Address to be told of what happens added")
    WEBHOOK_ENDED = "webhook_ended", _("Address no longer told of what happens")


class Shares(TextChoices):
    """Of what there are pictures to share."""

    EVENT = "event", "event"
    HEAT = "heat", "heat"
    PLAYER = "player", "player"
    CHAMPION = "champion", "champion"
