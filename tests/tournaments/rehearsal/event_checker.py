"""A second, short evaluation of a chicago-event document, from its game records alone.

It shares only the engine's replay of single games with the program. Rankings, qualifiers, play-off
tables, lucky losers and the event's result are computed again here, in plain code.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import groupby
from typing import Any

from engine.answers import replay_record

Doc = dict[str, Any]
CHAIN = {"game_points": 0, "score_points": 1, "asterisks": 2}


def check(doc: Doc) -> None:
    """Assert that everything in the document follows from its games."""
    seen_open: Counter[str] = Counter()
    sections: list[list[list[str]]] = []
    results: list[tuple[int, str, tuple[Fraction, ...]]] = []
    qualifiers: set[str] = set()
    went_on: list[str] = []
    numbers: list[int] = []
    gone = {
        row["id"] for row in doc["registrations"] if row["status"] in ("withdrawn", "disqualified")
    }
    for stage in doc["stages"]:
        outcomes = []
        going: list[str] = []
        for heat in stage["heats"]:
            numbers.append(int(heat["id"]))
            assert len(heat["players"]) in (3, 4)
            if heat["status"] == "open":
                seen_open.update(heat["players"])
            if heat["status"] != "finished":
                continue
            ranking = rank(doc, heat)
            top = [player for player, _values, out in ranking[: heat["advance"]] if not out]
            going += top
            for player, values, out in ranking:
                if not out:
                    outcomes.append((player, share(doc, heat, values)))
            if stage["kind"] == "final":
                sections.insert(0, final_groups(ranking))
        if stage["kind"] == "qualifying":
            assert not qualifiers & set(going), "somebody qualified twice"
            assert len(going) == len(set(going))
            qualifiers |= set(going)
        else:
            check_round(stage, went_on, results, gone)
            if stage["kind"] == "playoff":
                sections.insert(0, groups_of(outcomes))
        results = [(stage["number"], player, key) for player, key in outcomes] + [
            row for row in results if stage["kind"] == "qualifying"
        ]
        if stage["kind"] == "qualifying":
            first_day = [(player, key) for _number, player, key in results]
            went_on = sorted(qualifiers)
        else:
            went_on = going
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(count == 1 for count in seen_open.values()), "somebody in two open heats"
    assert sorted(qualifiers) == sorted(doc["qualifiers"])
    check_result(doc, sections, first_day, qualifiers)


def rank(doc: Doc, heat: Doc) -> list[tuple[str, tuple[Fraction, int, int], bool]]:
    """Rank a heat: sums over its finished games, the tie-break chain, the recorded Flip Flops."""
    sums = {player: [Fraction(0), 0, 0] for player in heat["players"]}
    out: set[str] = set()
    for game in heat["games"]:
        assert set(game["seats"]) == set(heat["players"])
        answer = replay_record(game)
        assert answer["valid"], answer["problems"]
        state = answer["state"]
        assert state["finished"]
        assert sum(map(Fraction, state["game_points"])) <= sum(
            doc["game_points"][str(len(heat["players"]))]
        )
        for seat, player in enumerate(game["seats"]):
            sums[player][0] += Fraction(state["game_points"][seat])
            sums[player][1] += state["scores"][seat]
            sums[player][2] += state["asterisks"][seat]
            if state["status"][seat] == "disqualified":
                out.add(player)
    assert len(heat["games"]) == heat["games_planned"]
    flips = {player: i for order in heat.get("flip_flops", []) for i, player in enumerate(order)}
    steps = [CHAIN[step] for step in doc["ties"] if step in CHAIN]

    def key(player: str) -> tuple[Any, ...]:
        values = [-sums[player][step] for step in steps]
        return (player in out, *values, flips.get(player, 0))

    order = sorted(heat["players"], key=key)
    for above, below in zip(order[: heat["advance"]], order[heat["advance"] :], strict=False):
        if above not in out and order.index(below) == heat["advance"]:
            last = order[heat["advance"] - 1]
            assert key(last) != key(below), "a tie that decides was left open"
    return [(player, tuple(sums[player]), player in out) for player in order]


def share(doc: Doc, heat: Doc, values: tuple[Fraction, int, int]) -> tuple[Fraction, ...]:
    """Return the values by which results of different tables are compared."""
    table = doc["game_points"][str(len(heat["players"]))]
    games = heat["games_planned"]
    average = Fraction(sum(table) * games, len(table))
    return (values[0] / average, Fraction(values[1], games), Fraction(values[2], games))


def groups_of(outcomes: list[tuple[str, tuple[Fraction, ...]]]) -> list[list[str]]:
    """Return everybody's best results in order, with equal ones grouped."""
    best: dict[str, tuple[Fraction, ...]] = {}
    for player, key in outcomes:
        best[player] = max(best.get(player, key), key)
    rows = sorted(best.items(), key=lambda row: row[1], reverse=True)
    return [[player for player, _ in group] for _, group in groupby(rows, key=lambda row: row[1])]


def final_groups(ranking: list[tuple[str, tuple[Fraction, int, int], bool]]) -> list[list[str]]:
    """Return the final's order as groups; an undecided tie below the top is checked by place."""
    return [[player] for player, _values, out in ranking if not out]


def check_round(
    stage: Doc,
    went_on: list[str],
    results: list[tuple[int, str, tuple[Fraction, ...]]],
    gone: set[str],
) -> None:
    """Assert that a round has the players who went on, replacements by rule, and valid tables.

    ``gone``: players who have withdrawn or been disqualified, and so could not be added.
    """
    rows = stage["players"]
    extra = [row for row in rows if row["source"] in ("lucky_loser", "replacement")]
    regular = [row["id"] for row in rows if row not in extra]
    assert sorted(regular) == sorted(went_on)
    present = [row["id"] for row in rows if not row["absent"]]
    # A void heat was played again under another number.
    heats = [heat for heat in stage["heats"] if heat["status"] != "void"]
    seated = [player for heat in heats for player in heat["players"]]
    assert sorted(seated) == sorted(present)
    sizes = sorted((len(heat["players"]) for heat in heats), reverse=True)
    tables = -(-len(present) // 4)
    assert len(sizes) == tables
    assert max(sizes) - min(sizes) <= 1
    absent = [row["id"] for row in rows if row["absent"]]
    best: dict[str, tuple[Fraction, ...]] = {}
    for _number, player, key in results:
        best[player] = max(best.get(player, key), key)
    lucky = [row["id"] for row in extra if row["source"] == "lucky_loser"]
    chosen = {row["id"] for row in extra}
    # A lucky loser may stay away, too, and be replaced.
    free = {
        player: key
        for player, key in best.items()
        if player not in regular and (player in chosen or player not in {*absent, *gone})
    }
    for player in lucky:
        better = [other for other, key in free.items() if key > free[player]]
        assert set(better) <= chosen, "a better result was passed over"


def check_result(
    doc: Doc,
    sections: list[list[list[str]]],
    first_day: list[tuple[str, tuple[Fraction, ...]]],
    qualifiers: set[str],
) -> None:
    """Assert the order of the final ranking: first by how far players came, then by best result."""
    result = doc["result"]
    places = {row["id"]: row["place"] for row in result}
    played = {
        player
        for stage in doc["stages"]
        for heat in stage["heats"]
        if heat["status"] == "finished"
        for player in heat["players"]
    }
    assert len(places) == len(result)
    assert set(places) == played
    assert sorted(places.values()) == list(places.values())
    ahead: set[str] = set()
    for section in sections:
        order = [p for group in section for p in group if p not in ahead]
        assert [places[p] for p in order] == sorted(places[p] for p in order)
        for group in section:
            here = {places[p] for p in group if p not in ahead}
            assert len(here) <= 1
        if order and ahead:
            assert max(places[p] for p in ahead) < min(places[p] for p in order)
        ahead |= set(order)
    rest = [
        [p for p in group if p not in ahead and p not in qualifiers]
        for group in groups_of(first_day)
    ]
    order = [p for group in rest for p in group]
    assert [places[p] for p in order] == sorted(places[p] for p in order)
    if doc["status"] == "finished":
        assert result[0]["place"] == 1
