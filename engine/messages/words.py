"""Single words and short phrases of the game, in English and Swedish."""

from __future__ import annotations

WORDS: dict[str, dict[str, str]] = {
    "en": {"seat": "Seat", "and": "and", "record": "the record", "unknown": "?"},
    "sv": {"seat": "Plats", "and": "och", "record": "dokumentet", "unknown": "?"},
}

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

#: Kinds of entries.
KINDS: dict[str, dict[str, str]] = {
    "en": {
        "hand": "best hand",
        "none": "nobody scores",
        "chicago": "Chicago",
        "last_trick": "last trick",
        "revoke": "did not follow suit",
        "illegal_discard": "illegal exchange",
        "ruling": "ruling",
    },
    "sv": {
        "hand": "bästa hand",
        "none": "ingen får poäng",
        "chicago": "chicago",
        "last_trick": "sista sticket",
        "revoke": "bekände inte färg",
        "illegal_discard": "otillåtet köp",
        "ruling": "domslut",
    },
}

#: Kinds of entries as the subject of a sentence.
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

#: Entries in the words of a sheet; ``{who}`` is a player, ``{by}`` another one.
ENTRIES: dict[str, dict[str, str]] = {
    "en": {
        "hand": "{who}: {hand}",
        "hand.reset": "{who}: four of a kind, the others to zero",
        "none": "Nobody scores",
        "chicago.won": "{who}: Chicago won",
        "chicago.lost": "{who}: Chicago lost",
        "chicago.broken": "{who}: Chicago broken by {by}",
        "chicago.blind_won": "{who}: Blind Chicago won",
        "chicago.blind_deuce": "{who}: Blind Chicago won with a deuce",
        "chicago.blind_lost": "{who}: Blind Chicago lost",
        "chicago.blind_broken": "{who}: Blind Chicago broken by {by}",
        "last_trick": "{who}: last trick",
        "last_trick.deuce": "{who}: last trick with a deuce",
        "revoke": "{who}: did not follow suit",
        "illegal_discard": "{who}: exchanged without being allowed to",
        "ruling.points": "{who}: {points} by ruling ({reason})",
        "ruling.sit_out_deal": "{who}: sits out this deal ({reason})",
        "ruling.sit_out_game": "{who}: sits out the game ({reason})",
        "ruling.disqualify": "{who}: disqualified ({reason})",
        "ruling.end_game": "The game is ended ({reason})",
    },
    "sv": {
        "hand": "{who}: {hand}",
        "hand.reset": "{who}: fyrtal, de andra nollas",
        "none": "Ingen får poäng",
        "chicago.won": "{who}: vunnen chicago",
        "chicago.lost": "{who}: förlorad chicago",
        "chicago.broken": "{who}: chicago bruten av {by}",
        "chicago.blind_won": "{who}: vunnen blind chicago",
        "chicago.blind_deuce": "{who}: blind chicago vunnen med en tvåa",
        "chicago.blind_lost": "{who}: förlorad blind chicago",
        "chicago.blind_broken": "{who}: blind chicago bruten av {by}",
        "last_trick": "{who}: sista sticket",
        "last_trick.deuce": "{who}: sista sticket med en tvåa",
        "revoke": "{who}: bekände inte färg",
        "illegal_discard": "{who}: köpte under köpstopp",
        "ruling.points": "{who}: {points} genom domslut ({reason})",
        "ruling.sit_out_deal": "{who}: står över given ({reason})",
        "ruling.sit_out_game": "{who}: står över partiet ({reason})",
        "ruling.disqualify": "{who}: diskvalificerad ({reason})",
        "ruling.end_game": "Partiet avbryts ({reason})",
    },
}

#: Actions of a ruling.
ACTIONS: dict[str, dict[str, str]] = {
    "en": {
        "points": "points",
        "sit_out_deal": "sits out this deal",
        "sit_out_game": "sits out the game",
        "disqualify": "disqualified",
        "end_game": "the game is ended",
    },
    "sv": {
        "points": "poäng",
        "sit_out_deal": "står över given",
        "sit_out_game": "står över partiet",
        "disqualify": "diskvalificerad",
        "end_game": "partiet avbryts",
    },
}

#: Exchanges by number; index 0 is the last one.
ORDINALS: dict[str, tuple[str, ...]] = {
    "en": ("the last exchange", "the first exchange", "the second exchange", "the third exchange"),
    "sv": ("sista köpet", "första köpet", "andra köpet", "tredje köpet"),
}

#: How a game was won.
WINS: dict[str, dict[str, str]] = {
    "en": {
        "target": "by reaching the target",
        "straight_flush": "with a straight flush",
        "royal_flush": "with a royal flush",
        "blind_chicago": "with a deuce in a Blind Chicago",
        "last_standing": "as the last one in the game",
        "ended": "when the game was ended",
    },
    "sv": {
        "target": "genom att nå målpoängen",
        "straight_flush": "med färgstege",
        "royal_flush": "med royal flush",
        "blind_chicago": "med en tvåa i blind chicago",
        "last_standing": "som ensam kvar i partiet",
        "ended": "när partiet avbröts",
    },
}
