"""The prints' task for the worker; it takes an id only and calls one command."""

from celery import shared_task

from .commands import do_job


@shared_task
def task_do_job(job_id: int) -> None:
    """Do one job of the ``Job`` table."""
    do_job(job_id=job_id)
