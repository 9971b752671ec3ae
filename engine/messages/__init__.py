"""Every sentence and name that the rules need, in every language (rulebook §1–§8).

The engine's other packages use codes and parameters. Anything shown to a person comes from here, so
that pages, paper, the log and the command line use the same words. A language is a folder of data
here, and nothing else knows which languages there are.

>>> from engine.errors import Problem
>>> say(Problem("dead_hand", params={"seat": 1}), "sv", ["Anna", "Bo"])
'Bo bekände inte färg: handen är död.'
"""

from .facts import changes_text, loss_text, near_text, worth_text
from .fields import describe, value_text
from .languages import add_languages, language, languages, texts_in
from .numbers import (
    MINUS,
    SUITS,
    and_text,
    exact_text,
    join,
    mixed_text,
    number_text,
    percent_text,
    place_text,
    points_text,
    signed,
)
from .prospects import (
    equal_text,
    minimum_text,
    needs_text,
    prospect_words,
    rules_lines,
    scored_text,
    scored_words,
    turn_text,
)
from .reminder import checksum_text, reminder_lines
from .render import (
    category_text,
    entry_text,
    hand_text,
    marks_text,
    penalty_text,
    preset_name,
    preset_text,
    ruling_text,
    say,
    seat_name,
    stage_text,
    status_text,
    unusual_text,
    variant_text,
)
from .results import advance_text, rank_text, step_text, win_name, win_text, zeroed_text

__all__ = [
    "MINUS",
    "SUITS",
    "add_languages",
    "advance_text",
    "and_text",
    "category_text",
    "changes_text",
    "checksum_text",
    "describe",
    "entry_text",
    "equal_text",
    "exact_text",
    "hand_text",
    "join",
    "language",
    "languages",
    "loss_text",
    "marks_text",
    "minimum_text",
    "mixed_text",
    "near_text",
    "needs_text",
    "number_text",
    "penalty_text",
    "percent_text",
    "place_text",
    "points_text",
    "preset_name",
    "preset_text",
    "prospect_words",
    "rank_text",
    "reminder_lines",
    "rules_lines",
    "ruling_text",
    "say",
    "scored_text",
    "scored_words",
    "seat_name",
    "signed",
    "stage_text",
    "status_text",
    "step_text",
    "texts_in",
    "turn_text",
    "unusual_text",
    "value_text",
    "variant_text",
    "win_name",
    "win_text",
    "worth_text",
    "zeroed_text",
]
