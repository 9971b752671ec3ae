"""Who advances when a heat is closed, and the words for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.messages import advance_text
from scoring.models import AskedOften, Blank
from scoring.reading.ranking import flip_flops_at
from scoring.words import lang

from ...core.errors import Refused
from ...models import Heat, HeatResult, Qualification
from ...models.enums import HeatStatus, RegistrationStatus, StageKind

_ELSEWHERE = AskedOften(
    lambda: (
        Qualification.objects.valid()
        .filter(event=Blank())
        .exclude(heat=Blank(1))
        .values_list("registration__number", flat=True)
    )
)


def stand_ins(heat: Heat, advances: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return who of these has qualified from another heat, and who could advance instead, best
    first. Two queries; one if all of them can advance.
    """
    qualified = set(_ELSEWHERE.rows(heat.event_id, heat.pk))
    taken = [player_id for player_id in advances if int(player_id) in qualified]
    if not taken:
        return [], []
    rows = could_go_on(heat, advances)
    return taken, [str(n) for n in rows.values_list("entry__registration__number", flat=True)]


def could_go_on(heat: Heat, advances: Sequence[str]) -> QuerySet[HeatResult]:
    """Return the results of those who could advance besides these players, best first."""
    elsewhere = heat.event.qualifications.valid().exclude(heat=heat)
    return (
        heat.results.filter(disqualified=False)
        .exclude(entry__registration__in=elsewhere.values("registration"))
        .exclude(entry__registration__number__in=map(int, advances))
        .exclude(entry__registration__status=RegistrationStatus.DISQUALIFIED)
        .order_by("order")
    )


def closing_text(heat: Heat) -> str:
    """Return a sentence on who advances when the heat is closed."""
    if heat.stage.kind == StageKind.FINAL:
        return _("Whoever is first has won the event.")
    if heat.event.ends_with_heats:
        return _("Its places are then final.")
    if heat.stage.kind == StageKind.PLAYOFF:
        text = ngettext(
            "The best one advances to the next round.",
            "The best %(count)s advance to the next round.",
            heat.advance,
        )
    elif heat.event.reentry_limit == 1:
        text = ngettext("The best one advances.", "The best %(count)s advance.", heat.advance)
    else:
        text = ngettext(
            "The best one advances; the others may enter again.",
            "The best %(count)s advance; the others may enter again.",
            heat.advance,
        )
    return text % {"count": heat.advance}


def _going_on() -> QuerySet[HeatResult, tuple[int, bool]]:
    """Ask who advances from a heat of an event, and whether they have qualified elsewhere."""
    elsewhere = Qualification.objects.filter(event=Blank(1)).valid().exclude(heat=Blank())
    here = elsewhere.filter(registration=OuterRef("entry__registration"))
    best = HeatResult.objects.filter(heat=Blank(), advances=True).order_by("order")
    columns = ("entry__registration__number", "elsewhere")
    return best.annotate(elsewhere=Exists(here)).values_list(*columns)


_GOING_ON = AskedOften(_going_on)


def going_on(heat: Heat, names: Mapping[str, str]) -> dict[str, str]:
    """Return who advances from a closed heat, each with a label (one query).

    Players beyond the heat's number advance instead of somebody qualified from another heat.
    """
    if heat.status != HeatStatus.FINISHED:
        return {}
    found = [(str(number), has_won) for number, has_won in _GOING_ON.rows(heat.pk, heat.event_id)]
    texts = dict.fromkeys((player_id for player_id, _has_won in found), went_on_text(heat))
    others = [names.get(player_id, player_id) for player_id, has_won in found if has_won]
    if others:
        instead = _("advances instead of %(name)s") % {"name": ", ".join(others)}
        beyond = found[heat.advance :]
        texts |= dict.fromkeys((player_id for player_id, _has_won in beyond), instead)
    return texts


def advancing(results: QuerySet[HeatResult]) -> set[str] | None:
    """Return who advances by the results of a closed heat, None if there are none (one query)."""
    found = dict(results.values_list("entry__registration__number", "advances"))
    return {str(number) for number, advances in found.items() if advances} if found else None


def went_on_text(heat: Heat) -> str:
    """Return the label of a closed heat's best: that they advance, or that they have won."""
    if heat.stage.kind == StageKind.FINAL:
        return _("won the final")
    return advance_text(lang(), final=heat.nobody_goes_on)


@dataclass(frozen=True)
class Tossed:
    """A Flip Flop's outcome: the players in order, when, and whether the table recorded it."""

    names: tuple[str, ...]
    at: datetime
    at_table: bool
    seed: str = ""


def flip_flops_of(heat: Heat, names: Mapping[str, str]) -> list[Tossed]:
    """Return the Flip Flops recorded for a heat, oldest first (one query).

    They are public, so no account is named: it was the table or the director. Those recorded again
    under another number, for somebody who was registered twice, are shown once.
    """
    table = heat.table
    return [
        Tossed(
            names=tuple(names.get(player_id, player_id) for player_id in row.order),
            at=row.created_at,
            at_table=row.at_table,
            seed=row.seed or "",
        )
        for row in (flip_flops_at(table) if table else ())
        if table and set(row.order) <= set(table.players)
    ]


def checked_stand_ins(
    heat: Heat, advances: Sequence[str], instead: Sequence[str] | None, reason: str
) -> list[str]:
    """Return who advances for players who have already qualified from another heat.

    Refused with ``through_already`` until the director has decided, even for nobody, with
    ``missing_reason``, and with ``bad_choice`` for a player who cannot advance.
    """
    taken, possible = stand_ins(heat, advances)
    if not taken:
        return []
    if instead is None:
        raise Refused(
            "through_already",
            _(
                "The winner of %(heat)s has already qualified from another heat. "
                "Say who advances instead, or nobody."
            ),
            heat=heat,
        )
    if not reason.strip():
        raise Refused("missing_reason", _("Say why."))
    if len(set(instead)) < len(instead) or len(instead) > len(taken) or set(instead) - {*possible}:
        raise Refused("bad_choice", _("This player cannot advance from %(heat)s."), heat=heat)
    return list(instead)
