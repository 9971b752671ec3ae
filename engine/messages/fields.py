"""The fields of a rule set in words: their meanings and the names of their values.

docs/rules-decisions.md lists them for every rule set; a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.ruleset import FIELD_NAMES, RuleSet
from ..rules.variants import rules_of
from .rules import VARIANT_TEXTS
from .words import language

#: Field: (short name, meaning), in English and Swedish; what a variant switches on is its sentence.
FIELD_TEXTS: dict[str, dict[str, tuple[str, str]]] = {
    "en": {
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
            VARIANT_TEXTS["en"]["I"],
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
            VARIANT_TEXTS["en"]["quads52"],
        ),
        "final_phase_resets": (
            "Reset in the final phase",
            "Whether D and K hold for the whole final phase, before and after the tricks.",
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
            VARIANT_TEXTS["en"]["S"],
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
            VARIANT_TEXTS["en"]["T"],
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
    },
    "sv": {
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
            VARIANT_TEXTS["sv"]["I"],
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
            VARIANT_TEXTS["sv"]["quads52"],
        ),
        "final_phase_resets": (
            "Nollning på slutet",
            "Om D och K gäller under hela slutfasen, före och efter sticken.",
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
        "chicago_once": ("En chicago var", VARIANT_TEXTS["sv"]["S"]),
        "breaker_points": ("Den som bryter", "Poäng för den som bryter en chicago."),
        "breaker": ("Vem som bryter", "Vem det är som bryter en chicago."),
        "final_hand_in_chicago": (
            "Hand vid chicago",
            "Om bästa sluthand ger poäng i en giv med chicago.",
        ),
        "chicago_lead": ("Utspel i chicago", "Vem som spelar ut till första sticket i chicago."),
        "chicago_free_order": (
            "Chicago i valfri ordning",
            VARIANT_TEXTS["sv"]["T"],
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
    },
}

#: Values in words. The key is "field=value" where a field needs its own words, else the value.
VALUE_TEXTS: dict[str, dict[str, str]] = {
    "en": {
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
        "ending=after_deal_or_exchange": (
            "when the deal closes, and after each exchange, scored or not"
        ),
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
    },
    "sv": {
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
        "ending=after_deal_or_exchange": (
            "när given är slut, och efter varje köp, med eller utan poäng"
        ),
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
    },
}


@dataclass(frozen=True, slots=True)
class FieldText:
    """One field of a rule set in words: its name, label, meaning and value."""

    name: str
    label: str
    meaning: str
    value: str


def value_text(name: str, value: object, lang: str = "en") -> str:
    """Return a field's value in words.

    >>> from engine.rules.presets import FESTIVAL
    >>> value_text("need", FESTIVAL.need), value_text("need", FESTIVAL.need, "sv")
    ('a Chicago played', 'en spelad chicago')
    """
    words = VALUE_TEXTS[language(lang)]
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    return words.get(f"{name}={value}") or words.get(str(value)) or str(value)


def describe(rules: RuleSet | str, lang: str = "en") -> tuple[FieldText, ...]:
    """Return every field of a rule set in words, for pages that show the rules.

    >>> from engine.rules.presets import FESTIVAL
    >>> [field.value for field in describe(FESTIVAL) if field.name == "discardless"]
    ['45']
    """
    rules, texts = rules_of(rules), FIELD_TEXTS[language(lang)]
    return tuple(
        FieldText(name, *texts[name], value_text(name, getattr(rules, name), lang))
        for name in FIELD_NAMES
    )
