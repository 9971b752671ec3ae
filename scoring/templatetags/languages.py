"""The languages that a page offers."""

from django import template
from django.utils.translation import get_language

from engine.messages import language, languages, texts_in

register = template.Library()


@register.simple_tag
def other_languages() -> list[tuple[str, str, str]]:
    """Return code, name and the switch's title of every language but the reader's."""
    return [
        (code, texts_in(code).name, texts_in(code).show_page)
        for code in languages()
        if code != language(get_language())
    ]
