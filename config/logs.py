"""Log lines that can be shown to anybody: private links are cut out of them."""

import logging
import re

#: What follows is the secret part of somebody's link.
_SECRET = re.compile(r"(/(?:s|p|invitation)/|[?&]topic=)[^/?&#\s\"'<>]+")


class RedactingFormatter(logging.Formatter):
    """Writes ``/s/…/`` where a table's, a player's or an invitation's link stands."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with its traceback, without the secrets."""
        return _SECRET.sub(r"\1…", super().format(record))
