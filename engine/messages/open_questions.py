"""Questions on which the sources differ: what they say, what holds here, and how to change it."""

from __future__ import annotations

from typing import Final, NamedTuple

from .words import language


class OpenQuestion(NamedTuple):
    """One question, in one language."""

    question: str
    sources: str
    reading: str
    change: str


#: By language and key; docs/rules-decisions.md shows the English ones, and a test compares them.
OPEN_QUESTIONS: Final[dict[str, dict[str, OpenQuestion]]] = {
    "en": {
        "suits": OpenQuestion(
            "Suits between equal straight flushes in festival and sm",
            "The tournament text is silent; the Swedish home rules rank the suits there.",
            "The suits decide, hearts highest.",
            "The Auditor writes that nobody scores, where equal ones are to share nothing.",
        ),
        "false_claim": OpenQuestion(
            "A false claim in pagat",
            "Whoever is shown not to have the hand claimed loses the game; how the others go on, "
            "it does not say.",
            "The sheet has no entry for it; points that were written stay.",
            "The director rules the player out of the game, on 0; or takes points, or gives a "
            "penalty for that offence.",
        ),
        "won_chicago": OpenQuestion(
            "The last trick of a won Chicago",
            "Festival, svensk and basic rule its points out; pagat does so for a lost Chicago "
            "only, and wikipedia says nothing.",
            "In a Chicago deal the last trick never scores.",
            "The director adds the points by a ruling.",
        ),
        "royal_outs": OpenQuestion(
            "A royal flush with somebody out of the game",
            "The tournament text shares what is left among the remaining players; whether those "
            "who are out are among them, it does not say.",
            "All others share it, those who are out as well.",
            "The event gives players who are out no game points.",
        ),
        "last_standing": OpenQuestion(
            "The last one standing, on 0",
            "No source says who wins when everybody else is out.",
            "Whoever is left wins, whatever the score.",
            "The director corrects the sheet: a ruling that ends the game, before the last other "
            "player goes out, places by score.",
        ),
        "flip_flop": OpenQuestion(
            "Franke's Flip Flop",
            "The tournament text settles ties by it; no source tells how it is played.",
            "The Auditor or the director records the order of the tied players.",
            "Played as the players know it; or the program draws lots, the house's method, whose "
            "seed is recorded so that anybody can repeat them; or an event's chain leaves it out.",
        ),
    },
    "sv": {
        "suits": OpenQuestion(
            "Färger mellan lika färgstegar i festival och sm",
            "Tävlingsreglerna säger inget; de svenska hemmareglerna rangordnar färgerna där.",
            "Färgerna avgör, hjärter är högst.",
            "Revisorn skriver att ingen får poäng, om lika färgstegar inte ska ge något.",
        ),
        "false_claim": OpenQuestion(
            "En felaktig anmälan i pagat",
            "Den som visar sig sakna handen har förlorat partiet; hur de andra spelar vidare står "
            "det inget om.",
            "Protokollet har ingen rad för det; poäng som har skrivits står kvar.",
            "Tävlingsledaren dömer spelaren ute ur partiet, på 0; eller drar poäng, eller ger en "
            "bestraffning för det.",
        ),
        "won_chicago": OpenQuestion(
            "Sista sticket i en vunnen chicago",
            "Festival, svensk och basic ger inga poäng för det; pagat säger det bara om en "
            "förlorad chicago, och wikipedia inget alls.",
            "I en giv med chicago ger sista sticket aldrig poäng.",
            "Tävlingsledaren lägger till poängen genom ett domslut.",
        ),
        "royal_outs": OpenQuestion(
            "Royal flush när någon är ute ur partiet",
            "Tävlingsreglerna delar det som blir över mellan de spelare som återstår; om de som är "
            "ute hör dit står det inget om.",
            "Alla andra delar, även de som är ute.",
            "Tävlingen ger den som är ute inga placeringspoäng.",
        ),
        "last_standing": OpenQuestion(
            "Den sista kvar, på 0",
            "Ingen källa säger vem som vinner när alla andra är ute.",
            "Den som är kvar vinner, oavsett poäng.",
            "Tävlingsledaren rättar protokollet: ett domslut som avbryter partiet innan den sista "
            "andra spelaren åker ut placerar efter poäng.",
        ),
        "flip_flop": OpenQuestion(
            "Frankes flip-flop",
            "Tävlingsreglerna avgör lika ställning med den; ingen källa säger hur den spelas.",
            "Revisorn eller tävlingsledaren skriver in ordningen mellan dem som är lika.",
            "Spelas som spelarna kan den; eller så lottar programmet, husets metod, med ett frö "
            "som sparas så att vem som helst kan göra om lottningen; eller så saknas flip-floppen "
            "i tävlingens särskiljning.",
        ),
    },
}


def open_questions(lang: str = "en") -> list[OpenQuestion]:
    """Return the questions in the reader's language.

    >>> open_questions()[-1].question
    "Franke's Flip Flop"
    """
    return list(OPEN_QUESTIONS[language(lang)].values())
