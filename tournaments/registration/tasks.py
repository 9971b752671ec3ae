"""Registration's tasks for the worker; each takes ids only and calls one command."""

from celery import shared_task

from .commands import spreadsheets


@shared_task
def task_read_spreadsheet(spreadsheet_id: int) -> None:
    """Read one file of the ``Spreadsheet`` table."""
    spreadsheets.read(spreadsheet_id=spreadsheet_id)
