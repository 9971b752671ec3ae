"""Answers as lines for people: shown on a terminal, where a pipe gets JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..errors import ChicagoError
from ..messages import texts_in
from ..messages.facts import changes_text
from ..messages.numbers import exact_text, join, number_text, points_text
from ..messages.outlook import all_sentences
from ..messages.render import entry_text, seat_name, status_text
from ..ranking.heat_record import outlooks_of, play, read_heat
from ..sheet.facts import ScoreChanged
from ..sheet.record import load_json


def sentences(document: Any) -> list[str]:
    """Return a sentence per problem, with the number of its entry or action, from 1."""
    lines = []
    for problem in document["problems"]:
        at = problem.get("action", problem.get("entry"))
        where = "" if at is None else f"{at + 1}: "
        lines.append(f"{where}{problem['message']} ({problem['code']})")
    return lines


def replayed(document: Any, text: bytes, lang: str) -> list[str]:
    """Return what each entry did, the problems, and the scoreboard."""
    lines = _steps(document, text, lang) + sentences(document)
    return lines + _scoreboard(document["state"], _names(text), lang)


def _scoreboard(state: Any, names: Sequence[str] | None, lang: str) -> list[str]:
    if state is None:
        return []
    words = texts_in(lang).terminal
    seats = range(len(state["scores"]))
    columns: dict[str, list[str]] = {
        "player": [seat_name(seat, lang, names) for seat in seats],
        "score": [number_text(score) for score in state["scores"]],
        "executed": ["○" if on else "" for on in state["executed"]],
        "asterisks": ["*" * count for count in state["asterisks"]],
        "status": [
            status_text(
                "discardless" if state["discardless"][seat] else state["status"][seat], lang
            )
            for seat in seats
        ],
    }
    if state["finished"]:
        place: dict[int, int] = {}
        for group in state["places"]:
            place.update(dict.fromkeys(group, len(place) + 1))
        columns["place"] = [str(place[seat]) for seat in seats]
        if state["game_points"]:
            columns["game_points"] = [_points(points, lang) for points in state["game_points"]]
    over = words["over" if state["finished"] else "deal"].format(deal=state["deal"] + 1)
    return [over, *_table(columns, words)]


def _steps(document: Any, text: bytes, lang: str) -> list[str]:
    if "steps" not in document:
        return []
    names = _names(text)
    entries = document.get("entries") or _read(text).get("entries", [])
    lines = []
    for step in document["steps"]:
        facts = (
            ScoreChanged(fact["seat"], fact["from"], fact["to"], fact["cause"])
            for fact in step["facts"]
            if fact["fact"] == "score"
        )
        scores = ", ".join(
            f"{seat_name(seat, lang, names)} {change}"
            for seat, change in changes_text(facts, lang).items()
        )
        what = entry_text(entries[step["entry"]], lang, names)
        lines.append(f"{step['entry'] + 1}: {what}" + (f" ({scores})" if scores else ""))
    return lines


def _points(exact: str, lang: str) -> str:
    points = Fraction(exact)
    return " = ".join(filter(None, [points_text(points, lang), exact_text(points)]))


def ranked(document: Any, lang: str) -> list[str]:
    """Return a heat's ranking, who advances, and what is undecided or unplayed."""
    if "problems" in document:
        return sentences(document)
    words = texts_in(lang).terminal
    rows = document["ranking"]
    keys = ["place", "player", "game_points", "score_points", "asterisks"]
    if any(row["penalty"] != "0" for row in rows):
        keys.insert(2, "penalty")
    cells = {key: [str(row[key]) for row in rows] for key in keys}
    for key in {"game_points", "penalty"}.intersection(keys):
        cells[key] = [_points(points, lang) for points in cells[key]]
    lines = _table(cells, words)
    if document["advances"]:
        lines.append(words["advances"].format(names=join(document["advances"], lang)))
    for group in document["needs_flip_flop"]:
        lines.append(words["flip_flop"].format(names=join(group, lang)))
    if document["unfinished"]:
        games = join([str(game + 1) for game in document["unfinished"]], lang)
        lines.append(words["unfinished"].format(games=games))
    return lines


def outlooks(document: Any, text: bytes, lang: str) -> list[str]:
    """Return one or more sentences for each player."""
    if isinstance(document, dict):
        return sentences(document)
    return all_sentences(outlooks_of(play(read_heat(text))), lang)


def totals(document: Any, lang: str) -> list[str]:
    """Return whether the totals are possible, or what is wrong with them."""
    return sentences(document) or [texts_in(lang).terminal["possible"]]


def settled(document: Any, text: bytes, lang: str) -> list[str]:
    """Return what each player wins or pays."""
    if "problems" in document:
        return replayed(document, text, lang)
    names = _names(text)
    balance = document["balance"]
    columns = {
        "player": [seat_name(seat, lang, names) for seat in range(len(balance))],
        "status": [_points(points, lang) for points in balance],
    }
    return _table(columns, texts_in(lang).terminal)[1:]


def rounds(document: Any, lang: str) -> list[str]:
    """Return the tables of each round."""
    words = texts_in(lang).terminal
    lines = [
        words["round"].format(number=number, tables=" + ".join(map(str, tables)))
        for number, tables in enumerate(document["rounds"], start=1)
    ]
    return lines + ([words[document["needs"]]] if document["needs"] else [])


def _read(text: bytes) -> dict[str, Any]:
    try:
        document = load_json(text)
    except ChicagoError:
        return {}
    return document if isinstance(document, dict) else {}


def _names(text: bytes) -> list[str] | None:
    seats = _read(text).get("seats")
    return [str(name) for name in seats] if isinstance(seats, list) else None


def _table(columns: dict[str, list[str]], words: Mapping[str, str]) -> list[str]:
    widths = {key: max(len(words[key]), *map(len, cells)) for key, cells in columns.items()}
    rows = [[words[key] for key in columns], *zip(*columns.values(), strict=True)]
    return [
        "  ".join(cell.ljust(widths[key]) for key, cell in zip(columns, row, strict=True)).rstrip()
        for row in rows
    ]
