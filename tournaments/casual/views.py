"""Start a table from the home page, and list those started in this browser."""

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.errors import ScoringError
from scoring.models import Table
from scoring.web.device import manifest_answer, worker_answer
from scoring.writing import find_link

from ..core.access import Request
from ..core.answers import REFUSALS, put_errors
from ..core.limits import client_address
from ..core.once import TakenBefore, once
from .commands import path_of_table, start_table
from .forms import CasualForm

#: A signed cookie with the scoring links of tables started in this browser, newest first.
COOKIE = "casual_tables"
_MOST_KEPT = 5
_DAYS = 30
_LEARNERS = ("Anna", "Bo", "Cia", "Dag")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def casual(request: Request) -> HttpResponseBase:
    """Ask for players and rules, and start a table; list those started on this device."""
    form = CasualForm(request.POST or None)
    if request.method != "POST":
        return _page(request, form)
    if not form.is_valid():
        return _page(request, form, status=422)
    data = form.cleaned_data
    return _start(request, form, players=data["players"], rules=data["rules"], games=data["games"])


@require_POST
def practice(request: Request) -> HttpResponseBase:
    """Start a practice table, which leads through a deal."""
    return _start(
        request, CasualForm(), players=_LEARNERS, rules="festival", games=1, practice=True
    )


@require_safe
def worker(request: Request) -> HttpResponse:
    """Return the service worker with which the start page opens again without network."""
    return worker_answer()


@require_safe
def manifest(request: Request) -> HttpResponse:
    """Return the manifest for installing the start page as an app; games open inside it."""
    return manifest_answer("Chicago", page=reverse("tournaments:casual"), scope="/")


def _start(request: Request, form: CasualForm, **what: Any) -> HttpResponseBase:
    def take() -> HttpResponse:
        token = start_table(address=client_address(request), **what)
        response = HttpResponseRedirect(path_of_table(token), status=303)
        response.set_signed_cookie(
            COOKIE,
            ".".join([token, *_tokens(request)][:_MOST_KEPT]),
            max_age=_DAYS * 24 * 3600,
            httponly=True,
            secure=request.is_secure(),
            samesite="Lax",
        )
        return response

    try:
        return once(request, take)
    except TakenBefore as before:
        return HttpResponseRedirect(before.location, status=303)
    except REFUSALS as error:
        if not form.is_bound:
            form = CasualForm({})
            form.is_valid()
            form.errors.clear()
        put_errors(form, error)
        return _page(request, form, status=409)


def _tokens(request: Request) -> list[str]:
    kept = request.get_signed_cookie(COOKIE, "", max_age=_DAYS * 24 * 3600)
    return [token for token in (kept or "").split(".") if token]


def _started(request: Request) -> list[tuple[str, Table]]:
    """Return the tables started in this browser, with their scoring paths."""
    found = []
    for token in _tokens(request):
        try:
            found.append((path_of_table(token), find_link(token=token).table))
        except ScoringError:
            continue  # deleted since, or its link was revoked
    return found


def _page(request: Request, form: CasualForm, *, status: int = 200) -> HttpResponse:
    context = {"form": form, "started": _started(request), "title": _("Kitchen table")}
    return render(request, "tournaments/casual/casual.html", context, status=status)
