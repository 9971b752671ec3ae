"""Have a worker read uploaded lists, as a small file can cost more than a request may."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from ...core.log import By
from ...core.permissions import EDIT_PERSON, needs
from ...core.queue import File, ask
from ...models import Event, Job
from ..queries.import_preview import SPREADSHEET

#: As long as a preview is valid.
_KEPT = timedelta(hours=6)
#: Nobody waits longer for a list to be read.
_PATIENCE = timedelta(minutes=2)


@transaction.atomic
@needs(EDIT_PERSON)
def send_in(*, event: Event, name: str, content: bytes, by: By) -> Job:
    """Store a file for a worker to read, and delete old ones."""
    forget_old()
    return ask(
        SPREADSHEET,
        file=File(name[:300], content),
        event=event,
        made_by=by,
        expires_at=timezone.now() + _PATIENCE,
    )


@transaction.atomic
def forget_old() -> None:
    """Delete the lists whose previews are no longer valid: they hold names and contacts."""
    old = timezone.now() - _KEPT
    Job.objects.filter(kind=SPREADSHEET, made_at__lt=old).delete()
