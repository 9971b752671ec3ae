"""The lines at the foot of an empty protocol."""

REMINDER = {
    "hands": "Hands",
    "tricks": "Tricks",
    "game": "Game",
    "or": "{value} or {zero}",
    "one_other": "one other to 0",
    "last_trick": "last trick {points}",
    "last_trick.deuce": "last trick {points}, with a deuce {deuce}",
    "chicago": "Chicago won +{won}, broken −{lost}",
    "breaker": "first to break it +{points}",
    "minimum": "Chicago from {points}",
    "blind": "Blind Chicago +{won}, with a deuce +{deuce}, lost −{lost}",
    "need.nothing": "to {target}",
    "need.executed": "to {target} with a Chicago played",
    "need.won": "to {target} with a Chicago won",
    "discardless": "no exchange from {limit}",
    "game_points": "game points {points}",
    "marks": "circle the name of whoever has played a Chicago, * for each one won",
    "checksum": "Checksum: the game points add up to {each}.",
    "checksum.games": (
        "Checksum: the game points of each game add up to {each}, of all games to {all}."
    ),
}
