"""``manage.py migrate``: Django's, but not for a database that another version has made."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from ...preparing import check_origin


class Command(migrate.Command):
    """Check where the database is from, and migrate."""

    def handle(self, *args: Any, **options: Any) -> None:
        check_origin(MigrationLoader(connection))
        super().handle(*args, **options)
