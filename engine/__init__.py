"""Chicago, the Swedish game of poker hands and tricks: rules, score sheets and records.

The installed package is called ``chicago_engine``; in the tournament program that it comes from,
its folder is ``engine``.

The package is pure Python without dependencies. A game consists of a rule set, a number of seats
and the entries that the scorekeeper wrote; everything else follows from replaying them.

>>> from engine import Category, Hand, LastTrick, NoHand, parse_rules, replay
>>> game = replay(parse_rules("festival"), 3, [
...     Hand(1, 0, Category.TWO_PAIR), Hand(2, 0, Category.TWO_PAIR),
...     LastTrick(2), Hand(3, 2, Category.THREE_OF_A_KIND)])
>>> game.valid, game.state.scores
(True, (4, 0, 8))
"""

from .answers import replay_record
from .cards.categories import Category
from .errors import ChicagoError, EntryError, Problem
from .rules.presets import PRESETS
from .rules.ruleset import RuleSet, rules_from_json
from .rules.variants import VARIANTS, canonical, parse_rules
from .sheet.entries import (
    Chicago,
    Entry,
    Hand,
    IllegalDiscard,
    LastTrick,
    NoHand,
    Revoke,
    Ruling,
    entry_from_json,
)
from .sheet.facts import (
    AsteriskChanged,
    DealBegan,
    DiscardlessChanged,
    ExecutedChanged,
    Fact,
    GameEnded,
    ScoreChanged,
    StatusChanged,
)
from .sheet.placing import place_game
from .sheet.record import Record, read_record
from .sheet.scoreboard import Scoreboard, fold
from .sheet.sheet import (
    Replay,
    StepRecord,
    can,
    legal_entries,
    legal_rulings,
    replay,
    resume,
    start,
    step,
    warnings,
    why_not,
)
from .sheet.state import State

__version__ = "0.1.0"

__all__ = [
    "PRESETS",
    "VARIANTS",
    "AsteriskChanged",
    "Category",
    "Chicago",
    "ChicagoError",
    "DealBegan",
    "DiscardlessChanged",
    "Entry",
    "EntryError",
    "ExecutedChanged",
    "Fact",
    "GameEnded",
    "Hand",
    "IllegalDiscard",
    "LastTrick",
    "NoHand",
    "Problem",
    "Record",
    "Replay",
    "Revoke",
    "RuleSet",
    "Ruling",
    "ScoreChanged",
    "Scoreboard",
    "State",
    "StatusChanged",
    "StepRecord",
    "__version__",
    "can",
    "canonical",
    "entry_from_json",
    "fold",
    "legal_entries",
    "legal_rulings",
    "parse_rules",
    "place_game",
    "read_record",
    "replay",
    "replay_record",
    "resume",
    "rules_from_json",
    "start",
    "step",
    "warnings",
    "why_not",
]
