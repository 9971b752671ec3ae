"""The template tag for pages that listen for changes."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from ..live import Topic, stream_url

register = template.Library()


@register.simple_tag(takes_context=True)
def live(
    context: Any, kind: str, pk: int, seen: object, *, link: str = "", part: str = ""
) -> SafeString | str:
    """Name the stream for a thing's changes in the page's head; nothing without a stream.

    ``seen`` is the thing's version, read before anything else on the page. ``link`` identifies a
    listener without an account. A ``part`` is sent only to listeners with neither.
    """
    request = context["request"]
    user = getattr(request, "user", None)
    who = link or (f"account {user.pk}" if user is not None and user.is_authenticated else "")
    topic = Topic(kind, pk, who, "" if who else part, get_language() or "en")
    url = stream_url(request, topic, seen)
    return format_html('<meta name="live" content="{}">', url) if url else ""
