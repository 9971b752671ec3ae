"""The fields of a rule set: (short name, meaning), and their values.

What a variant switches on is its sentence.
"""

from .rules import VARIANT_TEXTS

FIELD_TEXTS = {
    "players_min": ("Fewest players", "The fewest players for a game."),
    "players_max": ("Most players", "The most players for a game."),
    "heat_players_min": ("Fewest in a heat", "The fewest players at a tournament table."),
    "heat_players_max": ("Most in a heat", "The most players at a tournament table."),
    "exchanges": (
        "Exchanges",
        (
            "How many exchanges a deal has; hands score after each, after the last one when "
            "the tricks are played."
        ),
    ),
    "exchange_max": ("Cards exchanged", "How many cards may be exchanged at a time."),
    "open_card": (
        "Open card",
        "A player who exchanges one card may see it first and refuse it for one face down.",
    ),
    "open_card_on_request": (
        "Open card on request",
        "Only a player who asks for it is dealt an open card.",
    ),
    "exchange_order": (
        "Order of the exchange",
        "Whether all lay cards down before the first is dealt new ones.",
    ),
    "reshuffle": (
        "Shuffled again",
        "What is shuffled again when the stub is used up in an exchange.",
    ),
    "redeal": ("New hand for low cards", "Which dealt hands may be thrown in for new cards."),
    "broken_aside": (
        "Broken hands put aside",
        "Cards of a broken combination are put aside and shown after the deal.",
    ),
    "hand_points": (
        "Points of hands",
        "Points from nothing to royal flush; where a flush wins at once its 52 stand here.",
    ),
    "alone_of_category": (
        "Alone of its kind",
        VARIANT_TEXTS["I"],
    ),
    "suit_order": ("Suits decide", "Between which equal hands the suits decide."),
    "quads_reset": (
        "Four of a kind resets",
        "Whether four of a kind may set everybody else to zero.",
    ),
    "quads_bound": (
        "Four of a kind binds",
        "A player who has scored four of a kind may not reset with it later in the deal.",
    ),
    "reset_ends_deal": ("A reset ends the deal", "Whether the deal is over after a reset."),
    "quads_end_deal": (
        "Four of a kind ends the deal",
        "Whether the deal is over after any four of a kind.",
    ),
    "quads_lift": (
        "Four of a kind lifts",
        VARIANT_TEXTS["quads52"],
    ),
    "straight_flush": ("Straight flush", "What a straight flush does."),
    "royal_flush": ("Royal flush", "What a royal flush does."),
    "royal_resets": (
        "Royal flush resets",
        "Whether a royal flush that wins sets everybody else to zero.",
    ),
    "royal_hearts_only": (
        "Only hearts",
        "Only the royal flush in hearts wins; the others score their points.",
    ),
    "royal_as_straight_flush": (
        "Royal is a straight flush",
        "A royal flush is nothing but the highest straight flush.",
    ),
    "target": ("Target", "The score that wins the game."),
    "ending": ("The target counts", "When a player at the target wins."),
    "need": ("Needed to win", "What a winner needs besides the target."),
    "missing": (
        "Target without it",
        "What happens to a player at the target who lacks what is needed.",
    ),
    "need_won_with_three": (
        "Chicago with three",
        (
            "With three players a Chicago must have been won; without one a player is set to "
            "zero at once."
        ),
    ),
    "trick_to_win": (
        "Last trick to win",
        "The winner must take the last trick or win a Chicago in the final deal.",
    ),
    "win_again": (
        "Win again",
        (
            "A player at the target when a deal closes wins by taking the last trick or "
            "winning a Chicago in a later deal."
        ),
    ),
    "discardless": ("No exchange from", "The score from which a player may not exchange."),
    "discardless_from": (
        "No exchange begins",
        "When a player at that score may no longer exchange.",
    ),
    "six_card_stand": (
        "Six cards",
        "A player who may not exchange is dealt six cards and discards one.",
    ),
    "chicago_minimum": ("Chicago from", "The least score from which a Chicago is declared."),
    "chicago_won": ("Chicago won", "Points for a Chicago that is won."),
    "chicago_lost": ("Chicago lost", "Points that a broken Chicago costs."),
    "chicago_once": (
        "One Chicago each",
        VARIANT_TEXTS["S"],
    ),
    "breaker_points": ("Breaker", "Points for breaking a Chicago."),
    "breaker": ("Who breaks", "Who it is that breaks a Chicago."),
    "final_hand_in_chicago": (
        "Hand in a Chicago deal",
        "Whether the best final hand scores in a Chicago deal.",
    ),
    "chicago_lead": ("Lead in a Chicago", "Who leads to the first trick of a Chicago."),
    "chicago_free_order": (
        "Chicago in any order",
        VARIANT_TEXTS["T"],
    ),
    "chicago_any_time": (
        "Chicago at any time",
        "A Chicago may be declared from the deal's first exchange on.",
    ),
    "blind_chicago": (
        "Blind Chicago",
        "A Chicago may be declared before anybody has seen a card.",
    ),
    "blind_won": ("Blind Chicago won", "Points for a Blind Chicago that is won."),
    "blind_lost": ("Blind Chicago lost", "Points that a broken Blind Chicago costs."),
    "blind_deuce": (
        "Blind Chicago with a deuce",
        "Points for a Blind Chicago won with a deuce; it also wins the game.",
    ),
    "last_trick": ("Last trick", "Points for the last trick."),
    "last_trick_deuce": ("Last trick with a deuce", "Points for it if taken with a deuce."),
    "floor": ("Never below zero", "Whether scores stop at zero."),
    "offences": (
        "Offences",
        "Whether a revoke and an illegal exchange are written down and penalised.",
    ),
    "game_points": ("Game points", "Points for the places of a game, best first."),
    "out_points": ("Game points when out", "What a player who is out of the game gets."),
}

#: Values in words. The key is "field=value" where a field needs its own words, else the value.
VALUE_TEXTS = {
    "True": "yes",
    "False": "no",
    "discardless=None": "never",
    "chicago_minimum=None": "any score",
    "redeal=never": "none",
    "redeal=below_ten": "only cards below ten",
    "redeal=up_to_ten": "only cards up to ten",
    "suit_order=never": "never",
    "suit_order=straight_flushes": "only straight flushes and royal flushes",
    "suit_order=always": "all hands, hearts highest",
    "quads_reset=never": "no, it only scores",
    "quads_reset=instead_of_points": "yes, instead of scoring",
    "quads_reset=with_points": "yes, and it scores as well",
    "quads_reset=one_seat_instead_of_points": "one of them, instead of scoring",
    "points": "scores points",
    "becomes_52": "the score becomes 52 and the game is won",
    "plus_52": "52 points and the game",
    "lift": "the score becomes the target if below it",
    "wins": "the score becomes the target if below it, and the game is won",
    "exchange_order=together": "all lay down, then all are dealt",
    "exchange_order=one_by_one": "one player after the other",
    "reshuffle=earlier_discards": "all but what this exchange laid down",
    "reshuffle=every_discard": "every discard",
    "breaker=first_to_overtake": "the first to overtake",
    "breaker=first_after_declarer": "the first after the declarer, else the taker",
    "breaker=taker_of_the_trick": "whoever takes the trick",
    "ending=at_once": "at once, after every entry",
    "ending=after_deal": "when the deal closes",
    "ending=after_deal_or_hand": "when the deal closes, and after an exchange's hand",
    "need=nothing": "nothing",
    "need=executed": "a Chicago played",
    "need=won": "a Chicago won",
    "missing=zero_and_out": "to zero and out of the game",
    "missing=zero": "to zero, plays on",
    "discardless_from=at_once": "at once",
    "discardless_from=next_deal": "with the next deal",
    "discardless_from=next_exchange": "with the next exchange",
    "final_hand_in_chicago=never": "never",
    "final_hand_in_chicago=if_won": "only if it is won",
    "final_hand_in_chicago=always": "always",
    "declarer": "the declarer",
    "forehand": "forehand",
    "out_points=last_place": "the points of the last places",
    "out_points=zero": "no game points",
}
