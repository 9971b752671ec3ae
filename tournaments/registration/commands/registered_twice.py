"""Join two registrations of one person at the same event, and undo it.

Heats, qualifications, penalties, constraints and contacts go to the registration that is kept.
Payments and the private link need no change, as they are looked up through
``Registration.merged_into``. Tables know a player by number, so a number already used at tables is
kept. The caller holds the event's lock.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring import writing as scoring
from scoring.models import FlipFlop, HeatPenalty
from scoring.reasons import coded

from ...core.errors import Refused
from ...core.log import By, author
from ...core.transitions import REGISTRATION_TRANSITIONS, transition_entry, transition_registration
from ...models import Heat, HeatEntry, HeatResult, KeepApart, Registration, StagePlayer
from ...models.enums import EntryStatus, HeatStatus, RegistrationStatus, Visibility
from ...results.commands import mark_advancing, refresh_heat

Carried = dict[str, Any]

#: Fields that the kept registration takes over where its own are empty.
_CONTACTS = ("email", "phone", "note", "fixed_table")
#: Statuses, from the one that means least to the one that means most.
_FURTHEST = (
    RegistrationStatus.WITHDRAWN,
    RegistrationStatus.WAIT_LISTED,
    RegistrationStatus.REGISTERED,
    RegistrationStatus.CHECKED_IN,
    RegistrationStatus.DISQUALIFIED,
)
_SAT = (EntryStatus.SEATED, EntryStatus.DONE)


def join_registrations(*, kept: Registration, merged: Registration, by: By) -> Carried:
    """Join two registrations of one event; return what is needed to undo it.

    Refused if they cannot be one person: ``same_table``, ``both_play``, ``both_in_round``; and with
    ``played_off`` if a Flip Flop or penalty at the tables of both names the player by number.
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
    }
    rename = _choose_number(kept, merged)
    _carry_entries(kept, merged, carried)
    for name in ("qualifications", "penalties", "stage_places"):
        rows = getattr(merged, name)
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
    carried["after"] = _state(kept)
    return carried


def part_registrations(*, carried: Carried, by: By) -> None:
    """Undo :func:`join_registrations`."""
    rows = Registration.objects.select_related("event", "person")
    kept, merged = rows.get(pk=carried["kept"]), rows.get(pk=carried["merged"])
    back = [{**each, "from": each["to"], "to": each["from"]} for each in carried["renamed"]]
    merged.merged_into = None
    _set_numbers(kept, merged, *carried["numbers"])
    for pk, number in carried["entries"].items():
        HeatEntry.objects.filter(pk=pk).update(registration=merged, number=number)
    for name in ("qualifications", "penalties", "stage_places"):
        getattr(kept, name).filter(pk__in=carried[name]).update(registration=merged)
    # What the entries have brought since the merge goes back with them.
    heats = merged.entries.exclude(heat=None).values("heat")
    kept.qualifications.filter(heat__in=heats).update(registration=merged)
    kept.penalties.filter(game__heat__in=heats).update(registration=merged)
    HeatResult.objects.filter(heat__in=heats, ahead_of=kept).update(ahead_of=merged)
    if carried["revoked"] and not merged.qualifications.valid().exists():
        merged.qualifications.filter(pk=carried["revoked"]).update(revoked_at=None)
    KeepApart.objects.filter(pk__in=[each["new"] for each in carried["apart"]]).delete()
    for each in carried["apart"]:
        KeepApart.objects.create(
            event=kept.event, one_id=each["one"], other_id=each["other"], reason=each["reason"]
        )
    kept.merged.filter(pk__in=carried["further"]).update(merged_into=merged)
    before, then = carried["before"]
    after = carried["after"]
    for row, wanted in ((kept, before), (merged, then)):
        for name in (*_CONTACTS, "visibility", "checked_in_at"):
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
    # Merges made by earlier versions lack it.
    if own := carried.get("kept_waited"):
        since = datetime.fromisoformat(own["since"])
        HeatEntry.objects.filter(pk=own["entry"]).update(entered_at=since)
        if own["withdrawn"]:
            _wait_again(kept, own)
    _rename(back, by)


def _refuse(kept: Registration, merged: Registration) -> None:
    played = merged.entries.filter(status__in=_SAT)
    if played.filter(heat__in=kept.entries.filter(status__in=_SAT).values("heat")).exists():
        raise Refused(
            "same_table",
            _("Number %(one)s and number %(other)s sat at one table, so they are two persons."),
            one=kept.number,
            other=merged.number,
        )
    if kept.entries.seated().exists() and merged.entries.seated().exists():
        raise Refused(
            "both_play",
            _("Number %(one)s and number %(other)s are both playing. Close a heat first."),
            one=kept.number,
            other=merged.number,
        )
    rounds = StagePlayer.objects.filter(registration=kept).values("stage")
    if StagePlayer.objects.filter(registration=merged, stage__in=rounds).exists():
        raise Refused("both_in_round", _("Both are in the same play-off round."))


def _heats_of(registration: Registration) -> list[Heat]:
    """Return the heats in which the player has sat."""
    heats = Heat.objects.filter(
        entries__registration=registration, entries__status__in=_SAT, table__isnull=False
    )
    return list(heats.order_by("pk"))


def _can_be_renamed(registration: Registration, heats: Iterable[Heat]) -> bool:
    tables = [heat.table_id for heat in heats]
    penalties = HeatPenalty.objects.in_force().filter(
        table__in=tables, player=registration.player_id
    )
    tossed = FlipFlop.objects.filter(table__in=tables).values_list("order", flat=True)
    named = any(registration.player_id in order for order in tossed)
    return not named and not penalties.exists()


def _choose_number(kept: Registration, merged: Registration) -> list[dict[str, Any]]:
    """Keep the number that tables know; return the tables that must change to it."""
    old, new = _heats_of(kept), _heats_of(merged)
    renamed, number, learn = merged, kept.number, new
    if new and (not old or not _can_be_renamed(merged, new)):
        renamed, number, learn = kept, merged.number, old
    if learn and not _can_be_renamed(renamed, learn):
        raise Refused(
            "played_off",
            _("At tables where both sit, a Flip Flop or a penalty names them by their numbers."),
        )
    tables = [{"heat": heat.pk, "from": str(renamed.number), "to": str(number)} for heat in learn]
    if number != kept.number:
        _set_numbers(kept, merged, merged.number, kept.number)
    return tables


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
    if own is not None and other is not None:
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
    last = kept.entries.paid().aggregate(last=Max("number"))["last"] or 0
    for number, entry in enumerate(merged.entries.paid().order_by("number"), last + 1):
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
    last = row.entries.paid().aggregate(last=Max("number"))["last"] or 0
    HeatEntry.objects.create(
        registration=row,
        stage_id=waited["stage"],
        number=max(waited["number"], last + 1),
        entered_at=datetime.fromisoformat(waited["since"]),
    )


def _carry_first(kept: Registration, merged: Registration, carried: Carried) -> None:
    """Keep one valid qualification; revoke the merged registration's if both have one."""
    second = merged.qualifications.valid().first()
    if second is not None and kept.qualifications.valid().exists():
        second.revoked_at = timezone.now()
        second.save(update_fields=["revoked_at"])
        carried["revoked"] = second.pk
    merged.qualifications.update(registration=kept)


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


def _rename(tables: Iterable[dict[str, Any]], by: By) -> None:
    """Change the player's number at these tables; who goes on stays as decided."""
    for each in tables:
        heat = Heat.objects.select_related("event", "table").get(pk=each["heat"])
        advancing = heat.results.filter(advances=True)
        went_on = [
            str(each) for each in advancing.values_list("entry__registration__number", flat=True)
        ]
        scoring.replace_players(
            table_id=heat.table_id or 0,
            replaced={each["from"]: each["to"]},
            by=author(by),
            reason=coded("same_person"),
            same_people=True,
        )
        refresh_heat(heat=heat)
        if heat.status == HeatStatus.FINISHED:
            mark_advancing(heat=heat, player_ids=went_on)


def _state(row: Registration) -> dict[str, Any]:
    """Return the fields of a registration that merging may change."""
    at = row.checked_in_at
    kept = {name: getattr(row, name) for name in (*_CONTACTS, "visibility")}
    return {**kept, "status": str(row.status), "checked_in_at": at.isoformat() if at else None}
