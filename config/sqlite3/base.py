"""Django's database backend for SQLite, which here writes each statement's placeholders once.

Django looks for them in the text of every statement that it sends, which takes as long as SQLite
takes for a small one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base


class Cursor(base.SQLiteCursorWrapper):
    """Keeps the texts that it has converted."""

    def convert_query(self, query: str, *, param_names: Any = None) -> str:
        if param_names is not None:
            return super().convert_query(query, param_names=param_names)
        return _converted(query)


@lru_cache(maxsize=500)
def _converted(query: str) -> str:
    text: str = base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")
    return text


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose cursors keep converted texts."""

    def create_cursor(self, name: Any = None) -> Any:
        return self.connection.cursor(factory=Cursor)
