"""The addresses of all pages."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import include, path, re_path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from tournaments.core.sign_ins import SignInsView
from tournaments.events.views.first_run import first_run_create

from .guides import guides
from .health import healthz, readyz
from .metrics import metrics

handler500 = "config.failures.server_error"


def _nothing(request: HttpRequest) -> HttpResponse:
    raise Http404


urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    re_path(r"^docs/(?P<path>.*)$", guides, name="guides"),
    # It only sets the language, so it needs no token, and pages for everybody need none.
    path("i18n/setlang/", csrf_exempt(set_language), name="set_language"),
    path("first-run/", first_run_create, name="first_run"),
    # Replaces allauth's view, which ends all sessions or none.
    path("accounts/sessions/", SignInsView.as_view(), name="usersessions_list"),
    # Nobody signs in by mail, and no form sends mail to any address that somebody types.
    re_path(r"^accounts/(?:email|confirm-email|password/reset|login/code)/", _nothing),
    path("accounts/", include("allauth.urls")),
    path("s/", include("scoring.web.urls")),
    path("api/v1/", include("tournaments.api.endpoints")),
    path("", include("tournaments.urls")),
]

if settings.ADMIN:
    # The admin uses the same sign-in as everything else, with two-factor and rate limits. The way
    # of django-allauth's documentation; mypy minds the replaced method.
    admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
    urlpatterns.insert(0, path("admin/", admin.site.urls))
