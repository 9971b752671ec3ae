"""The fields of a rule set: (short name, meaning), and their values."""

from .rules import VARIANT_TEXTS

FIELD_TEXTS = {
    "players_min": ("Minst antal spelare", "Lägsta antal spelare i ett parti."),
    "players_max": ("Högst antal spelare", "Högsta antal spelare i ett parti."),
    "heat_players_min": ("Minst i ett heat", "Lägsta antal spelare vid ett tävlingsbord."),
    "heat_players_max": ("Högst i ett heat", "Högsta antal spelare vid ett tävlingsbord."),
    "exchanges": (
        "Köp",
        (
            "Hur många köp en giv har; händerna ger poäng efter varje köp, efter det sista när "
            "sticken är spelade."
        ),
    ),
    "exchange_max": ("Kort per köp", "Hur många kort som får köpas åt gången."),
    "open_card": (
        "Öppet kort",
        "Den som köper ett kort får se det först och byta det mot ett slutet.",
    ),
    "open_card_on_request": (
        "Öppet kort på begäran",
        "Bara den som ber om det får kortet öppet.",
    ),
    "exchange_order": (
        "Köpets ordning",
        "Om alla lägger bort sina kort innan den första får nya.",
    ),
    "reshuffle": (
        "Blandas på nytt",
        "Vad som blandas på nytt när talongen tar slut under ett köp.",
    ),
    "redeal": ("Ny hand för låga kort", "Vilka givna händer som får bytas mot nya kort."),
    "broken_aside": (
        "Brutna händer åt sidan",
        "Kort ur en bruten kombination läggs åt sidan och visas efter given.",
    ),
    "hand_points": (
        "Händernas poäng",
        "Poäng från ingenting till royal flush; där en färgstege vinner genast står dess 52.",
    ),
    "alone_of_category": (
        "Ensam i sitt slag",
        VARIANT_TEXTS["I"],
    ),
    "suit_order": ("Färgerna avgör", "Mellan vilka lika händer färgerna avgör."),
    "quads_reset": ("Fyrtal nollar", "Om fyrtal får nolla alla andra."),
    "quads_bound": (
        "Fyrtal binder",
        "Den som har tagit poäng för fyrtal får inte nolla med det senare i given.",
    ),
    "reset_ends_deal": ("Nollning avslutar given", "Om given är slut efter en nollning."),
    "quads_end_deal": ("Fyrtal avslutar given", "Om given är slut efter varje fyrtal."),
    "quads_lift": (
        "Fyrtal lyfter",
        VARIANT_TEXTS["quads52"],
    ),
    "straight_flush": ("Färgstege", "Vad en färgstege gör."),
    "royal_flush": ("Royal flush", "Vad en royal flush gör."),
    "royal_resets": ("Royal flush nollar", "Om en royal flush som vinner nollar alla andra."),
    "royal_hearts_only": (
        "Bara hjärter",
        "Bara royal flush i hjärter vinner; de andra ger sina poäng.",
    ),
    "royal_as_straight_flush": (
        "Royal är färgstege",
        "Royal flush är bara den högsta färgstegen.",
    ),
    "target": ("Målpoäng", "Poängen som vinner partiet."),
    "ending": ("Målpoängen gäller", "När den som står på målpoängen vinner."),
    "need": ("Krävs för vinst", "Vad en vinnare behöver utöver målpoängen."),
    "missing": (
        "Målpoäng utan det som krävs",
        "Vad som händer den som når målpoängen utan det som krävs.",
    ),
    "need_won_with_three": (
        "Chicago med tre",
        "Med tre spelare måste en chicago ha vunnits; den som saknar den nollas genast.",
    ),
    "trick_to_win": (
        "Sista sticket för vinst",
        "Vinnaren måste ta sista sticket eller vinna en chicago i sista given.",
    ),
    "win_again": (
        "Vinn igen",
        (
            "Den som står på målpoängen när en giv slutar vinner genom att ta sista sticket "
            "eller vinna en chicago i en senare giv."
        ),
    ),
    "discardless": ("Köpstopp från", "Från vilken ställning en spelare inte får köpa."),
    "discardless_from": ("Köpstoppet börjar", "När köpstoppet börjar gälla."),
    "six_card_stand": ("Sex kort", "Den som har köpstopp får sex kort och lägger bort ett."),
    "chicago_minimum": ("Chicago från", "Lägsta ställning för att bjuda chicago."),
    "chicago_won": ("Vunnen chicago", "Poäng för en vunnen chicago."),
    "chicago_lost": ("Förlorad chicago", "Poäng som en bruten chicago kostar."),
    "chicago_once": ("En chicago var", VARIANT_TEXTS["S"]),
    "breaker_points": ("Den som bryter", "Poäng för den som bryter en chicago."),
    "breaker": ("Vem som bryter", "Vem det är som bryter en chicago."),
    "final_hand_in_chicago": (
        "Hand vid chicago",
        "Om bästa sluthand ger poäng i en giv med chicago.",
    ),
    "chicago_lead": ("Utspel i chicago", "Vem som spelar ut till första sticket i chicago."),
    "chicago_free_order": (
        "Chicago i valfri ordning",
        VARIANT_TEXTS["T"],
    ),
    "chicago_any_time": (
        "Chicago när som helst",
        "Chicago får bjudas redan från givens första köp.",
    ),
    "blind_chicago": (
        "Blind chicago",
        "Chicago får bjudas innan någon har sett ett kort.",
    ),
    "blind_won": ("Vunnen blind chicago", "Poäng för en vunnen blind chicago."),
    "blind_lost": ("Förlorad blind chicago", "Poäng som en bruten blind chicago kostar."),
    "blind_deuce": (
        "Blind chicago med tvåa",
        "Poäng för en blind chicago som vinns med en tvåa; den vinner också partiet.",
    ),
    "last_trick": ("Sista sticket", "Poäng för sista sticket."),
    "last_trick_deuce": ("Sista sticket med tvåa", "Poäng om det tas med en tvåa."),
    "floor": ("Aldrig under noll", "Om ställningen stannar på noll."),
    "offences": (
        "Förseelser",
        "Om felbekänning och köp trots köpstopp skrivs upp och bestraffas.",
    ),
    "game_points": ("Placeringspoäng", "Poäng för placeringarna i ett parti, bäst först."),
    "out_points": ("Placeringspoäng för utslagna", "Vad den som är ute ur partiet får."),
}

VALUE_TEXTS = {
    "True": "ja",
    "False": "nej",
    "discardless=None": "aldrig",
    "chicago_minimum=None": "vilken ställning som helst",
    "redeal=never": "inga",
    "redeal=below_ten": "bara kort under tio",
    "redeal=up_to_ten": "bara kort till och med tio",
    "suit_order=never": "aldrig",
    "suit_order=straight_flushes": "bara färgstegar och royal flush",
    "suit_order=always": "alla händer, hjärter högst",
    "quads_reset=never": "nej, det ger bara poäng",
    "quads_reset=instead_of_points": "ja, i stället för poäng",
    "quads_reset=with_points": "ja, och det ger också poäng",
    "quads_reset=one_seat_instead_of_points": "en av dem, i stället för poäng",
    "points": "ger poäng",
    "becomes_52": "ställningen blir 52 och partiet är vunnet",
    "plus_52": "52 poäng och partiet",
    "lift": "ställningen blir målpoängen om den är lägre",
    "wins": "ställningen blir målpoängen om den är lägre, och partiet är vunnet",
    "exchange_order=together": "alla lägger bort, sedan får alla nya kort",
    "exchange_order=one_by_one": "en spelare i taget",
    "reshuffle=earlier_discards": "allt utom det som lagts bort i det här köpet",
    "reshuffle=every_discard": "alla bortlagda kort",
    "breaker=first_to_overtake": "den som först sticker över",
    "breaker=first_after_declarer": "den första efter spelföraren, annars den som tar sticket",
    "breaker=taker_of_the_trick": "den som tar sticket",
    "ending=at_once": "genast, efter varje rad",
    "ending=after_deal": "när given är slut",
    "ending=after_deal_or_hand": "när given är slut, och efter handen vid ett köp",
    "need=nothing": "ingenting",
    "need=executed": "en spelad chicago",
    "need=won": "en vunnen chicago",
    "missing=zero_and_out": "nollas och är ute",
    "missing=zero": "nollas och spelar vidare",
    "discardless_from=at_once": "genast",
    "discardless_from=next_deal": "med nästa giv",
    "discardless_from=next_exchange": "med nästa köp",
    "final_hand_in_chicago=never": "aldrig",
    "final_hand_in_chicago=if_won": "bara om den vinns",
    "final_hand_in_chicago=always": "alltid",
    "declarer": "spelföraren",
    "forehand": "förhand",
    "out_points=last_place": "de sista placeringarnas poäng",
    "out_points=zero": "inga placeringspoäng",
}
