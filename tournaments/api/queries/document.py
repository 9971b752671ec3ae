"""The event's document as everybody may read it."""

from ...documents.writing import Document, event_document
from ...models import Event
from ...models.enums import DrawStatus


def public_document(event: Event) -> Document:
    """Return the document without what only staff sees: drafts, penalties, objections."""
    document = event_document(event)
    document["penalties"] = []
    for stage in document["stages"]:
        stage["draws"] = [each for each in stage["draws"] if each["status"] != DrawStatus.DRAFT]
        for heat in stage["heats"]:
            heat.pop("objections", None)
    return document
