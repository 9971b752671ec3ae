"""Counts and records of finished games, which can be added up over events.

A tally is JSON, so that what an event gives can be stored, and a series' or an organiser's be the
sum. It names players and games by their keys; names are read when it is shown.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from django.db.models import Count, F, Q, Sum

from engine.bots import chance
from engine.cards.categories import SCORING
from engine.rules.variants import parse_rules

from ...models import Event, GameHands, GameResult
from ...models.enums import HeatStatus

#: The columns of what is known of each phase (0: the tricks), and of what came up.
ASKED = {0: "deals", 1: "asked_1", 2: "asked_2", 3: "asked_3"}
HANDS = tuple(category.key for category in SCORING)
CAME = (chance.WON, chance.BROKEN, *HANDS)
#: Rows of each list of records.
MOST = 5
#: The lists of records; of one the least comes first.
SCORE, FAST, CHICAGOS, RUN, RARE, SAD = "score", "fast", "chicagos", "run", "rare", "sad"
RECORDS = (SCORE, FAST, CHICAGOS, RUN, RARE, SAD)


class Record(NamedTuple):
    """A value, the registration that has it, and the game (0: several)."""

    value: int
    registration: int
    game: int = 0


@dataclass
class Tally:
    """Counts of finished games.

    ``tables`` are counts by the number of players (text, as in JSON): games, those with a known
    ``length`` in deals and in ``seconds``, games that the first dealer ``dealer``-won, Chicagos
    won, and scores ``zeroed``. ``hands`` are counts by rules and number of players. ``records``
    have the best :data:`MOST` of each list.
    """

    games: int = 0
    tables: dict[str, dict[str, int]] = field(default_factory=dict)
    hands: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    records: dict[str, list[Record]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as stored."""
        return asdict(self)


def tally_from(document: dict[str, Any]) -> Tally:
    """Return a stored tally; an empty document is one of nothing."""
    tally = Tally(**document)
    tally.records = {name: [Record(*each) for each in rows] for name, rows in tally.records.items()}
    return tally


def added(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of tallies; of equal records the earlier comes first."""
    games = 0
    tables: dict[str, Counter[str]] = defaultdict(Counter)
    hands: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    records: dict[str, list[Record]] = defaultdict(list)
    for tally in tallies:
        games += tally.games
        for players, counts in tally.tables.items():
            tables[players].update(counts)
        for rules, sizes in tally.hands.items():
            for players, counts in sizes.items():
                hands[rules][players].update(counts)
        for name, rows in tally.records.items():
            records[name] += rows
    return Tally(
        games=games,
        tables={players: dict(counts) for players, counts in tables.items()},
        hands={
            rules: {players: dict(counts) for players, counts in sizes.items()}
            for rules, sizes in hands.items()
        },
        records={name: best(name, rows) for name, rows in records.items()},
    )


def best(name: str, rows: Iterable[Record]) -> list[Record]:
    """Return the best rows of a list of records."""
    return sorted(rows, key=lambda row: row.value if name == FAST else -row.value)[:MOST]


def tally_of(event: Event) -> Tally:
    """Return what an event's finished games give, void heats left out (three queries)."""
    finished = Q(game__heat__event=event) & ~Q(game__heat__status=HeatStatus.VOID)
    tables: dict[str, dict[str, int]] = {}
    hands: dict[str, dict[str, int]] = {}
    timed = Q(seconds__gt=0, length__gt=0)
    counted: Any = (
        GameHands.objects.filter(finished)
        .values("players")
        .annotate(
            games=Count("pk"),
            known=Count("pk", filter=Q(length__gt=0)),
            lengths=Sum("length"),
            timed=Sum("length", filter=timed, default=0),
            took=Sum("seconds", filter=timed, default=0),
            **{name: Sum(name) for name in (*ASKED.values(), *CAME)},
        )
        .order_by("players")
    )
    for found in counted:
        row: dict[str, int] = dict(found)
        players = str(row.pop("players"))
        names = ("games", "known", "lengths", "timed", "took")
        tables[players] = {name: row.pop(name) for name in names}
        tables[players]["won"] = row[chance.WON]
        hands[players] = row
    results = GameResult.objects.filter(finished)
    more: Any = results.values(players=F("game__hands__players")).annotate(
        zeroed=Sum("zeroed"),
        dealer=Count("pk", filter=Q(place=1, seat=F("game__sheet__dealer"))),
    )
    for each in more.order_by():
        if each["players"] is not None:
            tables[str(each["players"])] |= {"zeroed": each["zeroed"], "dealer": each["dealer"]}
    return Tally(
        games=sum(each["games"] for each in tables.values()),
        tables=tables,
        hands={event.rules: hands} if hands else {},
        records=_records(event, results),
    )


class _Played(NamedTuple):
    game: int
    registration: int
    place: int
    score: int
    asterisks: int
    zeroed: int
    came: dict[str, int]
    length: int | None


def _records(event: Event, results: Any) -> dict[str, list[Record]]:
    rows = [
        _Played(*values)
        for values in results.order_by("game__sheet__finished_at", "game", "seat").values_list(
            "game",
            "entry__registration",
            "place",
            "score",
            "asterisks",
            "zeroed",
            "came",
            "game__hands__length",
        )
    ]
    target = parse_rules(event.rules).target
    chicagos: Counter[int] = Counter()
    sad: Counter[int] = Counter()
    rare: list[Record] = []
    for row in rows:
        chicagos[row.registration] += row.asterisks
        sad[row.registration] += row.zeroed
        rare += (
            Record(rank, row.registration, row.game)
            for rank, key in enumerate(HANDS)
            if row.came.get(key)
        )
    return {
        SCORE: best(SCORE, (Record(row.score, row.registration, row.game) for row in rows)),
        FAST: best(
            FAST,
            (
                Record(row.length, row.registration, row.game)
                for row in rows
                if row.length and row.place == 1 and row.score >= target
            ),
        ),
        CHICAGOS: best(CHICAGOS, (Record(n, who) for who, n in chicagos.items() if n)),
        RUN: best(RUN, _runs(rows)),
        RARE: best(RARE, rare),
        SAD: best(SAD, (Record(n, who) for who, n in sad.items() if n)),
    }


def _runs(rows: Iterable[_Played]) -> list[Record]:
    """Return each player's most games won in a row; one win is no run."""
    now: Counter[int] = Counter()
    longest: dict[int, Record] = {}
    for row in rows:
        now[row.registration] = now[row.registration] + 1 if row.place == 1 else 0
        found = Record(now[row.registration], row.registration, row.game)
        known = longest.get(row.registration)
        if found.value > (known.value if known else 1):
            longest[row.registration] = found
    return list(longest.values())
