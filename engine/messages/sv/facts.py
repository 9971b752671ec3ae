"""What an entry did, costs and is worth."""

ZEROED_NOW = "nollad på {score}"

LOSSES = {
    "falls": "{name} faller från {before} till {after}.",
    "out": "{name} faller från {before} till {after} och är ute ur partiet.",
    "short": "{name} når {target} utan chicago: 0 poäng.",
    "short_out": "{name} når {target} utan chicago: 0 poäng och ute ur partiet.",
    "near": "{names}: ingen chicago än, {target} blir 0.",
}

WORTH = {
    "wins": "vinner",
    "to": "till {score}",
    "others": "nollar de andra",
    "one": "nollar {name}",
    "and_zero": "{value}, {zero}",
}
