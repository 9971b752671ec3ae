"""How a game was won, why a score was struck out, why one player is ahead (rulebook §4, §5)."""

from __future__ import annotations

from fractions import Fraction

from .languages import texts_in
from .numbers import number_text, points_text


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
    texts = texts_in(lang)
    text = texts.wins[win]
    if shared:
        text = texts.wins.get(f"{win}.shared", text)
    in_deal = texts.in_deal.format(deal=deal) if deal else ""
    return text.format(score=number_text(score), in_deal=in_deal, suit=f" {suit}" if suit else "")


def win_name(win: str, lang: str = "en") -> str:
    """Return the name of a way to win, as a choice.

    >>> win_name("last_standing")
    'everybody else was out'
    """
    return texts_in(lang).win_names[win]


def zeroed_text(score: int, cause: str, deal: int, lang: str = "en") -> str:
    """Return which score was struck out, why and when; deals count from 1.

    >>> zeroed_text(54, "no_chicago", 3)
    'set to zero at 54 without a Chicago, deal 3'
    """
    texts = texts_in(lang)
    return texts.zeroed.format(score=number_text(score), cause=texts.causes[cause], deal=deal)


def advance_text(lang: str = "en", *, final: bool = False) -> str:
    """Return the label of a heat's best: that they advance, or with ``final`` that they have won.

    >>> advance_text(), advance_text("sv", final=True)
    ('advances', 'vann')
    """
    return texts_in(lang).advances["won" if final else "advances"]


def step_text(step: str, lang: str = "en") -> str:
    """Return the name of a step of a heat's ranking chain.

    >>> step_text("asterisks", "sv")
    'vunna chicago'
    """
    return texts_in(lang).step_names[step]


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
    return texts_in(lang).steps[step].format(name=name, **numbers)
