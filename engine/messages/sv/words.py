"""Single words and short phrases of the game."""

DOCUMENT = "Dokumentet"

SEAT = "Plats {number}"

CATEGORIES = {
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
}

A_CATEGORY = {
    "nothing": "ingenting",
    "pair": "ett par",
    "two_pair": "två par",
    "three_of_a_kind": "triss",
    "straight": "stege",
    "flush": "färg",
    "full_house": "kåk",
    "four_of_a_kind": "fyrtal",
    "straight_flush": "färgstege",
    "royal_flush": "royal flush",
}

SUBJECTS = {
    "chicago": "Chicago",
    "last_trick": "Sista sticket",
    "revoke": "Att inte bekänna färg",
}

ENTRIES = {
    "of": "{who}: {what}",
    "hand": "{hand}",
    "hand.reset": "{hand}, nollar de andra",
    "hand.reset_one": "{hand}, nollar {other}",
    "none": "Ingen får poäng",
    "chicago.won": "chicago vunnen",
    "chicago.lost": "chicago förlorad",
    "chicago.broken": "chicago bruten av {other}",
    "chicago.blind_won": "blind chicago vunnen",
    "chicago.blind_deuce": "blind chicago vunnen med en tvåa",
    "chicago.blind_lost": "blind chicago förlorad",
    "chicago.blind_broken": "blind chicago bruten av {other}",
    "last_trick": "sista sticket",
    "last_trick.deuce": "sista sticket med en tvåa",
    "revoke": "bekände inte färg",
    "illegal_discard": "köpte trots köpstopp",
    "ruling.points": "Tävlingsledaren: {who} {points}",
    "ruling.sit_out_deal": "Tävlingsledaren: {who} står över given",
    "ruling.fold": "{who} lägger sig i den här given",
    "ruling.sit_out_next_deal": "Tävlingsledaren: {who} står över nästa giv",
    "ruling.sit_out_game": "Tävlingsledaren: {who} är ute ur partiet",
    "ruling.disqualify": "Tävlingsledaren: {who} är diskvalificerad",
    "ruling.redeal": "Tävlingsledaren: given ges om",
    "ruling.end_game": "Partiet avbröts",
}

RULINGS = {
    "points": "Poäng upp eller ned",
    "sit_out_deal": "Står över resten av given",
    "sit_out_next_deal": "Står över nästa giv",
    "sit_out_game": "Ute ur partiet, på 0",
    "disqualify": "Diskvalificerad",
    "redeal": "Ge om: inget i given räknas utom domslut",
    "end_game": "Avbryt partiet nu: tiden är ute",
}

PENALTIES = {
    "warning": "Varning",
    "points": "Poängavdrag",
    "game_points": "Avdrag av placeringspoäng",
}

STATUSES = {
    "in": "",
    "out": "ute",
    "disqualified": "diskvalificerad",
    "disqualified.short": "disk.",
    "sitting_out": "står över",
    "sitting_out_next": "står över nästa giv",
    "discardless": "köpstopp",
}

MARKS = {
    "executed": "har spelat chicago",
    "executed.short": "spelad",
    "won.one": "{won} vunnen chicago",
    "won.other": "{won} vunna chicago",
}

STAGES = {
    "exchange.1": "första köpet",
    "exchange.2": "andra köpet",
    "exchange.3": "tredje köpet",
    "tricks": "stick",
    "final_hand": "sluthand",
    "final_hand.short": "hand",
    "chicago_hand": "sluthand",
    "over": "partiet är slut",
}

UNUSUAL = {
    "rare_hand": "en sällsynt hand",
    "standing_hand": "stämmer inte med en hand som visats förut",
    "unreachable_total": "en poäng som inget parti ger",
}

ORDINALS = ("sista köpet", "första köpet", "andra köpet", "tredje köpet")
