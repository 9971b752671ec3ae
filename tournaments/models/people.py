"""Persons, and their registrations at events."""

import secrets
import uuid
from typing import Any
from unicodedata import normalize

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .alphabet import filed, split_name
from .enums import FreeReason, RegistrationStatus, Visibility
from .event import Day, Event
from .organiser import Organiser
from .querysets import RegistrationQuerySet
from .search import plain
from .validators import validate_visible

#: For each name of a person.
MAX_LETTERS = 120
#: In place of a name that has been erased.
NO_NAME = "–"


def new_nonce() -> str:
    """Return a random part that makes a link unique."""
    return secrets.token_hex(12)


class Person(models.Model):
    """A person known to an organiser; contacts belong to the registration at an event.

    Only :mod:`tournaments.core.names` decides which name other people see. Addresses and forms
    identify a person by ``public_id``.
    """

    organiser = models.ForeignKey(
        Organiser,
        models.PROTECT,
        related_name="persons",
        editable=False,
        verbose_name=_("organiser"),
    )
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    given_name = models.CharField(
        _("first name"), max_length=MAX_LETTERS, blank=True, validators=[validate_visible]
    )
    family_name = models.CharField(
        _("last name"), max_length=MAX_LETTERS, blank=True, validators=[validate_visible]
    )
    #: Both names; if only this is given, the two are guessed from it.
    legal_name = models.CharField(_("name"), max_length=MAX_LETTERS, validators=[validate_visible])
    display_name = models.CharField(
        _("nickname or short name"),
        max_length=60,
        blank=True,
        validators=[validate_visible],
        help_text=_("Shown instead of the name, where one is given."),
    )
    visibility = models.CharField(
        _("visible to others"),
        max_length=10,
        choices=Visibility.choices,
        default=Visibility.PUBLIC,
    )
    club = models.CharField(_("club"), max_length=80, blank=True, validators=[validate_visible])
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="merged", editable=False
    )
    #: What staff searches, and what everybody searches; made from the names on saving.
    search_text = models.CharField(max_length=300, editable=False, default="")
    public_text = models.CharField(max_length=130, editable=False, default="")
    #: Sort keys of staff lists and of public lists.
    filed_name = models.CharField(max_length=130, editable=False, default="")
    filed_public = models.CharField(max_length=130, editable=False, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    #: When the player asked for it, and when it was done.
    erase_asked_at = models.DateTimeField(null=True, blank=True, editable=False)
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True, editable=False)
    #: Salted digests of earlier names and of names of persons that were merged into this one, and
    #: once erased of all (``core.erased_names``).
    erased_names = models.JSONField(default=list, blank=True, editable=False)

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["legal_name", "pk"]
        constraints = [
            models.CheckConstraint(
                name="person_has_name", condition=~Q(legal_name=""), violation_error_code="blank"
            ),
            models.CheckConstraint(
                name="person_visibility", condition=Q(visibility__in=Visibility.values)
            ),
            models.CheckConstraint(
                name="person_nickname_given",
                condition=~Q(visibility=Visibility.NICKNAME) | ~Q(display_name=""),
                violation_error_message=_("Give the nickname that is to be shown."),
            ),
            models.CheckConstraint(
                name="person_erased_has_no_name",
                condition=Q(erased_at__isnull=True)
                | Q(visibility=Visibility.HIDDEN, legal_name=NO_NAME),
            ),
        ]
        indexes = [models.Index(fields=["legal_name"])]

    def __str__(self) -> str:
        """Return the name for staff; nothing public may use it."""
        return str(_("Name erased")) if self.is_erased else self.legal_name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Update the search and sort columns."""
        self._put_together()
        shown = self.display_name or self.legal_name
        hidden = self.visibility == Visibility.HIDDEN
        self.public_text = "" if hidden else plain(shown)[:130]
        self.filed_name = filed(self.given_name, self.family_name)[:130]
        self.filed_public = "" if hidden else self.display_name or self.filed_name
        self.search_text = plain(f"{self.legal_name} {self.display_name} {self.club}")[:300]
        super().save(*args, **kwargs)

    @property
    def is_erased(self) -> bool:
        """Whether the person's name is erased: known from the name, which every list reads."""
        return self.legal_name == NO_NAME

    def clean_fields(self, exclude: Any = None) -> None:
        """Reduce whitespace in names to single spaces, and write each letter as one sign."""
        for name in ("given_name", "family_name", "legal_name", "display_name", "club"):
            setattr(self, name, " ".join(normalize("NFC", getattr(self, name)).split()))
        self._put_together()
        super().clean_fields(exclude)

    def _put_together(self) -> None:
        """Make the whole name from its two parts, or guess them if only it is given."""
        if not (self.given_name or self.family_name):
            self.given_name, self.family_name = split_name(self.legal_name)
        self.legal_name = f"{self.given_name} {self.family_name}".strip()


class Registration(models.Model):
    """A person at an event.

    ``number`` is the player's number there and never changes; as text it is the reference by which
    scoring's tables, draws and records know the player.
    """

    event = models.ForeignKey(
        Event, models.PROTECT, related_name="registrations", verbose_name=_("event")
    )
    person = models.ForeignKey(
        Person, models.PROTECT, related_name="registrations", verbose_name=_("person")
    )
    number = models.PositiveIntegerField(_("number"))
    status = models.CharField(
        _("status"),
        max_length=12,
        choices=RegistrationStatus.choices,
        default=RegistrationStatus.REGISTERED,
    )
    fixed_table = models.PositiveSmallIntegerField(
        _("fixed table"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_(
            "The room's table at which this player always sits, for somebody who needs it."
        ),
    )
    #: The part of a day in which the player wants to play; empty for any.
    part = models.ForeignKey(
        Day,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="registrations",
        verbose_name=_("part"),
    )
    free_starts = models.PositiveSmallIntegerField(
        _("free starts"),
        default=0,
        validators=[MaxValueValidator(99)],
        help_text=_("That many of the player’s starts cost nothing and add nothing to the prizes."),
    )
    free_reason = models.CharField(
        _("why they are free"), max_length=10, blank=True, choices=FreeReason.choices
    )
    registered_at = models.DateTimeField(_("registered"), auto_now_add=True)
    #: The address that the public sign-up came from, as a keyed hash that is of this event alone;
    #: empty for who was registered by staff.
    signed_up_from = models.CharField(
        _("signed up from (hashed)"), max_length=64, blank=True, default="", editable=False
    )
    #: Part of the player's private link; a new one ends the old link.
    link_nonce = models.CharField(
        _("random part of the link"), max_length=32, default=new_nonce, editable=False
    )
    #: Hashed; lets the player confirm results on somebody else's device.
    pin = models.CharField(
        _("PIN (hashed)"), max_length=128, blank=True, default="", editable=False
    )
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    phone = models.CharField(_("telephone"), max_length=40, blank=True)
    note = models.TextField(_("note for the staff"), blank=True)
    #: Whether pictures of the player may be published; not known until the player has said so.
    pictures = models.BooleanField(_("pictures may be published"), null=True, blank=True)
    #: The registration to keep, if somebody was registered twice.
    merged_into = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="merged",
        editable=False,
        verbose_name=_("merged with"),
    )
    #: Stricter than the person's own; empty to follow it.
    visibility = models.CharField(
        _("visible at this event"),
        max_length=10,
        blank=True,
        choices=[
            ("", _("As at other events")),
            (Visibility.NICKNAME.value, Visibility.NICKNAME.label),
            (Visibility.HIDDEN.value, Visibility.HIDDEN.label),
        ],
        default="",
    )

    objects = RegistrationQuerySet.as_manager()

    class Meta:
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(name="registration_once_per_event", fields=["event", "person"]),
            models.UniqueConstraint(name="registration_number_once", fields=["event", "number"]),
            models.CheckConstraint(name="registration_number_from_1", condition=Q(number__gte=1)),
            models.CheckConstraint(
                name="registration_free_reason",
                condition=Q(free_reason__in=["", *FreeReason.values]),
            ),
            models.CheckConstraint(
                name="registration_free_starts", condition=Q(free_starts__range=(0, 99))
            ),
            models.CheckConstraint(
                name="registration_status", condition=Q(status__in=RegistrationStatus.values)
            ),
            models.CheckConstraint(
                name="registration_visibility",
                condition=Q(visibility__in=["", Visibility.NICKNAME, Visibility.HIDDEN]),
            ),
            models.CheckConstraint(
                name="registration_checked_in_has_time",
                condition=~Q(status=RegistrationStatus.CHECKED_IN) | Q(checked_in_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        """Return number and name, for staff."""
        return f"{self.number}. {self.person}"

    @property
    def shown_as(self) -> Visibility:
        """How the name is shown at this event."""
        person = self.person
        return Visibility.at_event(person.visibility, self.visibility, person.display_name)

    @property
    def player_id(self) -> str:
        """The player's reference outside this app: the number, which players know.

        Draws use it, so that anybody who knows the players' numbers can repeat them.
        """
        return str(self.number)


class Career(models.Model):
    """The player has agreed, on their own page, to a public page over all events."""

    person = models.OneToOneField(Person, models.CASCADE, primary_key=True, related_name="career")
    agreed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("page over all events")
        verbose_name_plural = _("pages over all events")

    def __str__(self) -> str:
        return str(self.person_id)


class PersonMerge(models.Model):
    """Two persons merged into one, with what was moved, so that it can be undone."""

    kept = models.ForeignKey(Person, models.PROTECT, related_name="+")
    merged = models.ForeignKey(Person, models.PROTECT, related_name="+")
    registrations = models.JSONField(default=list)
    #: For each event at which both were registered: what was carried over, and what was there
    #: before.
    carried = models.JSONField(default=list)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("merge of two people")
        verbose_name_plural = _("merges of people")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                name="merge_once", fields=["merged"], condition=Q(undone_at__isnull=True)
            ),
            models.CheckConstraint(name="merge_of_two", condition=~Q(kept=models.F("merged"))),
        ]

    def __str__(self) -> str:
        return f"{self.merged} → {self.kept}"


class KeepApart(models.Model):
    """Two players who must not share a table: family, club-mates, a quarrel."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="kept_apart")
    one = models.ForeignKey(Registration, models.CASCADE, related_name="+")
    other = models.ForeignKey(Registration, models.CASCADE, related_name="+")
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("players to keep apart")
        verbose_name_plural = _("players to keep apart")
        constraints = [
            models.UniqueConstraint(name="apart_once", fields=["one", "other"]),
            # The lower key comes first, so that no pair occurs twice.
            models.CheckConstraint(name="apart_in_order", condition=Q(one__lt=models.F("other"))),
        ]

    def __str__(self) -> str:
        return f"{self.one} / {self.other}"
