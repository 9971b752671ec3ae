"""Protocols made by hand for tests of the print: plain values, no database."""

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from engine.sheet.facts import ScoreChanged
from scoring.paper.data import (
    CorrectionRow,
    DealRow,
    EntryRow,
    Labels,
    PrintedGame,
    Printout,
    RankingRow,
    SeatRow,
    Zeroed,
)

AT = datetime(2026, 11, 21, 10, 30, tzinfo=UTC)
TABLE = {2: (20, 15), 3: (20, 15, 12), 4: (20, 15, 12, 8)}


def seat(index: int, name: str, score: int = 0, **changes: Any) -> SeatRow:
    """Return a seat's row; ``place`` is a number or a pair, ``points`` a fraction or text."""
    places = changes.pop("place", None)
    points = changes.pop("points", None)
    return SeatRow(
        seat=index,
        player_id=changes.pop("ref", name),
        name=name,
        score=score,
        places=(places, places) if isinstance(places, int) else places,
        game_points=Fraction(points) if points is not None else None,
        **changes,
    )


def entry(sequence: int, gains: tuple[int, ...], **fields: Any) -> EntryRow:
    """Return an entry's row; the keyword arguments are the entry itself."""
    replaced = fields.pop("replaced", False)
    facts = [ScoreChanged(seat, 0, gain, "hand") for seat, gain in enumerate(gains) if gain]
    facts.sort(key=lambda fact: fact.seat != fields.get("seat"))
    return EntryRow(sequence, fields, tuple(facts), at=AT, replaced=replaced)


def game(number: int, seats: tuple[SeatRow, ...], **changes: Any) -> PrintedGame:
    """Return a finished game with the right checksum for its seats, unless told otherwise."""
    points = [each.game_points for each in seats]
    known = [value for value in points if value is not None]
    made = PrintedGame(
        number=number,
        seats=seats,
        points_sum=sum(known, Fraction(0)) if known else None,
        points_expected=Fraction(sum(TABLE[len(seats)])),
    )
    return replace(made, **changes)


def deals() -> tuple[DealRow, ...]:
    """Return some deals with every kind of entry."""
    return (
        DealRow(
            1,
            0,
            (
                entry(1, (2, 0, 0, 0), kind="hand", phase=1, seat=0, category="two_pair"),
                entry(2, (0, 0, 0, 0), kind="none", phase=2),
                entry(3, (0, 0, 10, 0), kind="last_trick", seat=2, deuce=True),
                entry(4, (0, 0, 3, 0), kind="hand", phase=3, seat=2, category="three_of_a_kind"),
            ),
            (2, 0, 13, 0),
        ),
        DealRow(
            2,
            1,
            (
                entry(5, (0, 5, 0, 0), kind="hand", phase=1, seat=1, category="flush"),
                entry(
                    6,
                    (-2, -5, -13, 0),
                    kind="hand",
                    phase=2,
                    seat=3,
                    category="four_of_a_kind",
                    reset=True,
                ),
            ),
            (0, 0, 0, 0),
        ),
        DealRow(
            3,
            2,
            (
                entry(7, (0, 0, 0, 0), kind="none", phase=1),
                entry(8, (0, 0, 0, 0), kind="revoke", seat=1),
                entry(9, (0, 0, 0, 0), kind="illegal_discard", seat=3, replaced=True),
                entry(
                    10,
                    (0, 0, 0, 16),
                    kind="ruling",
                    action="points",
                    seat=3,
                    points=16,
                    reason="felräknat",
                ),
                entry(11, (0, 0, 10, -15), kind="chicago", seat=3, won=False, breaker=2),
            ),
            (0, 0, 10, 1),
        ),
        DealRow(
            4,
            3,
            (
                entry(
                    12,
                    (52, 0, -10, -1),
                    kind="hand",
                    phase=3,
                    seat=0,
                    category="royal_flush",
                    suit="H",
                ),
            ),
            (52, 0, 0, 0),
        ),
    )


def heat(**changes: Any) -> Printout:
    """Return a finished heat of four with a royal flush, a zeroed player and a tie."""
    anna, bo, cia, dag = (
        "Åsa Bergström",
        "Łukasz Wiśniewski",
        "Jørgen Weiß-Sørensen",
        "Dag Öhman",
    )
    return replace(
        Printout(
            games=(
                game(
                    1,
                    (
                        seat(0, anna, 54, executed=True, asterisks=2, place=1, points=20),
                        seat(1, bo, 38, executed=True, place=3, points=12),
                        seat(2, cia, 47, discardless=False, place=2, points=15),
                        seat(
                            3,
                            dag,
                            0,
                            status="out",
                            place=4,
                            points=8,
                            zeroed=(Zeroed(6, 21, "reset"), Zeroed(9, 53, "no_chicago")),
                        ),
                    ),
                    winners=(0,),
                    win="target",
                    deal=11,
                    dealer=2,
                    deals=deals()[:3],
                ),
                game(
                    2,
                    (
                        seat(0, dag, 52, place=1, points=20),
                        seat(1, anna, 0, executed=True, place=(2, 4), points="35/3"),
                        seat(
                            2,
                            bo,
                            0,
                            place=(2, 4),
                            points="35/3",
                            zeroed=(Zeroed(4, 44, "royal_flush"),),
                        ),
                        seat(
                            3,
                            cia,
                            0,
                            executed=True,
                            asterisks=1,
                            place=(2, 4),
                            points="35/3",
                            zeroed=(Zeroed(4, 31, "royal_flush"),),
                        ),
                    ),
                    winners=(0,),
                    win="royal_flush",
                    deal=4,
                    dealer=0,
                    deals=deals(),
                ),
                game(
                    3,
                    (
                        seat(0, cia, 57, executed=True, asterisks=1, place=1, points=20),
                        seat(1, dag, 26, place=(3, 4), points=10),
                        seat(2, anna, 43, executed=True, place=2, points=15),
                        seat(3, bo, 26, executed=True, asterisks=1, place=(3, 4), points=10),
                    ),
                    winners=(0,),
                    win="target",
                    deal=9,
                    dealer=1,
                    deals=deals()[:2],
                ),
            ),
            labels=Labels(
                event_name="Chicagofestivalen i Göteborg 2026",
                day="lördag 21 november 2026",
                heat_label="12",
                table_label="3",
                public_url="https://chicago.example.org/e/goteborg/heat/12/",
            ),
            auditor="Cecilia Ågren",
            ranking=(
                RankingRow(
                    place=1,
                    player_id=anna,
                    name=anna,
                    game_points=Fraction(140, 3),
                    points_per_game=(Fraction(20), Fraction(35, 3), Fraction(15)),
                    score_points=97,
                    asterisks=2,
                    decided_by="score_points",
                    advances=True,
                ),
                RankingRow(
                    place=2,
                    player_id=cia,
                    name=cia,
                    game_points=Fraction(140, 3),
                    points_per_game=(Fraction(15), Fraction(35, 3), Fraction(20)),
                    score_points=91,
                    asterisks=2,
                    decided_by="game_points",
                ),
                RankingRow(
                    place=3,
                    player_id=dag,
                    name=dag,
                    game_points=Fraction(38),
                    points_per_game=(Fraction(8), Fraction(20), Fraction(10)),
                    score_points=78,
                    decided_by="game_points",
                ),
                RankingRow(
                    place=4,
                    player_id=bo,
                    name=bo,
                    game_points=Fraction(101, 3),
                    points_per_game=(Fraction(12), Fraction(35, 3), Fraction(10)),
                    score_points=64,
                    asterisks=1,
                ),
            ),
            code="7FQ3-A2KD-P5XM",
            corrections=(
                CorrectionRow(
                    game=1,
                    kind="amend",
                    sequence=14,
                    entry={"kind": "hand", "phase": 1, "seat": 1, "category": "pair"},
                    replacement={"kind": "hand", "phase": 1, "seat": 1, "category": "flush"},
                    author="Cecilia Ågren",
                    reason="läste fel",
                    at=AT,
                    seats=(anna, bo, cia, dag),
                ),
            ),
        ),
        **changes,
    )
