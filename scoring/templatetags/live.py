"""Where a page listens for changes."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoring.live import stream_url

register = template.Library()


@register.simple_tag(takes_context=True)
def live(context: Any, kind: str, pk: int) -> SafeString | str:
    """Name the stream of a thing's changes in the page's head; nothing where there is none."""
    url = stream_url(context["request"], kind, pk)
    return format_html('<meta name="live" content="{}">', url) if url else ""
