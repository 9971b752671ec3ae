"""What an import would do with each row of a list; signed, so that exactly that is done."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from itertools import chain

from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...models import Day, Event, Job, Person, Registration
from ...models.enums import RegistrationStatus
from ...models.search import plain
from .player_list import PROBLEMS, Note, Row, unusable
from .similar_names import known_persons
from .waiting_list import parts_of, room_of, status_of_newcomer

#: The kind of job that reads a file.
SPREADSHEET = "spreadsheet"
_SALT = "tournaments.import"
#: How long a preview is valid, in seconds.
_GOOD_FOR = 6 * 3600


class RowAction(StrEnum):
    """What happens to a row."""

    NEW = "new"
    KNOWN = "known"
    AGAIN = "again"
    REGISTERED = "registered"
    DUPLICATE = "duplicate"
    UNCLEAR = "unclear"
    UNREADABLE = "unreadable"


#: The answer that a row is not one of the known persons.
NEW_PERSON = "new"
#: These become registrations.
REGISTERING = frozenset({RowAction.NEW, RowAction.KNOWN, RowAction.AGAIN})


@dataclass(frozen=True)
class RowPlan:
    """A row of the list and what an import does with it.

    ``person`` is the known person's public id (for ``known``, ``again``, which was withdrawn, and
    ``registered``). ``other`` is their number, or for ``duplicate`` the line that counts.
    ``waits``: the player will be put on the waiting list. ``asks``: where only the name says who it
    is, the possible answers: the public ids of known persons and :data:`NEW_PERSON`.
    """

    row: Row
    action: RowAction
    person: str | None = None
    other: int | None = None
    waits: bool = False
    asks: tuple[str, ...] = ()

    @property
    def registers(self) -> bool:
        return self.action in REGISTERING


def plan_rows(event: Event, rows: Sequence[Row]) -> list[RowPlan]:
    """Return what would happen to each row now (at most six queries, however many rows).

    A row is taken to be a known person if exactly one has this name and no differing e-mail address
    or telephone; unless a contact is the same, the user may say otherwise. With several of that
    name, or a differing contact, the row is ``unclear`` and the user must decide.
    """
    names = {plain(row.legal_name) for row in rows if not row.problem}
    by_name: dict[str, list[Person]] = {}
    if names:
        for person in known_persons(event):
            key = plain(person.legal_name)
            if key in names:
                by_name.setdefault(key, []).append(person)
    contacts = _contacts_of(chain.from_iterable(by_name.values()))
    here = {row.person_id: row for row in event.registrations.all()}
    room, parts = room_of(event), parts_by_name(event)
    full = {
        part
        for part in (None, *parts.values())
        if status_of_newcomer(event, part) == RegistrationStatus.WAIT_LISTED
    }
    plans: list[RowPlan] = []
    seen: dict[str, list[tuple[set[str], int]]] = {}
    for row in rows:
        plan = _plan(row, by_name.get(plain(row.legal_name), []), contacts, here, seen)
        part = parts.get(plain(row.part))
        if plan.registers and row.part and part is None:
            plan = replace(plan, row=_any_part(row))
        if plan.registers:
            wanted = part.pk if part else None
            waits = part in full or not room.fits(wanted)
            plan = replace(plan, waits=waits)
            room = room if waits else room.without(wanted)
        plans.append(plan)
    return plans


def parts_by_name(event: Event) -> dict[str, Day]:
    """Return the parts that players choose, by name in plain letters."""
    return {plain(part.name): part for part in parts_of(event)}


def _any_part(row: Row) -> Row:
    hint = Note("no_part", {"text": row.part})
    return row if hint in row.hints else replace(row, hints=(*row.hints, hint))


def _contacts(email: str, phone: str) -> set[str]:
    """Return normalized contacts for telling namesakes apart.

    Telephones by their last eight digits.
    """
    digits = "".join(sign for sign in phone if sign.isdigit())
    found = {f"mail {email.casefold()}", f"phone {digits[-8:]}"}
    return found - {"mail ", "phone "}


def _contacts_of(persons: Iterable[Person]) -> dict[int, set[str]]:
    """Return the contacts with which each person has been registered, by key."""
    rows = Registration.objects.filter(person__in=[row.pk for row in persons])
    found: dict[int, set[str]] = {}
    for person, email, phone in rows.values_list("person", "email", "phone"):
        found.setdefault(person, set()).update(_contacts(email, phone))
    return found


def _differ(one: set[str], other: set[str]) -> bool:
    """Return whether both have the same kind of contact but none in common."""
    kinds = {each.split()[0] for each in one} & {each.split()[0] for each in other}
    return bool(kinds) and not one & other


def _plan(
    row: Row,
    known: list[Person],
    contacts: Mapping[int, set[str]],
    here: dict[int, Registration],
    seen: dict[str, list[tuple[set[str], int]]],
) -> RowPlan:
    if row.problem:
        return RowPlan(row, RowAction.UNREADABLE)
    own = _contacts(row.email, row.phone)
    asks = (*(str(person.public_id) for person in known), NEW_PERSON)
    before = seen.setdefault(plain(row.legal_name), [])
    for theirs, line in before:
        if not _differ(own, theirs):
            sure = own & theirs
            return RowPlan(row, RowAction.DUPLICATE, other=line, asks=() if sure else asks)
    before.append((own, row.line))
    exact = [p for p in known if own & contacts.get(p.pk, set())]
    fitting = exact or [p for p in known if not _differ(own, contacts.get(p.pk, set()))]
    if len(before) > 1 and not exact:
        return RowPlan(row, RowAction.UNCLEAR, other=before[0][1], asks=asks)
    if len(fitting) != 1:
        return RowPlan(row, RowAction.UNCLEAR, asks=asks) if known else RowPlan(row, RowAction.NEW)
    plan = _known(row, fitting[0], here)
    return plan if exact else replace(plan, asks=asks)


def _known(row: Row, person: Person, here: Mapping[int, Registration]) -> RowPlan:
    registration = here.get(person.pk)
    if registration is None:
        return RowPlan(row, RowAction.KNOWN, str(person.public_id))
    if registration.status == RegistrationStatus.WITHDRAWN:
        return RowPlan(row, RowAction.AGAIN, str(person.public_id), registration.number)
    return RowPlan(row, RowAction.REGISTERED, str(person.public_id), registration.number)


def signed_preview(event: Event, plans: Sequence[RowPlan]) -> str:
    """Return the preview as a signed text, which the page sends back to have exactly this done."""
    data = [[asdict(p.row), p.action.value, p.person, p.other, p.waits, p.asks] for p in plans]
    return signing.dumps([event.pk, data], salt=_SALT, compress=True)


def load_preview(event: Event, text: str) -> list[RowPlan]:
    """Read what :func:`signed_preview` made; refused with ``bad_preview`` or ``old_preview``."""
    try:
        owner, data = signing.loads(text, salt=_SALT, max_age=_GOOD_FOR)
    except signing.SignatureExpired as error:
        raise Refused(
            "old_preview", _("The preview is old. Look at the list once more.")
        ) from error
    except (signing.BadSignature, ValueError) as error:
        raise Refused("bad_preview", _("There is no such preview.")) from error
    if owner != event.pk:
        raise Refused("bad_preview", _("There is no such preview."))
    return [
        RowPlan(Row.from_json(row), RowAction(action), person, other, waits, tuple(asks))
        for row, action, person, other, waits, asks in data
    ]


def persons_asked(event: Event, plans: Iterable[RowPlan]) -> dict[str, Person]:
    """Return the persons that the rows may be, by public id (one query)."""
    asked = {each for plan in plans for each in plan.asks} - {NEW_PERSON}
    return {str(row.public_id): row for row in known_persons(event).filter(public_id__in=asked)}


def decided(event: Event, plans: Sequence[RowPlan], answers: Mapping[int, str]) -> list[RowPlan]:
    """Return the plans after the user's answers; answers that do not fit a question are ignored.

    ``answers``: by line, ``"new"`` or the public id of one of the persons asked about.
    """
    persons = persons_asked(event, plans)
    here = {row.person_id: row for row in event.registrations.all()}
    made = []
    for plan in plans:
        answer = answers.get(plan.row.line, "")
        if plan.asks and answer == NEW_PERSON:
            plan = RowPlan(plan.row, RowAction.NEW)
        elif answer in plan.asks and answer in persons:
            plan = _known(plan.row, persons[answer], here)
        made.append(plan)
    return made


def rows_of(job: Job) -> list[Row]:
    """Return the rows that were found in a file."""
    return [Row.from_json(row) for row in job.result or []]


def problem_of(job: Job) -> Refused | None:
    """Return why a file cannot be used, or None; no worker may be running, or one died of it."""
    if job.is_open:
        left = job.expires_at is None or job.expires_at > timezone.now()
        return None if left else unusable("not_read")
    if not job.failure:
        return None
    return unusable(job.failure if job.failure in PROBLEMS else "not_read", **job.result or {})
