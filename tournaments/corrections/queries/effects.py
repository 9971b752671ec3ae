"""What differs between before and after, in sentences for the director."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from django.utils.translation import gettext as _

from ...core.names import staff_name
from ...models import Event, Heat
from ...models.enums import HeatStatus, RegistrationStatus, StageStatus
from ...models.money import show_amount
from .picture import Picture


@dataclass(frozen=True)
class Effects:
    """A difference in words; ``places`` may be many, so pages fold them."""

    changes: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


def named(event: Event, players: Iterable[str]) -> dict[str, str]:
    """Return the staff's names of these players (one query)."""
    rows = event.registrations.filter(number__in=[int(each) for each in players])
    return {row.player_id: staff_name(row.person) for row in rows.select_related("person")}


def players_in(changed: Picture) -> set[str]:
    """Return the references of everybody whom a difference is about."""
    found: set[str] = set()
    for each in fields(changed):
        for key, pair in getattr(changed, each.name).items():
            if isinstance(key, str):
                found.add(key)
            elif isinstance(key, tuple):
                found.add(key[1])
            elif each.name in {"tables", "going_on"}:
                found.update(player for players in pair for player in players or ())
    return found


def effects_of(event: Event, changed: Picture) -> Effects:
    """Return the difference in sentences, besides who advances and which drafts go (two queries).

    It is read before the change is taken back, as new heats are gone after that.
    """
    names = named(event, players_in(changed))
    heats = {heat.number: heat for heat in Heat.objects.filter(event=event).select_related("event")}
    stages = {stage.number: stage for stage in event.stages.all()}
    texts: list[str] = []
    for number, (was, now) in changed.heats.items():
        heat, place = str(heats[number]), heats[number].table_number
        if now == HeatStatus.VOID:
            text = _("Table %(table)s: %(heat)s no longer counts; its sheets stay readable.")
            texts.append(text % {"table": place, "heat": heat})
        elif was is None:
            players = _listed(changed.tables.get(number, (None, ()))[1] or (), names)
            text = _("Table %(table)s: %(heat)s begins with %(names)s.")
            texts.append(text % {"table": place, "heat": heat, "names": players})
    for number, (was, now) in changed.tables.items():
        if number in changed.heats or was is None or now is None:
            continue
        words = {
            "table": heats[number].table_number,
            "out": _listed([each for each in was if each not in now], names),
            "into": _listed([each for each in now if each not in was], names),
        }
        texts.append(_("Table %(table)s: %(into)s instead of %(out)s.") % words)
    for number, (_was, now) in changed.rounds.items():
        if now == StageStatus.PLANNED:
            texts.append(_("%(stage)s: to be drawn again.") % {"stage": stages[number]})
    for (number, player), (was, now) in changed.round_players.items():
        words = {"name": names.get(player, player), "stage": str(stages[number])}
        if now is None:
            texts.append(_("%(stage)s: %(name)s is out.") % words)
        elif was is None:
            texts.append(_("%(name)s comes into: %(stage)s.") % words)
    for player, (_was, now) in changed.statuses.items():
        label = RegistrationStatus(now).label if now else "–"
        texts.append(f"{names.get(player, player)}: {label}.")
    for player, (_was, now) in changed.waiting.items():
        if now:
            texts.append(_("%(name)s waits for a heat.") % {"name": names.get(player, player)})
    for player, (was, now) in changed.prizes.items():
        text = _("%(name)s gets %(now)s of the prizes instead of %(was)s.")
        texts.append(text % _amounts(event, names.get(player, player), was, now))
    for player, (was, now) in changed.owed.items():
        text = (
            _("%(name)s has paid %(now)s too much.")
            if (now or 0) < 0
            else _("%(name)s owes %(now)s instead of %(was)s.")
        )
        texts.append(text % _amounts(event, names.get(player, player), was, abs(now or 0)))
    places = [
        f"{names.get(player, player)}: {was or '–'} → {now or '–'}"
        for player, (was, now) in sorted(
            changed.places.items(), key=lambda item: (item[1][1] or 10**6, int(item[0]))
        )
    ]
    return Effects(tuple(texts), tuple(places))


def all_effects(event: Event, changed: Picture) -> Effects:
    """Return the whole difference in sentences, also who advances and which drafts go."""
    names = named(event, players_in(changed))
    texts = []
    for player, (_was, now) in changed.qualified.items():
        text = _("%(name)s is now qualified.") if now else _("%(name)s is no longer qualified.")
        texts.append(text % {"name": names.get(player, player)})
    for player, (was, _now) in changed.waiting.items():
        if was:
            text = _("%(name)s leaves the queue for a further heat.")
            texts.append(text % {"name": names.get(player, player)})
    for number, (_was, stale) in changed.drafts.items():
        text = (
            _("Draw %(number)s has to be drawn again.")
            if stale
            else _("Draw %(number)s is thrown away.")
        )
        texts.append(text % {"number": number})
    found = effects_of(event, changed)
    return Effects((*texts, *found.changes), found.places)


def _listed(players: Iterable[str], names: dict[str, str]) -> str:
    return ", ".join(names.get(player, player) for player in players) or "–"


def _amounts(event: Event, name: str, was: int | None, now: int | None) -> dict[str, str]:
    return {
        "name": name,
        "was": show_amount(was or 0, event.currency),
        "now": show_amount(now or 0, event.currency),
    }
