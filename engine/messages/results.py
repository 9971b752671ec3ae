"""How a game was won, why a score was struck out, why one player is ahead (rulebook §4, §5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from .numbers import number_text, points_text
from .words import language

#: How a game was won, as a statement about its winners.
WINS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "target": "won at {score} in deal {deal}",
        "target.shared": "shared the win at {score} in deal {deal}",
        "straight_flush": "won with a straight flush{suit} in deal {deal}",
        "royal_flush": "won with a royal flush{suit} in deal {deal}",
        "blind_chicago": "won with a deuce in a Blind Chicago in deal {deal}",
        "last_standing": "won in deal {deal} as the only one left",
        "ended": "in the lead when the game was ended",
    },
    "sv": {
        "target": "vann på {score} i giv {deal}",
        "target.shared": "delade segern på {score} i giv {deal}",
        "straight_flush": "vann på färgstege{suit} i giv {deal}",
        "royal_flush": "vann på royal flush{suit} i giv {deal}",
        "blind_chicago": "vann på en tvåa i blind chicago i giv {deal}",
        "last_standing": "vann i giv {deal} som ensam kvar",
        "ended": "i ledning när partiet avbröts",
    },
}

#: The same as a choice, for a result read off a paper sheet.
WIN_NAMES: Final[dict[str, dict[str, str]]] = {
    "en": {
        "target": "the target was reached",
        "straight_flush": "a straight flush",
        "royal_flush": "a royal flush",
        "blind_chicago": "a Blind Chicago with a deuce",
        "last_standing": "everybody else was out",
        "ended": "nobody won: time was up",
    },
    "sv": {
        "target": "någon nådde målpoängen",
        "straight_flush": "färgstege",
        "royal_flush": "royal flush",
        "blind_chicago": "blind chicago med en tvåa",
        "last_standing": "alla andra var ute",
        "ended": "ingen vann: tiden var ute",
    },
}

#: Left out where the deal is not known.
_IN_DEAL: Final = {"en": " in deal {deal}", "sv": " i giv {deal}"}

#: Why a score was struck out; shown after the score.
CAUSES: Final[dict[str, dict[str, str]]] = {
    "en": {
        "no_chicago": "without a Chicago",
        "reset": "by four of a kind",
        "royal_flush": "by a royal flush",
        "illegal_discard": "for an illegal exchange",
        "sit_out_game": "by the director",
    },
    "sv": {
        "no_chicago": "utan chicago",
        "reset": "av fyrtal",
        "royal_flush": "av royal flush",
        "illegal_discard": "för köp trots köpstopp",
        "sit_out_game": "av tävlingsledaren",
    },
}

_ZEROED: Final = {
    "en": "set to zero at {score} {cause}, deal {deal}",
    "sv": "nollad på {score} {cause}, giv {deal}",
}

#: What is said of a heat's best: that they go on, or that they have won where nobody does.
_ADVANCES: Final = {
    "en": {False: "goes on", True: "won"},
    "sv": {False: "vidare", True: "vann"},
}

#: The steps of a heat's ranking chain, as choices.
STEP_NAMES: Final[dict[str, dict[str, str]]] = {
    "en": {
        "game_points": "game points",
        "score_points": "sheet points",
        "asterisks": "Chicagos won",
        "games_won": "games won",
        "flip_flop": "Flip Flop",
    },
    "sv": {
        "game_points": "placeringspoäng",
        "score_points": "protokollpoäng",
        "asterisks": "vunna chicago",
        "games_won": "vunna partier",
        "flip_flop": "flip-flop",
    },
}

#: The step that put one player above the next; the numbers are the two players'.
STEPS: Final[dict[str, dict[str, str]]] = {
    "en": {
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
    },
    "sv": {
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
    },
}


def win_text(
    win: str,
    lang: str = "en",
    *,
    deal: int = 0,
    score: int = 0,
    suit: str = "",
    shared: bool = False,
) -> str:
    """Return how a game's winners won; deals count from 1 (0: unknown), ``suit`` is a sign.

    >>> win_text("royal_flush", deal=7, suit="♥"), win_text("target", "sv", deal=12, score=53)
    ('won with a royal flush ♥ in deal 7', 'vann på 53 i giv 12')
    """
    texts = WINS[language(lang)]
    text = texts.get(f"{win}.shared", texts[win]) if shared else texts[win]
    if not deal:
        text = text.replace(_IN_DEAL[language(lang)], "")
    return text.format(score=number_text(score), deal=deal, suit=f" {suit}" if suit else "")


def win_name(win: str, lang: str = "en") -> str:
    """Return the name of a way to win, as a choice.

    >>> win_name("last_standing")
    'everybody else was out'
    """
    return WIN_NAMES[language(lang)][win]


def zeroed_text(score: int, cause: str, deal: int, lang: str = "en") -> str:
    """Return which score was struck out, why and when; deals count from 1.

    >>> zeroed_text(54, "no_chicago", 3)
    'set to zero at 54 without a Chicago, deal 3'
    """
    lang = language(lang)
    return _ZEROED[lang].format(score=number_text(score), cause=CAUSES[lang][cause], deal=deal)


def advance_text(lang: str = "en", *, final: bool = False) -> str:
    """Return what is said of a heat's best; with ``final`` they win rather than go on.

    >>> advance_text(), advance_text("sv", final=True)
    ('goes on', 'vann')
    """
    return _ADVANCES[language(lang)][final]


def step_text(step: str, lang: str = "en") -> str:
    """Return the name of a step of a heat's ranking chain.

    >>> step_text("asterisks", "sv")
    'vunna chicago'
    """
    return STEP_NAMES[language(lang)][step]


def rank_text(
    step: str,
    name: str,
    own: Fraction | int = 0,
    other: Fraction | int = 0,
    lang: str = "en",
) -> str:
    """Return why a player ranks above ``name``, for a step of a ranking.

    >>> rank_text("game_points", "Bo", Fraction(47), Fraction(35, 3))
    'ahead of Bo on game points, 47 to 11.66'
    """
    numbers = {"own": points_text(Fraction(own), lang), "other": points_text(Fraction(other), lang)}
    return STEPS[language(lang)][step].format(name=name, **numbers)
