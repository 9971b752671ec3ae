"""Start a table from the home page, and list those started in this browser."""

import uuid
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import resolve, reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.rules.presets import PRESETS
from engine.rules.variants import parse_rules
from scoring.errors import ScoringError
from scoring.models import Table
from scoring.reading.links import find_link
from scoring.reading.recover import seating_of
from scoring.web.access import MARK, problem_answer
from scoring.web.document import blank_document
from scoring.web.forms import check_origin
from scoring.web.shell import manifest_answer, shell_answer, worker_answer

from ..core.access import Request
from ..core.answers import REFUSALS, put_errors, sentence
from ..core.errors import Refused
from ..core.limits import client_address, count, counted, too_often
from ..core.once import DuplicateSubmission, once
from ..core.page_cache import release
from ..events.forms.rules import read_rules
from .commands import sample_table, start_table
from .forms import CasualForm

#: A signed cookie with the scoring links of tables started in this browser, newest first.
COOKIE = "casual_tables"
_MAX_KEPT = 5
_DAYS = 30
#: How often one address may ask for the pages to begin with, within how many seconds: each takes
#: the database's write lock. A device asks for six a day, and a hall may share one address.
MAX_BLANK, BLANK_WITHIN = 1200, 600
#: How many tables one address may start within how many seconds; a whole hall behind one router
#: tries the practice table.
MAX_STARTED, WITHIN = 200, 3600
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
    learners = {"players": _LEARNERS, "rules": "festival", "games": 1}
    return _start(request, CasualForm(), **learners, seated=True, practice=True)


@never_cache
@require_POST
def blank(request: Request, rules: str) -> HttpResponse:
    """Return what a device needs to begin a game by these rules without network.

    By the number of players: a table's document, parts and rules, with ``names`` instead of the
    players' (static/scoring/casual.js). Raises ``Http404`` for rules that there are not.
    """
    reading = read_rules(rules)
    if reading.problem:
        raise Http404
    address = client_address(request)
    if counted("casual_blank", address, most=MAX_BLANK, seconds=BLANK_WITHIN) is None:
        return HttpResponse(status=429)
    begun = {}
    for number in range(2, parse_rules(rules).players_max + 1):
        names = [f"@{seat}@" for seat in range(number)]
        with sample_table(players=names, rules=rules) as token:
            begun[str(number)] = {"names": names, **blank_document(request, token)}
    return JsonResponse(begun, headers={"ETag": _blank_mark()})


def _blank_mark() -> str:
    """Return the mark of what a game is begun with: devices fetch it once a day.

    Making it takes the database's write lock, which entries need more.
    """
    return f'W/"{get_language()} {timezone.localdate()} {release()[:12]}"'


@require_safe
def shell(request: Request) -> HttpResponse:
    """Return the scoring page's shell, which shows the games begun on this device."""
    return shell_answer()


@csrf_exempt
@never_cache
@require_POST
def begin(request: Request) -> HttpResponse:
    """Start the table of a game that was begun without network; the device sends its entries then.

    Where it cannot be started just now the device is told why (503), and tries again. The scoring
    page has no token: what another site's page sends is refused.
    """
    try:
        check_origin(request)
    except ScoringError as error:
        return problem_answer(request, error)
    form = CasualForm(request.POST)
    if not form.is_valid():
        problems = [
            {"code": error.code, "message": " ".join(error.messages)}
            for errors in form.errors.as_data().values()
            for error in errors
        ]
        return JsonResponse({"mark": MARK, "problems": problems}, status=422)
    data = form.cleaned_data
    what = {name: data[name] for name in ("players", "rules", "games")}
    try:
        response = _started(request, **what, seated=True)
    except REFUSALS as error:
        return JsonResponse({"text": sentence(error)}, status=503)
    path = response["Location"]
    sheets = find_link(token=resolve(path).kwargs["token"]).table.sheets.order_by("number")
    seatings = [seating_of(sheet) for sheet in sheets]
    answer = JsonResponse({"mark": MARK, "path": path, "seatings": seatings})
    answer.cookies = response.cookies
    return answer


@require_safe
def begun(request: Request, begun: uuid.UUID) -> HttpResponse:
    """Lead to the start page, which lists the games begun on this device.

    Below this address the device itself shows a game that it has begun (static/scoring/worker.js).
    """
    return HttpResponseRedirect(reverse("tournaments:casual"), status=303)


@require_safe
def worker(request: Request) -> HttpResponse:
    """Return the service worker with which the start page opens again without network."""
    return worker_answer()


@require_safe
def manifest(request: Request) -> HttpResponse:
    """Return the manifest for installing the start page as an app; games open inside it."""
    return manifest_answer("Chicago", page=reverse("tournaments:casual"), scope="/")


def _started(request: Request, **what: Any) -> HttpResponseBase:
    """Start a table, once; redirect to it and remember it in this browser.

    Refused with ``too_many_tables``.
    """
    address = client_address(request)

    def process() -> HttpResponse:
        if too_often("casual_table", address, most=MAX_STARTED, seconds=WITHIN):
            raise Refused("too_many_tables", _("Many tables have been started here. Wait an hour."))
        token = start_table(**what)
        count("casual_table", address)
        response = HttpResponseRedirect(reverse("scoring:table_detail", args=[token]), status=303)
        response.set_signed_cookie(
            COOKIE,
            ".".join([token, *_tokens(request)][:_MAX_KEPT]),
            max_age=_DAYS * 24 * 3600,
            httponly=True,
            secure=request.is_secure(),
            samesite="Lax",
        )
        return response

    try:
        return once(request, process)
    except DuplicateSubmission as before:
        # No address, as after a change of the secret key: nobody has opened that table.
        return HttpResponseRedirect(before.location, status=303) if before.location else process()


def _start(request: Request, form: CasualForm, **what: Any) -> HttpResponseBase:
    try:
        return _started(request, **what)
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


def _listed(request: Request) -> list[tuple[str, Table]]:
    """Return the tables started in this browser, with their scoring paths."""
    found = []
    for token in _tokens(request):
        try:
            found.append(
                (reverse("scoring:table_detail", args=[token]), find_link(token=token).table)
            )
        except ScoringError:
            continue  # deleted since, or its link was revoked
    return found


def _page(request: Request, form: CasualForm, *, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "started": _listed(request),
        "offline": " ".join(PRESETS),
        "blank_mark": _blank_mark(),
        "title": _("Kitchen table"),
    }
    response = render(request, "tournaments/casual.html", context, status=status)
    # By this the service worker knows the page from a portal's.
    response.headers[MARK] = "1"
    return response
