"""How a game was won, why a score was struck out, why one player is ahead."""

WINS = {
    "target": "vann på {score}{in_deal}",
    "target.shared": "delade segern på {score}{in_deal}",
    "straight_flush": "vann på färgstege{suit}{in_deal}",
    "royal_flush": "vann på royal flush{suit}{in_deal}",
    "blind_chicago": "vann på en tvåa i blind chicago{in_deal}",
    "last_standing": "vann{in_deal} som ensam kvar",
    "ended": "i ledning när partiet avbröts",
}

WIN_NAMES = {
    "target": "någon nådde målpoängen",
    "straight_flush": "färgstege",
    "royal_flush": "royal flush",
    "blind_chicago": "blind chicago med en tvåa",
    "last_standing": "alla andra var ute",
    "ended": "ingen vann: tiden var ute",
}

IN_DEAL = " i giv {deal}"

CAUSES = {
    "no_chicago": "utan chicago",
    "reset": "av fyrtal",
    "royal_flush": "av royal flush",
    "illegal_discard": "för köp trots köpstopp",
    "sit_out_game": "av tävlingsledaren",
}

ZEROED = "nollad på {score} {cause}, giv {deal}"

ADVANCES = {"advances": "vidare", "won": "vann"}

STEP_NAMES = {
    "game_points": "placeringspoäng",
    "score_points": "protokollpoäng",
    "asterisks": "vunna chicago",
    "games_won": "vunna partier",
    "flip_flop": "flip-flop",
}

STEPS = {
    "game_points": "före {name} på placeringspoäng, {own} mot {other}",
    "score_points": "före {name} på protokollpoäng, {own} mot {other}",
    "asterisks": "före {name} på vunna chicago, {own} mot {other}",
    "games_won": "före {name} på vunna partier, {own} mot {other}",
    "flip_flop": "före {name} efter flip-flop",
    "disqualified": "före {name}, som diskvalificerades",
    "share": "före {name}: {own}\N{NO-BREAK SPACE}% av bordets snitt, "
    "mot {other}\N{NO-BREAK SPACE}%",
    "score_points_per_game": "före {name} på protokollpoäng per parti, {own} mot {other}",
    "asterisks_per_game": "före {name} på vunna chicago per parti, {own} mot {other}",
    "further": "kom längre än {name}",
    "level": "lika med {name}",
}
