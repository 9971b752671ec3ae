"""The only renderer of sentences from codes and words from entries (rulebook §2, §3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..cards.cards import Card
from ..errors import ChicagoError, Problem
from ..sheet.state import EXCHANGE
from ..table.errors import ActionProblem
from .languages import texts_in
from .numbers import SUITS, join, signed

#: Parameters that are seats and are shown as names.
_SEATS = frozenset({"seat", "holder", "breaker", "turn"})
#: Parameters that are categories and are shown as names of hands.
_HANDS = frozenset({"category", "held"})


def say(
    problem: Problem | ChicagoError, lang: str = "en", names: Sequence[str] | None = None
) -> str:
    """Return the sentence for a problem or a refusal.

    ``lang`` is a language tag; ``names`` are the players' names by seat. Without names, seats are
    numbered from 1.

    >>> say(Problem("dead_hand", params={"seat": 0}), "sv", ["Bo"])
    'Bo bekände inte färg: handen är död.'
    >>> say(ChicagoError("bad_seats", reason="repeated", name="Bo"))
    'A game needs different names: "Bo" appears twice.'
    """
    problem = getattr(problem, "problem", problem)
    texts = texts_in(lang)
    code, params = problem.code, problem.params
    values = _Values(lang, params, names)
    detail = params.get("why", params.get("reason"))
    catalogues = [texts.problems]
    if isinstance(problem, ActionProblem) and problem.about_action:
        catalogues.insert(0, texts.action_problems)
    keys = (f"{code}.{detail}", code)
    text = next((each[key] for each in catalogues for key in keys if key in each), None)
    if text is None:
        return _unknown(code, params)
    # Nothing is written where a new deal is refused, so no entry has to come first.
    if code in ("wrong_phase", "unexpected_kind") and detail != "redeal":
        due = texts.problems.get(f"now.{params.get('stage')}", "")
        text = f"{text} {due}".rstrip()
    return text.format_map(values)


def _unknown(code: str, params: Mapping[str, object]) -> str:
    """Return a fallback for a code without a sentence: its name and parameters."""
    details = ", ".join(f"{key}: {value}" for key, value in params.items())
    words = code.replace("_", " ").capitalize()
    return f"{words} ({details})." if details else f"{words}."


class _Values(dict[str, object]):
    """The values of a sentence: parameters in words, computed on demand."""

    def __init__(
        self, lang: str, params: Mapping[str, object], names: Sequence[str] | None
    ) -> None:
        super().__init__()
        self._lang = lang
        self._texts = texts_in(lang)
        self._params = params
        self._names = names

    def __missing__(self, key: str) -> object:
        lang, texts, params = self._lang, self._texts, self._params
        if key.endswith("_a"):
            bare = key.removesuffix("_a")
            return texts.a_category.get(str(params.get(bare))) or self[bare]
        if key == "exchange":
            return self._exchange(params.get("phase"))
        if key == "given_exchange":
            return self._exchange(params.get("given"))
        if key == "hint":
            return texts.field_hints.get(str(params.get("field")), texts.field_hints[""])
        if key == "where":
            kind = params.get("kind")
            return texts.document if kind is None else f'"{kind}"'
        if key == "subject":
            return texts.subjects.get(str(params.get("kind")), str(params.get("kind")))
        if key == "who":
            winners = params.get("winners")
            seats = winners if isinstance(winners, list | tuple) else ()
            return join([seat_name(seat, lang, self._names) for seat in seats], lang)
        if key not in params:
            return "?"
        value = params[key]
        if key in _SEATS and isinstance(value, int):
            return seat_name(value, lang, self._names)
        if key in _HANDS:
            return texts.categories.get(str(value), value)
        if key == "awaited":
            return texts.awaited[str(value)]
        if key == "right":
            return self._right(value)
        return value.sign if isinstance(value, Card) else value

    def _exchange(self, phase: object) -> str:
        """ "the first exchange", "the last exchange", by the number of a phase."""
        ordinals = self._texts.ordinals
        if phase is not None and phase == self._params.get("exchanges"):
            return ordinals[0]
        if isinstance(phase, int) and 0 < phase < len(ordinals):
            return ordinals[phase]
        return str(phase)

    def _right(self, value: object) -> str:
        """Return what should have been written or said: an entry, hand, rank or suit."""
        if isinstance(value, Mapping):
            return entry_text(value, self._lang, self._names)
        text = str(value)
        return self._texts.categories.get(text) or SUITS.get(text.upper(), text)


def seat_name(seat: int, lang: str = "en", names: Sequence[str] | None = None) -> str:
    """Return a player's name, or "Seat 2" if names are unknown.

    >>> seat_name(1), seat_name(1, "sv"), seat_name(1, names=["Anna", "Bo"])
    ('Seat 2', 'Plats 2', 'Bo')
    """
    if names is not None and 0 <= seat < len(names):
        return str(names[seat])
    return texts_in(lang).seat.format(number=seat + 1)


def hand_text(document: Mapping[str, object], lang: str = "en") -> str:
    """Return the hand of an entry, with its suit if the entry has one.

    >>> hand_text({"category": "royal_flush", "suit": "H"})
    'royal flush ♥'
    """
    suit = SUITS.get(str(document.get("suit")), "")
    return f"{category_text(str(document['category']), lang)} {suit}".rstrip()


def entry_text(
    document: Mapping[str, object], lang: str = "en", names: Sequence[str] | None = None
) -> str:
    """Return an entry's document in the words of a sheet; ``names`` are by seat.

    Without a seat the text fits a button: "Illegal exchange".

    >>> entry_text({"kind": "hand", "phase": 1, "seat": 0, "category": "flush"}, names=["Anna"])
    'Anna: flush'
    >>> entry_text({"kind": "chicago", "seat": 0, "won": False, "breaker": 1}, "sv", ["Anna", "Bo"])
    'Anna: chicago bruten av Bo'
    """
    kind = str(document["kind"])
    key = kind
    other = document.get("breaker", document.get("reset_seat"))
    if kind == "hand" and document.get("reset"):
        key = "hand.reset" if other is None else "hand.reset_one"
    elif kind == "chicago":
        broken = "broken" if document.get("breaker") is not None else "lost"
        how = ("deuce" if document.get("deuce") else "won") if document.get("won") else broken
        key = f"chicago.blind_{how}" if document.get("blind") else f"chicago.{how}"
    elif kind == "last_trick" and document.get("deuce"):
        key = "last_trick.deuce"
    elif kind == "ruling":
        key = f"ruling.{document['action']}"
    seat, points = document.get("seat"), document.get("points")
    entries = texts_in(lang).entries
    who = seat_name(seat, lang, names) if isinstance(seat, int) else ""
    text = entries[key].format(
        who=who,
        other=seat_name(other, lang, names) if isinstance(other, int) else "",
        hand=hand_text(document, lang) if kind == "hand" else "",
        points=signed(points) if isinstance(points, int) else "",
    )
    if kind not in ("ruling", "none"):
        text = entries["of"].format(who=who, what=text) if who else text[:1].upper() + text[1:]
    reason = str(document.get("reason") or "").strip()
    return f"{text} ({reason})" if reason else text


def category_text(key: str, lang: str = "en") -> str:
    """Return the word for a hand.

    >>> category_text("full_house"), category_text("full_house", "sv")
    ('full house', 'kåk')
    """
    return texts_in(lang).categories[key]


def stage_text(stage: str, phase: int | None, lang: str = "en", *, short: bool = False) -> str:
    """Return the sheet's place in the deal.

    >>> stage_text("exchange", 2), stage_text("tricks", None, "sv")
    ('second exchange', 'stick')
    """
    texts, key = texts_in(lang).stages, f"{stage}.{phase}" if stage == EXCHANGE else stage
    return texts.get(f"{key}.short", texts[key]) if short else texts[key]


def ruling_text(action: str, lang: str = "en") -> str:
    """Return the name of a ruling, as the director chooses it.

    >>> ruling_text("sit_out_next_deal"), ruling_text("sit_out_next_deal", "sv")
    ('Sits out the next deal', 'Står över nästa giv')
    """
    return texts_in(lang).rulings[action]


def penalty_text(level: str, lang: str = "en") -> str:
    """Return the name of a penalty that is not a ruling: a warning, or game points off.

    >>> penalty_text("game_points")
    'Game points off'
    """
    return texts_in(lang).penalties[level]


def status_text(status: str, lang: str = "en", *, short: bool = False) -> str:
    """Return a seat's status in a game; empty for a seat that simply plays.

    >>> status_text("out"), status_text("discardless", "sv"), status_text("in")
    ('out', 'köpstopp', '')
    """
    texts = texts_in(lang).statuses
    return texts.get(f"{status}.short", texts[status]) if short else texts[status]


def marks_text(executed: bool, asterisks: int, lang: str = "en", *, short: bool = False) -> str:
    """Return what a name's circle and asterisks say; in a narrow column only the asterisks.

    >>> marks_text(True, 2), marks_text(True, 0, "sv"), marks_text(False, 0)
    ('has played a Chicago, 2 Chicagos won', 'har spelat chicago', '')
    >>> marks_text(True, 2, short=True), marks_text(True, 0, short=True)
    ('**', 'played')
    """
    texts = texts_in(lang)
    marks = texts.marks
    if short:
        return "*" * asterisks or (marks["executed.short"] if executed else "")
    won = marks[f"won.{texts.plural(asterisks)}"].format(won=asterisks)
    return ", ".join([marks["executed"]] * executed + [won] * bool(asterisks))


def unusual_text(code: str, lang: str = "en") -> str:
    """Return what is unusual about an entry with this warning.

    >>> unusual_text("rare_hand")
    'a rare hand'
    """
    return texts_in(lang).unusual[code]


def preset_name(name: str, lang: str = "en") -> str:
    """Return what a preset is, in a few words.

    >>> preset_name("sm")
    'the Swedish championship'
    """
    return texts_in(lang).preset_names[name]


def preset_text(name: str, lang: str = "en") -> str:
    """Return one sentence about a preset.

    >>> preset_text("sm")[:26]
    'The Swedish championship: '
    """
    return texts_in(lang).preset_texts[name]


def variant_text(name: str, lang: str = "en") -> str:
    """Return one sentence about a variant.

    >>> variant_text("U"), variant_text("U", "sv")
    ('51 points are enough.', '51 poäng räcker.')
    """
    return texts_in(lang).variant_texts[name]
