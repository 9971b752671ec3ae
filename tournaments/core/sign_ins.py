"""An account's sessions, which its owner can see and end."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from .access import Request
from .answers import SHOWN, reply

#: Part of the user agent, and the browser's name if different; order matters, as Edge also claims
#: to be Chrome and Safari.
_BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "", "FxiOS": "Firefox", "Chrome": "",
             "CriOS": "Chrome", "Safari": ""}  # fmt: skip
_SYSTEMS = {"Android": "", "iPhone": "", "iPad": "", "Windows": "", "Mac OS": "Mac", "Linux": ""}


@dataclass(frozen=True)
class SignIn:
    """One session of an account; ``key`` names it on the page, as its real key must stay secret."""

    key: str
    current: bool
    device: str
    address: str
    since: datetime | None
    session: Session


def sign_ins_of(user: User, *, current: str | None) -> list[SignIn]:
    """Return the account's sessions: the current one first, then the latest."""
    sessions = {session.session_key: session for session in _sessions(user)}
    known = {row.session_key: row for row in UserSession.objects.filter(user=user)}
    found = []
    for key, session in sessions.items():
        row = known.get(key)
        found.append(
            SignIn(
                key=salted_hmac("sign-in", key).hexdigest()[:20],
                current=key == current,
                device=_device(row.user_agent) if row else "",
                address=row.ip if row and row.ip != "0.0.0.0" else "",
                since=row.created_at if row else None,
                session=session,
            )
        )
    oldest = timezone.now().replace(year=1970)
    return sorted(found, key=lambda each: (each.current, each.since or oldest), reverse=True)


def _sessions(user: User) -> Iterator[Session]:
    """Yield the account's sessions, including those from before ``UserSession`` rows were kept."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            yield session


def _device(agent: str) -> str:
    """Return browser and system in words."""
    parts = [
        next((name or sign for sign, name in signs.items() if sign in agent), "")
        for signs in (_BROWSERS, _SYSTEMS)
    ]
    return " · ".join(part for part in parts if part) or agent[:60]


@never_cache
@login_required
@require_http_methods(SHOWN)
def sign_ins(request: Request) -> HttpResponse:
    """Show the account's sessions; end one, or all but the current one."""
    found = sign_ins_of(request.user, current=request.session.session_key)
    if request.method != "POST":
        return render(request, "account/sign_ins.html", {"sign_ins": found})
    asked = request.POST.get("end", "")
    ended = [each for each in found if not each.current and asked in {each.key, "others"}]
    keys = [each.session.session_key for each in ended]
    UserSession.objects.filter(session_key__in=keys).delete()
    Session.objects.filter(session_key__in=keys).delete()
    text = ngettext(
        "%(count)s device is signed out.", "%(count)s devices are signed out.", len(ended)
    )
    return reply(request, text % {"count": len(ended)}, reverse("usersessions_list"))
