"""What the command line prints on a terminal besides problems and outlooks."""

from __future__ import annotations

from typing import Final

from .results import STEP_NAMES

TERMINAL: Final[dict[str, dict[str, str]]] = {
    "en": {
        "player": "player",
        "score": "score",
        "executed": "Chicago",
        "asterisks": STEP_NAMES["en"]["asterisks"],
        "status": "",
        "place": "place",
        "game_points": STEP_NAMES["en"]["game_points"],
        "penalty": "penalty",
        "score_points": STEP_NAMES["en"]["score_points"],
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
    },
    "sv": {
        "player": "spelare",
        "score": "poäng",
        "executed": "chicago",
        "asterisks": STEP_NAMES["sv"]["asterisks"],
        "status": "",
        "place": "placering",
        "game_points": STEP_NAMES["sv"]["game_points"],
        "penalty": "avdrag",
        "score_points": STEP_NAMES["sv"]["score_points"],
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
    },
}
