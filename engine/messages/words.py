"""Single words and short phrases of the game, in English and Swedish."""

from __future__ import annotations

LANGUAGES: tuple[str, ...] = ("en", "sv")

AND: dict[str, str] = {"en": "and", "sv": "och"}
DOCUMENT: dict[str, str] = {"en": "The document", "sv": "Dokumentet"}
#: A player whose name is unknown, by the number of the seat.
SEAT: dict[str, str] = {"en": "Seat {number}", "sv": "Plats {number}"}


def language(tag: str | None) -> str:
    """Return the language of the catalogue for a language tag; English for unknown tags.

    >>> language("sv-FI"), language("de")
    ('sv', 'en')
    """
    short = (tag or "")[:2].lower()
    return short if short in LANGUAGES else "en"


#: Hands by their names in records.
CATEGORIES: dict[str, dict[str, str]] = {
    "en": {
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
    },
    "sv": {
        "nothing": "ingenting",
        "pair": "par",
        "two_pair": "två par",
        "three_of_a_kind": "triss",
        "straight": "stege",
        "flush": "färg",
        "full_house": "kåk",
        "four_of_a_kind": "fyrtal",
        "straight_flush": "färgstege",
        "royal_flush": "royal flush",
    },
}

#: Hands that take an article in English.
WITH_ARTICLE = frozenset(
    {"pair", "straight", "flush", "full_house", "straight_flush", "royal_flush"}
)

#: Kinds of entries, as the subject of a sentence.
SUBJECTS: dict[str, dict[str, str]] = {
    "en": {
        "chicago": "A Chicago",
        "last_trick": "The last trick",
        "revoke": "Not following suit",
    },
    "sv": {
        "chicago": "Chicago",
        "last_trick": "Sista sticket",
        "revoke": "Att inte bekänna färg",
    },
}

#: Entries in the words of a sheet; ``{who}`` is a player, ``{other}`` another one.
ENTRIES: dict[str, dict[str, str]] = {
    "en": {
        "hand": "{who}: {hand}",
        "hand.reset": "{who}: {hand}, the others to zero",
        "hand.reset_one": "{who}: {hand}, {other} to zero",
        "none": "Nobody scores",
        "chicago.won": "{who}: Chicago won",
        "chicago.lost": "{who}: Chicago lost",
        "chicago.broken": "{who}: Chicago broken by {other}",
        "chicago.blind_won": "{who}: Blind Chicago won",
        "chicago.blind_deuce": "{who}: Blind Chicago won with a deuce",
        "chicago.blind_lost": "{who}: Blind Chicago lost",
        "chicago.blind_broken": "{who}: Blind Chicago broken by {other}",
        "last_trick": "{who}: last trick",
        "last_trick.deuce": "{who}: last trick with a deuce",
        "revoke": "{who}: did not follow suit",
        "illegal_discard": "{who}: illegal exchange",
        "ruling.points": "Director: {who} {points}",
        "ruling.sit_out_deal": "Director: {who} sits out this deal",
        "ruling.fold": "{who} folds this deal",
        "ruling.sit_out_next_deal": "Director: {who} sits out the next deal",
        "ruling.sit_out_game": "Director: {who} is out of this game",
        "ruling.disqualify": "Director: {who} is disqualified",
        "ruling.redeal": "Director: the deal is dealt again",
        "ruling.end_game": "The game was ended",
    },
    "sv": {
        "hand": "{who}: {hand}",
        "hand.reset": "{who}: {hand}, nollar de andra",
        "hand.reset_one": "{who}: {hand}, nollar {other}",
        "none": "Ingen får poäng",
        "chicago.won": "{who}: chicago vunnen",
        "chicago.lost": "{who}: chicago förlorad",
        "chicago.broken": "{who}: chicago bruten av {other}",
        "chicago.blind_won": "{who}: blind chicago vunnen",
        "chicago.blind_deuce": "{who}: blind chicago vunnen med en tvåa",
        "chicago.blind_lost": "{who}: blind chicago förlorad",
        "chicago.blind_broken": "{who}: blind chicago bruten av {other}",
        "last_trick": "{who}: sista sticket",
        "last_trick.deuce": "{who}: sista sticket med en tvåa",
        "revoke": "{who}: bekände inte färg",
        "illegal_discard": "{who}: köpte trots köpstopp",
        "ruling.points": "Tävlingsledaren: {who} {points}",
        "ruling.sit_out_deal": "Tävlingsledaren: {who} står över given",
        "ruling.fold": "{who} lägger sig i den här given",
        "ruling.sit_out_next_deal": "Tävlingsledaren: {who} står över nästa giv",
        "ruling.sit_out_game": "Tävlingsledaren: {who} är ute ur partiet",
        "ruling.disqualify": "Tävlingsledaren: {who} är diskvalificerad",
        "ruling.redeal": "Tävlingsledaren: given ges om",
        "ruling.end_game": "Partiet avbröts",
    },
}

#: Names of rulings, as the director chooses them.
RULINGS: dict[str, dict[str, str]] = {
    "en": {
        "points": "Points up or down",
        "sit_out_deal": "Sits out the rest of the deal",
        "sit_out_next_deal": "Sits out the next deal",
        "sit_out_game": "Out of the game, on 0",
        "disqualify": "Disqualified",
        "redeal": "Deal again: nothing of this deal counts but rulings",
        "end_game": "End the game now: time is up",
    },
    "sv": {
        "points": "Poäng upp eller ned",
        "sit_out_deal": "Står över resten av given",
        "sit_out_next_deal": "Står över nästa giv",
        "sit_out_game": "Ute ur partiet, på 0",
        "disqualify": "Diskvalificerad",
        "redeal": "Ge om: inget i given räknas utom domslut",
        "end_game": "Avbryt partiet nu: tiden är ute",
    },
}

#: Penalties that are not rulings about a deal or game, as the director chooses them.
PENALTIES: dict[str, dict[str, str]] = {
    "en": {
        "warning": "Warning",
        "points": "Points off",
        "game_points": "Game points off",
    },
    "sv": {
        "warning": "Varning",
        "points": "Poängavdrag",
        "game_points": "Avdrag av placeringspoäng",
    },
}

#: A seat's status in a game; a seat that simply plays needs no word.
STATUSES: dict[str, dict[str, str]] = {
    "en": {
        "in": "",
        "out": "out",
        "disqualified": "disqualified",
        "disqualified.short": "disq.",
        "sitting_out": "sits out",
        "sitting_out_next": "sits out the next deal",
        "discardless": "may not exchange",
    },
    "sv": {
        "in": "",
        "out": "ute",
        "disqualified": "diskvalificerad",
        "disqualified.short": "disk.",
        "sitting_out": "står över",
        "sitting_out_next": "står över nästa giv",
        "discardless": "köpstopp",
    },
}

#: What the circle and the asterisks of a name mean; the short forms are for narrow columns.
MARKS: dict[str, dict[str, str]] = {
    "en": {
        "executed": "has played a Chicago",
        "executed.short": "played",
        "won.one": "{won} Chicago won",
        "won": "{won} Chicagos won",
    },
    "sv": {
        "executed": "har spelat chicago",
        "executed.short": "spelad",
        "won.one": "{won} vunnen chicago",
        "won": "{won} vunna chicago",
    },
}

#: The sheet's place in the deal.
STAGES: dict[str, dict[str, str]] = {
    "en": {
        "exchange.1": "first exchange",
        "exchange.2": "second exchange",
        "tricks": "tricks",
        "final_hand": "final hand",
        "final_hand.short": "hand",
        "chicago_hand": "final hand",
        "over": "the game is over",
    },
    "sv": {
        "exchange.1": "första köpet",
        "exchange.2": "andra köpet",
        "tricks": "stick",
        "final_hand": "sluthand",
        "final_hand.short": "hand",
        "chicago_hand": "sluthand",
        "over": "partiet är slut",
    },
}

#: What is unusual about an entry that the engine warned about.
UNUSUAL: dict[str, dict[str, str]] = {
    "en": {
        "rare_hand": "a rare hand",
        "standing_hand": "does not fit a hand shown before",
        "unreachable_total": "a score that no game gives",
    },
    "sv": {
        "rare_hand": "en sällsynt hand",
        "standing_hand": "stämmer inte med en hand som visats förut",
        "unreachable_total": "en poäng som inget parti ger",
    },
}

#: Exchanges by number; index 0 is the last exchange.
ORDINALS: dict[str, tuple[str, ...]] = {
    "en": ("the last exchange", "the first exchange", "the second exchange", "the third exchange"),
    "sv": ("sista köpet", "första köpet", "andra köpet", "tredje köpet"),
}
