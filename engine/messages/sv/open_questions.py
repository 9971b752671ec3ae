"""Questions on which the sources differ: what they say, what holds here, how to change it."""

OPEN_QUESTIONS = {
    "suits": {
        "question": "Färger mellan lika färgstegar i festival och sm",
        "sources": (
            "Tävlingsreglerna säger inget; de svenska hemmareglerna rangordnar färgerna där."
        ),
        "reading": "Färgerna avgör, hjärter är högst.",
        "change": "Revisorn skriver att ingen får poäng, om lika färgstegar inte ska ge något.",
    },
    "false_claim": {
        "question": "En felaktig anmälan i pagat",
        "sources": (
            "Den som visar sig sakna handen har förlorat partiet; hur de andra spelar vidare står "
            "det inget om."
        ),
        "reading": "Protokollet har ingen rad för det; poäng som har skrivits står kvar.",
        "change": (
            "Tävlingsledaren dömer spelaren ute ur partiet, på 0; eller drar poäng, eller ger en "
            "bestraffning för det."
        ),
    },
    "won_chicago": {
        "question": "Sista sticket i en vunnen chicago",
        "sources": (
            "Festival, svensk och basic ger inga poäng för det; pagat säger det bara om en "
            "förlorad chicago, och wikipedia inget alls."
        ),
        "reading": "I en giv med chicago ger sista sticket aldrig poäng.",
        "change": "Tävlingsledaren lägger till poängen genom ett domslut.",
    },
    "royal_outs": {
        "question": "Royal flush när någon är ute ur partiet",
        "sources": (
            "Tävlingsreglerna delar det som blir över mellan de spelare som återstår; om de som "
            "är ute hör dit står det inget om."
        ),
        "reading": "Alla andra delar, även de som är ute.",
        "change": "Tävlingen ger den som är ute inga placeringspoäng.",
    },
    "last_standing": {
        "question": "Den sista kvar, på 0",
        "sources": "Ingen källa säger vem som vinner när alla andra är ute.",
        "reading": "Den som är kvar vinner, oavsett poäng.",
        "change": (
            "Tävlingsledaren rättar protokollet: ett domslut som avbryter partiet innan den sista "
            "andra spelaren åker ut placerar efter poäng."
        ),
    },
    "flip_flop": {
        "question": "Frankes flip-flop",
        "sources": (
            "Tävlingsreglerna avgör lika ställning med den; ingen källa säger hur den spelas."
        ),
        "reading": "Revisorn eller tävlingsledaren skriver in ordningen mellan dem som är lika.",
        "change": (
            "Spelas som spelarna kan den; eller så lottar programmet, husets metod, med ett frö "
            "som sparas så att vem som helst kan göra om lottningen; eller så saknas flip-floppen "
            "i tävlingens särskiljning."
        ),
    },
}
