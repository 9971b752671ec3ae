"""What is wrong with an action at the card table, and what the table is waiting for.

Codes of the score sheet that also occur at the table (a Chicago below the minimum, say) keep their
sentences in ``problems``.
"""

ACTION_PROBLEMS = {
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

#: What the table is waiting for, by stage.
AWAITED = {
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
}
