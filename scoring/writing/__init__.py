"""All writes to what scoring stores.

All commands take keywords only, run in one transaction, lock the sheet rows (by number) before the
table row, and announce the change before the commit.
"""

from .acceptance import (
    accept_games,
    accept_with_pin,
    answer_objection,
    choose_pin,
    object_to_deal,
    restore_statements,
    sign_off,
    withdraw_objection,
)
from .chicago import declare_chicago
from .correct import correct_entry, repair, reseat
from .from_paper import compare_with_paper, write_from_paper
from .lease import take_lease
from .links import create_link, reader_link, revoke_link
from .locks import locked_sheets
from .merge import settle_waiting
from .penalties import give_heat_penalty, take_back_heat_penalty
from .players import (
    confirm_seats,
    replace_players,
    resize_table,
    set_absent,
    set_away,
)
from .purge import purge_table
from .tables import (
    call_td,
    clear_call,
    create_table,
    open_next_sheet,
    record_flip_flop,
    retell_tables,
    return_to_previous,
    set_auditor,
    show_again,
    void_sheet,
)
from .take_back import take_back_correction
from .write import WriteResult, write_entry, write_game, write_games

__all__ = [
    "WriteResult",
    "accept_games",
    "accept_with_pin",
    "answer_objection",
    "call_td",
    "choose_pin",
    "clear_call",
    "compare_with_paper",
    "confirm_seats",
    "correct_entry",
    "create_link",
    "create_table",
    "declare_chicago",
    "give_heat_penalty",
    "locked_sheets",
    "object_to_deal",
    "open_next_sheet",
    "purge_table",
    "reader_link",
    "record_flip_flop",
    "repair",
    "replace_players",
    "reseat",
    "resize_table",
    "restore_statements",
    "retell_tables",
    "return_to_previous",
    "revoke_link",
    "set_absent",
    "set_auditor",
    "set_away",
    "settle_waiting",
    "show_again",
    "sign_off",
    "take_back_correction",
    "take_back_heat_penalty",
    "take_lease",
    "void_sheet",
    "withdraw_objection",
    "write_entry",
    "write_from_paper",
    "write_game",
    "write_games",
]
