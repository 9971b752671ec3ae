"""The reader's language, and the engine's names in it, for labels of fields and columns."""

from django.utils.functional import lazy
from django.utils.translation import get_language

from engine import messages
from engine.messages import language


def lang() -> str:
    """Return the reader's language as the engine's code of it, such as "en"."""
    return language(get_language())


#: What a number that ranks players is called, e.g. "game points".
step_name = lazy(lambda step: messages.step_text(step, lang()), str)
#: A seat's status in a game, e.g. "out".
status_name = lazy(lambda status: messages.status_text(status, lang()), str)
#: A ruling or penalty, as the director chooses it.
ruling_name = lazy(lambda action: messages.ruling_text(action, lang()), str)
penalty_name = lazy(lambda level: messages.penalty_text(level, lang()), str)
#: What a setting of the rules is called.
value_name = lazy(lambda field, value: messages.value_text(field, value, lang()), str)
