"""Join two registrations of one person at the same event, and undo it.

Heats, qualifications, penalties, constraints and contacts go to the registration that is kept.
Payments and the private link need no change, as they are looked up through
``Registration.merged_into``. Tables know a player by number, so a number already used at tables is
kept. The caller holds the event's lock.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring import writing as scoring
from scoring.models import HeatPenalty
from scoring.reasons import coded

from ...core.errors import Refused
from ...core.log import By, author, record
from ...core.transitions import REGISTRATION_TRANSITIONS, transition_entry, transition_registration
from ...draws.commands.drafts import discard
from ...heats.commands import qualify_best
from ...heats.queries.closing import checked_stand_ins
from ...models import (
    Heat,
    HeatEntry,
    HeatResult,
    KeepApart,
    Penalty,
    Qualification,
    Registration,
    Stage,
    StagePlayer,
)
from ...models.enums import (
    EntryStatus,
    HeatStatus,
    LogAction,
    RegistrationStatus,
    StageKind,
    StageStatus,
    Visibility,
)
from ...playoffs.commands import mark_absent, mark_present
from ...results.commands import mark_advancing, refresh_heat
from ..queries.second_qualification import second_qualification, through_instead, winners_of_heat
from .check_in import leave_queue

Carried = dict[str, Any]

#: Fields that the kept registration takes over where its own are empty.
_CONTACTS = ("email", "phone", "note", "fixed_table", "part_id", "free_starts", "free_reason")
#: Statuses, from the one that means least to the one that means most.
_FURTHEST = (
    RegistrationStatus.WITHDRAWN,
    RegistrationStatus.WAIT_LISTED,
    RegistrationStatus.REGISTERED,
    RegistrationStatus.CHECKED_IN,
    RegistrationStatus.DISQUALIFIED,
)
_SAT = (EntryStatus.SEATED, EntryStatus.DONE)
#: What a merge has carried over, as it is stored, and where it is found.
_CARRIED = {
    "qualifications": "qualifications",
    "penalties": "penalties",
    "stage_places": "stage_players",
}


@transaction.atomic
def join_registrations(
    *,
    kept: Registration,
    merged: Registration,
    by: By,
    instead: Sequence[str] | None = None,
) -> Carried:
    """Join two registrations of one event; return what is needed to undo it.

    If both play now, the player holds two seats, and the floor frees the one where nobody sits; in
    a play-off round both are in, the second place counts as a no-show. If both have qualified
    before the play-offs, the earlier place stands, and ``instead`` advances from the other heat, or
    nobody: refused with ``through_already`` until that is decided. Refused with ``same_table`` if
    they have
    sat at one, as then they are two persons.
    """
    _refuse(kept, merged)
    carried: Carried = {
        "kept": kept.pk,
        "merged": merged.pk,
        "numbers": [kept.number, merged.number],
        "before": [_state(kept), _state(merged)],
        "entries": {},
        "waited": None,
        "kept_waited": None,
        "revoked": None,
        "apart": [],
        "rounds": _leave_rounds(kept, merged, by),
    }
    rename = _choose_number(kept, merged)
    _carry_entries(kept, merged, carried)
    for name, related in _CARRIED.items():
        rows = getattr(merged, related)
        if name == "stage_places":
            # The second row in a round stays where it is.
            rows = rows.exclude(stage__in=kept.stage_players.values("stage"))
        carried[name] = list(rows.values_list("pk", flat=True))
        if name == "qualifications":
            _carry_first(kept, merged, carried)
        else:
            rows.update(registration=kept)
    HeatResult.objects.filter(ahead_of=merged).update(ahead_of=kept)
    _carry_apart(kept, merged, carried)
    _carry_contacts(kept, merged)
    _carry_status(kept, merged)
    merged.merged_into = kept
    merged.save()
    # Registrations merged into this one earlier now belong to the kept one.
    carried["further"] = list(merged.merged.values_list("pk", flat=True))
    merged.merged.update(merged_into=kept)
    carried["renamed"] = rename
    _rename(rename, by)
    carried["instead"] = _go_on_instead(kept, carried["revoked"], instead, by)
    carried["after"] = _state(kept)
    return carried


@transaction.atomic
def part_registrations(*, carried: Carried, by: By) -> None:
    """Undo :func:`join_registrations`."""
    rows = Registration.objects.select_related("event", "person")
    kept, merged = rows.get(pk=carried["kept"]), rows.get(pk=carried["merged"])
    back = [{**each, "from": each["to"], "to": each["from"]} for each in carried["renamed"]]
    merged.merged_into = None
    _set_numbers(kept, merged, *carried["numbers"])
    for pk, number in carried["entries"].items():
        HeatEntry.objects.filter(pk=pk).update(
            registration=merged, number=number, second_seat=False
        )
    for name, related in _CARRIED.items():
        getattr(kept, related).filter(pk__in=carried[name]).update(registration=merged)
    # What the entries have brought since the merge goes back with them.
    heats = merged.entries.exclude(heat=None).values("heat")
    kept.qualifications.filter(heat__in=heats).update(registration=merged)
    kept.penalties.filter(game__heat__in=heats).update(registration=merged)
    HeatResult.objects.filter(heat__in=heats, ahead_of=kept).update(ahead_of=merged)
    if carried["revoked"]:
        _take_second_qualification_back(carried, by)
    KeepApart.objects.filter(pk__in=[each["new"] for each in carried["apart"]]).delete()
    for each in carried["apart"]:
        KeepApart.objects.create(
            event=kept.event, one_id=each["one"], other_id=each["other"], reason=each["reason"]
        )
    kept.merged.filter(pk__in=carried["further"]).update(merged_into=merged)
    before, then = carried["before"]
    after = carried["after"]
    for row, wanted in ((kept, before), (merged, then)):
        for name in (*_CONTACTS, "visibility", "pictures", "checked_in_at"):
            # Later changes stay.
            if row is merged or _state(kept)[name] == after[name]:
                value = wanted[name]
                moment = name == "checked_in_at" and value
                setattr(row, name, datetime.fromisoformat(value) if moment else value)
        if row is merged or row.status == after["status"]:
            _move_to(row, RegistrationStatus(wanted["status"]))
        if row.status == RegistrationStatus.CHECKED_IN and row.checked_in_at is None:
            row.checked_in_at = timezone.now()
        row.save()
    if carried["waited"]:
        _wait_again(merged, carried["waited"])
    if own := carried["kept_waited"]:
        since = datetime.fromisoformat(own["since"])
        HeatEntry.objects.filter(pk=own["entry"]).update(entered_at=since)
        if own["withdrawn"]:
            _wait_again(kept, own)
    _rename(back, by)
    _join_rounds(carried["rounds"], by)
    for row in (kept, merged):
        _qualify_winner(row, by)


def _qualify_winner(player: Registration, by: By) -> None:
    """Qualify the winner of a heat who had already qualified by the other's win."""
    won = HeatResult.objects.filter(
        entry__registration=player,
        advances=True,
        heat__status=HeatStatus.FINISHED,
        heat__stage__kind=StageKind.QUALIFYING,
    ).order_by("heat__number")
    if (first := won.select_related("heat__event", "heat__stage").first()) is not None:
        qualify_best(heat=first.heat, player_ids=[player.player_id], by=by)


def _refuse(kept: Registration, merged: Registration) -> None:
    played = merged.entries.filter(status__in=_SAT)
    if played.filter(heat__in=kept.entries.filter(status__in=_SAT).values("heat")).exists():
        raise Refused(
            "same_table",
            _("Numbers %(one)s and %(other)s have sat at the same table, so they are two people."),
            one=kept.number,
            other=merged.number,
        )


def _heats_of(registration: Registration) -> list[Heat]:
    """Return the heats in which the player has sat."""
    heats = Heat.objects.filter(
        entries__registration=registration, entries__status__in=_SAT, table__isnull=False
    )
    return list(heats.order_by("pk"))


def _choose_number(kept: Registration, merged: Registration) -> list[dict[str, Any]]:
    """Keep the number that tables know; return the tables that must change to it."""
    old, new = _heats_of(kept), _heats_of(merged)
    if old or not new:
        change = {"from": merged.player_id, "to": kept.player_id}
        return [{"heat": heat.pk, **change} for heat in new]
    _set_numbers(kept, merged, merged.number, kept.number)
    return []


def _set_numbers(kept: Registration, merged: Registration, one: int, other: int) -> None:
    if (kept.number, merged.number) == (one, other):
        return
    rows = Registration.objects.filter(event=kept.event_id)
    free = (rows.aggregate(last=Max("number"))["last"] or 0) + 1
    # The numbers are unique at every step.
    for row, number in ((merged, free), (kept, one), (merged, other)):
        rows.filter(pk=row.pk).update(number=number)
        row.number = number


def _carry_entries(kept: Registration, merged: Registration, carried: Carried) -> None:
    own, other = kept.entries.open().first(), merged.entries.open().first()
    if kept.entries.seated().exists() and merged.entries.seated().exists():
        merged.entries.seated().update(second_seat=True)
    elif own is not None and other is not None:
        # One of the two is waiting: withdraw it, as a player cannot wait twice, or wait and play.
        # The longer wait counts.
        gone = other if other.status == EntryStatus.WAITING else own
        stays = own if gone is other else other
        if own.status == EntryStatus.WAITING:
            withdrawn = gone is own
            carried["kept_waited"] = _waited(own) | {"entry": own.pk, "withdrawn": withdrawn}
        if gone is other:
            carried["waited"] = _waited(other)
        if stays.status == EntryStatus.WAITING and other.entered_at < own.entered_at:
            own.entered_at = other.entered_at
            own.save(update_fields=["entered_at"])
        transition_entry(gone, EntryStatus.WITHDRAWN)
        gone.ended_at = timezone.now()
        gone.save(update_fields=["status", "ended_at"])
    last = kept.entries.counted().aggregate(last=Max("number"))["last"] or 0
    for number, entry in enumerate(merged.entries.counted().order_by("number"), last + 1):
        carried["entries"][str(entry.pk)] = entry.number
        entry.registration, entry.number = kept, number
        entry.save(update_fields=["registration", "number"])


def _waited(entry: HeatEntry) -> dict[str, Any]:
    """Return what is needed to put a waiting entry back."""
    return {
        "stage": entry.stage_id,
        "number": entry.number,
        "since": entry.entered_at.isoformat(),
    }


def _wait_again(row: Registration, waited: dict[str, Any]) -> None:
    """Put a player back in the queue, unless they have left or entered again meanwhile."""
    if row.status != RegistrationStatus.CHECKED_IN or row.entries.open().exists():
        return
    last = row.entries.counted().aggregate(last=Max("number"))["last"] or 0
    HeatEntry.objects.create(
        registration=row,
        stage_id=waited["stage"],
        number=max(waited["number"], last + 1),
        entered_at=datetime.fromisoformat(waited["since"]),
    )


def _carry_first(kept: Registration, merged: Registration, carried: Carried) -> None:
    """Keep one valid qualification: if both have one, the earlier."""
    if (second := second_qualification(kept, merged)) is not None:
        second.revoked_at = timezone.now()
        second.save(update_fields=["revoked_at"])
        carried["revoked"] = second.pk
    merged.qualifications.update(registration=kept)


def _go_on_instead(
    kept: Registration, revoked: int | None, instead: Sequence[str] | None, by: By
) -> list[int]:
    """Qualify those who advance in the second place; return the keys of the qualifications."""
    heat = Heat.objects.select_related("event", "stage").filter(qualifications=revoked).first()
    if not revoked or heat is None or kept.event.stages.playoffs().exists():
        return []
    won = winners_of_heat(heat)
    more = checked_stand_ins(heat, won, instead, coded("same_person"))
    mark_advancing(heat=heat, player_ids=[*won, *more])
    made = qualify_best(heat=heat, player_ids=more, by=by)
    for row in made:
        if row.registration.entries.waiting().exists():
            leave_queue(registration=row.registration, by=by)
    return [row.pk for row in made]


def _take_second_qualification_back(carried: Carried, by: By) -> None:
    """Give a place back that the other number had, unless the play-offs have begun with others.

    Nobody gets or loses a place against a correction of that heat since.
    """
    second = Qualification.objects.select_related("registration__event").get(pk=carried["revoked"])
    rows = HeatResult.objects.filter(heat=second.heat, disqualified=False)
    best = rows.filter(place__lte=F("heat__advance"))
    theirs = rows.filter(entry__registration=second.registration)
    if not second.registration.qualifications.valid().exists() and (
        theirs.filter(advances=True).exists() or (theirs & best).exists()
    ):
        second.revoked_at = None
        second.save(update_fields=["revoked_at"])
        # A correction may have left the place to the player who advanced instead.
        (theirs & best).update(advances=True)
    if second.registration.event.stages.playoffs().exists():
        return
    for row in through_instead(carried["instead"]):
        row.revoked_at = timezone.now()
        row.save(update_fields=["revoked_at"])
        HeatResult.objects.filter(heat=row.heat, entry__registration=row.registration).update(
            advances=False
        )
        before = {"order": row.order}
        reason = coded("same_person")
        record(
            LogAction.QUALIFICATION_REVOKED, row, by, heat=row.heat, before=before, reason=reason
        )


def _carry_apart(kept: Registration, merged: Registration, carried: Carried) -> None:
    for pair in KeepApart.objects.filter(one=merged) | KeepApart.objects.filter(other=merged):
        other = pair.other_id if pair.one_id == merged.pk else pair.one_id
        was = {"one": pair.one_id, "other": pair.other_id, "reason": pair.reason, "new": None}
        pair.delete()
        if other != kept.pk:
            low, high = sorted((kept.pk, other))
            new, made = KeepApart.objects.get_or_create(
                event=kept.event, one_id=low, other_id=high, defaults={"reason": pair.reason}
            )
            was["new"] = new.pk if made else None
        carried["apart"].append(was)


def _carry_contacts(kept: Registration, merged: Registration) -> None:
    for name in _CONTACTS:
        own, other = getattr(kept, name), getattr(merged, name)
        if name == "note" and own and other and other not in own:
            kept.note = f"{own}\n{other}"
        elif not own:
            setattr(kept, name, other)
    if kept.pictures is None or merged.pictures is False:
        kept.pictures = merged.pictures
    if merged.shown_as != Visibility.PUBLIC:
        kept.visibility = Visibility.strictest(merged.shown_as, kept.visibility)


def _carry_status(kept: Registration, merged: Registration) -> None:
    further = max(kept.status, merged.status, key=_FURTHEST.index)
    kept.checked_in_at = kept.checked_in_at or merged.checked_in_at
    _move_to(kept, RegistrationStatus(further))
    kept.save()
    _move_to(merged, RegistrationStatus.WITHDRAWN)


def _move_to(row: Registration, to: RegistrationStatus) -> None:
    """Reach a status by the shortest sequence of legal transitions."""
    ways = [[RegistrationStatus(row.status)]]
    while ways[0][-1] != to:
        way = ways.pop(0)
        following = sorted(REGISTRATION_TRANSITIONS[way[-1]])
        ways += [[*way, step] for step in following if step not in way]
    for step in ways[0][1:]:
        transition_registration(row, step)


def _leave_rounds(kept: Registration, merged: Registration, by: By) -> list[dict[str, Any]]:
    """Make the second row a no-show's, as one person has one, in each round that both are in."""
    own = {player.stage_id: player for player in kept.stage_players.all()}
    found = []
    for second in merged.stage_players.filter(stage__in=own).select_related("stage__event"):
        first = own[second.stage_id]
        swapped = first.absent and not second.absent
        if swapped:
            # The player has come under the other number.
            _swap_players(first, second)
        missing = not (swapped or second.absent) and second.stage.status == StageStatus.PLANNED
        if missing:
            _without_draft(second.stage, by)
            missing = _miss(second, by)
        found.append(
            {"place": second.pk, "other": first.pk, "swapped": swapped, "missing": missing}
        )
    return found


def _miss(player: StagePlayer, by: By) -> bool:
    """Mark a player absent; return False if nobody is left to fill the round up."""
    try:
        mark_absent(player=player, by=by, reason=coded("same_person"))
    except Refused as refused:
        if refused.code != "no_lucky_loser":
            raise
        return False
    return True


def _without_draft(stage: Stage, by: By) -> None:
    for draft in stage.draws.drafts():
        discard(draw=draft, by=by, reason=coded("same_person"))


def _swap_players(one: StagePlayer, other: StagePlayer) -> None:
    """Exchange the players of two rows of a round; a round has each only once at every step."""
    first, second, stage = one.registration_id, other.registration_id, one.stage
    rows = StagePlayer.objects
    # Qualifying stages have no players of their own.
    rows.filter(pk=one.pk).update(stage=stage.event.stages.qualifying().first())
    rows.filter(pk=other.pk).update(registration=first)
    rows.filter(pk=one.pk).update(registration=second, stage=stage)


def _join_rounds(rounds: Iterable[dict[str, Any]], by: By) -> None:
    """Undo :func:`_leave_rounds`; a player marked absent since another way stays so."""
    players = StagePlayer.objects.select_related("stage__event")
    for each in rounds:
        second = players.get(pk=each["place"])
        if each["swapped"]:
            _swap_players(players.get(pk=each["other"]), second)
        elif each["missing"] and second.absent and second.stage.status == StageStatus.PLANNED:
            _without_draft(second.stage, by)
            mark_present(player=second, by=by, reason=coded("same_person"))


def _rename(tables: Iterable[dict[str, Any]], by: By) -> None:
    """Change the player's number at these tables; who advances stays as decided."""
    for each in tables:
        heat = Heat.objects.select_related("event", "table").get(pk=each["heat"])
        advancing = heat.results.filter(advances=True)
        went_on = [
            str(each) for each in advancing.values_list("entry__registration__number", flat=True)
        ]
        taken = HeatPenalty.objects.in_force().filter(table=heat.table_id or 0)
        before = list(taken.filter(player=each["from"]).values_list("client_id", flat=True))
        scoring.replace_players(
            table_id=heat.table_id or 0,
            replaced={each["from"]: each["to"]},
            by=author(by),
            reason=coded("same_person"),
            same_people=True,
        )
        after = taken.filter(player=each["to"]).values_list("client_id", flat=True)
        for client_id, again in zip(before, after, strict=True):
            Penalty.objects.filter(client_id=client_id).update(client_id=again)
        refresh_heat(heat=heat)
        if heat.status == HeatStatus.FINISHED:
            mark_advancing(heat=heat, player_ids=went_on)


def _state(row: Registration) -> dict[str, Any]:
    """Return the fields of a registration that merging may change."""
    at = row.checked_in_at
    kept = {name: getattr(row, name) for name in (*_CONTACTS, "visibility", "pictures")}
    return {**kept, "status": str(row.status), "checked_in_at": at.isoformat() if at else None}
