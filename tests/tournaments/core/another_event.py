"""Another organiser's event with an object of every kind, and which model's rows are an event's."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

from django.apps import apps
from django.core import serializers

from scoring.models import Sheet
from scoring.writing import object_to_deal
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    make_event,
    make_heats,
    make_maker,
    make_person,
    make_players,
    write,
)
from tests.tournaments.registration.lists import rows_from_text
from tournaments.api.commands import make_token
from tournaments.cash.commands import book
from tournaments.core.mail import MAIL
from tournaments.draws.commands.drafts import draft_heats
from tournaments.draws.commands.seating_constraints import keep_apart
from tournaments.events.commands.invitations import invite
from tournaments.models import (
    Day,
    Event,
    Job,
    KeepApart,
    Organiser,
    Penalty,
    Screen,
    ScreenPicture,
    WebhookMessage,
)
from tournaments.models.enums import Audience, BookingKind, EventStatus, MailKind, Role
from tournaments.notices.commands.announcements import announce
from tournaments.prints.commands import PRINT
from tournaments.registration.commands.merges import merge_persons
from tournaments.registration.commands.people import register_person
from tournaments.registration.queries.import_preview import SPREADSHEET, plan_rows, signed_preview
from tournaments.series.commands.series import add_event, create_series
from tournaments.webhooks.commands import add_webhook

DAYS = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
SECRETS = ("Hemlig", "hemlig@example.org", "secret note", "list.xlsx")
#: The path from each model to its event; what belongs to no event is an organiser's.
OF_EVENT = {
    "Announcement": "event",
    "ApiToken": "event",
    "Webhook": "event",
    "WebhookMessage": "hook__event",
    "HeatVersion": "heat__event",
    "PushSubscription": "registration__event",
    "Screen": "event",
    "ScreenContact": "screen__event",
    "ContactsSeen": "event",
    "ScreenPicture": "event",
    "EventPlace": "event",
    "EventSummary": "event",
    "Event": "pk",
    "Day": "event",
    "EventRole": "event",
    "EventVersion": "event",
    "Stage": "event",
    "Registration": "event",
    "KeepApart": "event",
    "Heat": "event",
    "HeatEntry": "stage__event",
    "Draw": "event",
    "Booking": "event",
    "TillCount": "event",
    "EventPicture": "event",
    "LogEntry": "event",
    "Penalty": "event",
    "Invitation": "event",
    "Job": "event",
    "JobFile": "job__event",
    "Qualification": "event",
    "HeatResult": "heat__event",
    "HeatGame": "heat__event",
    "GameHands": "game__heat__event",
    "GameResult": "game__heat__event",
    "SharedPicture": "event",
    "StagePlayer": "stage__event",
    "WarningReview": "event",
}
OF_ORGANISER = {
    "Organiser": "pk",
    "OrganiserMember": "organiser",
    "Person": "organiser",
    "Series": "organiser",
    "SeriesEvent": "series__organiser",
    "SeriesPicture": "series__organiser",
    "SeriesVersion": "series__organiser",
    "OutsideResult": "of__series__organiser",
    "SamePlayer": "series__organiser",
    "Career": "person__organiser",
    "GameRating": "organiser",
    "PlayerRating": "organiser",
    "RatingState": "organiser",
}
#: Shared by all events, or belonging to objects that are counted above.
OF_NOBODY = {"Anchor", "Attempt", "ProcessedForm", "SimulatedHands", "Throttle"}


class Other:
    """An event of another organiser, with objects of every kind, and how they are named."""

    def __init__(self, slug: str, organiser: Organiser, *, draft: bool = False) -> None:
        self.owner = make_maker(organiser=organiser, is_owner=True)
        self.helper = make_maker(organiser=organiser)
        event = make_event(self.owner, slug=slug, name="Other", organiser=organiser)
        # More than the own event has, so that each number exists at this event only.
        heats = make_heats(event, 12).heats
        sheet = Sheet.objects.get(table=heats[0].table, number=1)
        write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"})
        make_players(event, 8)
        draw = draft_heats(event=event, by=None)
        one, other = event.registrations.filter(number__in=(13, 14)).order_by("number")
        keep_apart(event=event, one=one, other=other, by=None)
        secret = register_person(
            event=event,
            by=None,
            legal_name="Hemlig Hansson",
            visibility="hidden",
            email="hemlig@example.org",
            note="secret note",
        )
        merge = merge_persons(
            kept=secret.person,
            merged=make_person("Hemlig Hanson", organiser),
            event=event,
            by=None,
        )
        kind = BookingKind.FEE
        booking = book(event=event, kind=kind, amount=100, registration=secret, by=None)
        penalty = Penalty.objects.create(
            event=event,
            registration=secret,
            level="warning",
            offence="slow",
            client_id=uuid.uuid4(),
        )
        job = Job.objects.create(kind=PRINT, what="empty", event=event)
        mail = Job.objects.create(
            kind=MAIL,
            what=MailKind.RESULT,
            event=event,
            registration=secret,
            parameters={"address": "hemlig@example.org"},
        )
        screens = [
            Screen.objects.create(
                event=event, number=number, name="Hemlig", digest=f"{slug} {number}"
            )
            for number in (1, 2)
        ]
        picture = ScreenPicture.objects.create(
            event=event, name="Hemlig", content=b"", width=1, height=1, digest="x"
        )
        announcement = announce(
            event=event, texts={"sv": "Hemlig"}, audience=Audience.TABLE, table=99, by=None
        )
        listed = Job.objects.create(kind=SPREADSHEET, event=event, status="done", result=None)
        objection = object_to_deal(
            table_id=heats[0].table_id or 0,
            game=1,
            deal=1,
            player_id=sheet.seats[0],
            text="",
            client_id=uuid.uuid4(),
            by="test",
        )
        client_of(event, Role.FLOOR)
        hook = add_webhook(event=event, address="https://a.example", site="", by=self.owner)
        message = WebhookMessage.objects.create(hook=hook, kind="event_ended")
        token, _text = make_token(event=event, name="Hemlig", scope="desk", by=self.owner)
        series = create_series(organiser=organiser, name="Hemlig", by=None, **DAYS)
        row = add_event(series=series, event=event, by=None)
        self.event, self.organiser = event, organiser
        #: Values in addresses.
        self.kwargs: dict[str, Any] = {
            "number": secret.number,
            "game": 1,
            "entry": 1,
            "deal": 1,
            "row": 1,
            "fmt": "csv",
            "language": "sv",
            "part": "tables",
            "kind": "tiles",
            "pk": penalty.pk,
            "organiser": organiser.slug,
            "series": series.slug,
            "person": secret.person.public_id,
        }
        #: Values in addresses for one kind of object.
        self.numbers = {"heat": heats[-1].number, "draw": draw.number}
        self.numbers |= {"prints": job.pk, "import": listed.pk, "screens": screens[-1].number}
        part = Day.objects.create(event=event, name="1A", starts_at=event.created_at)
        #: Values in forms.
        preview = signed_preview(event, plan_rows(event, rows_from_text("Ny Nilsson")))
        self.fields: dict[str, Any] = {
            "part": part.pk,
            "number": secret.number,
            "player": str(secret.number),
            "out": str(secret.number),
            "into": str(secret.number),
            "one": one.number,
            "other": str(other.number),
            "pair": KeepApart.objects.get(event=event).pk,
            "booking": booking.pk,
            "token": token.pk,
            "hook": hook.pk,
            "message": message.pk,
            "job": job.pk,
            "mail": mail.pk,
            "announcement": announcement.pk,
            "instead": screens[-1].pk,
            "screen": screens[-1].number,
            "picture": picture.pk,
            "like": slug,
            "organiser": organiser.slug,
            "auditor": str(secret.number),
            "signed": preview,
            "merge": merge.pk,
            "row": row.pk,
            "objection": objection.pk,
            "person": str(secret.person.public_id),
            "game": 1,
            "entry": 1,
            "username": self.helper.username,
        }
        self.invitations = {
            "staff_invite_revoke": invite(to=event, role=Role.FLOOR, by=None).pk,
            "member_invite_revoke": invite(to=organiser, role=None, by=None).pk,
        }
        if draft:
            Event.objects.filter(pk=event.pk).update(status=EventStatus.DRAFT)

    def rows(self) -> str:
        """Return every row that belongs to this event or its organiser."""
        found: list[Any] = []
        for ways, thing in ((OF_EVENT, self.event.pk), (OF_ORGANISER, self.organiser.pk)):
            for model, way in ways.items():
                rows = apps.get_model("tournaments", model)._base_manager
                found += rows.filter(**{way: thing}).order_by("pk")
        found += apps.get_model("tournaments", "PersonMerge").objects.order_by("pk")
        tables = self.event.heats.values("table")
        ways = {
            "Table": "pk",
            "Sheet": "table",
            "SheetEntry": "sheet__table",
            "Link": "table",
            "Objection": "sheet__table",
            "ObjectionAnswer": "objection__sheet__table",
            "GameAcceptance": "sheet__table",
        }
        for model, way in ways.items():
            rows = apps.get_model("scoring", model)._base_manager
            found += rows.filter(**{f"{way}__in": tables}).order_by("pk")
        return serializers.serialize("json", found)
