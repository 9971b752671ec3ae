"""What players' devices are told, and with which key."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from py_vapid import Vapid02

from ...models import Announcement, Event, Heat, HeatResult, PushSubscription, Registration
from ...models.enums import Audience, EntryStatus, HeatStatus, PushKind
from .announcements import in_force, players_in, text_in

#: How long a message is worth anything, and how urgent it is (RFC 8030).
LIFE = {
    PushKind.DRAWN: timedelta(minutes=20),
    PushKind.BEGINS: timedelta(minutes=10),
    PushKind.RESULT: timedelta(hours=2),
    PushKind.SOON: timedelta(minutes=10),
    PushKind.ANNOUNCED: timedelta(hours=1),
}
TRIAL_LIFE = timedelta(minutes=5)
URGENCY = {PushKind.DRAWN: "high", PushKind.BEGINS: "high", PushKind.SOON: "high"}
#: Push services take payloads up to 4,096 bytes after encryption.
MAX_PAYLOAD = 3900
TRIAL = "trial"
#: The order of the curve P-256.
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@dataclass(frozen=True)
class Message:
    """A notification: what it says, and a word by which a newer one replaces it."""

    title: str
    body: str
    topic: str

    @property
    def payload(self) -> str:
        """The message as the page's service worker reads it."""
        return json.dumps({"title": self.title, "body": self.body, "tag": self.topic})

    @property
    def short_topic(self) -> str:
        """The topic as push services take it: at most 32 letters."""
        digest = hashlib.sha256(self.topic.encode()).digest()
        return base64.urlsafe_b64encode(digest[:18]).decode()


def is_on() -> bool:
    """Return whether devices can be told anything at all."""
    return bool(settings.PUSH_CONTACT)


def push_key() -> Vapid02:
    """Return the program's own key (RFC 8292), made from its secret key."""
    digest = salted_hmac("tournaments.push", "key", algorithm="sha512").digest()
    number = int.from_bytes(digest, "big") % (_ORDER - 1) + 1
    return Vapid02(private_key=ec.derive_private_key(number, ec.SECP256R1()))


def public_key() -> str:
    """Return the public key as browsers want it."""
    point = push_key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


@dataclass(frozen=True)
class OwnPush:
    """What a player's own page says of being told."""

    is_on: bool
    key: str
    kinds: list[tuple[str, Any]]
    wanted: list[str]
    devices: int
    failed_at: datetime | None


def push_of(registration: Registration) -> OwnPush:
    """Return what a player's own page says of being told (one query)."""
    rows = list(registration.push_subscriptions.order_by("pk"))
    failed = [row.failed_at for row in rows if row.failed_at]
    return OwnPush(
        is_on=is_on(),
        key=public_key() if is_on() else "",
        kinds=PushKind.choices,
        wanted=rows[-1].kinds if rows else list(PushKind.values),
        devices=len(rows),
        failed_at=max(failed, default=None),
    )


def subscriptions_for(event: Event, what: Mapping[str, Any]) -> QuerySet[PushSubscription]:
    """Return the devices that a job concerns, as its parameters name it."""
    rows = PushSubscription.objects.filter(registration__event=event)
    if "only" in what:
        rows = rows.filter(pk__in=what["only"])
    kind = what["kind"]
    if kind == TRIAL:
        return rows.select_related("registration__person")
    seated = {"registration__entries__status": EntryStatus.SEATED}
    if kind == PushKind.DRAWN:
        rows = rows.filter(registration__entries__heat__draw=what["draw"], **seated)
    elif kind == PushKind.BEGINS:
        rows = rows.filter(registration__entries__heat__number__in=what["heats"], **seated)
    elif kind == PushKind.RESULT:
        rows = rows.filter(registration__entries__heat__number=what["heat"])
    elif kind == PushKind.SOON:
        rows = rows.filter(registration__entries__status=EntryStatus.WAITING)
    else:
        made = in_force(event).filter(pk=what["announcement"]).first()
        if made is None:
            return rows.none()
        meant = players_in(event, Audience(made.audience), made.table)
        rows = rows.filter(registration__in=meant.values("pk"))
    found = rows.select_related("registration__person").distinct()
    wanted = [row.pk for row in found if kind in row.kinds]
    return PushSubscription.objects.filter(pk__in=wanted).select_related("registration__person")


def message_for(event: Event, what: Mapping[str, Any], player: Registration) -> Message | None:
    """Return what a player is told now, in the active language; None if it no longer holds.

    It names nobody, and only the player's own seat.
    """
    kind = what["kind"]
    if kind == TRIAL:
        return Message(event.name, _("This is how your phone tells you."), "trial")
    if kind == PushKind.SOON:
        return Message(event.name, _("The next draw is soon. Stay near."), "soon")
    if kind == PushKind.ANNOUNCED:
        made = Announcement.objects.filter(pk=what["announcement"]).first()
        if made is None:
            return None
        return Message(event.name, text_in(made), f"announcement {made.pk}")
    if kind == PushKind.RESULT:
        return _result(event, what, player)
    entry = player.entries.open().select_related("heat").first()
    heat = entry.heat if entry is not None else None
    if heat is None or heat.status != HeatStatus.OPEN:
        return None
    if kind == PushKind.BEGINS and heat.number not in what["heats"]:
        return None
    # The start may have been put off since.
    soon = timezone.now() + LIFE[PushKind.BEGINS]
    if kind == PushKind.BEGINS and heat.starts_at is not None and heat.starts_at > soon:
        return None
    heat.event = event
    return Message(_seat(heat), _when(heat, kind), "seat")


def _seat(heat: Heat) -> str:
    if not heat.table_number:
        return str(heat)
    return _("Table %(table)s · %(heat)s") % {"table": heat.table_number, "heat": heat}


def _when(heat: Heat, kind: str) -> str:
    if kind == PushKind.BEGINS:
        return _("Your heat begins.")
    if heat.starts_at is not None:
        time = time_format(localtime(heat.starts_at), "H:i")
        return _("Your table is drawn. It begins at %(time)s.") % {"time": time}
    return _("Your table is drawn.")


def _result(event: Event, what: Mapping[str, Any], player: Registration) -> Message | None:
    row = HeatResult.objects.filter(
        heat__event=event,
        heat__number=what["heat"],
        heat__status=HeatStatus.FINISHED,
        entry__registration=player,
    ).select_related("heat")
    result = row.first()
    if result is None:
        return None
    said = _("You are through.") if result.advances else _("You are not through this time.")
    if event.ends_with_heats or result.heat.nobody_goes_on:
        said = _("Place %(place)s") % {"place": result.place}
    return Message(str(result.heat), said, f"result {what['heat']}")
