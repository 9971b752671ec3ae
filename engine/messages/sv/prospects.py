"""What a table wants to know while it plays."""

#: Turns, needs, and what a Chicago needs.
PROSPECTS = {
    "exchange.1": "Första köpet",
    "exchange.2": "Andra köpet",
    "exchange.3": "Tredje köpet",
    "turn": "{exchange}: {name} talar först",
    "points": "{name} behöver {points}",
    "points.executed": "{name} behöver {points} och en chicago",
    "points.won": "{name} behöver {points} och en vunnen chicago",
    "points.trick": "{name} behöver {points} och sista sticket",
    "points.later": "{name} behöver {points} och sedan sista sticket i en senare giv",
    "executed": "{name} behöver en chicago",
    "won": "{name} behöver vinna en chicago",
    "trick": "{name} behöver sista sticket",
    "later": "{name} behöver sista sticket i en senare giv",
    "never": "{name} kan inte längre vinna på poäng",
    "there": "{name} har {score}",
    "minimum": "Chicago kräver {points} poäng",
    "minimum.none": "Chicago får bjudas på vilken ställning som helst",
    "equal.never": "Lika bästa händer ger inga poäng",
    "equal.straight_flushes": (
        "Lika bästa händer ger inga poäng, utom färgstegar: där avgör färgen"
    ),
    "equal.always": "Mellan lika händer avgör färgen",
    "equal.alone": "Två av samma sort ger inga poäng",
}

#: What scored, in a field of a deal: short, as the field's label says which phase it is.
SCORED = {
    "hand": "{who}, {hand}",
    "reset": "{who}, {hand}: nollar de andra",
    "reset.one": "{who}, {hand}: nollar {other}",
    "none": "ingen",
    "last_trick": "{who}",
    "last_trick.deuce": "{who}, med tvåa",
    "chicago.won": "{who}, chicago",
    "chicago.deuce": "{who}, chicago med tvåa",
    "chicago.lost": "{who}, förlorad chicago",
    "chicago.broken": "{who}, bruten av {other}",
}
