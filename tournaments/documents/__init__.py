"""The chicago-event document: a whole event as JSON, written and read."""

from .document import FORMAT, VERSION, event_document
from .reading import BadDocument, import_event

__all__ = ["FORMAT", "VERSION", "BadDocument", "event_document", "import_event"]
