"""An account's sessions, which its owner can see and end: django-allauth's list, and one by one."""

from typing import Any

from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django import forms
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from .answers import reply

#: Part of the user agent, and the browser's name if different; order matters, as Edge also claims
#: to be Chrome and Safari.
_BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "", "FxiOS": "Firefox", "Chrome": "",
             "CriOS": "Chrome", "Safari": ""}  # fmt: skip
_SYSTEMS = {"Android": "", "iPhone": "", "iPad": "", "Windows": "", "Mac OS": "Mac", "Linux": ""}


def sign_in(request: HttpRequest, user: User) -> None:
    """Open a session for an account that was just made, and list it among its sessions.

    django-allauth lists what its own form opens, not what Django's ``login`` does.
    """
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    UserSession.objects.create_from_request(request)


@method_decorator(never_cache, name="dispatch")
class SignInsView(ListUserSessionsView):
    """Show the account's sessions; end one, or all but the current one."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add each session's device in words, the current session first, then the latest."""
        found: dict[str, Any] = super().get_context_data(**kwargs)
        sessions: list[UserSession] = found["sessions"]
        sessions.sort(key=lambda each: (each.is_current(), each.created_at), reverse=True)
        return {**found, "sign_ins": [(each, _device(each.user_agent)) for each in sessions]}

    def form_valid(self, form: forms.Form) -> HttpResponse:
        asked = self.request.POST.get("end", "")
        theirs = UserSession.objects.purge_and_list(self.request.user)
        others = [each for each in theirs if not each.is_current()]
        ended = [each for each in others if asked in {str(each.pk), "others"}]
        for session in ended:
            session.end()
        text = ngettext(
            "%(count)s device is signed out.", "%(count)s devices are signed out.", len(ended)
        )
        return reply(self.request, text % {"count": len(ended)}, str(self.success_url))


def _device(agent: str) -> str:
    """Return browser and system in words."""
    parts = [
        next((name or sign for sign, name in signs.items() if sign in agent), "")
        for signs in (_BROWSERS, _SYSTEMS)
    ]
    return " · ".join(part for part in parts if part) or agent[:60]
