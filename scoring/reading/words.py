"""Words for what stands on a sheet, in the reader's language.

Hands, wins and refusals come from the engine's own catalogue; what belongs to the pages is
translated here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.messages import category_text, win_text
from engine.sheet.state import EXCHANGE, OVER, TRICKS

_AGAIN = re.compile(r"Disqualified in game (\d+)")


def lang() -> str:
    """Return the reader's language as the engine knows it: "en" or "sv"."""
    return "sv" if (get_language() or "").startswith("sv") else "en"


def category_label(key: str) -> str:
    """Return the name of a hand with a capital first letter."""
    text = category_text(key, lang())
    return text[:1].upper() + text[1:]


def stage_label(stage: str, phase: int | None) -> str:
    """Return where in the deal the table is."""
    if stage == EXCHANGE:
        return _("first exchange") if phase == 1 else _("second exchange")
    if stage == TRICKS:
        return _("tricks")
    return _("the game is over") if stage == OVER else _("final hand")


def win_label(win: str | None) -> str:
    """Return how a game was won, as the end of a sentence."""
    return win_text(win, lang()) if win else ""


def signed(points: int) -> str:
    """Return a change of a score with its sign, a real minus for a loss."""
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


def entry_text(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return what an entry says, e.g. "Anna: flush"."""
    kind = entry["kind"]
    seat = entry.get("seat")
    who = names[seat] if isinstance(seat, int) and seat < len(names) else ""
    if kind == "none":
        return _("Nobody scores")
    if kind == "hand":
        hand = category_text(entry["category"], lang())
        if entry.get("reset"):
            return _("%(who)s: %(hand)s, the others to zero") % {"who": who, "hand": hand}
        return _("%(who)s: %(hand)s") % {"who": who, "hand": hand}
    if kind == "chicago":
        return _chicago_text(entry, who, names)
    if kind == "last_trick":
        if entry.get("deuce"):
            return _("%(who)s: last trick with a deuce") % {"who": who}
        return _("%(who)s: last trick") % {"who": who}
    if kind == "revoke":
        return _("%(who)s did not follow suit") % {"who": who}
    if kind == "illegal_discard":
        return _("%(who)s exchanged without being allowed to") % {"who": who}
    reason = _reason(str(entry.get("reason", "")).strip())
    text = _ruling_text(entry, who)
    return f"{text} ({reason})" if reason else text


def _chicago_text(entry: Mapping[str, Any], who: str, names: Sequence[str]) -> str:
    values = {"who": who}
    if entry.get("blind"):
        if entry["won"]:
            if entry.get("deuce"):
                return _("%(who)s: Blind Chicago won with a deuce") % values
            return _("%(who)s: Blind Chicago won") % values
        return _("%(who)s: Blind Chicago lost") % values
    if entry["won"]:
        return _("%(who)s: Chicago won") % values
    breaker = entry.get("breaker")
    if breaker is None:
        return _("%(who)s: Chicago lost") % values
    return _("%(who)s: Chicago broken by %(breaker)s") % {**values, "breaker": names[breaker]}


def _reason(reason: str) -> str:
    """Return a ruling's reason; the one that the program itself writes, in the reader's words."""
    found = _AGAIN.fullmatch(reason)
    return _("since game %(number)s") % {"number": found[1]} if found else reason


def _ruling_text(entry: Mapping[str, Any], who: str) -> str:
    action = entry["action"]
    if action == "points":
        return _("Director: %(who)s %(points)s") % {"who": who, "points": signed(entry["points"])}
    if action == "sit_out_deal":
        return _("Director: %(who)s sits out this deal") % {"who": who}
    if action == "sit_out_game":
        return _("Director: %(who)s is out of this game") % {"who": who}
    if action == "disqualify":
        return _("Director: %(who)s is disqualified") % {"who": who}
    return _("The game was ended")


def decided_label(step: str | None) -> str:
    """Return the step of the tie chain that put one player before the next."""
    return {
        "game_points": _("on game points"),
        "score_points": _("on sheet points"),
        "asterisks": _("on Chicagos won"),
        "flip_flop": _("by Flip Flop"),
        "disqualified": _("the other was disqualified"),
    }.get(step or "", "")


def cause_label(cause: str) -> str:
    """Return why a score was set to zero."""
    return {
        "no_chicago": _("reached the target without a Chicago"),
        "reset": _("set to zero by four of a kind"),
        "royal_flush": _("set to zero by a royal flush"),
        "illegal_discard": _("exchanged without being allowed to"),
        "sit_out_game": _("out by the director's decision"),
    }.get(cause, "")


def points_text(points: object) -> str:
    """Return game points as the festival prints them: truncated to two decimals (11.66)."""
    from fractions import Fraction

    value = Fraction(str(points))
    hundredths = abs(value) * 100
    whole, rest = divmod(int(hundredths), 100)
    sign = "−" if value < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    mark = "," if lang() == "sv" else "."
    return f"{sign}{whole}{mark}{rest:02d}".rstrip("0")


def short_names(names: Sequence[str]) -> list[str]:
    """Return names for narrow places: first names, longer only where two would be alike.

    >>> short_names(["Anna Berg", "Anna Dahl", "Bo Ek"])
    ['Anna B', 'Anna D', 'Bo']
    """
    parts = [name.split() or [name] for name in names]
    tails = [" ".join(words[1:]) for words in parts]
    # Numbers are never cut off: "Player 12" is not "Player", nor "Player 1".
    whole = [bool(_WHOLE.search(tail)) for tail in tails]
    result = [
        name if kept else words[0] for words, name, kept in zip(parts, names, whole, strict=True)
    ]
    for length in range(1, max(map(len, tails), default=0) + 1):
        alike = {name for name in result if result.count(name) > 1}
        if not alike:
            break
        result = [
            f"{words[0]} {tail[:length]}".strip() if short in alike and not kept else short
            for words, tail, short, kept in zip(parts, tails, result, whole, strict=True)
        ]
    if len(set(result)) < len(result):
        return list(names)
    return result


#: Before a consonant that a vowel follows, with three letters on either side.
_BREAK = re.compile(r"(?<=\w{3})(?=[^\W\daeiouyåäöüéèóáíø][aeiouyåäöüéèóáíø]\w)", re.IGNORECASE)
_LONG = 8
_WHOLE = re.compile(r"[^-\w ]|\d")


def softened(name: str) -> str:
    """Return a name whose long words have soft hyphens between syllables.

    >>> softened("Bartholomäus Ek").replace("\u00ad", "-")
    'Bart-ho-lo-mäus Ek'
    """
    return " ".join(
        _BREAK.sub("\u00ad", word) if len(word) > _LONG - 1 else word for word in name.split(" ")
    )


def place_label(first: int, last: int) -> str:
    """Return a place, or the range of places that several share."""
    return str(first) if first == last else f"{first}–{last}"
