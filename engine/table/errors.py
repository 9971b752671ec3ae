"""Refusals of card-level play: shaped as the score sheet's, with own sentences (rulebook §2, §3).

An :class:`ActionProblem` is a :class:`~engine.errors.Problem` about one action of a card record;
codes of the score sheet that reach the table (a Chicago below the minimum …) keep their sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..cards.cards import Card, Suit
from ..cards.categories import BY_KEY
from ..errors import ChicagoError, Problem
from ..messages.sentences import category_text, entry_text, language, problem_text, seat_name

#: Codes that only card-level play knows.
ACTION_CODES: tuple[str, ...] = (
    "unexpected_action",
    "not_your_turn",
    "bad_cards",
    "card_not_in_hand",
    "cannot_exchange",
    "too_many_cards",
    "not_enough_cards",
    "one_card",
    "redeal_not_allowed",
    "false_announcement",
    "not_showable",
    "not_better",
    "must_follow_suit",
    "no_offence",
    "last_seat",
    "contradicts_cards",
)

_EN: Mapping[str, str] = {
    "malformed": "An action must be an object with the key “do”.",
    "missing_field": "The action “{do}” needs the field “{field}”.",
    "unknown_kind": "“{do}” is not an action at the card table.",
    "unknown_field": "The action “{do}” does not know the field “{field}”.",
    "bad_value": "“{value}” is no value for “{field}” of the action “{do}”.",
    "game_finished": "The game is over: nothing more can happen at the table.",
    "unexpected_action": "The table now waits for: {awaited}.",
    "not_your_turn": "It is {turn}'s turn, not {seat}'s.",
    "bad_cards": "These must be exactly the {count} cards that were shuffled, each once.",
    "card_not_in_hand": "{seat} does not hold {card}.",
    "cannot_exchange": "{seat} is discardless and must stand.",
    "too_many_cards": "At most {limit} cards may be exchanged here.",
    "not_enough_cards": "Only {left} cards are left to exchange for.",
    "one_card": "{seat} was dealt six cards and lays aside exactly one.",
    "redeal_not_allowed": "{seat} holds a card that is too high for a new deal.",
    "false_announcement": "{seat} must say what the hand is worth: {right}.",
    "not_showable": "{seat} holds no hand that may be shown like this before the tricks.",
    "not_better": "{seat} has no better hand than the one shown.",
    "must_follow_suit": "{seat} holds a card of the suit led and must follow.",
    "no_offence": "This breaks no rule, so it cannot be marked as an offence.",
    "last_seat": "{seat} is the last one in this deal and cannot sit out.",
    "contradicts_cards": "The sheet says something else than the cards: they give “{right}”.",
    "contradicts_cards.over": "The sheet says more than the cards give.",
}

_SV: Mapping[str, str] = {
    "malformed": "En händelse måste vara ett objekt med nyckeln ”do”.",
    "missing_field": "Händelsen ”{do}” behöver fältet ”{field}”.",
    "unknown_kind": "”{do}” är ingen händelse vid kortbordet.",
    "unknown_field": "Händelsen ”{do}” har inget fält ”{field}”.",
    "bad_value": "”{value}” går inte som ”{field}” i händelsen ”{do}”.",
    "game_finished": "Partiet är slut: inget mer kan hända vid bordet.",
    "unexpected_action": "Bordet väntar nu på: {awaited}.",
    "not_your_turn": "Det är {turn} som står på tur, inte {seat}.",
    "bad_cards": "Det måste vara just de {count} kort som blandades, vart och ett en gång.",
    "card_not_in_hand": "{seat} har inte {card}.",
    "cannot_exchange": "{seat} har köpstopp och måste stå.",
    "too_many_cards": "Högst {limit} kort får köpas här.",
    "not_enough_cards": "Det finns bara {left} kort kvar att köpa.",
    "one_card": "{seat} fick sex kort och lägger bort exakt ett.",
    "redeal_not_allowed": "{seat} har ett kort som är för högt för en ny giv.",
    "false_announcement": "{seat} måste säga vad handen är värd: {right}.",
    "not_showable": "{seat} har ingen hand som får visas så före sticken.",
    "not_better": "{seat} har ingen bättre hand än den som visats.",
    "must_follow_suit": "{seat} har kort i utspelsfärgen och måste bekänna.",
    "no_offence": "Det här bryter inte mot någon regel och kan inte märkas som fel.",
    "last_seat": "{seat} är ensam kvar i given och kan inte stå över.",
    "contradicts_cards": "Protokollet säger något annat än korten: de ger ”{right}”.",
    "contradicts_cards.over": "Protokollet säger mer än vad korten ger.",
}

_AWAITED: Mapping[str, tuple[str, str]] = {
    "deck": ("the shuffled pack", "den blandade leken"),
    "reshuffle": ("the reshuffled muck", "de omblandade kastkorten"),
    "blind": ("an answer about a Blind Chicago", "svar om blind chicago"),
    "redeal": ("keeping the hand or a new deal", "att behålla handen eller ny giv"),
    "discard": ("the cards to exchange", "korten att köpa bort"),
    "take": ("an answer about the open card", "svar om det öppna kortet"),
    "announce": ("the kind of hand", "vilken sorts hand"),
    "specify": ("the next rank of the hand", "handens nästa valör"),
    "quads": ("reset or points for the four of a kind", "nollning eller poäng för fyrtalet"),
    "show": ("hands that are shown before the tricks", "händer som visas före sticken"),
    "outrank": ("a better hand than the one shown", "en bättre hand än den visade"),
    "chicago": ("an answer about a Chicago", "svar om chicago"),
    "play": ("a card", "ett kort"),
    "correct": ("a correction of the card that did not follow suit", "rättelse av felbekänningen"),
    "finished": ("nothing", "ingenting"),
}


def awaited_text(stage: str, lang: str = "en") -> str:
    """What the table waits for in a stage, as words for a sentence.

    >>> awaited_text("play"), awaited_text("play", "sv")
    ('a card', 'ett kort')
    """
    return _AWAITED[stage][language(lang) == "sv"]


def _right(value: object, lang: str, names: Sequence[str] | None) -> str:
    """What should have been written or said: an entry, a kind of hand, a rank, a suit, a pass."""
    if isinstance(value, Mapping):
        return entry_text(value, lang, names)
    text = str(value)
    if text in BY_KEY:
        return category_text(text, lang)
    suits = {suit.letter: suit.sign for suit in Suit}
    return suits.get(text, text)


@dataclass(frozen=True, slots=True)
class ActionProblem(Problem):
    """One refusal about an action of a card record; ``action`` is its index there.

    >>> ActionProblem("cannot_exchange", params={"seat": 1}).message(names=["Anna", "Bo"])
    'Bo is discardless and must stand.'
    """

    action: int | None = None

    def message(self, lang: str = "en", names: Sequence[str] | None = None) -> str:
        """A sentence for a person in ``lang`` ("en" or "sv"); seats become names."""
        lang = language(lang)
        texts = _SV if lang == "sv" else _EN
        text = texts.get(f"{self.code}.{self.params.get('why')}") or texts.get(self.code)
        about_entry = self.entry is not None and self.code != "contradicts_cards"
        if text is None or about_entry:  # the score sheet's own sentence
            return problem_text(self.code, self.params, lang, names)
        shown = {key: self._shown(key, value, lang, names) for key, value in self.params.items()}
        return text.format_map(shown)

    @staticmethod
    def _shown(key: str, value: object, lang: str, names: Sequence[str] | None) -> str:
        if key in ("seat", "turn") and isinstance(value, int):
            return seat_name(value, lang, names)
        if key == "awaited" and isinstance(value, str):
            return awaited_text(value, lang)
        if key == "right":
            return _right(value, lang, names)
        return value.sign if isinstance(value, Card) else str(value)

    def as_json(self, names: Sequence[str] | None = None) -> dict[str, object]:
        """The document of a problem, with the index of the action that it is about."""
        document: dict[str, object] = {
            "code": self.code,
            "severity": self.severity,
            "entry": self.entry,
            "action": self.action,
            "message": self.message("en", names),
        }
        if isinstance(self.params.get("seat"), int):
            document["seat"] = self.params["seat"]
        document["expected"] = [dict(item) for item in self.expected]
        return document


class ActionError(ChicagoError):
    """An action that cannot happen now; ``problem`` says why and what could."""

    problem: ActionProblem

    def __init__(self, problem: ActionProblem) -> None:
        super().__init__(problem.code, **dict(problem.params))
        self.problem = problem

    def message(self, lang: str = "en", names: Sequence[str] | None = None) -> str:
        """The sentence in ``lang`` ("en" or "sv")."""
        return self.problem.message(lang, names)

    def __reduce__(self) -> tuple[type[ActionError], tuple[ActionProblem]]:
        return (type(self), (self.problem,))
