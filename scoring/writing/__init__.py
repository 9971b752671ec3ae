"""All writes to what scoring stores.

All functions take keywords only, run in one transaction, lock the sheet rows (by number) before the
table row, and announce the change before the commit.
"""

from scoring.writing.acceptance import (
    accept_games,
    accept_with_pin,
    answer_objection,
    choose_pin,
    object_to_deal,
    restore_words,
    sign_off,
    withdraw_objection,
)
from scoring.writing.check import (
    ChainReport,
    rebuild,
    repair,
    verify_chain,
    verify_sheet,
)
from scoring.writing.chicago import announce_chicago
from scoring.writing.correct import Plan, correct_entry, preview_correction, reseat
from scoring.writing.from_paper import compare_with_paper, has_entries, write_from_paper
from scoring.writing.lease import take_lease
from scoring.writing.links import create_link, find_link, reader_link, revoke_link, show_token
from scoring.writing.merge import settle_waiting
from scoring.writing.penalties import give_heat_penalty, take_back_heat_penalty
from scoring.writing.players import confirm_seats, replace_players, set_absent, set_away
from scoring.writing.recover import (
    RecoveredChicago,
    RecoveredCorrection,
    RecoveredEntry,
    RecoveredTap,
    call_for_lost_decisions,
    lacking,
    write_recovered,
)
from scoring.writing.tables import (
    call_td,
    clear_call,
    create_table,
    draw_lots,
    locked_sheets,
    lots,
    open_next_sheet,
    record_flip_flop,
    return_to_previous,
    set_auditor,
    show_again,
    void_sheet,
)
from scoring.writing.write import WriteResult, write_entry

__all__ = [
    "ChainReport",
    "Plan",
    "RecoveredChicago",
    "RecoveredCorrection",
    "RecoveredEntry",
    "RecoveredTap",
    "WriteResult",
    "accept_games",
    "accept_with_pin",
    "announce_chicago",
    "answer_objection",
    "call_for_lost_decisions",
    "call_td",
    "choose_pin",
    "clear_call",
    "compare_with_paper",
    "confirm_seats",
    "correct_entry",
    "create_link",
    "create_table",
    "draw_lots",
    "find_link",
    "give_heat_penalty",
    "has_entries",
    "lacking",
    "locked_sheets",
    "lots",
    "object_to_deal",
    "open_next_sheet",
    "preview_correction",
    "reader_link",
    "rebuild",
    "record_flip_flop",
    "repair",
    "replace_players",
    "reseat",
    "restore_words",
    "return_to_previous",
    "revoke_link",
    "set_absent",
    "set_auditor",
    "set_away",
    "settle_waiting",
    "show_again",
    "show_token",
    "sign_off",
    "take_back_heat_penalty",
    "take_lease",
    "verify_chain",
    "verify_sheet",
    "void_sheet",
    "withdraw_objection",
    "write_entry",
    "write_from_paper",
    "write_recovered",
]
