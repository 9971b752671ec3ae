"""The rule sets of the second, plain implementation, one dictionary each (see ``oracle``)."""

from __future__ import annotations

from typing import Any

ORDER = [
    *("nothing", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"),
    *("four_of_a_kind", "straight_flush", "royal_flush"),
]
RANK = {name: n for n, name in enumerate(ORDER)}

FESTIVAL: dict[str, Any] = {
    "exchanges": 3,
    "quads": 8,
    "reset": "may",  # may | no | always (D)
    "bound": True,
    "one": False,  # reset-one
    "lift": False,  # quads52
    "reset_ends": True,
    "quads_end": False,
    "sf": ("becomes", 52),
    "rf": ("becomes", 52),
    "rf_resets": True,
    "hearts": False,
    "target": 52,
    "at_once": True,
    "z": False,
    "need": "executed",
    "missing": "out",
    "need3": False,
    "y": False,
    "again": False,
    "limit": 45,
    "limit_at_once": True,
    "minimum": 15,
    "once": False,
    "breaker": 10,
    "final": "never",
    "blind": False,
    "floor": True,
    "trick": 5,
    "deuce": 10,
    "offences": True,
    "points": (20, 15, 12, 8),
}
SVENSK = FESTIVAL | {
    "bound": False,
    "sf": ("plus", 52),
    "rf": ("plus", 52),
    "at_once": False,
    "missing": "zero",
    "limit_at_once": False,
    "breaker": 0,
    "deuce": 5,
    "offences": False,
}
PAGAT = SVENSK | {
    "quads": 7,
    "reset": "no",
    "sf": ("points", 8),
    "rf": ("points", 52),
    "rf_resets": False,
    "need": None,
    "missing": "zero",
    "limit": 46,
    "final": "won",
}
BASIC = PAGAT | {
    "exchanges": 2,
    "rf": ("points", 8),
    "limit": None,
    "minimum": None,
    "floor": False,
}
PRESETS = {
    "festival": FESTIVAL,
    "sm": FESTIVAL | {"points": (20, 12, 8, 5)},
    "svensk": SVENSK,
    "pagat": PAGAT,
    "basic": BASIC,
    "wikipedia": BASIC | {"limit": 42, "blind": True, "rf": ("points", 20)},
}


def _scale(quads: int, straight: int, hearts: bool) -> dict[str, Any]:
    return {
        "quads": quads,
        "reset": "may",
        "sf": ("points", straight),
        "rf": ("plus", 52),
        "rf_resets": False,
        "hearts": hearts,
    }


VARIANTS: dict[str, dict[str, Any]] = {
    "B2": _scale(7, 8, False),
    "B3": _scale(8, 11, False),
    "B4": _scale(8, 11, True),
    "C": {"reset": "no"},
    "D": {"reset": "always"},
    "F": {"exchanges": 2},
    "J": {"bound": True},
    "K": {"reset_ends": False},
    "N": {"deuce": 10},
    "O": {"o": True},
    "P": {"breaker": 8},
    "P10": {"breaker": 10},
    "breaker8": {"breaker": 8},
    "Q": {"final": "always"},
    "R": {"floor": False, "minimum": None},
    "S": {"once": True},
    "U": {"target": 51},
    "V40": {"limit": 40},
    "V48": {"limit": 48},
    "limit42": {"limit": 42},
    "Voff": {"limit": None},
    "W": {"need": "won"},
    "X": {"need": None},
    "Y": {"y": True},
    "Z": {"z": True},
    "reset": {"reset": "may"},
    "quads-end": {"quads_end": True},
    "sf10": {"sf": ("points", 10)},
    "sf-wins": {"sf": ("plus", 52), "rf": ("plus", 52)},
    "quads52": {"lift": True},
    "reset-one": {"reset": "may", "one": True},
    "sf52": {"sf": ("lift", 0), "rf": ("lift", 0)},
    "royal-wins": {},
    "final-hand-never": {"final": "never"},
    "need-chicago-3": {"need3": True},
    "win-again": {"again": True},
    "three-exchanges": {"exchanges": 3},
    **{name: {} for name in ("A", "E", "G", "H", "I", "L", "M", "T", "redeal-ten")},
    **{name: {} for name in ("no-open", "declarer-leads")},
}


def resolve(spec: str) -> dict[str, Any]:
    """Return the rules for a rule set's name."""
    preset, *variants = spec.split("+")
    rules = dict(PRESETS[preset])
    for variant in sorted(variants, key=lambda name: (name == "reset", name)):
        rules |= VARIANTS[variant]
    if "sf10" in variants and preset == "basic":
        rules["rf"] = ("points", 10)
    if "royal-wins" in variants and rules["rf"][0] in ("points", "lift"):
        rules["rf"] = ("wins", 0)
    if rules.get("o"):
        rules |= {"deuce": 5 if rules["deuce"] > rules["trick"] else 2, "trick": 2}
    return rules
