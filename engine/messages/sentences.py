"""Sentences for people, in English and Swedish, from one source (rulebook §2, §3).

The command line, the pages and the prints all take their words about rules from here.  The
sentences themselves are in :mod:`engine.messages.problems` (what is wrong with an entry),
:mod:`engine.messages.rules` (presets and variants) and :mod:`engine.messages.fields`
(fields of a rule set); this module puts names, hands and phases into them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .heats import HEAT_PROBLEMS
from .problems import FIELD_HINTS, PROBLEMS
from .rules import PRESET_TEXTS, VARIANT_TEXTS
from .words import (
    ACTIONS,
    CATEGORIES,
    ENTRIES,
    KINDS,
    ORDINALS,
    SUBJECTS,
    WINS,
    WITH_ARTICLE,
    WORDS,
)

LANGUAGES: tuple[str, ...] = ("en", "sv")

_PROBLEMS = {lang: {**PROBLEMS[lang], **HEAT_PROBLEMS[lang]} for lang in LANGUAGES}

#: Parameters that are seats and become names.
_SEATS = frozenset({"seat", "holder", "breaker"})
#: Parameters that are categories and become the words for a hand.
_HANDS = frozenset({"category", "held"})


def language(lang: str) -> str:
    """Return the language of the catalogue for a language tag; English for unknown ones.

    >>> language("sv-FI"), language("de")
    ('sv', 'en')
    """
    short = lang[:2].lower()
    return short if short in LANGUAGES else "en"


def problem_text(
    code: str,
    params: Mapping[str, object],
    lang: str = "en",
    names: Sequence[str] | None = None,
) -> str:
    """Return the sentence for a problem's code and parameters.

    ``names`` are the players' names by seat.

    >>> problem_text("dead_hand", {"seat": 0}, names=["Bo"])
    'Bo did not follow suit: the hand is dead.'
    >>> problem_text("dead_hand", {"seat": 0}, "sv", ["Bo"])
    'Bo bekände inte färg: handen är död.'
    """
    lang = language(lang)
    texts = _PROBLEMS[lang]
    detail = params.get("why", params.get("reason"))
    template = texts.get(f"{code}.{detail}") or texts.get(code)
    if template is None:
        return _unknown(code, params)
    values = _Values(lang, params, names)
    text = template.format_map(values)
    stage = params.get("stage")
    if code in ("wrong_phase", "unexpected_kind") and isinstance(stage, str):
        due = texts.get(f"now.{stage}")
        if due is not None:
            text = f"{text} {due.format_map(values)}"
    return text


def _unknown(code: str, params: Mapping[str, object]) -> str:
    """A code that has no sentence here: say at least what is known."""
    details = ", ".join(f"{key}: {value}" for key, value in params.items())
    words = code.replace("_", " ").capitalize()
    return f"{words} ({details})." if details else f"{words}."


class _Values(dict[str, object]):
    """The values of a sentence: parameters as words, worked out when they are asked for."""

    def __init__(
        self, lang: str, params: Mapping[str, object], names: Sequence[str] | None
    ) -> None:
        super().__init__()
        self._lang = lang
        self._params = params
        self._names = names

    def __missing__(self, key: str) -> object:
        lang, params = self._lang, self._params
        if key.endswith("_capital"):
            words = str(self[key.removesuffix("_capital")])
            return words[:1].upper() + words[1:]
        if key.endswith("_a"):
            bare = key.removesuffix("_a")
            article = "a " if lang == "en" and str(params.get(bare)) in WITH_ARTICLE else ""
            return f"{article}{self[bare]}"
        if key == "exchange":
            return self._exchange(params.get("phase"))
        if key == "given_exchange":
            return self._exchange(params.get("given"))
        if key == "hint":
            return FIELD_HINTS[lang].get(str(params.get("field")), FIELD_HINTS[lang][""])
        if key == "where":
            kind = params.get("kind")
            return WORDS[lang]["record"] if kind is None else f'"{kind}"'
        if key == "subject":
            return SUBJECTS[lang].get(str(params.get("kind")), str(params.get("kind")))
        if key == "how":
            return WINS[lang].get(str(params.get("win")), "")
        if key == "who":
            winners = params.get("winners")
            seats = winners if isinstance(winners, list | tuple) else ()
            return join([seat_name(seat, lang, self._names) for seat in seats], lang)
        if key not in params:
            return WORDS[lang]["unknown"]
        value = params[key]
        if key in _SEATS and isinstance(value, int):
            return seat_name(value, lang, self._names)
        if key in _HANDS:
            return CATEGORIES[lang].get(str(value), str(value))
        if key == "action":
            return ACTIONS[lang].get(str(value), str(value))
        return value

    def _exchange(self, phase: object) -> str:
        """ "the first exchange", "the last exchange", by the number of a phase."""
        lang = self._lang
        if phase is not None and phase == self._params.get("exchanges"):
            return ORDINALS[lang][0]
        if isinstance(phase, int) and 0 < phase < len(ORDINALS[lang]):
            return ORDINALS[lang][phase]
        return str(phase)


def seat_name(seat: int, lang: str = "en", names: Sequence[str] | None = None) -> str:
    """Return a player's name, or "Seat 2" where names are not known.

    >>> seat_name(1), seat_name(1, "sv"), seat_name(1, names=["Anna", "Bo"])
    ('Seat 2', 'Plats 2', 'Bo')
    """
    if names is not None and 0 <= seat < len(names):
        return str(names[seat])
    return f"{WORDS[language(lang)]['seat']} {seat + 1}"


def join(words: Sequence[str], lang: str = "en") -> str:
    """Return words as a list in a sentence.

    >>> join(["Anna", "Bo", "Cia"]), join(["Anna", "Bo"], "sv")
    ('Anna, Bo and Cia', 'Anna och Bo')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {WORDS[language(lang)]['and']} {words[-1]}"


def kind_text(kind: str, lang: str = "en") -> str:
    """Return the words for a kind of entry.

    >>> kind_text("last_trick", "sv")
    'sista sticket'
    """
    return KINDS[language(lang)][kind]


def action_text(action: str, lang: str = "en") -> str:
    """Return the words for an action of a ruling.

    >>> action_text("sit_out_deal")
    'sits out this deal'
    """
    return ACTIONS[language(lang)][action]


def entry_text(
    document: Mapping[str, object], lang: str = "en", names: Sequence[str] | None = None
) -> str:
    """Return an entry's document in the words of a sheet; ``names`` are by seat.

    >>> entry_text({"kind": "hand", "phase": 1, "seat": 0, "category": "flush"}, names=["Anna"])
    'Anna: flush'
    >>> entry_text({"kind": "chicago", "seat": 0, "won": False, "breaker": 1}, "sv", ["Anna", "Bo"])
    'Anna: chicago bruten av Bo'
    """
    lang = language(lang)
    kind = str(document["kind"])
    key = kind
    if kind == "hand" and document.get("reset"):
        key = "hand.reset"
    elif kind == "chicago":
        broken = "broken" if document.get("breaker") is not None else "lost"
        how = ("deuce" if document.get("deuce") else "won") if document.get("won") else broken
        key = f"chicago.blind_{how}" if document.get("blind") else f"chicago.{how}"
    elif kind == "last_trick" and document.get("deuce"):
        key = "last_trick.deuce"
    elif kind == "ruling":
        key = f"ruling.{document['action']}"
    seat, breaker, points = (document.get(name) for name in ("seat", "breaker", "points"))
    return ENTRIES[lang][key].format(
        who=seat_name(seat, lang, names) if isinstance(seat, int) else "",
        by=seat_name(breaker, lang, names) if isinstance(breaker, int) else "",
        hand=CATEGORIES[lang].get(str(document.get("category")), ""),
        points=f"{points:+d}".replace("-", "\u2212") if isinstance(points, int) else "",
        reason=document.get("reason", ""),
    )


def category_text(key: str, lang: str = "en") -> str:
    """Return the word for a hand.

    >>> category_text("full_house"), category_text("full_house", "sv")
    ('full house', 'kåk')
    """
    return CATEGORIES[language(lang)][key]


def win_text(win: str, lang: str = "en") -> str:
    """Return how a game was won, as the end of a sentence.

    >>> win_text("last_standing")
    'as the last one in the game'
    """
    return WINS[language(lang)][win]


def preset_text(name: str, lang: str = "en") -> str:
    """Return one sentence about a preset.

    >>> preset_text("sm")[:26]
    'The Swedish championship: '
    """
    return PRESET_TEXTS[language(lang)][name]


def variant_text(name: str, lang: str = "en") -> str:
    """Return one sentence about a variant.

    >>> variant_text("U"), variant_text("U", "sv")
    ('51 points are enough.', '51 poäng räcker.')
    """
    return VARIANT_TEXTS[language(lang)][name]
