"""The preview of an import as a page shows it: what each row becomes, said in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...core.names import staff_name
from ...models import Event, Person
from .import_preview import NEW_PERSON, Fate, FateKind, persons_asked, sealed
from .player_list import Row

_LABELS = {
    FateKind.NEW: (gettext_lazy("New person"), ""),
    FateKind.KNOWN: (gettext_lazy("Known person"), ""),
    FateKind.AGAIN: (gettext_lazy("Was withdrawn, registered again"), ""),
    FateKind.REGISTERED: (gettext_lazy("Registered already"), "tag-quiet"),
    FateKind.DUPLICATE: (gettext_lazy("Twice in this list"), "tag-quiet"),
    FateKind.UNCLEAR: (gettext_lazy("Same name as somebody"), "tag-amber"),
    FateKind.UNREADABLE: (gettext_lazy("Cannot be read"), "tag-red"),
}


@dataclass(frozen=True)
class PreviewRow:
    """``notes``: whole sentences. ``choices``: who it may be, as (value, text)."""

    row: Row
    kind: FateKind
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
    taken: int
    waits: int
    sealed: str


def preview_of(event: Event, fates: Sequence[Fate]) -> Preview:
    """Return the preview (one query more than the fates themselves)."""
    persons = persons_asked(event, fates)
    counts = Counter(fate.kind for fate in fates)
    return Preview(
        rows=[_row(fate, persons) for fate in fates],
        counts=[(_LABELS[kind][0], counts[kind]) for kind in FateKind if kind in counts],
        unclear=counts[FateKind.UNCLEAR],
        alike=sum(bool(fate.asks) and fate.kind != FateKind.UNCLEAR for fate in fates),
        taken=sum(fate.taken for fate in fates),
        waits=sum(fate.waits for fate in fates),
        sealed=sealed(event, fates),
    )


def _row(fate: Fate, persons: Mapping[str, Person]) -> PreviewRow:
    row = fate.row
    label, colour = _LABELS[fate.kind]
    return PreviewRow(
        row=row,
        kind=fate.kind,
        details=" · ".join(filter(None, (row.club, row.email, row.phone))),
        label=label,
        colour="tag-amber" if fate.asks else colour,
        notes=[note for note in (_note(fate), *map(str, row.hints)) if note],
        choices=_choices(fate, persons),
        chosen=fate.person,
    )


def _note(fate: Fate) -> str:
    match fate.kind:
        case FateKind.DUPLICATE:
            return _("Line %(line)s counts.") % {"line": fate.other}
        case FateKind.REGISTERED | FateKind.AGAIN:
            return _("Number %(number)s.") % {"number": fate.other}
        case FateKind.UNCLEAR if fate.other:
            return _("Same name as line %(line)s, with another contact.") % {"line": fate.other}
    if fate.kind == FateKind.UNCLEAR or (fate.asks and not fate.waits):
        return _("Somebody by this name is known: the same person?")
    if fate.waits:
        return _("The event is full: onto the waiting list.")
    return str(fate.row.problem or "")


def _choices(fate: Fate, persons: Mapping[str, Person]) -> list[tuple[str, str]]:
    if not fate.asks:
        return []
    known = [
        (each, " · ".join(filter(None, (staff_name(persons[each]), persons[each].club))))
        for each in fate.asks
        if each in persons
    ]
    # Whoever is taken to be a known person is so without an answer, too.
    left_out = [] if fate.person else [("", _("Leave out"))]
    return [*left_out, *known, (NEW_PERSON, _("Another person with this name"))]
