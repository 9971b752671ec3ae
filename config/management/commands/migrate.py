"""``manage.py migrate``: Django's, but not for a database that another version has made."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from ...preparing import check_origin


class Command(migrate.Command):
    """Check where the database is from, and migrate."""

    def handle(self, *args: Any, **options: Any) -> None:
        check_origin(MigrationRecorder(connection).applied_migrations())
        super().handle(*args, **options)
