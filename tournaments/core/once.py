"""Process a form once, even if a double click, back or reload sends it again.

The form contains ``{% client_id %}``, as a table's entries do.
"""

import base64
import hashlib
from collections.abc import Callable
from datetime import timedelta

from cryptography.fernet import Fernet, InvalidToken
from django.db import IntegrityError, transaction
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ..models import ProcessedForm
from .access import Request

FIELD = "once"
#: Forms are kept this long: an older page is unlikely to be sent again.
_KEPT = timedelta(days=1)


class DuplicateSubmission(Exception):
    """The form was processed before; ``location`` is where its response redirected."""

    def __init__(self, location: str) -> None:
        super().__init__(location)
        self.location = location


def once(request: Request, process: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Process a form in one transaction.

    Raises :class:`DuplicateSubmission` if that was done already.

    A refused form does not count as processed; the same page with different input is another form.
    """
    if not request.POST.get(FIELD):
        return process()
    digest = _digest(request)
    try:
        with transaction.atomic():
            # A second request with the same form waits here until the first is done.
            ProcessedForm.objects.filter(at__lt=timezone.now() - _KEPT).delete()
            row = ProcessedForm.objects.create(digest=digest)
            response = process()
            if response.status_code >= 400:
                transaction.set_rollback(True)
                return response
            row.location = _encrypted(response.headers.get("Location", ""))
            row.save(update_fields=["location"])
            return response
    except IntegrityError:
        known = ProcessedForm.objects.filter(digest=digest).first()
        if known is None:
            raise
    raise DuplicateSubmission(_decrypted(known.location))


def once_by(key: str, process: Callable[[], str]) -> str:
    """Do something once for each key, in one transaction; return what it returned the first time.

    What raised an exception was not done.
    """
    digest = hashlib.sha256(key.encode()).hexdigest()
    try:
        with transaction.atomic():
            # A second request with the same key waits here until the first is done.
            ProcessedForm.objects.filter(at__lt=timezone.now() - _KEPT).delete()
            row = ProcessedForm.objects.create(digest=digest)
            answer = process()
            row.location = _encrypted(answer)
            row.save(update_fields=["location"])
            return answer
    except IntegrityError:
        known = ProcessedForm.objects.filter(digest=digest).first()
        if known is None:
            raise
    return _decrypted(known.location)


def _encrypted(location: str) -> str:
    """Return the address encrypted: that of a table or of a player is a private link."""
    return _fernet().encrypt(location.encode()).decode()


def _decrypted(location: str) -> str:
    """Return the address; empty if it was encrypted with another secret key."""
    try:
        return _fernet().decrypt(location).decode()
    except InvalidToken:
        # Rows of the version before hold it as it is.
        return location if location.startswith("/") else ""


def _fernet() -> Fernet:
    key = salted_hmac("tournaments.once", "location", algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))


def _digest(request: Request) -> str:
    fields = sorted((name, request.POST.getlist(name)) for name in request.POST)
    sent = [each for each in fields if each[0] != "csrfmiddlewaretoken"]
    return hashlib.sha256(repr([request.user.pk, request.path, sent]).encode()).hexdigest()
