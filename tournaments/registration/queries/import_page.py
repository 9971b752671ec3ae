"""The preview of an import as a page shows it: what each row becomes, said in words."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...core.names import staff_name
from ...models import Event, Person
from ...models.enums import PaymentMethod
from .header import MAX_HEADER
from .import_preview import (
    LEFT_OUT,
    NEW_PERSON,
    NO_ANSWERS,
    Answers,
    RowAction,
    RowPlan,
    persons_of,
    signed_preview,
)
from .offers import OFFERS, Offer, offers_of
from .player_list import PlayerList, Row
from .sheets.book import Book

_LABELS = {
    RowAction.NEW: (gettext_lazy("New person"), ""),
    RowAction.KNOWN: (gettext_lazy("Known person"), ""),
    RowAction.AGAIN: (gettext_lazy("Was withdrawn"), "tag-amber"),
    RowAction.REGISTERED: (gettext_lazy("Registered already"), "tag-quiet"),
    RowAction.DUPLICATE: (gettext_lazy("Twice in this list"), "tag-quiet"),
    RowAction.UNCLEAR: (gettext_lazy("Same name as somebody"), "tag-amber"),
    RowAction.UNREADABLE: (gettext_lazy("Not read"), "tag-red"),
}


@dataclass(frozen=True)
class PreviewChange:
    """A difference to what is known, made only if it is ticked."""

    field: str
    label: str
    ticked: bool


@dataclass(frozen=True)
class PreviewRow:
    """``notes``: whole sentences. ``choices``: who it may be, as (value, text).

    ``kind``: how the button counts it. ``typed``: the name that the user has typed, None if none is
    asked.
    """

    row: Row
    action: RowAction
    details: str
    label: str | Promise
    colour: str
    notes: list[str]
    choices: list[tuple[str, str]]
    chosen: str | None
    kind: str
    changes: list[PreviewChange]
    typed: str | None


@dataclass(frozen=True)
class Preview:
    """``unclear`` rows need an answer, ``alike`` ones may be answered; both are numbers of rows.

    ``new`` and ``known`` rows are registered; ``hidden`` ones wait for an answer.
    """

    rows: list[PreviewRow]
    counts: list[tuple[str | Promise, int]]
    unclear: int
    alike: int
    new: int
    known: int
    waits: int
    hidden: int
    hidden_answer: bool | None
    has_choices: bool
    signed: str
    offers: list[Offer]
    means: list[tuple[str, str, bool]]


@dataclass(frozen=True)
class Reading:
    """How a list was read. ``sheets`` and ``headers`` are choices as (value, text)."""

    sheets: list[tuple[int, str]]
    sheet: int
    headers: list[tuple[int, str]]
    header: int
    unread: str
    columns: str
    encoding: str
    program: str


def reading_of(book: Book, found: PlayerList) -> Reading:
    """Return what the page says of how a list was read."""
    filled = [(number, sheet.name) for number, sheet in enumerate(book.sheets) if sheet.lines]
    lines = [line.number for line in book.sheets[found.found.sheet].lines]
    rows = [number for number in lines if number <= MAX_HEADER]
    return Reading(
        sheets=filled if len(filled) > 1 else [],
        sheet=found.found.sheet,
        headers=[
            (0, _("no headings")),
            *((number, _("row %(row)s") % {"row": number}) for number in rows),
        ],
        header=found.found.header,
        unread=", ".join(name for number, name in filled if number != found.found.sheet),
        columns=", ".join(found.columns),
        encoding=book.encoding,
        program=found.program,
    )


def preview_of(
    event: Event,
    plans: Sequence[RowPlan],
    answers: Answers = NO_ANSWERS,
    may: Collection[str] = OFFERS,
) -> Preview:
    """Return the preview (one query more than the plans themselves), answered as before.

    ``may``: what of :data:`offers.OFFERS` the user may take.
    """
    persons = persons_of(event, plans)
    counts = Counter(plan.action for plan in plans)
    taken = [plan for plan in plans if not plan.row.hidden or answers.hidden]
    besides = [
        {name: getattr(plan.row, name) for name in OFFERS} for plan in plans if plan.registers
    ]
    return Preview(
        rows=[_row(plan, persons, answers) for plan in plans],
        counts=[(_LABELS[action][0], counts[action]) for action in RowAction if action in counts],
        unclear=counts[RowAction.UNCLEAR],
        alike=sum(bool(plan.asks) and plan.action != RowAction.UNCLEAR for plan in plans),
        new=sum(plan.action == RowAction.NEW for plan in taken),
        known=sum(plan.action == RowAction.KNOWN for plan in taken),
        waits=sum(plan.waits for plan in plans),
        hidden=sum(plan.row.hidden and plan.registers for plan in plans),
        hidden_answer=answers.hidden,
        has_choices=any(
            plan.registers or plan.asks or plan.changes or plan.asks_name
            or plan.action == RowAction.AGAIN
            for plan in plans
        ),
        signed=signed_preview(event, plans),
        offers=offers_of(event, besides, may=may, taken=answers.taken),
        means=[(each.value, str(each.label), each == answers.means) for each in PaymentMethod],
    )  # fmt: skip


def _row(plan: RowPlan, persons: Mapping[str, Person], answers: Answers) -> PreviewRow:
    row = plan.row
    label, colour = _LABELS[plan.action]
    choices = _choices(plan, persons)
    default = None if plan.action == RowAction.AGAIN else plan.person
    return PreviewRow(
        row=row,
        action=plan.action,
        details=" · ".join(filter(None, (row.club, row.part, row.email, row.phone))),
        label=label,
        colour="tag-amber" if plan.asks else colour,
        notes=[note for note in (*_notes(plan, persons), *map(str, row.hints)) if note],
        choices=choices,
        chosen=answers.who.get(row.line) or default,
        kind={RowAction.NEW: "new", RowAction.KNOWN: "known"}.get(plan.action, ""),
        changes=[
            PreviewChange(
                change.field,
                _("%(field)s: %(listed)s instead of %(known)s")
                % {
                    "field": _field_name(change.field),
                    "listed": change.listed,
                    "known": change.known or "–",
                },
                change.field in answers.ticked.get(row.line, ()),
            )
            for change in plan.changes
        ],
        typed=answers.names.get(row.line, "") if plan.asks_name else None,
    )


def _field_name(field: str) -> str:
    names = {
        "legal_name": gettext_lazy("Name"),
        "club": gettext_lazy("Club"),
        "email": gettext_lazy("E-mail"),
        "phone": gettext_lazy("Telephone"),
    }
    return str(names[field])


def _notes(plan: RowPlan, persons: Mapping[str, Person]) -> list[str]:
    notes = []
    if plan.row.hidden:
        notes.append(_("Hidden or filtered in the spreadsheet."))
    match plan.action:
        case RowAction.DUPLICATE:
            return [*notes, _("Line %(line)s counts.") % {"line": plan.other}]
        case RowAction.REGISTERED if plan.person and plan.person in persons:
            here = {"number": plan.other, "name": staff_name(persons[plan.person])}
            return [*notes, _("Number %(number)s, %(name)s.") % here]
        case RowAction.REGISTERED | RowAction.AGAIN:
            return [*notes, _("Number %(number)s.") % {"number": plan.other}]
        case RowAction.UNCLEAR if plan.other:
            same = _("Same name as line %(line)s, with another contact.") % {"line": plan.other}
            return [*notes, same]
    if plan.action == RowAction.UNCLEAR or (plan.asks and not plan.waits):
        return [*notes, _("Somebody by this name is known: the same person?")]
    if plan.waits:
        return [*notes, _("The event is full: onto the waiting list.")]
    return [*notes, str(plan.row.problem or "")]


def _choices(plan: RowPlan, persons: Mapping[str, Person]) -> list[tuple[str, str]]:
    if plan.action == RowAction.AGAIN:
        return [("", _("Stays withdrawn")), (plan.person or "", _("Register again"))]
    if not plan.asks:
        return []
    known = [
        (each, " · ".join(filter(None, (staff_name(persons[each]), persons[each].club))))
        for each in plan.asks
        if each in persons
    ]
    # A row taken for a known person stays so without an answer.
    if plan.person is None:
        left_out = [("", _("Leave out"))]
    else:
        left_out = [(LEFT_OUT, _("Leave out"))] if plan.registers else []
    return [*left_out, *known, (NEW_PERSON, _("Another person"))]
