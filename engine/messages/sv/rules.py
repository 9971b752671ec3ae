"""One sentence for every preset and every variant."""

_LIMIT = "Från {limit} poäng har en spelare köpstopp."

PRESET_NAMES = {
    "festival": "festivalens tävlingsregler",
    "sm": "svenska mästerskapet",
    "svensk": "det svenska hemmaspelet",
    "pagat": "den internationella beskrivningen",
    "basic": "det korta grundspelet",
    "wikipedia": "grundspelet med blind chicago",
}

PRESET_TEXTS = {
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
        "Grundspelet med blind chicago, och sex kort i stället för köp för den som har minst 42."
    ),
}

VARIANT_TEXTS = {
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
    **{f"V{limit}": _LIMIT.format(limit=limit) for limit in range(40, 49)},
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
    "limit42": _LIMIT.format(limit=42),
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
}
