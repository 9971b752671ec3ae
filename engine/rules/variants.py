"""Variants A to Z and the named extras, and the names of rule sets (rulebook §2, §8).

A variant is a function from rule set to rule set. A *spec* names a preset and variants, such as
``svensk+C+N+V42``. Their order does not matter: variants are always applied in the order of
:data:`VARIANTS`, which is also the canonical order of a spec.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from ..cards.cards import SuitOrder
from ..cards.categories import Category
from ..errors import ChicagoError, shown_value
from .presets import PRESETS
from .ruleset import (
    SPEC_SEPARATOR,
    Breaker,
    Ending,
    FinalHand,
    FlushEffect,
    Lead,
    Limit,
    Need,
    OutPoints,
    QuadsReset,
    Redeal,
    RuleSet,
)

Change = Callable[[RuleSet], RuleSet]


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant: its name in a spec and its effect on a rule set.

    >>> VARIANTS["U"].apply(PRESETS["svensk"].rules).target
    51
    """

    name: str
    apply: Change


def _set(**changes: object) -> Change:
    def change(rules: RuleSet) -> RuleSet:
        # mypy cannot see that the names are fields; here and below, tests run every variant.
        return replace(rules, **changes)  # type: ignore[arg-type]

    return change


def _points(rules: RuleSet, changed: Mapping[Category, int]) -> tuple[int, ...]:
    return tuple(changed.get(category, rules.hand_points[category]) for category in Category)


def _scale(quads: int, straight_flush: int, royal: int, *, hearts_only: bool = False) -> Change:
    """B2, B3, B4: four of a kind may reset; a royal flush wins with +52 and resets nobody."""

    def change(rules: RuleSet) -> RuleSet:
        return replace(
            rules,
            hand_points=_points(
                rules,
                {
                    Category.FOUR_OF_A_KIND: quads,
                    Category.STRAIGHT_FLUSH: straight_flush,
                    Category.ROYAL_FLUSH: royal,
                },
            ),
            quads_reset=QuadsReset.CHOICE,
            straight_flush=FlushEffect.POINTS,
            royal_flush=FlushEffect.PLUS,
            royal_resets=False,
            royal_hearts_only=hearts_only,
            royal_as_straight_flush=False,
        )

    return change


def _may_reset(rules: RuleSet) -> RuleSet:
    if rules.quads_reset is QuadsReset.NEVER:
        return replace(rules, quads_reset=QuadsReset.CHOICE)
    return rules


def _straight_flush_ten(rules: RuleSet) -> RuleSet:
    """Raise straight flushes to 10, and royal flushes that count as them (basic, wikipedia)."""
    changed = {Category.STRAIGHT_FLUSH: 10}
    if rules.royal_as_straight_flush:
        changed[Category.ROYAL_FLUSH] = 10
    return replace(rules, hand_points=_points(rules, changed), straight_flush=FlushEffect.POINTS)


def _straight_flush_wins(rules: RuleSet) -> RuleSet:
    return replace(
        rules,
        hand_points=_points(rules, {Category.STRAIGHT_FLUSH: 52, Category.ROYAL_FLUSH: 52}),
        straight_flush=FlushEffect.PLUS,
        royal_flush=FlushEffect.PLUS,
        royal_hearts_only=False,
        royal_as_straight_flush=False,
    )


def _lifts_straight_flush(rules: RuleSet) -> RuleSet:
    return replace(rules, straight_flush=FlushEffect.LIFT, royal_flush=FlushEffect.LIFT)


def _royal_wins(rules: RuleSet) -> RuleSet:
    """Let a royal flush win, unless it already does."""
    if rules.royal_flush in (FlushEffect.BECOMES, FlushEffect.PLUS):
        return rules
    return replace(
        rules,
        hand_points=_points(rules, {Category.ROYAL_FLUSH: 52}),
        royal_flush=FlushEffect.WINS,
        royal_as_straight_flush=False,
    )


def _open_card(rules: RuleSet) -> RuleSet:
    if rules.open_card:
        return rules
    return replace(rules, open_card=True, open_card_on_request=True)


def _last_trick_two(rules: RuleSet) -> RuleSet:
    deuce = 5 if rules.last_trick_deuce > rules.last_trick else 2
    return replace(rules, last_trick=2, last_trick_deuce=deuce)


def _need(need: Need) -> Change:
    def change(rules: RuleSet) -> RuleSet:
        return replace(rules, need=need)

    return change


def _early(rules: RuleSet) -> RuleSet:
    if rules.ending is Ending.AFTER_DEAL:
        rules = replace(rules, ending=Ending.EARLY)
    if rules.discardless_from is Limit.NEXT_DEAL:
        rules = replace(rules, discardless_from=Limit.EARLY)
    return rules


def _all() -> dict[str, Variant]:
    changes: dict[str, Change] = {
        "A": _set(suit_order=SuitOrder.ALWAYS),
        "B2": _scale(7, 8, 52),
        "B3": _scale(8, 11, 52),
        "B4": _scale(8, 11, 20, hearts_only=True),
        "C": _set(quads_reset=QuadsReset.NEVER),
        "D": _set(quads_reset=QuadsReset.BOTH),
        "E": _set(redeal=Redeal.BELOW_TEN),
        "F": _set(exchanges=2),
        "G": _open_card,
        "H": _set(exchange_max=4),
        "I": _set(alone_of_category=True),
        "J": _set(quads_bound=True),
        "K": _set(reset_ends_deal=False),
        "L": _set(broken_aside=True),
        "M": _set(chicago_lead=Lead.FOREHAND, breaker=Breaker.AFTER_DECLARER),
        "N": _set(last_trick_deuce=10),
        "O": _last_trick_two,
        "P": _set(breaker_points=8),
        "P10": _set(breaker_points=10),
        "Q": _set(final_hand_in_chicago=FinalHand.ALWAYS),
        "R": _set(floor=False, chicago_minimum=None),
        "S": _set(chicago_once=True),
        "T": _set(chicago_free_order=True),
        "U": _set(target=51),
        **{f"V{limit}": _set(discardless=limit) for limit in range(40, 49)},
        "Voff": _set(discardless=None, six_card_stand=False),
        "W": _need(Need.WON),
        "X": _need(Need.NOTHING),
        "Y": _set(trick_to_win=True),
        "Z": _early,
        "reset": _may_reset,
        "quads-end": _set(quads_end_deal=True),
        "sf10": _straight_flush_ten,
        "sf-wins": _straight_flush_wins,
        "limit42": _set(discardless=42),
        "need-chicago-3": _set(need_won_with_three=True),
        "breaker8": _set(breaker_points=8, breaker=Breaker.TAKER),
        "win-again": _set(win_again=True),
        "three-exchanges": _set(exchanges=3),
        "redeal-ten": _set(redeal=Redeal.UP_TO_TEN),
        "no-open": _set(open_card=False, open_card_on_request=False),
        "final-hand-never": _set(final_hand_in_chicago=FinalHand.NEVER),
        "quads52": _set(quads_lift=True),
        "reset-one": _set(quads_reset=QuadsReset.ONE),
        "sf52": _lifts_straight_flush,
        "royal-wins": _royal_wins,
        "declarer-leads": _set(chicago_lead=Lead.DECLARER),
        "outs-zero": _set(out_points=OutPoints.ZERO),
    }
    return {name: Variant(name, change) for name, change in changes.items()}


#: All variants by name, in canonical order.
VARIANTS: dict[str, Variant] = _all()

_LIMITS = (*(name for name in VARIANTS if name.startswith("V")), "limit42")

#: Sets of variants of which only one can be chosen.
EXCLUSIVE: tuple[tuple[str, ...], ...] = (
    ("B2", "B3", "B4"),
    ("P", "P10", "breaker8"),
    _LIMITS,
)

#: Pairs that contradict each other.
CLASHES: tuple[tuple[str, str], ...] = (
    ("C", "D"),
    ("C", "reset"),
    ("W", "X"),
    ("need-chicago-3", "X"),
    ("F", "three-exchanges"),
    ("sf10", "sf-wins"),
    ("Z", "win-again"),
    *(("reset-one", name) for name in ("reset", "quads-end", "J", "C", "D")),
    *(("quads52", name) for name in ("C", "D")),
    *((name, scale) for name in ("quads52", "sf52", "reset-one") for scale in ("B2", "B3", "B4")),
    *(("sf52", name) for name in ("sf10", "sf-wins")),
    ("final-hand-never", "Q"),
    ("no-open", "G"),
    ("declarer-leads", "M"),
)


def clash_of(preset: str, names: frozenset[str] | set[str]) -> tuple[str, str] | None:
    """Return the first two names that contradict each other, or ``None``.

    >>> clash_of("svensk", {"W", "X"})
    ('W', 'X')
    >>> clash_of("festival", {"win-again"})
    ('festival', 'win-again')
    """
    for group in EXCLUSIVE:
        chosen = [name for name in group if name in names]
        if len(chosen) > 1:
            return chosen[0], chosen[1]
    for first, second in CLASHES:
        if first in names and second in names:
            return first, second
    rules = PRESETS[preset].rules
    if "win-again" in names and rules.ending is Ending.AT_ONCE:
        return preset, "win-again"
    if rules.quads_reset is not QuadsReset.NEVER:
        for name in ("quads52", "reset-one", "sf52"):
            if name in names:
                return preset, name
    return None


def parse_rules(spec: str) -> RuleSet:
    """Return the rule set of a spec; raise ``ChicagoError("unknown_rules")`` for an invalid one.

    >>> parse_rules("svensk+N+C").spec
    'svensk+C+N'
    >>> parse_rules("svensk+C+N") == parse_rules("svensk+N+C")
    True
    >>> parse_rules("svensk+W+V")
    Traceback (most recent call last):
    engine.errors.ChicagoError: unknown_rules (reason='variant', spec='svensk+W+V', name='V')
    """
    if not isinstance(spec, str):
        raise ChicagoError("unknown_rules", reason="type", spec="")
    return _parse(spec)


def rules_of(rules: RuleSet | str) -> RuleSet:
    """Return the rule set itself, or the rule set of a name.

    >>> rules_of("svensk") is rules_of(rules_of("svensk"))
    True
    """
    return rules if isinstance(rules, RuleSet) else parse_rules(rules)


@lru_cache(maxsize=4096)
def _parse(spec: str) -> RuleSet:
    preset, *names = spec.split(SPEC_SEPARATOR)
    shown = shown_value(spec, 200)
    if preset not in PRESETS:
        raise ChicagoError("unknown_rules", reason="preset", spec=shown, name=shown_value(preset))
    seen: set[str] = set()
    for name in names:
        if name not in VARIANTS:
            raise ChicagoError(
                "unknown_rules", reason="variant", spec=shown, name=shown_value(name)
            )
        if name in seen:
            raise ChicagoError("unknown_rules", reason="repeated", spec=shown, name=name)
        seen.add(name)
    clash = clash_of(preset, seen)
    if clash is not None:
        raise ChicagoError(
            "unknown_rules", reason="clash", spec=shown, first=clash[0], second=clash[1]
        )
    rules = PRESETS[preset].rules
    ordered = tuple(name for name in VARIANTS if name in seen)
    for name in ordered:
        rules = VARIANTS[name].apply(rules)
    return replace(rules, preset=preset, variants=ordered)


def canonical(spec: str) -> str:
    """Return the canonical form of a spec.

    >>> canonical("svensk+N+C")
    'svensk+C+N'
    """
    return parse_rules(spec).spec
