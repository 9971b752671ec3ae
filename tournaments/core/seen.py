"""What a button showed: an old one, on a page that has slept, does nothing and says so.

The form contains ``{% seen … %}`` with the state that the button names; its view compares that with
the state now.
"""

import hashlib

from django.utils.translation import gettext_lazy as _

from .access import Request
from .errors import Refused

FIELD = "seen"


def seen_mark(*shown: object) -> str:
    """Return a short mark of what a page shows."""
    return hashlib.sha256("\n".join(map(str, shown)).encode()).hexdigest()[:12]


def check_seen(request: Request, *now: object) -> None:
    """Refuse with ``changed_since`` if the form's page showed something else than is now."""
    sent = request.POST.get(FIELD)
    if sent is not None and sent != seen_mark(*now):
        raise changed_since()


def changed_since() -> Refused:
    """Return the refusal of a button that showed something else than is now."""
    text = _("This has changed since you looked. See what it is now, and decide.")
    return Refused("changed_since", text)
