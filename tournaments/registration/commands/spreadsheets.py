"""Have the worker read uploaded lists, as a small file can cost more than a request may."""

import json
import logging
from dataclasses import asdict
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from ...core.errors import Refused
from ...core.log import By
from ...models import Event, Spreadsheet
from ..queries.player_list import rows_from_file

logger = logging.getLogger(__name__)

#: As long as a preview is valid.
_KEPT = timedelta(hours=6)
#: The worker's task, by name, because its module imports this one.
TASK = "tournaments.registration.tasks.task_read_spreadsheet"


@transaction.atomic
def send_in(*, event: Event, name: str, content: bytes, by: By) -> Spreadsheet:
    """Store a file for the worker to read, and delete old ones."""
    forget_old()
    sheet = Spreadsheet.objects.create(event=event, name=name[:300], content=content, sent_by=by)
    transaction.on_commit(lambda: _nudge(sheet.pk))
    return sheet


@transaction.atomic
def forget_old() -> None:
    """Delete the files whose previews are no longer valid."""
    Spreadsheet.objects.filter(sent_at__lt=timezone.now() - _KEPT).delete()


def _nudge(key: int) -> None:
    try:
        import_string(settings.JOBS).send_task(TASK, [key])
    except Exception:
        logger.exception("spreadsheet %s could not be queued", key)
        Spreadsheet.objects.filter(pk=key).update(content=b"", problem_code="no_queue")


def read(*, spreadsheet_id: int) -> None:
    """Read the rows, once; a second worker leaves them alone."""
    with transaction.atomic():
        sheet = Spreadsheet.objects.select_for_update().filter(pk=spreadsheet_id).first()
        if sheet is None or sheet.is_read or not sheet.content:
            return
        content, sheet.content = bytes(sheet.content), b""
        # Emptied first: if reading kills the worker, it is not tried again.
        sheet.save(update_fields=["content"])
    try:
        sheet.rows = [asdict(row) for row in rows_from_file(sheet.name, content)]
    except Refused as error:
        sheet.problem_code, sheet.problem = error.code, json.dumps(error.params)
    sheet.save(update_fields=["rows", "problem_code", "problem"])
