"""An event's picture."""

from django.core.files.base import File
from django.db import transaction

from ...core.locks import lock_event
from ...core.log import By, record
from ...core.permissions import CHANGE_EVENT, needs
from ...core.pictures import drawn_anew
from ...models import Event, EventPicture
from ...models.enums import LogAction


@needs(CHANGE_EVENT)
def set_picture(*, event: Event, file: File, by: By) -> EventPicture:
    """Set or replace the event's picture; the same one again changes nothing.

    It is drawn anew before anybody has to wait.
    """
    content, (width, height), digest = drawn_anew(file)
    with transaction.atomic():
        event = lock_event(event)
        if same := EventPicture.objects.filter(event=event, digest=digest).first():
            return same
        picture, _made = EventPicture.objects.update_or_create(
            event=event,
            defaults={"content": content, "width": width, "height": height, "digest": digest},
        )
        record(LogAction.EVENT_CHANGED, event, by, after={"picture": digest})
    return picture


@transaction.atomic
@needs(CHANGE_EVENT)
def remove_picture(*, event: Event, by: By) -> None:
    """Remove the event's picture."""
    event = lock_event(event)
    if EventPicture.objects.filter(event=event).delete()[0]:
        record(LogAction.EVENT_CHANGED, event, by, after={"picture": None})
