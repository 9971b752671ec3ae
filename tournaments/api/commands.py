"""Make and end tokens for other programs."""

import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.errors import Refused
from ..core.locks import lock_event
from ..core.log import record
from ..core.permissions import CHANGE_EVENT, needs
from ..models import ApiToken, Event
from ..models.enums import ApiScope, LogAction

#: Begins every token, so that it is known wherever it is found.
PREFIX = "chicago_"
#: Tokens of one event that are in use at a time.
MAX_TOKENS = 20


@needs(CHANGE_EVENT)
@transaction.atomic
def make_token(*, event: Event, name: str, scope: ApiScope | str, by: User) -> tuple[ApiToken, str]:
    """Make a token and return it with its text, which is stored nowhere.

    Refused with ``too_many_tokens`` while twenty are in use.
    """
    event = lock_event(event)
    if event.api_tokens.filter(ended_at=None).count() >= MAX_TOKENS:
        raise Refused(
            "too_many_tokens",
            _("This event has %(count)s tokens in use. End one that is not needed."),
            count=MAX_TOKENS,
        )
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken(
        event=event,
        name=" ".join(name.split()),
        scope=scope,
        digest=ApiToken.digest_of(text),
        made_by=by,
    )
    token.full_clean(exclude=["event", "made_by"])
    token.save()
    record(LogAction.TOKEN_MADE, token, by, after={"scope": token.scope})
    return token, text


@needs(CHANGE_EVENT)
@transaction.atomic
def end_token(*, token: ApiToken, by: User) -> ApiToken:
    """End a token; one that has ended stays as it is."""
    lock_event(token.event)
    token = ApiToken.objects.select_for_update().get(pk=token.pk)
    if token.ended_at is None:
        token.ended_at = timezone.now()
        token.save(update_fields=["ended_at"])
        record(LogAction.TOKEN_ENDED, token, by, before={"scope": token.scope})
    return token
