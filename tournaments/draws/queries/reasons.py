"""What speaks for or against the seating at a table of a draw, in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.draws.draw import TABLE_MIN
from engine.draws.pairing import Cost, Pair, pair_of

#: Levels of a reason; an error keeps the draft from being published.
ERROR, WARNING, NOTE = "error", "warning", "note"


@dataclass(frozen=True)
class SeatingReason:
    """What speaks for or against the seating at a table, and the players it is about."""

    level: str
    code: str
    text: str
    player_ids: tuple[str, ...]


@dataclass(frozen=True)
class Past:
    """What came before a draw: heats by pair, tables of three by player, and pairs kept apart.

    ``kept_apart`` maps to the reason, which only staff may read.
    """

    meetings: Mapping[Pair, Sequence[str]]
    tables_of_three: Mapping[str, int]
    kept_apart: Mapping[Pair, str]


def past_of(
    tables: Mapping[str, Sequence[str]], kept_apart: Mapping[Pair, str], wanted: Iterable[str]
) -> Past:
    """Return the past of the ``wanted`` players, from the players of each heat."""
    here = set(wanted)
    meetings: dict[Pair, list[str]] = {}
    tables_of_three: dict[str, int] = {}
    for heat, table in tables.items():
        known = [player_id for player_id in table if player_id in here]
        for a, b in combinations(known, 2):
            meetings.setdefault(pair_of(a, b), []).append(heat)
        if len(table) == TABLE_MIN:
            for player_id in known:
                tables_of_three[player_id] = tables_of_three.get(player_id, 0) + 1
    return Past(meetings, tables_of_three, kept_apart)


def seating_reasons(
    group: Sequence[str], past: Past, names: Mapping[str, str]
) -> list[SeatingReason]:
    """Return what speaks against a table: a ban, earlier meetings, tables of three."""
    pairs = [(pair_of(a, b), a, b) for a, b in combinations(group, 2)]
    found = [
        SeatingReason(
            WARNING, "apart", _apart_text(names[a], names[b], past.kept_apart[pair]), (a, b)
        )
        for pair, a, b in pairs
        if pair in past.kept_apart
    ]
    found += [
        SeatingReason(WARNING, "met", _met_text(names[a], names[b], past.meetings[pair]), (a, b))
        for pair, a, b in pairs
        if pair in past.meetings
    ]
    if len(group) == TABLE_MIN:
        found += [
            SeatingReason(
                WARNING,
                "threes",
                _tables_of_three_text(names[player_id], past.tables_of_three[player_id] + 1),
                (player_id,),
            )
            for player_id in group
            if past.tables_of_three.get(player_id)
        ]
    return found


def _met_text(one: str, other: str, heats: Sequence[str]) -> str:
    words = {"one": one, "other": other, "heats": ", ".join(heats)}
    return _("%(one)s and %(other)s met before: %(heats)s.") % words


def _apart_text(one: str, other: str, reason: str) -> str:
    if reason:
        return _("%(one)s and %(other)s are to be kept apart: %(reason)s") % {
            "one": one,
            "other": other,
            "reason": reason,
        }
    return _("%(one)s and %(other)s are to be kept apart.") % {"one": one, "other": other}


def _tables_of_three_text(name: str, times: int) -> str:
    if times == 2:
        return _("%(name)s: second table of three.") % {"name": name}
    if times == 3:
        return _("%(name)s: third table of three.") % {"name": name}
    return _("%(name)s: %(times)s times at a table of three.") % {"name": name, "times": times}


def cost_text(cost: Cost) -> str:
    """Return in one line what speaks against the whole draw."""
    parts = []
    if cost.kept_apart:
        parts.append(
            ngettext(
                "%(count)s pair to be kept apart shares a table",
                "%(count)s pairs to be kept apart share a table",
                cost.kept_apart,
            )
            % {"count": cost.kept_apart}
        )
    if cost.meetings:
        parts.append(
            ngettext("%(count)s repeated meeting", "%(count)s repeated meetings", cost.meetings)
            % {"count": cost.meetings}
        )
    if cost.tables_of_three:
        parts.append(
            ngettext(
                "%(count)s repeated table of three",
                "%(count)s repeated tables of three",
                cost.tables_of_three,
            )
            % {"count": cost.tables_of_three}
        )
    if not parts:
        return _("nobody meets again, nobody sits at a table of three again")
    return ", ".join(parts)
