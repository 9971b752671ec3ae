"""What the command line prints on a terminal besides problems and outlooks."""

from .results import STEP_NAMES

TERMINAL = {
    "player": "player",
    "score": "score",
    "executed": "Chicago",
    "asterisks": STEP_NAMES["asterisks"],
    "status": "",
    "place": "place",
    "game_points": STEP_NAMES["game_points"],
    "penalty": "penalty",
    "score_points": STEP_NAMES["score_points"],
    "deal": "Deal {deal}.",
    "over": "The game is over after {deal} deals.",
    "advances": "Through: {names}.",
    "flip_flop": "Flip Flop between {names}.",
    "unfinished": "Not finished: game {games}.",
    "possible": "These totals are possible.",
    "round": "Round {number}: {tables}",
    "lucky_loser": "A lucky loser is needed.",
    "more_heats": "More heats are needed.",
    "checked": "{number} checked, {wrong} not right.",
    # Of an event whose result is right
    "not_checked": (
        "Result, qualifiers and rounds follow from the games and the recorded decisions. Taken as "
        "it stands: the order of qualifying, lucky losers and lots, draws, penalties, settings, "
        "times and what players said."
    ),
}

#: Statistics of simulated games; hands, ways to win and steps of a ranking have their own names.
STATISTICS = {
    "rules": "rules",
    "players": "players",
    "games": "games",
    "deals_per_game": "deals per game",
    "mean": "mean",
    "least": "least",
    "median": "median",
    "nine_in_ten": "nine in ten",
    "most": "most",
    "ways_to_win": "ways to win",
    "positions": "positions",
    "first_dealer": "first dealer, {players} players",
    "position": "{position} to the left, {players} players",
    "earned": "{wins} wins, {points} game points",
    "chicagos_per_game": "Chicagos per game",
    "chicagos_won": "Chicagos won",
    "best_hands": "best hands",
    "nobody": "nobody",
    "last_trick_with_a_deuce": "last trick with a deuce",
    "resets_per_game": "resets per game",
    "target_without_chicago_per_game": "target without Chicago per game",
    "games_with_target_without_chicago": "games with target without Chicago",
    "heats": "heats",
    "heats_decided_by": "heats decided by",
    "None": "undecided",
    "heats_with_flip_flop": "heats with Flip Flop",
}
