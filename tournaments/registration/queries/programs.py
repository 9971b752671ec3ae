"""Lists of people as other programs export them: how they are recognised, and what is taken.

Names and places only: an address was given to that program, not to this event.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Program:
    """``marks``: headings that together are this program's, in plain letters.

    ``columns``: the field of further headings.
    """

    name: str
    marks: frozenset[str]
    columns: Mapping[str, str] = field(default_factory=dict)


#: Their headings are cited in tests/tournaments/registration/test_other_programs.py.
PROGRAMS = (
    Program("Tabbycat", frozenset({"name", "institution", "use_institution_prefix"})),
    Program("Tabbycat", frozenset({"name", "institution", "adj_core", "independent"})),
    Program(
        "pretix",
        frozenset({"order code", "attendee name", "product", "checked in"}),
        {
            "attendee name: given name": "given_name",
            "attendee name: family name": "family_name",
            "company": "club",
        },
    ),
    Program(
        "MahjongPantheon",
        frozenset({"place", "player id", "player name", "rating points", "games played"}),
    ),
)
#: What is never taken from another program's list.
ADDRESSES = frozenset({"email", "phone"})


def program_of(headings: Collection[str]) -> Program | None:
    """Return the program whose list has these headings, which are in plain letters."""
    there = set(headings)
    return next((each for each in PROGRAMS if each.marks <= there), None)
