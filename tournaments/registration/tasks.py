"""Uploaded lists of players as jobs of the queue."""

from dataclasses import asdict
from typing import Any

from ..core.queue import Kind
from ..models import Job
from .queries.import_preview import SPREADSHEET
from .queries.player_list import rows_from_file


def read(job: Job) -> list[dict[str, Any]]:
    """Return the rows of the list; refused as :func:`rows_from_file` refuses."""
    return [asdict(row) for row in rows_from_file(job.file.name, bytes(job.file.content))]


#: Not again if reading it kills a worker.
KINDS = (Kind(SPREADSHEET, read, attempts=1),)
