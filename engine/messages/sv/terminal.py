"""What the command line prints on a terminal besides problems and outlooks."""

from .results import STEP_NAMES

TERMINAL = {
    "player": "spelare",
    "score": "poäng",
    "executed": "chicago",
    "asterisks": STEP_NAMES["asterisks"],
    "status": "",
    "place": "placering",
    "game_points": STEP_NAMES["game_points"],
    "penalty": "avdrag",
    "score_points": STEP_NAMES["score_points"],
    "deal": "Giv {deal}.",
    "over": "Partiet är slut efter {deal} givar.",
    "advances": "Vidare: {names}.",
    "flip_flop": "Flip-flop mellan {names}.",
    "unfinished": "Inte färdigspelat: parti {games}.",
    "possible": "Resultatet är möjligt.",
    "round": "Omgång {number}: {tables}",
    "lucky_loser": "En lucky loser behövs.",
    "more_heats": "Fler heat behövs.",
    "checked": "{number} granskade, {wrong} med fel.",
    "not_checked": (
        "Resultat, kvalificerade och omgångar följer av partierna och de antecknade besluten. "
        "Tagna som de står: kvalificeringens ordning, lucky losers och lotter, lottningar, "
        "bestraffningar, inställningar, tider och vad spelarna sagt."
    ),
}

STATISTICS = {
    "rules": "regler",
    "players": "spelare",
    "games": "partier",
    "deals_per_game": "givar per parti",
    "mean": "medelvärde",
    "least": "som minst",
    "median": "median",
    "nine_in_ten": "högst i nio av tio",
    "most": "som mest",
    "ways_to_win": "så vanns partierna",
    "positions": "platser",
    "first_dealer": "förste givare, {players} spelare",
    "position": "{position} till vänster, {players} spelare",
    "earned": "{wins} vinster, {points} placeringspoäng",
    "chicagos_per_game": "chicago per parti",
    "chicagos_won": "vunna chicago",
    "best_hands": "bästa händer",
    "nobody": "ingen",
    "last_trick_with_a_deuce": "sista sticket med en tvåa",
    "resets_per_game": "nollningar per parti",
    "target_without_chicago_per_game": "målpoäng utan chicago per parti",
    "games_with_target_without_chicago": "partier med målpoäng utan chicago",
    "heats": "heat",
    "heats_decided_by": "heaten avgjordes av",
    "None": "oavgjort",
    "heats_with_flip_flop": "heat med flip-flop",
}
