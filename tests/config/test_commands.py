"""Every command is keyword-only and atomic, locks first, and logs who did what.

Commands are the functions that ``scoring.writing`` exports, and the public ones of the subjects'
``commands``.
"""

import inspect
import types
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import scoring.writing

ROOT = Path(__file__).resolve().parents[2]


def of_scoring() -> list[types.FunctionType]:
    """Return what ``scoring.writing`` exports, without the locks themselves."""
    exported = (getattr(scoring.writing, name) for name in scoring.writing.__all__)
    return [
        each
        for each in exported
        if isinstance(each, types.FunctionType) and each.__module__ != "scoring.writing.locks"
    ]


def of_tournaments() -> list[types.FunctionType]:
    """Return the public functions of all modules and folders named ``commands``."""
    found = []
    for path in sorted((ROOT / "tournaments").rglob("*.py")):
        if "commands" in {path.stem, path.parent.name}:
            module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            found += [
                each
                for name, each in vars(module).items()
                if isinstance(each, types.FunctionType)
                and each.__module__ == module.__name__
                and not name.startswith("_")
            ]
    return found


SCORING, TOURNAMENTS = of_scoring(), of_tournaments()
COMMANDS = [*SCORING, *TOURNAMENTS]

#: Commands without a transaction of their own, and why.
NOT_ATOMIC = {
    "accept_with_pin": "a wrong PIN counts although it is refused",
    "check_pin": "a wrong PIN counts although it is refused",
    "decide": "each of its previews is one",
    **dict.fromkeys(
        ["deliver_soon", "leave_event", "let_go", "note", "note_on_draw", "seated", "waiting"],
        "a part of commands that are",
    ),
    "setup_code": "writes a file",
}

#: Commands that lock nothing, and why.
WITHOUT_LOCK = {
    **dict.fromkeys(
        ["forget_shared", "store_picture", "store_shared"], "one worker draws what is shared"
    ),
    **dict.fromkeys(
        [
            "create_link",
            "create_organiser",
            "create_person",
            "create_table",
            "make_screen",
            "sample_table",
            "send_in",
            "start_table",
        ],
        "makes something new",
    ),
    **dict.fromkeys(
        [
            "exchange_in_round",
            "finish_final",
            "forget_results",
            "leave_event",
            "mark_advancing",
            "note",
            "note_on_draw",
            "open_heat",
            "promote_from_waiting_list",
            "qualify",
            "qualify_best",
            "refresh_sheet",
            "seated",
            "sync_penalties_with_rulings",
            "take_in_next",
            "waiting",
            "write_game",
            "write_games",
            "write_results",
        ],
        "a part of commands that hold the lock",
    ),
    "check_pin": "counts attempts, which needs no lock",
    **dict.fromkeys(["forget_old", "make_room"], "deletes old files"),
    **dict.fromkeys(["forget_old_looks", "forget_unadopted"], "deletes old rows"),
    "hear": "notes when a screen spoke last",
    **dict.fromkeys(["deliver_soon", "tell"], "queues a job"),
    "setup_code": "writes a file",
}

#: Commands of tournaments that write no log, and why.
WITHOUT_LOG = {
    **dict.fromkeys(["ask_for", "make_room"], "the job's row says who and when"),
    "send_links_again": "the mails' rows say when",
    **dict.fromkeys(["deliver_soon", "note", "send_again"], "the messages' rows say when"),
    **dict.fromkeys(["forget_old", "send_in"], "a list that waits to be looked at"),
    **dict.fromkeys(
        [
            "forget_results",
            "forget_shared",
            "refresh_heat",
            "refresh_sheet",
            "store_picture",
            "store_ratings",
            "store_shared",
            "summarise",
            "write_results",
        ],
        "follows from the sheets",
    ),
    **dict.fromkeys(
        ["mark_advancing", "note_on_draw", "open_heat", "show_tables_again"], "its caller writes it"
    ),
    **dict.fromkeys(["seated", "waiting"], "change nothing"),
    **dict.fromkeys(["sample_table", "start_table"], "belongs to no event"),
    "add_simulated": "belongs to no event",
    "check_pin": "changes nothing",
    **dict.fromkeys(["make_screen", "forget_unadopted", "forget_old_looks"], "belongs to no event"),
    "hear": "a screen speaks every half minute",
    **dict.fromkeys(["make_decision", "preview_decision"], "the decision that they make does"),
    **dict.fromkeys(["subscribe", "unsubscribe", "ask_for_trial"], "a player's own phone"),
    "tell": "the job's row says when",
    "setup_code": "belongs to no event",
}

#: Commands that an account calls and that ask for no right at an event, and why.
WITHOUT_RIGHT = {
    **dict.fromkeys(
        [
            "change_organiser",
            "keep_contacts_for",
            "create_event",
            "create_organiser",
            "create_series",
            "create_with_staff_of",
            "remove_member",
            "set_member",
            "add_event",
            "add_outside",
            "agree",
            "change_series",
            "remove_event",
        ],
        "belongs to an organiser",
    ),
    **dict.fromkeys(["invite", "revoke_invitation"], "to an event or an organiser"),
    **dict.fromkeys(["change_person", "create_person", "hide_here"], "a person has many events"),
    **dict.fromkeys(["correct", "decide", "preview_correction"], "it depends on the correction"),
    "preview_exchange": "does the exchange, which asks",
    **dict.fromkeys(
        [
            "check_in_to_round",
            "dissolve_heat",
            "end_with_heats",
            "exchange_in_round",
            "fill_up",
            "give_role",
            "finish_final",
            "join_registrations",
            "keep_of_player",
            "leave_event",
            "let_go",
            "open_heat",
            "part_registrations",
            "promote_from_waiting_list",
            "put_in_seats",
            "qualify",
            "qualify_best",
            "rearrange",
            "sync_penalties_with_rulings",
            "take_in_next",
        ],
        "a part of commands that ask, or follows from the sheets",
    ),
}


def names_in(code: types.CodeType) -> Iterator[str]:
    """Yield the names that a function's code uses, those of its inner functions too."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from names_in(each)


def used(command: types.FunctionType) -> set[str]:
    """Return the full names of our own functions that a command may call, and of what those use."""
    found: set[str] = set()
    seen, left = set(), [command]
    while left:
        function = inspect.unwrap(left.pop())
        if function in seen:
            continue
        seen.add(function)
        names = set(names_in(function.__code__))
        found |= {f"{function.__module__}.{function.__name__}", *names}
        for name in names & set(function.__globals__):
            thing = function.__globals__[name]
            if inspect.ismodule(thing):
                things = [getattr(thing, each, None) for each in names]
            else:
                things = list(vars(thing).values()) if inspect.isclass(thing) else [thing]
            left += [
                each
                for each in things
                if isinstance(each, types.FunctionType)
                and each.__module__.startswith(("scoring.", "tournaments."))
            ]
    return found


@pytest.fixture(scope="module")
def uses() -> dict[types.FunctionType, set[str]]:
    return {command: used(command) for command in COMMANDS}


def test_all_commands_are_found() -> None:
    assert len(SCORING) > 35
    assert len(TOURNAMENTS) > 120


def test_commands_are_atomic() -> None:
    lacking = [each for each in COMMANDS if "transaction.atomic" not in inspect.getsource(each)]
    assert {each.__name__ for each in lacking} == set(NOT_ATOMIC)


def test_commands_lock_what_they_change(uses: dict[types.FunctionType, set[str]]) -> None:
    locks = {
        "select_for_update",
        "scoring.writing.locks.locked_sheet",
        "scoring.writing.locks.locked_table",
        "scoring.writing.locks.sheet_for_entry",
        "tournaments.core.locks.lock_event",
        "tournaments.core.locks._lock_event",
    }
    lacking = [each for each in COMMANDS if not uses[each] & locks]
    assert {each.__name__ for each in lacking} == set(WITHOUT_LOCK)


def test_commands_of_tournaments_write_the_log(uses: dict[types.FunctionType, set[str]]) -> None:
    lacking = [each for each in TOURNAMENTS if "tournaments.core.log.record" not in uses[each]]
    assert {each.__name__ for each in lacking} == set(WITHOUT_LOG)


def test_commands_of_tournaments_ask_for_a_right() -> None:
    called = [each for each in TOURNAMENTS if "by" in inspect.signature(each).parameters]
    lacking = {each.__name__ for each in called if not hasattr(each, "right")}
    assert lacking == set(WITHOUT_RIGHT)


def test_commands_of_scoring_announce_their_changes(
    uses: dict[types.FunctionType, set[str]],
) -> None:
    """Scoring's rows are its log; the announcement writes results and wakes readers."""
    announced = {"scoring.writing.announce._announce", "wake"}
    silent = {each.__name__ for each in SCORING if not uses[each] & announced}
    # A new link changes no page, a document's statements come with its games, and a purged table
    # has no readers.
    assert silent == {"create_link", "purge_table", "reader_link", "restore_statements"}
