"""From a table's stored rules to the engine's rule set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.rules.ruleset import OutPoints, RuleSet, rules_from_json
from engine.rules.variants import parse_rules

from ..errors import ScoringError
from ..models import Table


def resolve(spec: str, overrides: Mapping[str, Any]) -> RuleSet:
    """Return the rule set for a new table.

    ``overrides`` may hold ``game_points`` (points by place for this number of players, best first)
    and ``out_points`` (``last_place`` or ``zero``). Raises ``ScoringError("bad_overrides")`` and
    ``ChicagoError("unknown_rules")``.
    """
    rules = parse_rules(spec)
    changes: dict[str, Any] = {}
    try:
        if "game_points" in overrides:
            points = [int(value) for value in overrides["game_points"]]
            points += [0] * (rules.heat_players_max - len(points))
            changes["game_points"] = tuple(points)
        if "out_points" in overrides:
            changes["out_points"] = OutPoints(overrides["out_points"])
    except (TypeError, ValueError) as error:
        raise ScoringError("bad_overrides") from error
    if not overrides.keys() <= {"game_points", "out_points"}:
        raise ScoringError("bad_overrides")
    return replace(rules, **changes) if changes else rules


#: Rule sets by their digests, which stand for one way to play.
_KNOWN: dict[str, RuleSet] = {}


def rules_of(table: Table) -> RuleSet:
    """Return the rule set stored with the table, with which its games are replayed.

    Later changes of a preset do not affect tables made before.
    """
    found = _KNOWN.get(table.rules_digest)
    if found is None:
        found = _KNOWN[table.rules_digest] = rules_from_json(table.ruleset)
    return found
