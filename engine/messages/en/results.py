"""How a game was won, why a score was struck out, why one player is ahead."""

#: How a game was won, as a statement about its winners.
WINS = {
    "target": "won at {score}{in_deal}",
    "target.shared": "shared the win at {score}{in_deal}",
    "straight_flush": "won with a straight flush{suit}{in_deal}",
    "royal_flush": "won with a royal flush{suit}{in_deal}",
    "blind_chicago": "won with a deuce in a Blind Chicago{in_deal}",
    "last_standing": "won{in_deal} as the only one left",
    "ended": "in the lead when the game was ended",
}

#: The same as a choice, for a result read off a paper sheet.
WIN_NAMES = {
    "target": "the target was reached",
    "straight_flush": "a straight flush",
    "royal_flush": "a royal flush",
    "blind_chicago": "a Blind Chicago with a deuce",
    "last_standing": "everybody else was out",
    "ended": "nobody won: time was up",
}

#: Nothing where the deal is not known.
IN_DEAL = " in deal {deal}"

#: Why a score was struck out; shown after the score.
CAUSES = {
    "no_chicago": "without a Chicago",
    "reset": "by four of a kind",
    "royal_flush": "by a royal flush",
    "illegal_discard": "for an illegal exchange",
    "sit_out_game": "by the director",
}

ZEROED = "set to zero at {score} {cause}, deal {deal}"

#: What is said of a heat's best: that they advance, or that they have won where nobody does.
ADVANCES = {"advances": "advances", "won": "won"}

#: The steps of a heat's ranking chain, as choices.
STEP_NAMES = {
    "game_points": "game points",
    "score_points": "sheet points",
    "asterisks": "Chicagos won",
    "games_won": "games won",
    "flip_flop": "Flip Flop",
}

#: The step that put one player above the next; the numbers are the two players'.
STEPS = {
    "game_points": "ahead of {name} on game points, {own} to {other}",
    "score_points": "ahead of {name} on sheet points, {own} to {other}",
    "asterisks": "ahead of {name} on Chicagos won, {own} to {other}",
    "games_won": "ahead of {name} on games won, {own} to {other}",
    "flip_flop": "ahead of {name} by Flip Flop",
    "disqualified": "ahead of {name}, who was disqualified",
    "share": "ahead of {name}: {own}\N{NO-BREAK SPACE}% of the average at the table, "
    "against {other}\N{NO-BREAK SPACE}%",
    "score_points_per_game": "ahead of {name} on sheet points per game, {own} to {other}",
    "asterisks_per_game": "ahead of {name} on Chicagos won per game, {own} to {other}",
    "further": "got further than {name}",
    "level": "level with {name}",
}
