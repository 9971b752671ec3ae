"""The words of the Auditor's page, in the reader's language: the same for every table.

The page's script puts in names and numbers, where ``{name}`` stands. The sentences are the
engine's; each is read here once, and never written a second time in the script.
"""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.cards.categories import SCORING
from engine.errors import Problem
from engine.messages import (
    SUITS,
    advance_text,
    prospect_words,
    say,
    scored_words,
    stage_text,
    status_text,
    texts_in,
)
from engine.sheet.state import EXCHANGE, OVER

from ..errors import ScoringError
from ..words import lang
from .question import BECOMES, lost_title
from .words import declared_text, stopped_text

#: More exchanges than any rule set has.
_MOST_EXCHANGES = 3
#: Parameters of the engine's sentences that the script puts in.
_MARKS = {
    name: f"{{{name}}}" for name in ("score", "minimum", "limit", "held_a", "category_a", "phase")
}
#: Why a button is grey, and what is asked about.
_REFUSALS = (
    "chicago_below_minimum",
    "chicago_limit",
    "seat_out.out",
    "seat_out.disqualified",
    "seat_out.sitting_out",
    "reset_not_allowed.final_hand",
    "reset_bound",
    "dead_hand.last_trick",
    "dead_hand.chicago",
    "dead_hand.breaker",
    "dead_hand.revoke",
    "not_discardless",
    "not_discardless.now",
    "self_break",
    "missing_reason",
    "rare_hand",
    "standing_hand",
    "standing_hand.own",
)


def page_words() -> dict[str, Any]:
    """Return the words of the page."""
    texts = texts_in(lang())
    return {
        "reasons": {key: _sentence(key) for key in _REFUSALS},
        "hands": {category.key: texts.a_category[category.key] for category in SCORING},
        "categories": dict(texts.categories),
        "suits": SUITS,
        "entries": dict(texts.entries),
        "why": dict(texts.reasons),
        "how": _("Tap the player first, then what happened."),
        "totals": _("the totals, from paper"),
        "seat": texts.seat,
        "first": pgettext("speaks before the other players", "first"),
        "stages": _stages(),
        "becomes": {first.key: [each.key for each in after] for first, after in BECOMES.items()},
        "announced": declared_text("{name}"),
        "stopped": stopped_text("{names}"),
        "losses": dict(texts.losses),
        "prospects": prospect_words(lang()),
        "scored": scored_words(lang()),
        "worth": dict(texts.worth),
        "now": _("Deal %(number)s · %(phase)s") % {"number": "{deal}", "phase": "{phase}"},
        "game": _("Game %(number)s of %(all)s") % {"number": "{game}", "all": "{planned}"},
        "games": {
            "one": ngettext("%(games)s game", "%(games)s games", 1) % {"games": "{games}"},
            "more": ngettext("%(games)s game", "%(games)s games", 2) % {"games": "{games}"},
        },
        "over": capfirst(stage_text(OVER, None, lang())),
        "all": _("All games are played"),
        "waiting": _("The next game has not begun"),
        "back": _("Back to game %(number)s") % {"number": "{game}"},
        "broke": lost_title(""),
        "broken": _("Broken by %(name)s") % {"name": "{name}"},
        "deal": _("deal %(deal)s") % {"deal": "{deal}"},
        "wins": {key: text.replace("{in_deal}", texts.in_deal) for key, text in texts.wins.items()},
        "steps": dict(texts.steps),
        "advances": {
            "final": advance_text(lang(), final=True),
            "on": advance_text(lang(), final=False),
        },
        "sheets": _("sheets %(points)s") % {"points": "{points}"},
        "penalty": _("penalty: %(sum)s") % {"sum": "{sum}"},
        "fences": _("%(points)s points in tally fences") % {"points": "{points}"},
        "waits": {
            "signed": _("The sign-off waits for the network."),
            **{
                code: ScoringError(code).message()
                for code in ("call_open", "objection_open", "needs_flip_flop")
            },
        },
        "status": {
            status: status_text(status, lang(), short=True) for status in ("out", "disqualified")
        },
        "statuses": {
            status: status_text(status, lang())
            for status in ("out", "disqualified", "sitting_out", "sitting_out_next", "discardless")
        },
        "marks": {**texts.marks, "won": texts.marks["won.other"]},
    }


def _stages() -> dict[str, str]:
    stages = {
        stage: stage_text(stage, None, lang()) for stage in ("tricks", "final_hand", "chicago_hand")
    }
    for phase in range(1, _MOST_EXCHANGES + 1):
        stages[f"exchange-{phase}"] = stage_text(EXCHANGE, phase, lang())
    return {**stages, "hand": stage_text("final_hand", None, lang(), short=True)}


def _sentence(key: str) -> str:
    """Return one of the engine's sentences with placeholders for seats and numbers."""
    code, _dot, why = key.partition(".")
    params = {
        **_MARKS,
        **({"why": why} if why else {}),
        "category": "{category_a}",
        "held": "{held_a}",
        "seat": 0,
        "holder": 1,
    }
    return say(Problem(code, params=params), lang(), ["{seat}", "{holder}"])
