"""Reasons given by the program itself: stored as codes with parameters, put into words when shown.

A text typed by a person is kept as typed, and follows the code's words where it adds to them (an
entry's ``note``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.utils.functional import lazy
from django.utils.translation import get_language

from engine.messages import texts_in

_PREFIX = "reason:"


def _worded(code: str) -> str:
    return texts_in(get_language()).reasons[code]


#: The words of every code, in the reader's language.
WORDS = {code: lazy(_worded, str)(code) for code in texts_in(None).reasons}


def coded(code: str, **params: object) -> str:
    """Return the stored form of a reason that the program gives.

    >>> coded("disqualified_before", game=2)
    'reason:disqualified_before?game=2'
    """
    return f"{_PREFIX}{code}?{urlencode(params)}" if params else f"{_PREFIX}{code}"


def may_be_sent(reason: str) -> bool:
    """Return whether a table may call with this reason: typed text, or one that its page offers.

    >>> may_be_sent("reason:call_rules"), may_be_sent("reason:call_slow?player=7")
    (True, False)
    """
    return not reason.strip().startswith(_PREFIX) or reason in map(coded, CALLS)


def with_words(reason: str, typed: str) -> str:
    """Return a reason of the program followed by typed text.

    >>> with_words(coded("offence.slow"), "third time")
    'reason:offence.slow. third time'
    """
    return f"{reason}. {typed.strip()}" if typed.strip() else reason


def with_reason(reasons: list[str], reason: str, most: int) -> list[str]:
    """Return the reasons of a call with one more, on lines of ``most`` characters in all.

    Of what does not fit, typed text is cut; a code that does not fit is left out.

    >>> with_reason(["reason:call_quarrel"], "reason:call_rules", 200)
    ['reason:call_quarrel', 'reason:call_rules']
    >>> with_reason(["loud"], "reason:call_restored. Bo -5", 27)
    ['loud', 'reason:call_restored. ']
    >>> with_reason(["loud"], "reason:call_rules", 20)
    ['loud']
    """
    if reason in reasons:
        return reasons
    room = max(0, most - sum(len(each) + 1 for each in reasons))
    code = reason.partition(". ")[0] if reason.startswith(_PREFIX) else ""
    return reasons if room < len(code) else [*reasons, reason[:room]]


#: What the table's page offers to call the director for.
CALLS = ("call_rules", "call_quarrel", "call_correction")
#: A seat folds this deal: the only ruling that an Auditor may write when there is a director.
FOLD: Mapping[str, str] = {
    "kind": "ruling",
    "action": "sit_out_deal",
    "reason": coded("folded"),
}
#: The same for every deal while a player is called away; written by the program for the floor.
AWAY: Mapping[str, str] = {**FOLD, "reason": coded("away")}


def is_away(entry: Mapping[str, Any]) -> bool:
    """Return whether an entry is such a fold; it follows another entry and goes with it."""
    return AWAY.items() <= entry.items()


def params_of(stored: str, code: str) -> dict[str, str] | None:
    """Return the parameters of a stored reason with this code, ``None`` for any other.

    >>> params_of(coded("call_slow", player="7", name="Bo"), "call_slow")
    {'player': '7', 'name': 'Bo'}
    """
    found, params, _typed = _read(stored.strip())
    return params if found == code else None


def needs_director(entry: Mapping[str, Any]) -> bool:
    """Return whether only the director may write or take back an entry: rulings and totals."""
    kind = entry.get("kind")
    return kind == "totals" or (kind == "ruling" and not FOLD.items() <= entry.items())


def reason_text(stored: str, note: str = "") -> str:
    """Return a stored reason in the reader's language; typed text stays as it is."""
    code, params, typed = _read(stored.strip())
    try:
        words = str(WORDS[code]).format(**params) if code else ""
    except KeyError:
        # Looks like one of ours, but somebody has typed it.
        words, typed = "", stored
    return ": ".join(part for part in (words, typed, note.strip()) if part)


def ruling_reason(entry: Mapping[str, Any]) -> str:
    """Return the director's reason for a ruling, with any typed text."""
    return reason_text(str(entry.get("reason", "")), str(entry.get("note") or ""))


def _read(stored: str) -> tuple[str, dict[str, str], str]:
    """Return code, parameters and typed text; the code is empty if everything was typed."""
    if stored.startswith(_PREFIX):
        given, _sep, typed = stored.removeprefix(_PREFIX).partition(". ")
        code, _sep, params = given.partition("?")
        return (code, dict(parse_qsl(params)), typed) if code in WORDS else ("", {}, stored)
    return "", {}, stored
