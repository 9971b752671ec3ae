"""The lines at the foot of an empty protocol: what scores how much (rulebook §3, §4)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ..cards.categories import Category
from ..rules.ruleset import Need, RuleSet
from ..rules.variants import rules_of
from ..sheet.entries import Chicago, Hand, LastTrick
from ..sheet.sheet import start, tricks_of, worth
from .languages import Texts, texts_in
from .numbers import points_text
from .render import category_text


def reminder_lines(rules: RuleSet | str, seats: int, lang: str = "en") -> list[tuple[str, str]]:
    """Return (label, text) pairs for the hands, the tricks, and how a game is won.

    >>> from engine.rules.presets import FESTIVAL
    >>> label, text = reminder_lines(FESTIVAL, 4)[1]
    >>> label, text.split(" · ")[0]
    ('Tricks', 'last trick 5, with a deuce 10')
    """
    rules, texts = rules_of(rules), texts_in(lang).reminder
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
    text = texts_in(lang).reminder["checksum" if games == 1 else "checksum.games"]
    return text.format(each=points_text(each, lang), all=points_text(each * games, lang))


def _hands(rules: RuleSet, seats: int, texts: Texts, lang: str) -> list[str]:
    first = start(rules, seats)
    values = texts_in(lang).worth
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


def _tricks(rules: RuleSet, seats: int, texts: Texts) -> list[str]:
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


def _game(rules: RuleSet, seats: int, texts: Texts, lang: str) -> list[str]:
    need: Need = rules.need_for(seats)
    parts = [texts[f"need.{need.value}"].format(target=rules.target)]
    if rules.discardless is not None:
        parts.append(texts["discardless"].format(limit=rules.discardless))
    points = "/".join(points_text(value, lang) for value in rules.place_points(seats))
    return [*parts, texts["game_points"].format(points=points), texts["marks"]]
