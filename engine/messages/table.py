"""What is wrong with an action at the card table, and what the table is waiting for.

They have the form of :mod:`engine.messages.problems`. Codes of the score sheet that also occur at
the table (a Chicago below the minimum, say) keep their sentences there.
"""

from __future__ import annotations

_EN: dict[str, str] = {
    "malformed": "An action must be an object with the key “do”.",
    "missing_field": "The action “{do}” needs the field “{field}”.",
    "unknown_kind": "“{do}” is not an action at the card table.",
    "unknown_field": "The action “{do}” has no field “{field}”.",
    "bad_value": "“{value}” is not a value for “{field}” in the action “{do}”.",
    "game_finished": "The game is over: nothing more can happen at the table.",
    "unexpected_action": "The table is waiting for {awaited}.",
    "not_your_turn": "It is {turn}'s turn, not {seat}'s.",
    "bad_cards": "These must be exactly the {count} cards that were shuffled, each once.",
    "card_not_in_hand": "{seat} does not hold {card}.",
    "cannot_exchange": "{seat} may not exchange and must stand.",
    "too_many_cards": "At most {limit} cards may be exchanged here.",
    "not_enough_cards": "Only {left} cards are left to exchange for.",
    "one_card": "{seat} was dealt six cards and lays aside exactly one.",
    "no_open_card": "No open card can be asked for here.",
    "not_exposed": "{card} was not dealt to {seat} in the dealing just done.",
    "redeal_not_allowed": "{seat} holds a card that is too high for a new deal.",
    "false_announcement": "{seat} must say what the hand is worth: {right}.",
    "not_showable": "{seat} holds no hand that may be shown like this before the tricks.",
    "not_better": "{seat} has no better hand than the one shown.",
    "must_follow_suit": "{seat} holds a card of the suit led and must follow.",
    "no_offence": "This breaks no rule, so it cannot be marked as an offence.",
    "last_seat": "{seat} is the last one in this deal and cannot sit out.",
    "contradicts_cards": "The sheet does not say what the cards give: “{right}”.",
    "contradicts_cards.over": "The sheet says more than the cards give.",
}

_SV: dict[str, str] = {
    "malformed": "En händelse måste vara ett objekt med nyckeln ”do”.",
    "missing_field": "Händelsen ”{do}” behöver fältet ”{field}”.",
    "unknown_kind": "”{do}” är ingen händelse vid kortbordet.",
    "unknown_field": "Händelsen ”{do}” har inget fält ”{field}”.",
    "bad_value": "”{value}” går inte som ”{field}” i händelsen ”{do}”.",
    "game_finished": "Partiet är slut: inget mer kan hända vid bordet.",
    "unexpected_action": "Bordet väntar på {awaited}.",
    "not_your_turn": "Det är {turn} som står på tur, inte {seat}.",
    "bad_cards": "Det måste vara just de {count} kort som blandades, vart och ett en gång.",
    "card_not_in_hand": "{seat} har inte {card}.",
    "cannot_exchange": "{seat} har köpstopp och måste behålla korten.",
    "too_many_cards": "Högst {limit} kort får köpas här.",
    "not_enough_cards": "Det finns bara {left} kort kvar att köpa.",
    "one_card": "{seat} fick sex kort och lägger bort exakt ett.",
    "no_open_card": "Här kan man inte begära ett öppet kort.",
    "not_exposed": "{card} delades inte ut till {seat} i den senaste utdelningen.",
    "redeal_not_allowed": "{seat} har ett kort som är för högt för en ny giv.",
    "false_announcement": "{seat} måste säga vad handen är värd: {right}.",
    "not_showable": "{seat} har ingen hand som får visas så före sticken.",
    "not_better": "{seat} har ingen bättre hand än den som visats.",
    "must_follow_suit": "{seat} har kort i utspelsfärgen och måste bekänna.",
    "no_offence": "Det här bryter inte mot någon regel och kan inte märkas som förseelse.",
    "last_seat": "{seat} är ensam kvar i given och kan inte stå över.",
    "contradicts_cards": "Protokollet säger inte vad korten ger: ”{right}”.",
    "contradicts_cards.over": "Protokollet säger mer än vad korten ger.",
}

ACTION_PROBLEMS: dict[str, dict[str, str]] = {"en": _EN, "sv": _SV}

#: What the table is waiting for, by stage.
AWAITED: dict[str, dict[str, str]] = {
    "en": {
        "deck": "the shuffled pack",
        "reshuffle": "the reshuffled muck",
        "blind": "an answer about a Blind Chicago",
        "redeal": "keeping the hand or a new deal",
        "discard": "the cards to exchange",
        "take": "an answer about the open card",
        "announce": "the kind of hand",
        "specify": "the next rank of the hand",
        "quads": "reset or points for the four of a kind",
        "show": "hands that are shown before the tricks",
        "outrank": "a better hand than the one shown",
        "chicago": "an answer about a Chicago",
        "play": "a card",
        "correct": "a correction of the card that did not follow suit",
        "finished": "nothing",
    },
    "sv": {
        "deck": "den blandade leken",
        "reshuffle": "de omblandade kastkorten",
        "blind": "svar om blind chicago",
        "redeal": "besked om handen behålls eller det blir ny giv",
        "discard": "korten som läggs bort",
        "take": "svar om det öppna kortet",
        "announce": "besked om vilken sorts hand det är",
        "specify": "handens nästa valör",
        "quads": "nollning eller poäng för fyrtalet",
        "show": "händer som visas före sticken",
        "outrank": "en bättre hand än den visade",
        "chicago": "svar om chicago",
        "play": "ett kort",
        "correct": "rättelse av felbekänningen",
        "finished": "ingenting",
    },
}
