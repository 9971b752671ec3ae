"""The six rule sets of the sources (rulebook §2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..cards.cards import SuitOrder
from .ruleset import (
    Breaker,
    Ending,
    ExchangeOrder,
    FinalHand,
    FlushEffect,
    Lead,
    Limit,
    Missing,
    Need,
    QuadsReset,
    Reshuffle,
    RuleSet,
)

FESTIVAL = RuleSet(
    preset="festival",
    exchange_max=4,
    open_card=True,
    suit_order=SuitOrder.FLUSHES,
    quads_reset=QuadsReset.CHOICE,
    quads_bound=True,
    straight_flush=FlushEffect.BECOMES,
    royal_flush=FlushEffect.BECOMES,
    royal_resets=True,
    hand_points=(0, 1, 2, 3, 4, 5, 6, 8, 52, 52),
    ending=Ending.AT_ONCE,
    need=Need.EXECUTED,
    missing=Missing.OUT,
    discardless=45,
    discardless_from=Limit.AT_ONCE,
    chicago_minimum=15,
    breaker_points=10,
    last_trick_deuce=10,
    offences=True,
)

SM = replace(FESTIVAL, preset="sm", game_points=(20, 12, 8, 5))

SVENSK = RuleSet(
    preset="svensk",
    players_max=6,
    exchange_order=ExchangeOrder.ONE_BY_ONE,
    reshuffle=Reshuffle.ALL,
    suit_order=SuitOrder.FLUSHES,
    quads_reset=QuadsReset.CHOICE,
    straight_flush=FlushEffect.PLUS,
    royal_flush=FlushEffect.PLUS,
    royal_resets=True,
    hand_points=(0, 1, 2, 3, 4, 5, 6, 8, 52, 52),
    need=Need.EXECUTED,
    missing=Missing.ZERO,
    discardless=45,
    chicago_minimum=15,
)

PAGAT = RuleSet(
    preset="pagat",
    exchange_order=ExchangeOrder.ONE_BY_ONE,
    reshuffle=Reshuffle.ALL,
    hand_points=(0, 1, 2, 3, 4, 5, 6, 7, 8, 52),
    discardless=46,
    chicago_minimum=15,
    final_hand_in_chicago=FinalHand.IF_WON,
    chicago_lead=Lead.FOREHAND,
    breaker=Breaker.AFTER_DECLARER,
)

BASIC = RuleSet(
    preset="basic",
    players_max=6,
    exchanges=2,
    open_card=True,
    open_card_on_request=True,
    hand_points=(0, 1, 2, 3, 4, 5, 6, 7, 8, 8),
    royal_as_straight_flush=True,
    final_hand_in_chicago=FinalHand.IF_WON,
    chicago_lead=Lead.FOREHAND,
    breaker=Breaker.AFTER_DECLARER,
    floor=False,
)

WIKIPEDIA = replace(
    BASIC,
    preset="wikipedia",
    discardless=42,
    six_card_stand=True,
    hand_points=(0, 1, 2, 3, 4, 5, 6, 7, 8, 20),
    royal_as_straight_flush=False,
    blind_chicago=True,
    chicago_any_time=True,
)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named rule set.

    >>> PRESETS["pagat"].rules.discardless
    46
    """

    name: str
    rules: RuleSet


#: All presets by name, the default first.
PRESETS: dict[str, Preset] = {
    rules.preset: Preset(rules.preset, rules)
    for rules in (FESTIVAL, SM, SVENSK, PAGAT, BASIC, WIKIPEDIA)
}
