"""On the player's own page: to be one player in a series that two organisers share."""

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ...core.access import Request
from ...core.answers import SHOWN, action, form_errors, number_in
from ...core.errors import Refused
from ...models import Registration, SamePlayer, Series
from ...registration.queries.erasing import whole_person
from ...registration.queries.player_links import registration_by_token, token_of
from ...registration.views.player_page import by_link
from ..commands.same import join_players, part_players
from ..forms import OwnLinkForm


def _path(registration: Registration) -> str:
    return reverse("tournaments:player_page_series", args=[token_of(registration)])


def _series_of(registration: Registration) -> QuerySet[Series]:
    """Return the series, seen by everybody, in which the player's event counts."""
    return Series.objects.filter(
        is_public=True, joined__event=registration.event_id, joined__agreed_at__isnull=False
    )


def _same(registration: Registration) -> QuerySet[SamePlayer]:
    own = whole_person(registration.person)
    return SamePlayer.objects.filter(Q(one__in=own) | Q(other__in=own)).select_related("series")


def _page(
    request: Request,
    registration: Registration,
    *,
    form: OwnLinkForm | None = None,
    status: int = 200,
) -> HttpResponse:
    series = _series_of(registration)
    context = {
        "event": registration.event,
        "token": token_of(registration),
        "series": series,
        "same": _same(registration),
        "form": form or OwnLinkForm(series=series),
    }
    return render(request, "tournaments/series/player_series.html", context, status=status)


@never_cache
@require_http_methods(SHOWN)
@by_link
@action(back=_path, page=_page)
def player_page_series(request: Request, registration: Registration) -> str:
    """Show the series in which the event counts; join an own page with another organiser."""
    form = OwnLinkForm(request.POST, series=_series_of(registration))
    with form_errors(form=form, field="link") as data:
        token = data["link"].rstrip("/").rpartition("/")[2]
        other = registration_by_token(token)
        if other is None:
            raise Refused("no_link", _("This is no address of an own page."))
        join_players(series=data["series"], own=registration, other=other)
    return _("You are now one player in %(series)s.") % {"series": data["series"]}


@require_POST
@by_link
@action(back=_path)
def player_page_apart(request: Request, registration: Registration) -> str:
    """Be two players in a series again."""
    same = get_object_or_404(_same(registration), pk=number_in(request, "row"))
    part_players(same=same, own=registration)
    return _("You are two players in %(series)s again.") % {"series": same.series}
