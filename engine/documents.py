"""Types of the documents that the engine returns (docs/formats, game-record.md).

They are plain dictionaries. ``NotRequired`` keys are present only where they mean something.

>>> from engine import replay_record
>>> answer: ReplayDocument = replay_record("no JSON")
>>> answer["valid"], answer["problems"][0]["code"], answer["state"]
(False, 'malformed', None)
"""

from typing import Literal, NotRequired, TypedDict


class EntryDocument(TypedDict):
    """One entry of a game record; its keys depend on its ``kind``."""

    kind: str
    phase: NotRequired[int]
    seat: NotRequired[int]
    category: NotRequired[str]
    reset: NotRequired[bool]
    reset_seat: NotRequired[int]
    suit: NotRequired[str]
    won: NotRequired[bool]
    breaker: NotRequired[int]
    blind: NotRequired[bool]
    deuce: NotRequired[bool]
    action: NotRequired[str]
    points: NotRequired[int]
    reason: NotRequired[str]


class ActionDocument(TypedDict):
    """One action of a card record; its keys depend on what it does."""

    do: str
    seat: NotRequired[int | None]
    cards: NotRequired[str]
    card: NotRequired[str | None]
    call: NotRequired[bool]
    take: NotRequired[bool]
    open: NotRequired[bool]
    offence: NotRequired[bool]
    category: NotRequired[str | None]
    value: NotRequired[str | None]
    reset: NotRequired[bool]
    reset_seat: NotRequired[int]
    claim: NotRequired[str | bool | None]
    action: NotRequired[str]
    points: NotRequired[int]
    reason: NotRequired[str]


class StateDocument(TypedDict):
    """The state of a game; lists are by seat. ``places`` and ``game_points`` appear at its end."""

    deal: int
    phase: int | None
    dealer: int
    finished: bool
    scores: list[int]
    executed: list[bool]
    asterisks: list[int]
    discardless: list[bool]
    status: list[str]
    winners: list[int]
    win: str | None
    places: list[list[int]] | None
    game_points: list[str] | None
    stage: str
    sitting_out: list[bool]
    sitting_out_next: NotRequired[list[bool]]
    dead: list[bool]
    bound: list[bool]
    armed: list[bool]
    standing: list[str | None]


class ProblemDocument(TypedDict):
    """An error or a warning; ``action`` appears in card records, ``game`` in heats."""

    code: str
    severity: str
    entry: int | None
    action: NotRequired[int | None]
    game: NotRequired[int]
    seat: NotRequired[int]
    expected: NotRequired[list[dict[str, object]]]
    message: NotRequired[str]


ScoreFact = TypedDict(
    "ScoreFact", {"fact": Literal["score"], "seat": int, "from": int, "to": int, "cause": str}
)


class MarkFact(TypedDict):
    """A circle, an asterisk or a discardless mark was set or removed."""

    fact: Literal["executed", "asterisk", "discardless"]
    seat: int
    on: bool


class StatusFact(TypedDict):
    """A seat is out or disqualified."""

    fact: Literal["status"]
    seat: int
    to: str


class DealFact(TypedDict):
    """A deal began."""

    fact: Literal["deal"]
    deal: int
    dealer: int


class GameFact(TypedDict):
    """The game is over."""

    fact: Literal["game"]
    win: str
    winners: list[int]
    places: list[list[int]]
    game_points: list[str] | None


FactDocument = ScoreFact | MarkFact | StatusFact | DealFact | GameFact


class StepDocument(TypedDict):
    """What one accepted entry did."""

    entry: int
    facts: list[FactDocument]


class ReplayDocument(TypedDict):
    """The answer of ``replay``; the last keys appear for card records, ``steps`` on request."""

    valid: bool
    problems: list[ProblemDocument]
    state: StateDocument | None
    steps: NotRequired[list[StepDocument]]
    entries: NotRequired[list[EntryDocument]]
    awaits: NotRequired[str]
    turn: NotRequired[int | None]


class RankRowDocument(TypedDict):
    """A row of a heat's ranking; ``game_points`` is the sum after the ``penalty``."""

    player: str
    place: int
    game_points: str
    penalty: str
    score_points: int
    asterisks: int
    decided_by: str | None


class RankingDocument(TypedDict):
    """A heat's ranking; ``unfinished`` holds indices of games, in the answer of ``heat`` only."""

    ranking: list[RankRowDocument]
    advances: list[str]
    needs_flip_flop: list[list[str]]
    unfinished: NotRequired[list[int]]


class UnlessDocument(TypedDict):
    """A condition of an outlook: the player finishes the next game in this place or better."""

    player: str
    place: int


class PlaceOutcomeDocument(TypedDict):
    """What a place in the next game would mean."""

    place: int
    then: str
    unless: list[UnlessDocument]
    orders: list[list[str]]
    otherwise: str | None


class NeedsDocument(TypedDict):
    """What a player needs; ``tie`` stands alone when no game is left."""

    games_left: int
    enough: NotRequired[int | None]
    needed: NotRequired[int | None]
    next_game: NotRequired[list[PlaceOutcomeDocument]]
    tie: NotRequired[bool]


class OutlookDocument(TypedDict):
    """One player's line in the answer of ``outlook``."""

    player: str
    clinched: bool
    eliminated: bool
    needs: NeedsDocument | None


class PlanDocument(TypedDict):
    """The answer of ``playoff``."""

    qualifiers: int
    rounds: list[list[int]]
    needs: str | None
    advance: list[int]


class SeatProblemDocument(TypedDict):
    """A seat of a totals document that cannot be right."""

    code: str
    seat: int
    message: str


class TotalsDocument(TypedDict):
    """The answer of ``totals``."""

    possible: bool
    problems: list[SeatProblemDocument]


class BalanceDocument(TypedDict):
    """The answer of ``settle``: exact amounts by seat."""

    balance: list[str]


class RuleSetDocument(TypedDict):
    """A rule set: its names and every field."""

    rules: str
    preset: str
    variants: list[str]
    digest: str
    fields: dict[str, object]


class ObservationDocument(TypedDict):
    """What everybody at a card table saw or heard."""

    do: str
    seat: NotRequired[int]
    cards: NotRequired[str]
    number: NotRequired[int]
    rank: NotRequired[int]
    call: NotRequired[bool]
    claim: NotRequired[str]
    category: NotRequired[str]
    suit: NotRequired[str]


class ViewDocument(TypedDict):
    """What one seat of a card table sees; cards are names separated by blanks."""

    seat: int | None
    rules: str
    state: StateDocument
    awaits: str
    turn: int | None
    exchange: int
    order: list[int]
    hand: str
    laid: str
    aside: str
    discards: str
    known_muck: str
    hand_sizes: list[int]
    piles: list[str]
    trick: list[list[int | str]]
    leader: int | None
    tricks_played: int
    dead: list[int]
    declarer: int | None
    blind: bool
    offered: str | None
    stub: int
    muck: int
    observations: list[ObservationDocument]
    legal: list[ActionDocument]


class GameRecordDocument(TypedDict):
    """A game record, or with ``actions`` a card record."""

    format: str
    version: int
    rules: str
    seats: list[str]
    dealer: int
    entries: list[EntryDocument]
    actions: NotRequired[list[ActionDocument]]
    game_points: NotRequired[list[int]]
    id: NotRequired[object]
    event: NotRequired[object]
    heat: NotRequired[object]
    game: NotRequired[object]
    started: NotRequired[object]
    meta: NotRequired[dict[str, object]]


class HeatDocument(TypedDict):
    """A heat file, as written for simulated heats; ``heat`` and ``label`` appear in festivals."""

    format: str
    version: int
    rules: str
    players: list[str]
    games: list[GameRecordDocument]
    games_planned: int
    advance: int
    flip_flops: NotRequired[list[list[str]]]
    heat: NotRequired[int]
    label: NotRequired[str]


class FestivalDocument(TypedDict):
    """A simulated festival with all its heats."""

    format: str
    version: int
    rules: str
    seed: str
    players: list[str]
    qualified: list[str]
    rounds: list[list[int]]
    heats: list[HeatDocument]
    ranking: list[str]


class PaperResultDocument(TypedDict):
    """The part of a ``state`` document that a ranking needs, for a game entered from paper."""

    scores: list[int]
    executed: list[bool]
    asterisks: list[int]
    status: list[str]
    winners: list[int]
    win: str
    places: list[list[int]]
    game_points: list[str] | None


class HandDocument(TypedDict):
    """Five cards with their category and their strength among the 7,462 classes of hands."""

    hand: str
    category: str
    strength: int


class HandsDocument(TypedDict):
    """The answer of ``evaluate``, best hand first."""

    hands: list[HandDocument]


class PresetDocument(TypedDict):
    """A preset of ``rules``, with its sentence by language."""

    name: str
    text: dict[str, str]
    digest: str


class VariantDocument(TypedDict):
    """A variant of ``rules``, with its sentence by language."""

    name: str
    text: dict[str, str]


class CatalogueDocument(TypedDict):
    """What ``rules`` prints without a name."""

    presets: list[PresetDocument]
    variants: list[VariantDocument]


class IntervalDocument(TypedDict):
    """A mean with its 95 % bounds."""

    mean: float
    low: float
    high: float


class GapDocument(IntervalDocument):
    """How far a player of a tournament is ahead of another."""

    ahead: str
    behind: str


class StandingDocument(TypedDict):
    """What a player of a tournament earned per game."""

    name: str
    games: int
    game_points: IntervalDocument
    chicagos: int
    chicagos_won: int


class OutcomeDocument(TypedDict):
    """A tournament of bots."""

    standings: list[StandingDocument]
    gaps: list[GapDocument]


class PositionDocument(TypedDict):
    """How those fared who sat in one place, seen from the first dealer."""

    players: int
    position: int
    first_dealer: bool
    wins: float
    game_points: float


class StatisticsDocument(TypedDict):
    """Numbers of many games, shares between 0 and 1; the last three where there were heats."""

    games: int
    deals_per_game: dict[str, float]
    ways_to_win: dict[str, float]
    positions: list[PositionDocument]
    chicagos_per_game: float
    chicagos_won: float
    best_hands: dict[str, float]
    last_trick_with_a_deuce: float
    resets_per_game: float
    target_without_chicago_per_game: float
    games_with_target_without_chicago: float
    heats: NotRequired[int]
    heats_decided_by: NotRequired[dict[str, float]]
    heats_with_flip_flop: NotRequired[float]
