"""The desk's page of tokens for other programs."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from ...core.access import Request
from ...core.addresses import public_address
from ...core.answers import SHOWN, form_errors, number_in, staff_action
from ...core.permissions import CHANGE_EVENT
from ...models import ApiToken, Event
from ..commands import end_token, make_token
from ..forms import TokenForm

#: What is pasted into another site.
_LINES = """<iframe src="{address}" title="{title}"
  style="width: 100%; border: 0" loading="lazy"></iframe>
<script src="{script}" async></script>"""


def _page(
    request: Request,
    event: Event,
    *,
    form: TokenForm | None = None,
    made: tuple[ApiToken, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    used = event.api_tokens.filter(ended_at=None).select_related("made_by")
    context = {
        "event": event,
        "form": form or TokenForm(),
        "tokens": used,
        "made": made,
        "pieces": _pieces(request, event),
        "feeds": _feeds(request, event),
    }
    return render(request, "tournaments/api/tokens.html", context, status=status)


def _pieces(request: Request, event: Event) -> list[tuple[str, str]]:
    """Return the lines to paste, by the pieces of the event."""
    wanted = [("standings", _("Standings")), ("timetable", _("Timetable"))]
    if not event.ends_with_heats:
        wanted.insert(1, ("playoffs", _("Play-offs")))
    # Not the name of this release's file: the lines stay where they were pasted.
    script = public_address(request, f"{settings.STATIC_URL}tournaments/embed-size.js")
    return [
        (
            title,
            _LINES.format(address=address, title=title, script=script),
        )
        for name, title in wanted
        for address in [
            public_address(request, reverse(f"tournaments:embed_{name}", args=[event.slug]))
        ]
    ]


def _feeds(request: Request, event: Event) -> list[tuple[str, str]]:
    """Return the addresses of calendars and feeds."""
    organiser = event.organiser
    found = [
        (_("Calendar of the event"), reverse("tournaments:event_calendar", args=[event.slug])),
        (_("News of the event"), reverse("tournaments:event_feed", args=[event.slug])),
        (
            _("Calendar of the organiser"),
            reverse("tournaments:organiser_calendar", args=[organiser.slug]),
        ),
        (_("News of the organiser"), reverse("tournaments:organiser_feed", args=[organiser.slug])),
    ]
    return [(name, public_address(request, path)) for name, path in found]


@staff_action(CHANGE_EVENT, back="api_tokens", page=_page, methods=SHOWN)
def api_tokens(request: Request, event: Event) -> HttpResponse:
    """Show the tokens in use, and make one; its text is shown this once."""
    form = TokenForm(request.POST)
    with form_errors(field="name", form=form) as data:
        made = make_token(event=event, name=data["name"], scope=data["scope"], by=request.user)
    return _page(request, event, made=made)


@staff_action(CHANGE_EVENT, back="api_tokens")
def api_token_end(request: Request, event: Event) -> str:
    token = get_object_or_404(ApiToken, event=event, pk=number_in(request, "token"))
    end_token(token=token, by=request.user)
    return _("“%(name)s” can no longer use its token.") % {"name": token.name}
