"""The phase of an event, which decides how its first page and its desk begin."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...models import Event, Stage
from ...models.enums import HeatStatus, StageKind, StageStatus
from .final import is_over, winners_of
from .ranking import stages_of

BEFORE, HEATS, PLAYOFFS, OVER = "before", "heats", "playoffs", "over"


@dataclass(frozen=True)
class Phase:
    """The phase of an event; ``stage`` is the current play-off round."""

    code: str
    stage: Stage | None = None
    #: That round's tables: how many, and how many of them are closed.
    tables: int = 0
    closed: int = 0
    winners: tuple[str, ...] = ()
    #: Whether to show who has qualified; later the bracket tells more.
    shows_qualified: bool = False

    @property
    def is_before(self) -> bool:
        """Whether nothing has been drawn."""
        return self.code == BEFORE

    @property
    def is_played(self) -> bool:
        """Whether heats or play-offs are going on."""
        return self.code in (HEATS, PLAYOFFS)

    @property
    def is_over(self) -> bool:
        """Whether the result is final; nobody has won if nothing was played."""
        return self.code == OVER

    @property
    def heats_are_over(self) -> bool:
        """Whether nobody can be checked in for a heat any more."""
        return self.code in (PLAYOFFS, OVER)

    @property
    def text(self) -> str:
        """How far the play-off round is."""
        if self.stage is None:
            return ""
        if self.stage.status == StageStatus.PLANNED:
            return _("not drawn yet")
        return ngettext(
            "%(closed)s of %(tables)s table has been played",
            "%(closed)s of %(tables)s tables have been played",
            self.tables,
        ) % {"closed": self.closed, "tables": self.tables}

    @property
    def step(self) -> str:
        """What the director does next in the play-offs."""
        if self.stage is None:
            return ""
        if self.stage.status == StageStatus.PLANNED:
            return _("Draw the tables")
        return _("To the next round") if self.closed == self.tables else _("To the tables")


def phase_of(event: Event) -> Phase:
    """Return the event's phase (two queries, more once it is over)."""
    stages = stages_of(event)
    if is_over(event, stages):
        return Phase(OVER, winners=tuple(winners_of(event, stages)))
    last = stages[-1] if stages else None
    statuses = list(event.heats.not_void().values_list("stage", "status"))
    if last is not None and last.kind != StageKind.QUALIFYING:
        here = [status for stage, status in statuses if stage == last.pk]
        return Phase(PLAYOFFS, last, len(here), here.count(HeatStatus.FINISHED))
    if not statuses:
        return Phase(BEFORE)
    return Phase(HEATS, shows_qualified=not event.ends_with_heats)
