"""One sentence for every preset and every variant, in English and Swedish."""

from __future__ import annotations

_LIMIT_EN = "From {limit} points on a player may not exchange cards any more."
_LIMIT_SV = "Från {limit} poäng har en spelare köpstopp."

PRESET_TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "festival": (
            "The tournament rules of the Festival Series: three exchanges, a Chicago played is "
            "needed to win, the game ends the moment 52 is reached, and whoever reaches it "
            "without one is out on zero."
        ),
        "sm": (
            "The Swedish championship: played like the festival rules, with 20, 12, 8 and 5 game "
            "points for the places."
        ),
        "svensk": (
            "The Swedish home game: every deal is played to its end, a Chicago played is needed "
            "to win, and whoever has 52 without one goes back to zero and plays on."
        ),
        "pagat": (
            "The international description: a straight flush is worth 8 and a royal flush 52, "
            "nobody is set to zero, and no Chicago is needed to win."
        ),
        "basic": (
            "The short basic game: two exchanges, one open card, scores may fall below zero, and "
            "everybody may always exchange."
        ),
        "wikipedia": (
            "The basic game with the Blind Chicago, and six cards instead of exchanges for "
            "players at 42 or more."
        ),
    },
    "sv": {
        "festival": (
            "Festivalens tävlingsregler: tre köp, en spelad chicago krävs för att vinna, partiet "
            "är slut i samma stund som någon når 52, och den som gör det utan chicago nollas och "
            "är ute."
        ),
        "sm": ("Svenska mästerskapet: spelas som festivalen, med 20, 12, 8 och 5 placeringspoäng."),
        "svensk": (
            "Det svenska hemmaspelet: varje giv spelas färdigt, en spelad chicago krävs för att "
            "vinna, och den som har 52 utan en sådan nollas och spelar vidare."
        ),
        "pagat": (
            "Den internationella beskrivningen: färgstege ger 8 och royal flush 52, ingen kan "
            "nollas av fyrtal, och ingen chicago krävs för att vinna."
        ),
        "basic": (
            "Det korta grundspelet: två köp, ett öppet kort, minuspoäng är tillåtna och ingen får "
            "köpstopp."
        ),
        "wikipedia": (
            "Grundspelet med blind chicago, och sex kort i stället för köp för den som har minst "
            "42."
        ),
    },
}

VARIANT_TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "A": "Suits decide between hands that are otherwise equal, hearts being the highest.",
        "B2": (
            "Four of a kind 7 or a reset, straight flush 8; a royal flush scores 52 and wins, and "
            "the others keep their points."
        ),
        "B3": (
            "Four of a kind 8 or a reset, straight flush 11; a royal flush scores 52 and wins, "
            "and the others keep their points."
        ),
        "B4": (
            "Four of a kind 8 or a reset, straight flush 11; only the royal flush in hearts "
            "scores 52 and wins, the others are worth 20."
        ),
        "C": "Four of a kind only scores points and sets nobody to zero.",
        "D": "Four of a kind scores its points and sets everybody else to zero as well.",
        "E": "A player dealt only cards below ten may ask for a new hand.",
        "F": "Only two exchanges: hands score after the first one and after the tricks.",
        "G": (
            "A player who exchanges one card may ask for it face up, and refuse it for one face "
            "down."
        ),
        "H": "At most four cards may be exchanged at a time.",
        "I": "The best hand scores only if nobody else has a hand of the same kind.",
        "J": (
            "A player who has taken points for four of a kind cannot reset with it later in the "
            "deal."
        ),
        "K": "The deal goes on after four of a kind has set the others to zero.",
        "L": "Broken combinations are put aside face down and shown after the deal.",
        "M": "Forehand leads to the first trick, in a Chicago too.",
        "N": "The last trick is worth 10 if it is taken with a deuce.",
        "O": "The last trick is worth 2, and 5 with a deuce where a deuce counts for more.",
        "P": "The first to overtake a Chicago scores 8.",
        "P10": "The first to overtake a Chicago scores 10.",
        "Q": "The best final hand scores in a Chicago deal too.",
        "R": "Scores may fall below zero, and a Chicago may be declared from any score.",
        "S": "Each player may declare only one Chicago in a game.",
        "T": "A Chicago may be declared in any order, and a better seat may take it over.",
        "U": "51 points are enough.",
        **{f"V{limit}": _LIMIT_EN.format(limit=limit) for limit in range(40, 49)},
        "Voff": "Everybody may always exchange cards.",
        "W": "The winner must have won a Chicago; playing one is not enough.",
        "X": "No Chicago is needed to win.",
        "Y": (
            "The winner must take the last trick or win a Chicago in the final deal; with only the "
            "points one plays on."
        ),
        "Z": (
            "Reaching the target, going to zero and the end of exchanging take effect at once "
            "after the first and second exchange."
        ),
        "reset": "Four of a kind may set the others to zero instead of scoring; the deal ends.",
        "quads-end": "Four of a kind always ends the deal.",
        "sf10": "A straight flush is worth 10.",
        "sf-wins": "A straight flush scores 52 and wins the game.",
        "limit42": _LIMIT_EN.format(limit=42),
        "need-chicago-3": (
            "With three players a Chicago must have been won; whoever reaches the target without "
            "one is set to zero at once."
        ),
        "breaker8": "Whoever takes the trick that breaks a Chicago scores 8 (as in pagat).",
        "win-again": (
            "A player with the points at the end of a deal must still take the last trick or win a "
            "Chicago in a later one."
        ),
        "three-exchanges": "Three exchanges; hands score after the first two and after the tricks.",
        "redeal-ten": "A player dealt only cards up to ten may ask for a new hand.",
        "no-open": "There is no open card.",
        "final-hand-never": "The best final hand never scores in a Chicago deal.",
        "quads52": "Four of a kind lifts its holder to the target instead of scoring points.",
        "reset-one": (
            "Four of a kind may set one other player to zero instead of scoring; the deal goes on."
        ),
        "sf52": "A straight flush lifts its holder to the target instead of scoring points.",
        "royal-wins": "A royal flush wins the game at once; the score becomes the target.",
        "declarer-leads": "Whoever declared a Chicago leads to its first trick, blind or not.",
        "outs-zero": "Players who are out of the game get no game points.",
    },
    "sv": {
        "A": "Färgen avgör mellan annars lika händer, med hjärter högst.",
        "B2": (
            "Fyrtal 7 eller nollning, färgstege 8; royal flush ger 52 och vinner, och de andra "
            "behåller sina poäng."
        ),
        "B3": (
            "Fyrtal 8 eller nollning, färgstege 11; royal flush ger 52 och vinner, och de andra "
            "behåller sina poäng."
        ),
        "B4": (
            "Fyrtal 8 eller nollning, färgstege 11; bara royal flush i hjärter ger 52 och vinner, "
            "de andra är värda 20."
        ),
        "C": "Fyrtal ger bara poäng och nollar ingen.",
        "D": "Fyrtal ger sina poäng och nollar dessutom alla andra.",
        "E": "Den som bara har fått kort under tio får begära en ny hand.",
        "F": "Bara två köp: händerna ger poäng efter det första och efter sticken.",
        "G": "Den som köper ett kort får begära det öppet och byta det mot ett slutet.",
        "H": "Högst fyra kort får köpas åt gången.",
        "I": "Bästa hand ger poäng bara om ingen annan har en hand av samma slag.",
        "J": "Den som har tagit poäng för fyrtal kan inte nolla med det senare i given.",
        "K": "Given går vidare sedan ett fyrtal har nollat de andra.",
        "L": "Brutna kombinationer läggs åt sidan med baksidan upp och visas efter given.",
        "M": "Förhand spelar ut till första sticket även i chicago.",
        "N": "Sista sticket ger 10 om det tas med en tvåa.",
        "O": "Sista sticket ger 2, och 5 med en tvåa där tvåan är värd mer.",
        "P": "Den som först sticker över en chicago får 8.",
        "P10": "Den som först sticker över en chicago får 10.",
        "Q": "Bästa sluthand ger poäng även i en giv med chicago.",
        "R": "Minuspoäng är tillåtna, och chicago får bjudas från vilken ställning som helst.",
        "S": "Var och en får bara bjuda chicago en gång per parti.",
        "T": "Chicago bjuds i valfri ordning, och en bättre plats får ta över budet.",
        "U": "51 poäng räcker.",
        **{f"V{limit}": _LIMIT_SV.format(limit=limit) for limit in range(40, 49)},
        "Voff": "Ingen får köpstopp.",
        "W": "Vinnaren måste ha vunnit en chicago; att ha spelat en räcker inte.",
        "X": "Ingen chicago krävs för att vinna.",
        "Y": (
            "Vinnaren måste ta sista sticket eller vinna en chicago i sista given; den som bara "
            "har poängen spelar vidare."
        ),
        "Z": ("Målpoäng, nollning och köpstopp gäller genast efter första och andra köpet."),
        "reset": "Fyrtal får nolla de andra i stället för att ge poäng; given är då slut.",
        "quads-end": "Fyrtal avslutar alltid given.",
        "sf10": "Färgstege är värd 10.",
        "sf-wins": "Färgstege ger 52 och vinner partiet.",
        "limit42": _LIMIT_SV.format(limit=42),
        "need-chicago-3": (
            "Med tre spelare måste en chicago ha vunnits; den som når målpoängen utan en sådan "
            "nollas genast."
        ),
        "breaker8": "Den som tar sticket som bryter en chicago får 8 (som i pagat).",
        "win-again": (
            "Den som har poängen när en giv slutar måste ändå ta sista sticket eller vinna en "
            "chicago i en senare giv."
        ),
        "three-exchanges": "Tre köp; händerna ger poäng efter det första, det andra och på slutet.",
        "redeal-ten": "Den som bara har fått kort till och med tio får begära en ny hand.",
        "no-open": "Det finns inget öppet kort.",
        "final-hand-never": "Bästa sluthand ger aldrig poäng i en giv med chicago.",
        "quads52": "Fyrtal lyfter den som har det till målpoängen i stället för att ge poäng.",
        "reset-one": (
            "Fyrtal får nolla en enda annan spelare i stället för att ge poäng; given går vidare."
        ),
        "sf52": "Färgstege lyfter den som har den till målpoängen i stället för att ge poäng.",
        "royal-wins": "Royal flush vinner partiet genast; ställningen blir målpoängen.",
        "declarer-leads": "Den som bjudit chicago spelar ut till första sticket, även blind.",
        "outs-zero": "Spelare som är ute ur partiet får inga placeringspoäng.",
    },
}
