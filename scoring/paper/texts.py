"""The protocol's words and numbers. Their Swedish is in ``locale/scoring``."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.cards.categories import BY_KEY
from engine.messages import category_text
from scoring.paper.data import Correction, EntryRow, PrintedGame, RankingRow, SeatRow, Zeroed

MINUS = "\u2212"
SUITS = {"H": "\u2665", "S": "\u2660", "D": "\u2666", "C": "\u2663"}
ALL_SUITS = "\u2665 \u2660 \u2666 \u2663"


@contextmanager
def speaking(language: str) -> Iterator[str]:
    """Use a language for the sentences made inside; give its two-letter code."""
    short = language.split("-")[0].split("_")[0].lower()
    with translation.override(short if short in ("en", "sv") else "en"):
        yield short if short in ("en", "sv") else "en"


def _decimal(text: str) -> str:
    return text.replace(".", ",") if translation.get_language() == "sv" else text


def number(value: int) -> str:
    """Return a whole number with a real minus sign: ``−5``."""
    return f"{MINUS}{-value}" if value < 0 else str(value)


def change(value: int) -> str:
    """Return a change of score with its sign: ``+5``, ``−15``."""
    return f"+{value}" if value > 0 else number(value)


def points(value: Fraction | None) -> str:
    """Return game points for a column: two decimals at most, cut off and never rounded (§4)."""
    if value is None:
        return ""
    value = Fraction(value)
    hundredths = abs(value.numerator) * 100 // value.denominator
    whole, rest = divmod(hundredths, 100)
    text = f"{whole}.{rest:02d}".rstrip("0").rstrip(".") if rest else str(whole)
    return (MINUS if value < 0 else "") + _decimal(text)


def is_cut(value: Fraction | None) -> bool:
    """Tell whether ``points`` shows less than the exact value."""
    return value is not None and (Fraction(value) * 100).denominator != 1


def exact(value: Fraction) -> str:
    """Return the exact value: ``35/3``."""
    return str(Fraction(value))


def place(places: tuple[int, int] | None) -> str:
    """Return a place, or the places shared: ``1``, ``2–3``."""
    if places is None:
        return ""
    first, last = places
    return str(first) if first == last else f"{first}\u2013{last}"


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them: ``Anna, Bo and Cia``."""
    if len(names) < 2:
        return "".join(names)
    return _("%(names)s and %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


def short(name: str, most: int = 24) -> str:
    """Return a name for use inside a sentence, shortened where it is very long."""
    return name if len(name) <= most else name[: most - 1].rstrip() + "\u2026"


def category(key: str) -> str:
    """Return the name of a hand category, in the engine's words; an unknown one stays a key."""
    language = translation.get_language() or "en"
    return category_text(key, language) if key in BY_KEY else key


def labelled(caption: str, value: str) -> tuple[str, str]:
    """Return a label without and with its caption: ``12`` and ``Heat 12`` for either of them.

    A label that is a name of its own (``Kitchen evening``) stays as it is in both.
    """
    value = value.strip()
    start = caption.casefold() + " "
    bare = value[len(start) :].strip() if value.casefold().startswith(start) else value
    return bare, f"{caption} {bare}" if bare[:1].isdigit() else bare


def game_title(game: PrintedGame) -> str:
    """Return ``Game 2``."""
    return _("Game %(number)d") % {"number": game.number}


def outcome(game: PrintedGame) -> str:
    """Return how the game was won, or how far it has come."""
    if game.status == "waiting":
        return pgettext("game", "not started")
    if game.status == "void":
        return pgettext("game", "void, does not count")
    if game.status != "finished":
        return _("under way, deal %(deal)d") % {"deal": game.deal}
    if game.win == "ended":
        return _("stopped by the tournament director and placed by score")
    names = listed([short(game.seats[seat].name) for seat in game.winners])
    if not names:
        return ""
    facts: dict[str, Any] = {"names": names, "deal": game.deal}
    if game.win == "royal_flush":
        text = _("%(names)s won with a royal flush%(suit)s in deal %(deal)d")
        return text % {**facts, "suit": _last_suit(game)}
    if game.win == "straight_flush":
        text = _("%(names)s won with a straight flush%(suit)s in deal %(deal)d")
        return text % {**facts, "suit": _last_suit(game)}
    if game.win == "blind_chicago":
        return _("%(names)s won with a Blind Chicago in deal %(deal)d") % facts
    if game.win == "last_standing":
        return _("%(names)s won in deal %(deal)d, the only one left") % facts
    facts["score"] = number(game.seats[game.winners[0]].score)
    if len(game.winners) > 1:
        return _("%(names)s shared the win at %(score)s in deal %(deal)d") % facts
    return _("%(names)s won at %(score)s in deal %(deal)d") % facts


def _last_suit(game: PrintedGame) -> str:
    for deal in reversed(game.deals):
        for row in reversed(deal.entries):
            if row.entry.get("kind") == "hand":
                sign = SUITS.get(str(row.entry.get("suit", "")))
                return f" {sign}" if sign else ""
    return ""


def seat_note(seat: SeatRow, *, running: bool) -> str:
    """Return what the score alone does not tell: set to zero, out, may not exchange …"""
    parts = [_zeroed(zeroed) for zeroed in seat.zeroed]
    if len(parts) > 2:
        hidden = len(parts) - 1
        parts = [
            ngettext("set to zero once before", "set to zero %(count)d times before", hidden)
            % {"count": hidden},
            parts[-1],
        ]
    if seat.status == "out":
        parts.append(_("out of the game"))
    elif seat.status == "disqualified":
        parts.append(_("disqualified"))
    elif seat.discardless and running:
        parts.append(_("may not exchange"))
    return " \u00b7 ".join(parts)


def _zeroed(zeroed: Zeroed) -> str:
    text = _("set to zero at %(score)s, deal %(deal)d")
    if zeroed.cause == "no_chicago":
        text = _("set to zero at %(score)s without a Chicago, deal %(deal)d")
    return text % {"score": number(zeroed.score_before), "deal": zeroed.deal}


def tally_alt(seat: SeatRow, *, running: bool) -> str:
    """Return what a screen reader says for the fences."""
    note = seat_note(seat, running=running)
    text = ngettext("%(count)s point", "%(count)s points", abs(seat.score)) % {
        "count": number(seat.score)
    }
    return f"{text}, {note}" if note else text


def reason(row: RankingRow, below: RankingRow | None) -> str:
    """Return why a player stands above the next one (§5)."""
    if below is None:
        return ""
    facts: dict[str, Any] = {"other": short(below.name, 22)}
    if row.decided_by == "game_points":
        facts |= {"mine": points(row.game_points), "theirs": points(below.game_points)}
        return _("ahead of %(other)s on game points, %(mine)s to %(theirs)s") % facts
    if row.decided_by == "score_points":
        facts |= {"mine": number(row.score_points), "theirs": number(below.score_points)}
        return _("ahead of %(other)s on sheet points, %(mine)s to %(theirs)s") % facts
    if row.decided_by == "asterisks":
        facts |= {"mine": row.asterisks, "theirs": below.asterisks}
        return _("ahead of %(other)s on Chicagos won, %(mine)d to %(theirs)d") % facts
    if row.decided_by == "flip_flop":
        return _("ahead of %(other)s after Flip Flop") % facts
    if row.decided_by == "disqualified":
        return _("ahead of %(other)s, who was disqualified") % facts
    if row.place == below.place:
        return _("level with %(other)s") % facts
    return ""


def entry_text(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return one entry as a note in the margin would say it; any input gives some text."""
    kind = entry.get("kind")
    facts: dict[str, Any] = {
        "name": _seat_name(entry.get("seat"), names),
        "breaker": _seat_name(entry.get("breaker"), names),
    }
    if kind == "hand":
        suit = SUITS.get(str(entry.get("suit", "")))
        facts["hand"] = category(str(entry.get("category", ""))) + (f" {suit}" if suit else "")
        if entry.get("reset"):
            return _("%(name)s: %(hand)s, the others to zero") % facts
        return _("%(name)s: %(hand)s") % facts
    if kind == "none":
        return pgettext("hand", "nobody")
    if kind == "chicago":
        return _chicago_text(entry, facts)
    if kind == "last_trick":
        if entry.get("deuce"):
            return _("%(name)s: last trick with a deuce") % facts
        return _("%(name)s: last trick") % facts
    if kind == "revoke":
        return _("%(name)s: did not follow suit") % facts
    if kind == "illegal_discard":
        return _("%(name)s: exchanged while not allowed to") % facts
    if kind == "ruling":
        return _ruling_text(entry, facts)
    return str(kind or "")


def _chicago_text(entry: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    if entry.get("blind"):
        if entry.get("won"):
            return (
                _("%(name)s: Blind Chicago won with a deuce")
                if entry.get("deuce")
                else _("%(name)s: Blind Chicago won")
            ) % facts
        if facts["breaker"]:
            return _("%(name)s: Blind Chicago broken by %(breaker)s") % facts
        return _("%(name)s: Blind Chicago lost") % facts
    if entry.get("won"):
        return _("%(name)s: Chicago won") % facts
    if facts["breaker"]:
        return _("%(name)s: Chicago broken by %(breaker)s") % facts
    return _("%(name)s: Chicago lost") % facts


def _ruling_text(entry: Mapping[str, Any], facts: dict[str, Any]) -> str:
    action, value = entry.get("action"), entry.get("points")
    facts["points"] = change(value) if isinstance(value, int) else ""
    texts = {
        "points": _("TD: %(name)s %(points)s"),
        "sit_out_deal": _("TD: %(name)s sits out the deal"),
        "sit_out_game": _("TD: %(name)s sits out the game"),
        "disqualify": _("TD: %(name)s disqualified"),
        "end_game": _("TD: game stopped"),
    }
    text = texts.get(str(action), "TD") % facts
    why = str(entry.get("reason", ""))
    return f"{text} ({why})" if why else text


def _seat_name(seat: object, names: Sequence[str]) -> str:
    if isinstance(seat, int) and 0 <= seat < len(names):
        return short(names[seat], 18)
    return ""


def entry_with_points(row: EntryRow, names: Sequence[str]) -> str:
    """Return an entry with what it changed: ``Anna: flush +5``."""
    seat, by = row.entry.get("seat"), row.entry.get("breaker")
    parts = []
    for index in (seat, by):
        if isinstance(index, int) and 0 <= index < len(row.deltas) and row.deltas[index]:
            parts.append(change(row.deltas[index]))
    text = entry_text(row.entry, names)
    kind = row.entry.get("kind")
    if kind == "ruling":
        return text
    gains = kind in ("hand", "last_trick") or (kind == "chicago" and row.entry.get("won"))
    if gains and parts and parts[0].startswith(MINUS):
        # What scores can only lose by reaching the target without what it takes.
        return f"{text}, " + pgettext("score", "set to zero")
    return f"{text} {', '.join(parts)}" if parts else text


def _author(author: str) -> str:
    """Return who wrote a row: behind the link of a table sits its Auditor."""
    return _("Auditor") if author.startswith("link ") else author


def _seats(item: Correction) -> str:
    return ", ".join(short(name, 18) for name in item.seats)


def correction(item: Correction) -> str:
    """Return one correction as a sentence."""
    facts: dict[str, Any] = {
        "game": item.game,
        "row": item.sequence,
        "old": entry_text(item.entry, item.seats),
        "new": entry_text(item.replacement, item.seats) if item.replacement else "",
    }
    if item.kind == "reseat":
        text = _("game %(game)d: seats changed to %(names)s") % {**facts, "names": _seats(item)}
    elif item.kind == "insert":
        text = _("game %(game)d, before entry %(row)d: “%(new)s” was added") % facts
    elif item.kind == "amend" and item.replacement:
        text = _("game %(game)d, entry %(row)d: “%(old)s” became “%(new)s”") % facts
    else:
        text = _("game %(game)d, entry %(row)d: “%(old)s” was taken back") % facts
    extra = ", ".join(part for part in (_author(item.author), item.reason) if part)
    return f"{text} ({extra})" if extra else text
