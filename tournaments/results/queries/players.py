"""The players of an event, each with a state."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scoring.models import AskedOften, Blank
from scoring.words import ruling_name

from ...core.expiry import age_text
from ...core.names import by_public_name, by_staff_name, nameless
from ...models import Event, HeatEntry, Qualification, Registration, Stage, StagePlayer
from ...models.enums import (
    GONE,
    EntryStatus,
    EventStatus,
    RegistrationStatus,
    StageKind,
)
from ...models.money import show_amount
from ...models.querysets import StageQuerySet
from ...models.search import plain
from ...models.titles import heat_title
from .ranking import FinishedRow, finished_rows

#: The keys of :func:`player_state` with labels; also the choices of the desk's filter.
PLAYER_STATES = {
    "wait_listed": gettext_lazy("On the waiting list"),
    "registered": gettext_lazy("Not here yet"),
    "free": gettext_lazy("Here, not waiting"),
    "waiting": gettext_lazy("Waiting for a heat"),
    "playing": gettext_lazy("Playing"),
    "qualified": gettext_lazy("Qualified"),
    "withdrawn": gettext_lazy("Withdrawn"),
    "disqualified": ruling_name("disqualify"),
}

#: What those are called who had nothing to do when the event ended.
AT_THE_END = {"registered": gettext_lazy("Was not here"), "free": gettext_lazy("Was here")}

#: How the play-offs can end for a player, with labels.
CHAMPION, FINALIST, KNOCKED_OUT, NO_SHOW = "champion", "finalist", "knocked_out", "no_show"
PLAYOFF_ENDS: dict[str, Any] = {
    CHAMPION: pgettext_lazy("player", "champion"),
    FINALIST: pgettext_lazy("player", "played the final"),
    KNOCKED_OUT: pgettext_lazy("player", "out in the play-offs"),
    NO_SHOW: pgettext_lazy("player", "did not come to the play-offs"),
}

#: The desk's next action for a player in this state: view, label and button class. The second table
#: is for directors.
_NEXT = {
    "registered": ("player_check_in", gettext_lazy("Check in"), "btn-primary"),
    "free": ("player_enter", gettext_lazy("Enter"), "btn-outline-primary"),
    "waiting": ("player_leave", gettext_lazy("Leave queue"), "btn-quiet"),
}
_NEXT_OF_DIRECTOR = {
    "wait_listed": ("player_admit", gettext_lazy("Let in"), "btn-outline-primary"),
    "withdrawn": ("player_reinstate", gettext_lazy("Reinstate"), "btn-quiet"),
}


@dataclass(frozen=True)
class DeskPlayer:
    """A row of :func:`players_of` at the desk: the player's state and next action."""

    player: Any
    directs: bool
    #: How the play-offs ended for the player, once they have.
    end: "End | None" = None

    @property
    def state(self) -> str:
        """The key in :data:`PLAYER_STATES`."""
        return player_state(self.player)

    @property
    def label(self) -> str:
        """The player's state in words."""
        if self.state == "waiting":
            return _("waiting %(age)s") % {"age": age_text(self.player.waiting_since)}
        return player_state_label(self.player, self.end)

    @property
    def tag(self) -> str:
        """The CSS class of the label."""
        if self.end is not None:
            return "tag" if self.end.state == CHAMPION else ""
        return {"waiting": "tag tag-amber", "playing": "tag", "qualified": "tag"}.get(
            self.state, ""
        )

    @property
    def heat(self) -> int | None:
        """The number of the player's open heat."""
        return self.player.open_heat if self.state == "playing" else None

    @property
    def action(self) -> dict[str, str] | None:
        """The button: its view, text and CSS class."""
        found = _NEXT.get(self.state)
        if found is None and self.directs:
            found = _NEXT_OF_DIRECTOR.get(self.state)
        if found is None:
            return None
        view, words, kind = found
        if view == "player_enter" and not self.player.stage_is_open:
            return None
        joins = view in {"player_check_in", "player_enter"}
        if joins and (self.player.in_playoffs or self.player.event.status != EventStatus.OPEN):
            return None
        if view == "player_admit" and self.player.event.status == EventStatus.FINISHED:
            return None
        again = view == "player_enter" and self.player.entries_used
        text = next_start(self.player) if again else str(words)
        return {"view": f"tournaments:{view}", "text": text, "kind": kind}

    @property
    def may_leave(self) -> bool:
        """Whether the check-in can be undone."""
        is_open = self.player.event.status == EventStatus.OPEN
        return is_open and self.state in {"free", "waiting"}


def next_start(player: Any, *, ahead: int = 0) -> str:
    """Return the button for a further start, with its number and price.

    ``ahead``: starts that the player has paid in advance, where that is known.
    """
    event, number = player.event, player.entries_used + 1
    if not event.price:
        return _("Enter again: start %(number)s") % {"number": number}
    price = show_amount(event.price, event.currency)
    if number <= player.free_starts:
        price = pgettext("start", "free")
    elif ahead:
        price = pgettext("start", "paid")
    return _("Enter again: start %(number)s, %(price)s") % {"number": number, "price": price}


def players_of(event: Event) -> QuerySet[Registration]:
    """Return the event's registrations as :func:`with_states` does, in one query."""
    return with_states(event.registrations.all(), event.stages.all())


def with_states(players: QuerySet[Registration], stages: StageQuerySet) -> QuerySet[Registration]:
    """Return the players of an event, which has these stages, with their persons and states.

    Adds ``open_status``, ``open_heat``, ``open_title``, ``open_table`` and ``open_starts`` (the
    open entry's status and heat, and when that begins), ``waiting_since``, ``entries_used``,
    ``qualified`` (the order of qualifying), ``went_on`` (qualified, or taken into a play-off round
    without it, as a lucky loser or in place of a no-show), ``stage_is_open`` (whether heats can
    still be entered) and ``in_playoffs`` (whether the event has come to its play-offs, so that
    nobody new can play).
    """
    of_player = Q(registration=OuterRef("pk"))
    current = HeatEntry.objects.open().filter(of_player)
    qualified = Qualification.objects.valid().filter(of_player)
    taken_in = StagePlayer.objects.filter(of_player)
    paid = HeatEntry.objects.paid().filter(of_player).order_by()
    used = paid.values("registration").annotate(count=Count("pk")).values("count")
    return (
        players.filter(merged_into__isnull=True)
        .select_related("person")
        .annotate(
            open_status=Subquery(current.values("status")[:1]),
            open_heat=Subquery(current.values("heat__number")[:1]),
            open_title=Subquery(current.values("heat__title")[:1]),
            open_table=Subquery(current.values("heat__table_number")[:1]),
            open_starts=Subquery(current.values("heat__starts_at")[:1]),
            waiting_since=Subquery(current.values("entered_at")[:1]),
            entries_used=Coalesce(Subquery(used), 0),
            qualified=Subquery(qualified.values("order")[:1]),
            went_on=Q(Exists(qualified)) | Q(Exists(taken_in)),
            stage_is_open=Exists(stages.qualifying().open()),
            in_playoffs=Exists(stages.playoffs()),
        )
        .order_by(by_staff_name(), "number")
    )


_PLAYER = AskedOften(
    lambda: with_states(
        Registration.objects.filter(pk=Blank()), Stage.objects.filter(event=Blank(1))
    )
)


def player_of(registration: Registration) -> Registration:
    """Return a player as a row of :func:`players_of` (one query)."""
    player = _PLAYER.row(registration.pk, registration.event_id)
    player.event = registration.event
    return player


def search(players: QuerySet[Registration], text: str, *, staff: bool) -> QuerySet[Registration]:
    """Return the players whose name contains every word of the text, or who have this number.

    Staff searches both names and the club; others only what is shown, and sorted by it.
    """
    words = plain(text).split()
    if len(words) == 1 and words[0].isdigit() and len(words[0]) < 10:
        return players.filter(number=int(words[0]))
    column = "person__search_text" if staff else "person__public_text"
    for word in words:
        players = players.filter(**{f"{column}__contains": word})
    if not staff:
        players = players.order_by(by_public_name(), "number")
    return players.exclude(nameless()) if words and not staff else players


def player_state(row: Any) -> str:
    """Return the key in :data:`PLAYER_STATES` of a row of :func:`players_of`."""
    if row.status == RegistrationStatus.DISQUALIFIED:
        return "disqualified"
    if row.status == RegistrationStatus.WITHDRAWN:
        return "withdrawn"
    if row.status == RegistrationStatus.WAIT_LISTED:
        return "wait_listed"
    if row.open_status == EntryStatus.SEATED:
        return "playing"
    if row.went_on:
        return "qualified"
    if row.open_status == EntryStatus.WAITING:
        return "waiting"
    return "free" if row.status == RegistrationStatus.CHECKED_IN else "registered"


def with_state(players: QuerySet[Registration], key: str) -> QuerySet[Registration]:
    """Return the players in this state; the conditions match :func:`player_state`."""
    here = Q(status=RegistrationStatus.CHECKED_IN)
    conditions = {
        "wait_listed": Q(status=RegistrationStatus.WAIT_LISTED),
        "registered": Q(status=RegistrationStatus.REGISTERED, went_on=False),
        "free": here & Q(open_status__isnull=True, went_on=False),
        "waiting": Q(open_status=EntryStatus.WAITING, went_on=False),
        "playing": Q(open_status=EntryStatus.SEATED),
        "qualified": Q(went_on=True) & ~Q(status__in=GONE),
        "withdrawn": Q(status=RegistrationStatus.WITHDRAWN),
        "disqualified": Q(status=RegistrationStatus.DISQUALIFIED),
    }
    return players.filter(conditions[key]) if key in conditions else players


def state_labels(event: Event, *, in_playoffs: bool) -> dict[str, Any]:
    """Return the labels of :data:`PLAYER_STATES` as they fit the event.

    ``in_playoffs``: a round has been prepared, so nobody can be checked in for a heat any more.
    """
    is_over = in_playoffs or event.status == EventStatus.FINISHED
    return PLAYER_STATES | (AT_THE_END if is_over else {})


def player_state_label(row: Any, end: "End | None" = None) -> str:
    """Return a player's state in words, with the heat if there is one.

    ``end`` says how the play-offs ended for the player, if they have.
    """
    key = player_state(row)
    if key == "playing" and row.open_heat:
        words = {"heat": heat_title(row.open_title, row.open_heat)}
        if row.open_starts is not None and row.open_starts > timezone.now():
            when = date_format(timezone.localtime(row.open_starts), "j M H:i")
            return _("Plays at %(when)s: %(heat)s") % {"when": when, **words}
        return _("Playing: %(heat)s") % words
    if key == "qualified" and row.event.ends_with_heats:
        return _("Has won")
    if key == "qualified" and end is not None:
        return capfirst(str(PLAYOFF_ENDS[end.state]))
    if key == "qualified" and row.qualified is not None:
        return _("Qualified as number %(order)s") % {"order": row.qualified}
    if key in AT_THE_END and row.in_playoffs and row.entries_used:
        return _("Did not advance")
    return str(state_labels(row.event, in_playoffs=row.in_playoffs)[key])


@dataclass(frozen=True)
class End:
    """How the play-offs ended for a player, and in which round."""

    state: str
    stage: str


_TAKEN_IN: AskedOften[tuple[int, int, bool]] = AskedOften(
    lambda: StagePlayer.objects.filter(stage__in=Blank(several=True)).values_list(
        "stage", "registration__number", "absent"
    )
)


def playoff_ends(
    event: Event,
    stages: Sequence[Stage] | None = None,
    finished: Iterable[FinishedRow] | None = None,
) -> dict[str, End]:
    """Return, by reference, how the play-offs ended for those who are out (at most three queries).

    ``stages`` are all of the event's in their order, ``finished`` its rows, if loaded already.
    """
    if stages is None:
        stages = list(event.stages.playoffs().order_by("number"))
    rounds = [stage for stage in stages if stage.kind != StageKind.QUALIFYING]
    if not rounds:
        return {}
    finished = finished_rows(event, rounds) if finished is None else finished
    rows: dict[int, list[FinishedRow]] = {stage.pk: [] for stage in rounds}
    for row in finished:
        if row.stage_id in rows:
            rows[row.stage_id].append(row)
    players: dict[int, list[tuple[str, bool]]] = {stage.pk: [] for stage in rounds}
    for stage_id, number, absent in _TAKEN_IN.rows([stage.pk for stage in rounds]):
        players[stage_id].append((str(number), absent))
    ends: dict[str, End] = {}
    for stage in rounds:
        title, final = str(stage), stage.kind == StageKind.FINAL
        for player_id, absent in players[stage.pk]:
            if absent:
                ends[player_id] = End(NO_SHOW, title)
            else:
                # Also one who was out and is a lucky loser of this round.
                ends.pop(player_id, None)
        for row in rows[stage.pk]:
            won = row.place == 1 and not row.disqualified
            if final:
                ends[row.player_id] = End(CHAMPION if won else FINALIST, title)
            elif not row.advances:
                ends[row.player_id] = End(KNOCKED_OUT, title)
    return ends
