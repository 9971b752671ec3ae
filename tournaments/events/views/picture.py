"""The event's picture: public, chosen by those who may change the event."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...core.access import Request, public_view
from ...core.answers import SHOWN, form_errors, staff_action
from ...core.permissions import CHANGE_EVENT
from ...models import Event, EventPicture
from ...registration.queries.about import picture_of
from ..commands import pictures
from ..forms.event import PictureForm


@require_safe
@public_view
def event_picture(request: Request, event: Event) -> HttpResponse:
    """Return the picture; its address changes with it, so it may be cached."""
    picture = EventPicture.objects.filter(event=event).first()
    if picture is None:
        raise Http404
    response = HttpResponse(bytes(picture.content), content_type="image/jpeg")
    named = picture.digest == request.META.get("QUERY_STRING", "")
    response["Cache-Control"] = "private, max-age=31536000, immutable" if named else "no-cache"
    return response


def _page(
    request: Request, event: Event, *, form: PictureForm | None = None, status: int = 200
) -> HttpResponse:
    context = {"event": event, "form": form or PictureForm(), "picture": picture_of(event)}
    return render(request, "tournaments/events/picture.html", context, status=status)


@staff_action(CHANGE_EVENT, back="picture_set", page=_page, methods=SHOWN, idempotent=True)
def picture_set(request: Request, event: Event) -> str:
    """Show and process the picture's form."""
    form = PictureForm(request.POST, request.FILES)
    with form_errors(field="picture", form=form) as data:
        pictures.set_picture(event=event, file=data["picture"], by=request.user)
    return _("The picture is saved.")


@staff_action(CHANGE_EVENT, back="picture_set")
def event_picture_remove(request: Request, event: Event) -> str:
    pictures.remove_picture(event=event, by=request.user)
    return _("The event no longer has a picture.")
