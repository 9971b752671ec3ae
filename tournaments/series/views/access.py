"""Who sees a series, and who runs it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ...core.access import Request, View
from ...core.answers import Back, action
from ...core.organisers import where_member, where_owner
from ...models import Series


def seen_series(request: Any, slug: str) -> Series:
    """Return a series that everybody sees, or one of an organiser of the reader's; else 404."""
    series = Series.objects.select_related("organiser").filter(slug=slug).first()
    if series is not None and not series.is_public:
        user = request.user
        own = user.is_authenticated and where_member(user).filter(pk=series.organiser_id).exists()
        series = series if own else None
    if series is None:
        raise Http404(_("There is no such series."))
    return series


def series_view(view: Callable[..., Any]) -> View:
    """Wrap a view of a series; it receives the series instead of its address."""

    @wraps(view)
    def wrapper(request: HttpRequest, series: str, **kwargs: Any) -> HttpResponseBase:
        answer: HttpResponseBase = view(request, seen_series(request, series), **kwargs)
        return answer

    return wrapper


def series_action(
    *, back: Back, methods: tuple[str, ...] = ("POST",), page: View | None = None
) -> Callable[[Callable[..., Any]], View]:
    """Wrap an action of the owner of a series' organiser; it receives the series.

    A series that the reader does not see is a 404, one of somebody else's a 403.
    """

    def decorate(view: Callable[..., Any]) -> View:
        answered = action(back=back, page=page)(view)

        @never_cache
        @require_http_methods(methods)
        @login_required
        @wraps(view)
        def wrapper(request: Request, series: str) -> HttpResponseBase:
            found = seen_series(request, series)
            if not where_owner(request.user).filter(pk=found.organiser_id).exists():
                raise PermissionDenied
            return answered(request, found)

        return wrapper

    return decorate
