"""The picture that programs show beside a link."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from ...core.access import Request, public_view
from ...models import Event, EventVersion, HeatVersion
from ...models.enums import Shares, Visibility


@require_safe
@public_view
def shared_picture(
    request: Request, event: Event, kind: str, number: int, language: str
) -> HttpResponse:
    """Return a picture to share, or the program's own one while the worker has none as of now."""
    row = event.shared_pictures.filter(kind=kind, number=number, language=language).first()
    if kind == Shares.HEAT:
        now = HeatVersion.objects.filter(heat__event=event, heat__number=number)
        version = now.values_list("number", flat=True).first() or 0
    else:
        version = EventVersion.objects.values_list("directed", flat=True).get(event=event)
    # An event's own picture has no names.
    if row is None or (row.version != version and kind != Shares.EVENT):
        if not _is_seen(event, kind, number):
            raise Http404
        return redirect(static("site/share.png"))
    response = HttpResponse(bytes(row.content), content_type="image/png")
    response["Cache-Control"] = "no-cache"
    etag = response["ETag"] = f'"{row.digest}"'
    return get_conditional_response(request, etag=etag, response=response) or response


def _is_seen(event: Event, kind: str, number: int) -> bool:
    """Return whether everybody can see what a picture is of."""
    if kind == Shares.HEAT:
        return event.heats.filter(number=number).exists()
    if kind == Shares.PLAYER:
        player = event.registrations.filter(number=number).select_related("person").first()
        return player is not None and player.shown_as != Visibility.HIDDEN
    return kind in (Shares.EVENT, Shares.CHAMPION) and number == 0
