"""Single words and short phrases of the game."""

DOCUMENT = "The document"

#: A player whose name is unknown, by the number of the seat.
SEAT = "Seat {number}"

#: Hands by their names in records.
CATEGORIES = {
    "nothing": "nothing",
    "pair": "pair",
    "two_pair": "two pair",
    "three_of_a_kind": "three of a kind",
    "straight": "straight",
    "flush": "flush",
    "full_house": "full house",
    "four_of_a_kind": "four of a kind",
    "straight_flush": "straight flush",
    "royal_flush": "royal flush",
}

#: The same in a sentence, as one of several.
A_CATEGORY = {
    "nothing": "nothing",
    "pair": "a pair",
    "two_pair": "two pair",
    "three_of_a_kind": "three of a kind",
    "straight": "a straight",
    "flush": "a flush",
    "full_house": "a full house",
    "four_of_a_kind": "four of a kind",
    "straight_flush": "a straight flush",
    "royal_flush": "a royal flush",
}

#: Kinds of entries, as the subject of a sentence.
SUBJECTS = {
    "chicago": "A Chicago",
    "last_trick": "The last trick",
    "revoke": "Not following suit",
}

#: Entries in the words of a sheet, ``{other}`` being another player; "of" says whose an entry is,
#: which a button leaves out. Of a ruling ``{who}`` is the player.
ENTRIES = {
    "of": "{who}: {what}",
    "hand": "{hand}",
    "hand.reset": "{hand}, the others to zero",
    "hand.reset_one": "{hand}, {other} to zero",
    "none": "Nobody scores",
    "chicago.won": "Chicago won",
    "chicago.lost": "Chicago lost",
    "chicago.broken": "Chicago broken by {other}",
    "chicago.blind_won": "Blind Chicago won",
    "chicago.blind_deuce": "Blind Chicago won with a deuce",
    "chicago.blind_lost": "Blind Chicago lost",
    "chicago.blind_broken": "Blind Chicago broken by {other}",
    "last_trick": "last trick",
    "last_trick.deuce": "last trick with a deuce",
    "revoke": "did not follow suit",
    "illegal_discard": "illegal exchange",
    "ruling.points": "Director: {who} {points}",
    "ruling.sit_out_deal": "Director: {who} sits out this deal",
    "ruling.fold": "{who} folds this deal",
    "ruling.sit_out_next_deal": "Director: {who} sits out the next deal",
    "ruling.sit_out_game": "Director: {who} is out of this game",
    "ruling.disqualify": "Director: {who} is disqualified",
    "ruling.redeal": "Director: the deal is dealt again",
    "ruling.end_game": "The game was ended",
}

#: Names of rulings, as the director chooses them.
RULINGS = {
    "points": "Points up or down",
    "sit_out_deal": "Sits out the rest of the deal",
    "sit_out_next_deal": "Sits out the next deal",
    "sit_out_game": "Out of the game, on 0",
    "disqualify": "Disqualified",
    "redeal": "Deal again: nothing of this deal counts but rulings",
    "end_game": "End the game now: time is up",
}

#: Penalties that are not rulings about a deal or game, as the director chooses them.
PENALTIES = {
    "warning": "Warning",
    "points": "Points off",
    "game_points": "Game points off",
}

#: A seat's status in a game; a seat that simply plays needs no word.
STATUSES = {
    "in": "",
    "out": "out",
    "disqualified": "disqualified",
    "disqualified.short": "disq.",
    "sitting_out": "sits out",
    "sitting_out_next": "sits out the next deal",
    "discardless": "may not exchange",
}

#: What the circle and the asterisks of a name mean; the short forms are for narrow columns.
MARKS = {
    "executed": "has played a Chicago",
    "executed.short": "played",
    "won.one": "{won} Chicago won",
    "won.other": "{won} Chicagos won",
}

#: The sheet's place in the deal.
STAGES = {
    "exchange.1": "first exchange",
    "exchange.2": "second exchange",
    "exchange.3": "third exchange",
    "tricks": "tricks",
    "final_hand": "final hand",
    "final_hand.short": "hand",
    "chicago_hand": "final hand",
    "over": "the game is over",
}

#: What is unusual about an entry that the engine warned about.
UNUSUAL = {
    "rare_hand": "a rare hand",
    "standing_hand": "does not fit a hand shown before",
    "unreachable_total": "a score that no game gives",
}

#: Exchanges by number; index 0 is the last exchange.
ORDINALS = (
    "the last exchange",
    "the first exchange",
    "the second exchange",
    "the third exchange",
)
