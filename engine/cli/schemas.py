"""``chicago-engine schema``: JSON Schemas of the formats, built from their readers' constants.

A schema describes what a document looks like. Some checks remain with the readers: variants that
clash, the number of seats of a rule set, and whether a game can go that way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from functools import partial
from types import ModuleType
from typing import Any, Final, get_args

from ..cards.categories import BY_KEY, SUITS
from ..draws.draw import TABLE_MAX, TABLE_MIN, TABLE_SIZES
from ..errors import ERROR_CODES, WARNING_CODES
from ..ranking import heat_record, series_record
from ..ranking.heat import STEPS
from ..ranking.series import SIZES, TIES
from ..rules.presets import PRESETS
from ..rules.ruleset import OutPoints
from ..rules.variants import VARIANTS
from ..sheet import record
from ..sheet.entries import ACTIONS, ENTRY_TYPES, LIMIT, NOTES
from ..sheet.facts import Cause
from ..sheet.state import DISQUALIFIED, IN, OUT, STAGES
from ..table.actions import CLAIMS, FORMS
from ..totals import totals
from ..totals.totals import WINS
from .files import command, show

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_MAX_SEATS: Final = max(preset.rules.players_max for preset in PRESETS.values())

_TEXT: Final[Schema] = {"type": "string"}
_FLAG: Final[Schema] = {"type": "boolean"}
_NAME: Final[Schema] = {"type": "string", "pattern": r"\S"}
_POINTS: Final[Schema] = {"type": "string", "pattern": r"^-?\d+(/[1-9]\d*)?$"}
#: Of a penalty: above 0. Whether it is a multiple of 1/12, only the reader says.
_TAKEN: Final[Schema] = {
    "type": "string",
    "pattern": r"^(?!0+(/|$))[0-9]{1,9}(/(?!0+$)[0-9]{1,9})?$",
}
_CARD: Final = r"(10|[2-9TJQKAtjqka])[cdhsCDHS]"
_RULES: Final[Schema] = {
    "type": "string",
    "pattern": f"^({'|'.join(PRESETS)})(\\+({'|'.join(VARIANTS)}))*$",
}


def _whole(low: int = 0, high: int = LIMIT) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high}


def _one_of(values: Sequence[object]) -> Schema:
    return {"enum": list(values)}


def _list(items: Schema, **more: object) -> Schema:
    return {"type": "array", "items": items, **more}


def _tuple(*items: Schema) -> Schema:
    """Return the schema of a list with these items and no others."""
    size = len(items)
    return {"type": "array", "prefixItems": list(items), "minItems": size, "maxItems": size}


def _object(properties: Schema, optional: Schema | None = None, **more: object) -> Schema:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": {**properties, **(optional or {})},
        "required": list(properties),
        "additionalProperties": False,
        **more,
    }


def _document(reader: ModuleType, properties: Schema, optional: Schema, **more: object) -> Schema:
    """Return the schema of a reader's format; tools may fill its other known keys freely.

    ``optional`` holds the schemas of those keys, where there are any.
    """
    head = {"format": {"const": reader.FORMAT}, "version": {"const": reader.VERSION}}
    added = sorted(reader._KNOWN - head.keys() - properties.keys())
    return _object({**head, **properties}, {name: optional.get(name, {}) for name in added}, **more)


_SEAT: Final = _whole()
_AT_TABLE: Final = _whole(0, _MAX_SEATS - 1)
_CATEGORY: Final = _one_of([key for key in BY_KEY if key != "nothing"])
_STATUS: Final = _one_of([IN, OUT, DISQUALIFIED])
_TIME: Final[Schema] = {
    "type": "string",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$",
}
_ID: Final[Schema] = {"type": "string", "pattern": r"^[1-9]\d*$"}
_NAMES: Final = _list(_NAME, minItems=2, maxItems=_MAX_SEATS, uniqueItems=True)

_ENTRY_FIELDS: Final[Schema] = {
    "phase": _whole(1),
    "seat": _SEAT,
    "category": _CATEGORY,
    "reset": _FLAG,
    "reset_seat": _SEAT,
    "suit": _one_of(sorted(SUITS)),
    "won": _FLAG,
    "breaker": _SEAT,
    "blind": _FLAG,
    "deuce": _FLAG,
    "action": _one_of(ACTIONS),
    "points": _whole(-LIMIT),
    "reason": _TEXT,
}


def _has(**values: object) -> Schema:
    return {
        "properties": {name: {"const": value} for name, value in values.items()},
        "required": list(values),
    }


#: Conditions between the fields of an entry.
_CONDITIONS: Final[dict[str, list[Schema]]] = {
    "hand": [
        {"if": _has(reset=True), "then": _has(category="four_of_a_kind")},
        {"if": {"required": ["reset_seat"]}, "then": _has(reset=True)},
    ],
    "chicago": [
        {"if": {"required": ["breaker"]}, "then": _has(won=False)},
        {"if": _has(deuce=True), "then": _has(won=True, blind=True)},
    ],
    "ruling": [
        {
            "if": _has(action="points"),
            "then": {"required": ["seat", "points"]},
            "else": {"not": {"required": ["points"]}},
        },
        {
            "if": {"properties": {"action": _one_of(["end_game", "redeal"])}},
            "then": {"not": {"required": ["seat"]}},
            "else": {"required": ["seat"]},
        },
    ],
}


def _entry(kind: Any) -> Schema:
    needed: Schema = {"kind": {"const": kind.kind}}
    optional: Schema = dict.fromkeys(sorted(NOTES), _TEXT)
    for field in fields(kind):
        given = field.default is not MISSING
        (optional if given else needed)[field.name] = _ENTRY_FIELDS[field.name]
    conditions = _CONDITIONS.get(kind.kind)
    return _object(needed, optional, **({"allOf": conditions} if conditions else {}))


def _choice(key: str, schemas: Sequence[Schema]) -> Schema:
    """Return the schema of several kinds of object, told apart by the constant under ``key``."""
    return {"type": "object", "required": [key], "oneOf": list(schemas)}


_ENTRY: Final = _choice("kind", [_entry(kind) for kind in ENTRY_TYPES])


def game_record() -> Schema:
    """Return the schema of a game record."""
    return _document(
        record,
        {"rules": _RULES, "seats": _NAMES, "entries": _list(_ENTRY)},
        {
            "dealer": _AT_TABLE,
            "game_points": _list(_whole()),
            "meta": {"type": "object"},
        },
        dependentSchemas={
            "game_points": {"anyOf": list(map(_points_for, range(5, _MAX_SEATS + 1)))}
        },
    )


def _points_for(seats: int) -> Schema:
    """Return the schema of a game of so many seats with its own game points, one per place."""
    size = {"minItems": seats, "maxItems": seats}
    return {"properties": {"seats": size, "game_points": size}}


_CARD_FIELDS: Final[Schema] = {
    "seat": _AT_TABLE,
    "reset_seat": _AT_TABLE,
    "cards": {"type": "string", "pattern": f"^\\s*({_CARD}(\\s+{_CARD})*)?\\s*$"},
    "card": {"type": "string", "pattern": f"^{_CARD}$"},
    "category": {"anyOf": [_CATEGORY, {"type": "null"}]},
    "value": {"anyOf": [{"type": "string", "pattern": "^[2-9TJQKAcdhs]$"}, {"type": "null"}]},
    **dict.fromkeys(("call", "take", "reset", "offence", "open"), _FLAG),
}


def _action(do: str) -> Schema:
    if do == "ruling":
        ruling = _entry(next(kind for kind in ENTRY_TYPES if kind.__name__ == "Ruling"))
        properties = {"do": {"const": do}, **ruling["properties"]}
        del properties["kind"]
        return {**ruling, "properties": properties, "required": ["do", "action"]}
    known, needed, _ = FORMS[do]
    own = dict(_CARD_FIELDS)
    own["claim"] = _one_of([*CLAIMS, None]) if do == "show" else _FLAG
    if do == "correct":
        own["card"] = {"anyOf": [own["card"], {"type": "null"}]}
    return _object(
        {"do": {"const": do}, **{name: own[name] for name in needed}},
        {name: own[name] for name in sorted(known) if name not in ("do", *needed)},
    )


def card_record() -> Schema:
    """Return the schema of a card record."""
    schema = game_record()
    properties = {
        **schema["properties"],
        "format": {"const": "chicago-card-record"},
        "actions": _list(_choice("do", [_action(do) for do in FORMS])),
    }
    return {
        **schema,
        "properties": properties,
        "required": ["format", "version", "rules", "seats", "actions"],
    }


def totals_document() -> Schema:
    """Return the schema of a totals document."""
    seat = _object(
        {
            "name": _NAME,
            "score": _whole(-LIMIT),
            "executed": _FLAG,
            "asterisks": _whole(),
            "out": _FLAG,
        },
        {"ruled": _whole(-LIMIT)},
    )
    winners = _list(_AT_TABLE, minItems=1, uniqueItems=True)
    return _document(
        totals,
        {
            "rules": _RULES,
            "seats": _list(seat, minItems=2, maxItems=_MAX_SEATS),
            "win": _one_of(WINS),
        },
        {"winner": {"anyOf": [_AT_TABLE, winners]}},
        **{"if": {"not": _has(win="ended")}, "then": {"required": ["winner"]}},
    )


def heat() -> Schema:
    """Return the schema of a heat file."""
    most = max(preset.rules.heat_players_max for preset in PRESETS.values())
    return _document(
        heat_record,
        {
            "rules": _RULES,
            "players": {**_NAMES, "minItems": 3, "maxItems": most},
            "games": _list({"anyOf": [game_record(), totals_document()]}),
            "games_planned": _whole(1),
            "advance": _whole(),
        },
        {
            "flip_flops": _list(_list(_TEXT)),
            "penalties": _list(_object({"player": _TEXT, "game_points": _TAKEN, "reason": _NAME})),
        },
    )


def _state() -> Schema:
    """Return the schema of a game's state, as ``replay`` prints it."""
    number, flag, seats = _whole(), _FLAG, {"minItems": 2, "maxItems": _MAX_SEATS}
    null: Schema = {"type": "null"}

    def each(items: Schema) -> Schema:
        return _list(items, **seats)

    return _object(
        {
            "deal": number,
            "phase": {"anyOf": [_whole(1), null]},
            "dealer": _AT_TABLE,
            "finished": flag,
            "scores": each({"type": "integer"}),
            "executed": each(flag),
            "asterisks": each(number),
            "discardless": each(flag),
            "status": each(_STATUS),
            "winners": _list(_AT_TABLE),
            "win": {"anyOf": [_one_of(WINS), null]},
            "places": {"anyOf": [_list(_list(_AT_TABLE)), null]},
            "game_points": {"anyOf": [each(_POINTS), null]},
            "stage": _one_of(STAGES),
            "sitting_out": each(flag),
            "dead": each(flag),
            "bound": each(flag),
            "armed": each(flag),
            "standing": each({"anyOf": [_CATEGORY, null]}),
        },
        {"sitting_out_next": each(flag)},
        additionalProperties=True,  # more may be added
    )


def facts() -> Schema:
    """Return the schema of what ``replay --facts`` prints."""
    on = {"seat": _AT_TABLE, "on": _FLAG}
    places = _list(_list(_AT_TABLE))
    told: dict[str, Schema] = {
        "score": {
            "seat": _AT_TABLE,
            "from": {"type": "integer"},
            "to": {"type": "integer"},
            "cause": _one_of(get_args(Cause)),
        },
        "executed": on,
        "asterisk": on,
        "discardless": on,
        "status": {"seat": _AT_TABLE, "to": _STATUS},
        "deal": {"deal": _whole(), "dealer": _AT_TABLE},
        "game": {
            "win": _one_of(WINS),
            "winners": _list(_AT_TABLE),
            "places": places,
            "game_points": {"anyOf": [_list(_POINTS), {"type": "null"}]},
        },
    }
    fact = _choice(
        "fact", [_object({"fact": {"const": name}, **each}) for name, each in told.items()]
    )
    problem: Schema = {
        "type": "object",
        "properties": {
            "code": {"type": "string", "examples": [*ERROR_CODES, *WARNING_CODES]},
            "severity": _one_of(["error", "warning"]),
            "entry": {"anyOf": [_whole(), {"type": "null"}]},
            "message": _TEXT,
            "expected": {"type": "array"},
        },
        "required": ["code", "severity", "entry", "message"],
    }
    return {
        "type": "object",
        "properties": {
            "valid": _FLAG,
            "problems": _list(problem),
            "state": {"anyOf": [_state(), {"type": "null"}]},
            "steps": _list(_object({"entry": _whole(), "facts": _list(fact)})),
        },
        "required": ["valid", "problems", "state"],
    }


def _open(properties: Schema, optional: Schema | None = None) -> Schema:
    """Return the schema of an object of an event: its readers ignore unknown keys."""
    return _object(properties, optional, additionalProperties=True)


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _event_heat() -> Schema:
    """Return the schema of an event's heat: a heat file with more keys and numbered games."""
    paper = _object({"checked": _FLAG})
    more = {"game": _whole(1), "meta": _open({}, {"paper": paper})}
    game = {
        "anyOf": [
            {
                **each,
                "required": [*each["required"], "game"],
                "properties": {**each["properties"], **more},
            }
            for each in (game_record(), totals_document())
        ]
    }
    one = heat()
    draw = {
        "number": _or_null(_whole(1)),
        "seed": _TEXT,
        "method": _TEXT,
        "seats": _TEXT,
    }
    meta = _open({"table": _or_null(_whole(1)), "auditor": _TEXT}, {"lots": _list(_or_null(_TEXT))})
    statement = {"game": _whole(1), "player": _ID, "at": _TIME}
    answer = _open({"at": _TIME}, {"reason": _TEXT})
    properties = {
        **one["properties"],
        "games": _list(game),
        "id": _ID,
        "status": _one_of(["open", "finished", "void"]),
        "draw": _open(draw),
        "meta": meta,
        "acceptances": _list(
            _open({**statement, "means": _one_of(["own", "pin", "late_pin", "auditor"])})
        ),
        "objections": _list(
            _open({**statement, "deal": _whole(1), "text": _TEXT}, {"answer": answer})
        ),
        "went_on": _list(_ID),
        "unplayed": _list(_whole(1)),
    }
    return {
        **one,
        "properties": properties,
        "required": [*one["required"], "id", "status", "draw", "meta"],
        "additionalProperties": True,
    }


def _event_stage() -> Schema:
    groups = _list(_list(_ID))
    draw = {
        "number": _whole(1),
        "status": _one_of(["draft", "published", "discarded", "taken_back"]),
        "seed": _TEXT,
        "method": _TEXT,
        "label": _TEXT,
        "candidates": _list(_ID),
        "sizes": _list(_whole(1)),
        "history": {
            "type": "object",
            "properties": {
                "met": _list(_tuple(_ID, _ID, _whole(1))),
                "threes": {"type": "object", "additionalProperties": _whole(1)},
                "apart": _list(_tuple(_ID, _ID)),
            },
        },
        "queue": _list(_ID),
        "drawn": groups,
        "groups": groups,
        "adjustments": _list({"type": "object"}),
    }
    player = {
        "id": _ID,
        "source": _one_of(["qualified", "advanced", "lucky_loser", "replacement"]),
        "absent": _FLAG,
        "replaces": _or_null(_ID),
        "basis": {"type": "object"},
    }
    stage = {
        "kind": _one_of(["qualifying", "playoff", "final"]),
        "number": _whole(1),
        "round": _whole(),
        "status": _one_of(["planned", "open", "finished"]),
        "advance": _whole(),
        "games": _whole(1),
        "heats": _list(_event_heat()),
    }
    added = {
        "label": _TEXT,
        "rounds_left": _whole(),
        "players": _list(_open(player)),
        "draws": _list(_open(draw, {"wanted": {"type": "object"}})),
    }
    return _open(stage, added)


def _event_settings() -> Schema:
    """Return the schema of an event's settings; missing ones have the defaults of a new event."""
    several, step = _list(_whole(1)), {"level": _TEXT}
    ladder = _list(_object(step, {"points": _whole(1, 52)}))
    return _open(
        {},
        {
            "venue": _TEXT,
            "games_per_heat": _whole(1, 20),
            "advance_per_heat": _whole(1, 3),
            "out_points": _one_of([value.value for value in OutPoints]),
            "table_size": _whole(TABLE_MIN, TABLE_MAX),
            "ends_with_heats": _FLAG,
            "room_plan": _TEXT,
            "playoff_advance": several,
            "playoff_games": _whole(1),
            "final_games": _or_null(_whole(1)),
            "playoff_grouping": _one_of(["draw", "snake"]),
            "no_show_rule": _one_of(["next_of_heat", "lucky_loser", "nobody"]),
            "penalty_ladder": ladder,
            "acceptance": _one_of(["auditor", "one", "majority", "all", "director"]),
            "penalties_per_offence": _FLAG,
            "reentry_limit": _or_null(_whole()),
            "currency": _TEXT,
            "buy_in": _whole(),
            "minutes_per_heat": _or_null(_whole(5, 600)),
            "time_rule": _one_of(["deal", "game"]),
            "shot_clock_seconds": _or_null(_whole(5, 300)),
            "results_need_director": _FLAG,
            "sign_up_opens_at": _or_null(_TIME),
            "sign_up_closes_at": _or_null(_TIME),
            "capacity": _or_null(_whole(3)),
            "keep_turn_minutes": _whole(0, 600),
            "fee": _whole(),
            "prizes": _object({}, {"shares": _list(_whole(1)), "amounts": _list(_whole(1))}),
            "prize_added": _whole(),
            "colour": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
            "paper_size": _one_of(["a4", "letter"]),
        },
    )


def event() -> Schema:
    """Return the schema of an event document; like its readers, it ignores unknown keys."""
    day = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"}
    statuses = ["wait_listed", "registered", "checked_in", "withdrawn", "disqualified"]
    session_kinds = ["", "heats", "playoffs", "quarter", "semi", "final"]
    registration = _open(
        {"id": _ID, "status": _one_of(statuses), "entries": _whole()},
        {
            "name": _TEXT,
            "family_name": _TEXT,
            "fixed_table": _or_null(_whole(1)),
            "free_starts": _whole(0, 99),
            "part": _TEXT,
        },
    )
    penalty = _open(
        {"heat": _or_null(_ID), "game": _or_null(_whole(1)), "id": _ID, "action": _TEXT},
        {"reason": _TEXT, "offence": _TEXT, "note": _TEXT},
    )
    row = _open({"heat": _ID, "game": _whole(1), "rows": _list({"type": "object"})})
    head = _tuple(_whole(), _TEXT)
    points = {str(seats): _list(_whole(), minItems=seats, maxItems=seats) for seats in TABLE_SIZES}
    return _open(
        {
            "format": {"const": "chicago-event"},
            "version": {"const": 1},
            "name": _TEXT,
            "slug": _TEXT,
            "starts_on": day,
            "ends_on": day,
            "status": _one_of(["draft", "open", "finished"]),
            "rules": _RULES,
            "game_points": _object(points),
            "ties": _list(_one_of(STEPS)),
            "registrations": _list(registration),
            "stages": _list(_event_stage()),
            "qualifiers": _list(_ID),
        },
        {
            "rules_digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "settings": _event_settings(),
            "queue": _list(_ID),
            "lucky_losers": _list(_ID),
            "penalties": _list(penalty),
            "result": _list(_open({"place": _whole(1), "id": _ID})),
            "timetable": _list(
                _open(
                    {"name": _TEXT, "starts_at": _TEXT},
                    {
                        "doors_at": _TEXT,
                        "ends_at": _TEXT,
                        "session_kind": _one_of(session_kinds),
                        "places": _whole(3),
                    },
                )
            ),
            "heads": {"type": "object", "additionalProperties": head},
            "history": _list(row),
        },
    )


def series() -> Schema:
    """Return the schema of a series document."""
    day = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
    points = {
        "type": "string",
        "pattern": "^-?[0-9]+(/(?!0+$)[0-9]+)?$",
        "maxLength": series_record.LETTERS,
    }

    def number(low: int = 0) -> Schema:
        return _whole(low, series_record.MOST - 1)

    result = {"id": _TEXT, "place": number(1), "shared": number(1)}
    event = {
        "name": _NAME,
        "event": _or_null(_NAME),
        "day": day,
        "over": _FLAG,
        "size": number(),
        "results": _list(
            _object({**result, "heats_won": number(), "chicagos": number()}, {"points": points})
        ),
    }
    rules = {
        "points": _list(points),
        "rest": points,
        "size_by": _one_of(SIZES),
        "factors": _list(_tuple(number(), points)),
        "best_of": _or_null(number(1)),
        "bonus": _object(dict.fromkeys(series_record.KEYS["bonus"], points)),
        "ties": _list(_one_of(list(TIES))),
    }
    return _object(
        {
            "format": {"const": series_record.FORMAT},
            "version": {"const": series_record.VERSION},
            "name": _NAME,
            "slug": _NAME,
            "starts_on": day,
            "ends_on": day,
            "finished": _FLAG,
            "rules": _object(rules),
            "players": _list(_object({"id": _TEXT, "name": _TEXT})),
            "events": _list(_object(event, {"stale": _FLAG})),
            "standing": _list(_object({"place": number(1), "id": _TEXT, "points": points})),
        }
    )


SCHEMAS: Final[dict[str, Callable[[], Schema]]] = {
    "game-record": game_record,
    "heat": heat,
    "totals": totals_document,
    "card-record": card_record,
    "event": event,
    "series": series,
    "facts": facts,
}


def schema(name: str) -> Schema:
    """Return the JSON Schema of a format.

    >>> schema("totals")["properties"]["format"]
    {'const': 'chicago-totals'}
    """
    return {"$schema": DIALECT, "title": f"chicago {name}", **SCHEMAS[name]()}


def main(argv: Sequence[str]) -> int:
    """Print a schema; without a name, list them."""
    parser = command("schema", "The JSON Schema of a format; without a name, the list of formats.")
    parser.add_argument("name", nargs="?", choices=SCHEMAS, metavar="NAME", help=", ".join(SCHEMAS))
    options = parser.parse_args(argv)
    if options.name is None:
        show({"schemas": list(SCHEMAS)}, options, partial(list, SCHEMAS))
    else:
        options.json = True
        show(schema(options.name), options, list)
    return 0
