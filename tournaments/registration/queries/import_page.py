"""The preview of an import as a page shows it: what each row becomes, said in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...core.names import staff_name
from ...models import Event, Person
from .import_preview import NEW_PERSON, RowAction, RowPlan, persons_asked, signed_preview
from .player_list import Row

_LABELS = {
    RowAction.NEW: (gettext_lazy("New person"), ""),
    RowAction.KNOWN: (gettext_lazy("Known person"), ""),
    RowAction.AGAIN: (gettext_lazy("Was withdrawn, registered again"), ""),
    RowAction.REGISTERED: (gettext_lazy("Registered already"), "tag-quiet"),
    RowAction.DUPLICATE: (gettext_lazy("Twice in this list"), "tag-quiet"),
    RowAction.UNCLEAR: (gettext_lazy("Same name as somebody"), "tag-amber"),
    RowAction.UNREADABLE: (gettext_lazy("Cannot be read"), "tag-red"),
}


@dataclass(frozen=True)
class PreviewRow:
    """``notes``: whole sentences. ``choices``: who it may be, as (value, text)."""

    row: Row
    action: RowAction
    details: str
    label: str | Promise
    colour: str
    notes: list[str]
    choices: list[tuple[str, str]]
    chosen: str | None


@dataclass(frozen=True)
class Preview:
    """``unclear`` rows need an answer, ``alike`` ones may be answered; both are numbers of rows."""

    rows: list[PreviewRow]
    counts: list[tuple[str | Promise, int]]
    unclear: int
    alike: int
    registers: int
    waits: int
    signed: str


def preview_of(event: Event, plans: Sequence[RowPlan]) -> Preview:
    """Return the preview (one query more than the plans themselves)."""
    persons = persons_asked(event, plans)
    counts = Counter(plan.action for plan in plans)
    return Preview(
        rows=[_row(plan, persons) for plan in plans],
        counts=[(_LABELS[action][0], counts[action]) for action in RowAction if action in counts],
        unclear=counts[RowAction.UNCLEAR],
        alike=sum(bool(plan.asks) and plan.action != RowAction.UNCLEAR for plan in plans),
        registers=sum(plan.registers for plan in plans),
        waits=sum(plan.waits for plan in plans),
        signed=signed_preview(event, plans),
    )


def _row(plan: RowPlan, persons: Mapping[str, Person]) -> PreviewRow:
    row = plan.row
    label, colour = _LABELS[plan.action]
    return PreviewRow(
        row=row,
        action=plan.action,
        details=" · ".join(filter(None, (row.club, row.part, row.email, row.phone))),
        label=label,
        colour="tag-amber" if plan.asks else colour,
        notes=[note for note in (_note(plan), *map(str, row.hints)) if note],
        choices=_choices(plan, persons),
        chosen=plan.person,
    )


def _note(plan: RowPlan) -> str:
    match plan.action:
        case RowAction.DUPLICATE:
            return _("Line %(line)s counts.") % {"line": plan.other}
        case RowAction.REGISTERED | RowAction.AGAIN:
            return _("Number %(number)s.") % {"number": plan.other}
        case RowAction.UNCLEAR if plan.other:
            return _("Same name as line %(line)s, with another contact.") % {"line": plan.other}
    if plan.action == RowAction.UNCLEAR or (plan.asks and not plan.waits):
        return _("Somebody by this name is known: the same person?")
    if plan.waits:
        return _("The event is full: onto the waiting list.")
    return str(plan.row.problem or "")


def _choices(plan: RowPlan, persons: Mapping[str, Person]) -> list[tuple[str, str]]:
    if not plan.asks:
        return []
    known = [
        (each, " · ".join(filter(None, (staff_name(persons[each]), persons[each].club))))
        for each in plan.asks
        if each in persons
    ]
    # A row taken for a known person stays so without an answer.
    left_out = [] if plan.person else [("", _("Leave out"))]
    return [*left_out, *known, (NEW_PERSON, _("Another person with this name"))]
