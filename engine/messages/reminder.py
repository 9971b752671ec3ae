"""The lines at the foot of an empty protocol: what scores how much (rulebook §3, §4)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from ..cards.categories import Category
from ..rules.ruleset import Need, RuleSet
from ..rules.variants import rules_of
from ..sheet.entries import Chicago, Hand, LastTrick
from ..sheet.sheet import start, tricks_of, worth
from .facts import WORTH
from .numbers import points_text
from .render import category_text
from .words import language

REMINDER: Final[dict[str, dict[str, str]]] = {
    "en": {
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
    },
    "sv": {
        "hands": "Händer",
        "tricks": "Stick",
        "game": "Parti",
        "or": "{value} eller {zero}",
        "one_other": "nollar en annan",
        "last_trick": "sista sticket {points}",
        "last_trick.deuce": "sista sticket {points}, med tvåa {deuce}",
        "chicago": "chicago vunnen +{won}, bruten −{lost}",
        "breaker": "den som bryter +{points}",
        "minimum": "chicago från {points} poäng",
        "blind": "blind chicago +{won}, med tvåa +{deuce}, förlorad −{lost}",
        "need.nothing": "till {target}",
        "need.executed": "till {target} med spelad chicago",
        "need.won": "till {target} med vunnen chicago",
        "discardless": "köpstopp från {limit}",
        "game_points": "placeringspoäng {points}",
        "marks": "ringa in namnet på den som har spelat chicago, * för varje vunnen",
        "checksum": "Kontrollsumma: placeringspoängen blir tillsammans {each}.",
        "checksum.games": (
            "Kontrollsumma: placeringspoängen blir {each} i varje parti, {all} i alla partier "
            "tillsammans."
        ),
    },
}


def reminder_lines(rules: RuleSet | str, seats: int, lang: str = "en") -> list[tuple[str, str]]:
    """Return (label, text) pairs for the hands, the tricks, and how a game is won.

    >>> from engine.rules.presets import FESTIVAL
    >>> label, text = reminder_lines(FESTIVAL, 4)[1]
    >>> label, text.split(" · ")[0]
    ('Tricks', 'last trick 5, with a deuce 10')
    """
    rules, texts = rules_of(rules), REMINDER[language(lang)]
    parts = {
        "hands": _hands(rules, seats, texts, lang),
        "tricks": _tricks(rules, seats, texts),
        "game": _game(rules, seats, texts, lang),
    }
    return [(texts[key], " · ".join(each)) for key, each in parts.items()]


def checksum_text(rules: RuleSet | str, seats: int, games: int, lang: str = "en") -> str:
    """Return what the game points must add up to, for checking a sheet by hand.

    >>> from engine.rules.presets import FESTIVAL
    >>> checksum_text(FESTIVAL, 4, 1)
    'Checksum: the game points add up to 55.'
    """
    each = sum(rules_of(rules).place_points(seats), Fraction(0))
    text = REMINDER[language(lang)]["checksum" if games == 1 else "checksum.games"]
    return text.format(each=points_text(each, lang), all=points_text(each * games, lang))


def _hands(rules: RuleSet, seats: int, texts: dict[str, str], lang: str) -> list[str]:
    first = start(rules, seats)
    values = WORTH[language(lang)]
    parts = []
    for category in Category:
        if category is Category.NOTHING:
            continue
        hand = Hand(1, 0, category, suit="H")
        found = worth(first, hand)
        value = values["wins"] if found.wins else str(found.gains.get("hand", found.lifts_to))
        if found.zeroed:
            value = values["and_zero"].format(value=value, zero=values["others"])
        elif category is Category.FOUR_OF_A_KIND:
            if worth(first, replace(hand, reset=True)).zeroed:
                value = texts["or"].format(value=value, zero=values["others"])
            elif worth(first, replace(hand, reset=True, reset_seat=1)).zeroed:
                value = texts["or"].format(value=value, zero=texts["one_other"])
        parts.append(f"{category_text(category.key, lang)} {value}")
    return parts


def _tricks(rules: RuleSet, seats: int, texts: dict[str, str]) -> list[str]:
    first, tricks = start(rules, seats), tricks_of(rules, seats)
    plain = worth(tricks, LastTrick(0)).gains["last_trick"]
    deuce = worth(tricks, LastTrick(0, deuce=True)).gains["last_trick"]
    won = worth(tricks, Chicago(0, won=True)).gains["chicago_won"]
    broken = worth(tricks, Chicago(0, won=False, breaker=1)).gains
    key = "last_trick" if deuce == plain else "last_trick.deuce"
    parts = [
        texts[key].format(points=plain, deuce=deuce),
        texts["chicago"].format(won=won, lost=-broken["chicago_lost"]),
    ]
    if "breaker" in broken:
        parts.append(texts["breaker"].format(points=broken["breaker"]))
    if rules.chicago_minimum is not None:
        parts.append(texts["minimum"].format(points=rules.chicago_minimum))
    if rules.blind_chicago:
        parts.append(
            texts["blind"].format(
                won=worth(first, Chicago(0, won=True, blind=True)).gains["chicago_won"],
                deuce=worth(first, Chicago(0, True, blind=True, deuce=True)).gains["chicago_won"],
                lost=-worth(first, Chicago(0, won=False, blind=True)).gains["chicago_lost"],
            )
        )
    return parts


def _game(rules: RuleSet, seats: int, texts: dict[str, str], lang: str) -> list[str]:
    need: Need = rules.need_for(seats)
    parts = [texts[f"need.{need.value}"].format(target=rules.target)]
    if rules.discardless is not None:
        parts.append(texts["discardless"].format(limit=rules.discardless))
    points = "/".join(points_text(value, lang) for value in rules.place_points(seats))
    return [*parts, texts["game_points"].format(points=points), texts["marks"]]
