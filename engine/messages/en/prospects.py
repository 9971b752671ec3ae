"""What a table wants to know while it plays."""

#: Turns, needs, and what a Chicago needs.
PROSPECTS = {
    "exchange.1": "First exchange",
    "exchange.2": "Second exchange",
    "exchange.3": "Third exchange",
    "turn": "{exchange}: {name} speaks first",
    "points": "{name} needs {points}",
    "points.executed": "{name} needs {points} and a Chicago",
    "points.won": "{name} needs {points} and a Chicago won",
    "points.trick": "{name} needs {points} and the last trick",
    "points.later": "{name} needs {points}, then the last trick of a later deal",
    "executed": "{name} needs a Chicago",
    "won": "{name} needs to win a Chicago",
    "trick": "{name} needs the last trick",
    "later": "{name} needs the last trick of a later deal",
    "never": "{name} cannot win by points any more",
    "there": "{name} has {score}",
    "minimum": "A Chicago needs {points} points",
    "minimum.none": "A Chicago may be declared at any score",
    "equal.never": "Equal best hands score nothing",
    "equal.straight_flushes": (
        "Equal best hands score nothing, except straight flushes: their suits decide"
    ),
    "equal.always": "Between equal hands the suit decides",
    "equal.alone": "Two of the same kind score nothing",
}

#: What scored, in a field of a deal: short, as the field's label says which phase it is.
SCORED = {
    "hand": "{who}, {hand}",
    "reset": "{who}, {hand}: others to 0",
    "reset.one": "{who}, {hand}: {other} to 0",
    "none": "nobody",
    "last_trick": "{who}",
    "last_trick.deuce": "{who}, with a deuce",
    "chicago.won": "{who}, Chicago",
    "chicago.deuce": "{who}, Chicago with a deuce",
    "chicago.lost": "{who}, Chicago lost",
    "chicago.broken": "{who}, broken by {other}",
}
