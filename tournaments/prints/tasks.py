"""Long jobs for the worker: each takes ids only and calls one domain function."""

from celery import shared_task

from .commands import do_job


@shared_task
def task_do_job(job_id: int) -> None:
    """Do one job of the ``Job`` table."""
    do_job(job_id=job_id)
