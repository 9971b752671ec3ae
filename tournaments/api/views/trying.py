"""The page on which the interface can be tried, and its description."""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from ...models import Event
from ..queries.events import PARTS, public_events

DESCRIPTION: Path = settings.BASE_DIR / "docs" / "formats" / "openapi.yaml"


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """Show the addresses with the latest public event in them, to be opened at once."""
    event = public_events().order_by("-starts_on", "-pk").first()
    lists = [reverse(f"api:{name}") for name in ("events", "organisers", "series")]
    return render(
        request,
        "tournaments/api/try.html",
        {"event": event, "addresses": [*lists, *(_of(event) if event else ())]},
    )


def _of(event: Event) -> list[str]:
    return [reverse(f"api:{name}", args=[event.slug]) for name in ("event", *PARTS.values())]


@require_safe
def api_description(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI document that is checked in."""
    return HttpResponse(DESCRIPTION.read_bytes(), content_type="application/yaml")
