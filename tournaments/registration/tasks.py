"""Uploaded lists of players as jobs of the queue."""

from typing import Any

from ..core.queue import Kind
from ..models import Job
from .queries.import_preview import SPREADSHEET
from .queries.sheets.read import read_file


def read(job: Job) -> dict[str, Any]:
    """Return the sheets of the file; refused as :func:`read_file` refuses."""
    return read_file(job.file.name, bytes(job.file.content)).as_json()


#: Not again if reading it kills a worker.
KINDS = (Kind(SPREADSHEET, read, attempts=1),)
