"""The enumerations that scoring stores."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class SheetStatus(models.TextChoices):
    """The stage of a game's sheet; only ``scoring.writing.status.transition`` changes it."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    VOID = "void", _("void")


class RowKind(models.TextChoices):
    """What a stored row does to the sheet when it is replayed."""

    ENTRY = "entry", _("line")
    VOID = "void", _("taken back")
    AMEND = "amend", _("corrected")
    INSERT = "insert", _("added")
    RESEAT = "reseat", _("new seats")
    FROM_PAPER = "paper", _("from paper")
    CHECKED = "checked", _("compared with the paper")


class Acceptance(models.TextChoices):
    """Who must accept a game before the table can sign off."""

    AUDITOR = "auditor", _("nobody but the Auditor")
    ONE = "one", _("one of the other players")
    MAJORITY = "majority", _("most of the other players")
    ALL = "all", _("all the other players")
    DIRECTOR = "director", _("the director, who signs the table off")


class AcceptedBy(models.TextChoices):
    """How a player accepted a game."""

    OWN_PAGE = "own", _("on their own page")
    PIN = "pin", _("with the PIN")
    LATE_PIN = "late_pin", _("with a PIN chosen after the first deal")
    AUDITOR = "auditor", _("as the Auditor")


class LinkRole(models.TextChoices):
    """What the holder of a table's link may do."""

    AUDITOR = "auditor", _("Auditor")
    READER = "reader", _("reader")
