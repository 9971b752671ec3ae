"""What an entry did, costs and is worth."""

ZEROED_NOW = "set to zero at {score}"

#: What an entry costs. The Auditor's page fills these in by itself while it is offline.
LOSSES = {
    "falls": "{name} falls from {before} to {after}.",
    "out": "{name} falls from {before} to {after} and is out of this game.",
    "short": "{name} reaches {target} without a Chicago: 0 points.",
    "short_out": "{name} reaches {target} without a Chicago: 0 points, out of this game.",
    "near": "{names}: no Chicago yet, {target} would be 0.",
}

#: What an entry is worth, on a button and on paper.
WORTH = {
    "wins": "wins",
    "to": "to {score}",
    "others": "others to 0",
    "one": "{name} to 0",
    "and_zero": "{value}, {zero}",
}
