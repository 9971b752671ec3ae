"""The chicago-event document: a whole event as JSON, written and read."""

from .reading import BadDocument, import_event
from .writing import FORMAT, VERSION, event_document

__all__ = ["FORMAT", "VERSION", "BadDocument", "event_document", "import_event"]
