"""What an import would do with each row of a list; signed, so that exactly that is done."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
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
from .player_list import NAME_ASKED, Note, Row, named
from .sheets.book import PROBLEMS, Book, unusable
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
    LEFT_OUT = "left_out"


#: The answers that a row is not one of the known persons, and that it is left out.
NEW_PERSON, LEFT_OUT = "new", "out"
#: These become registrations.
REGISTERING = frozenset({RowAction.NEW, RowAction.KNOWN})
#: What a list may say otherwise about somebody who is registered.
COMPARED = ("legal_name", "club", "email", "phone")


@dataclass(frozen=True)
class Change:
    """What a list says otherwise about a registered player: the field, what is known, the list."""

    field: str
    known: str
    listed: str


@dataclass(frozen=True)
class RowPlan:
    """A row of the list and what an import does with it.

    ``person`` is the known person's public id (for ``known``, ``again``, which was withdrawn and is
    registered only if the user says so, and ``registered``). ``other`` is their number, or for
    ``duplicate`` the line that counts. ``waits``: the player will be put on the waiting list.
    ``asks``: where the user may or must say who it is, the possible answers: the public ids of
    known persons and :data:`NEW_PERSON`. ``changes`` are made only if the user ticks them.
    """

    row: Row
    action: RowAction
    person: str | None = None
    other: int | None = None
    waits: bool = False
    asks: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def registers(self) -> bool:
        return self.action in REGISTERING

    @property
    def asks_name(self) -> bool:
        """Whether a name typed by the user makes a player of the row."""
        return self.row.problem is not None and self.row.problem.code in NAME_ASKED


@dataclass(frozen=True)
class _Known:
    """The organiser's people by name, their contacts by key, and who is registered here."""

    by_name: Mapping[str, list[Person]]
    contacts: Mapping[int, set[str]]
    here: Mapping[int, Registration]
    by_number: Mapping[int, Registration]
    by_contact: Mapping[str, list[Registration]]


def plan_rows(event: Event, rows: Sequence[Row]) -> list[RowPlan]:
    """Return what would happen to each row now (at most six queries, however many rows).

    A row is taken to be a known person if exactly one has this name and no differing e-mail address
    or telephone; unless a contact is the same, the user may say otherwise. With several of that
    name, or a differing contact, the row is ``unclear`` and the user must decide. A row with number
    and name of somebody registered is that player, and so is, unless the user says otherwise, one
    with the contact of exactly one.
    """
    known = _known(event, rows)
    room, parts = room_of(event), parts_by_name(event)
    full = {
        part
        for part in (None, *parts.values())
        if status_of_newcomer(event, part) == RegistrationStatus.WAIT_LISTED
    }
    plans: list[RowPlan] = []
    seen: dict[str, list[tuple[set[str], int]]] = {}
    for row in rows:
        plan = _plan(row, known, seen)
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


def _known(event: Event, rows: Iterable[Row]) -> _Known:
    names = {plain(row.legal_name) for row in rows if not row.problem}
    by_name: dict[str, list[Person]] = defaultdict(list)
    if names:
        for person in known_persons(event):
            key = plain(person.legal_name)
            if key in names:
                by_name[key].append(person)
    here = list(event.registrations.select_related("person"))
    by_contact: dict[str, list[Registration]] = defaultdict(list)
    for registration in here:
        if registration.merged_into_id is None:
            for contact in _contacts(registration.email, registration.phone):
                by_contact[contact].append(registration)
    return _Known(
        by_name,
        _contacts_of(chain.from_iterable(by_name.values())),
        {row.person_id: row for row in here},
        {row.number: row for row in here},
        by_contact,
    )


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


def _plan(row: Row, known: _Known, seen: dict[str, list[tuple[set[str], int]]]) -> RowPlan:
    if row.problem:
        return RowPlan(row, RowAction.UNREADABLE)
    own = _contacts(row.email, row.phone)
    key = plain(row.legal_name)
    numbered = known.by_number.get(row.number or 0)
    if numbered is not None and plain(numbered.person.legal_name) == key:
        # A list that the program itself has written, or one with its numbers.
        return _registered(row, numbered)
    namesakes = known.by_name.get(key, [])
    asks = (*(str(person.public_id) for person in namesakes), NEW_PERSON)
    before = seen.setdefault(key, [])
    for theirs, line in before:
        if not _differ(own, theirs):
            sure = own & theirs
            return RowPlan(row, RowAction.DUPLICATE, other=line, asks=() if sure else asks)
    before.append((own, row.line))
    exact = [p for p in namesakes if own & known.contacts.get(p.pk, set())]
    fitting = exact or [p for p in namesakes if not _differ(own, known.contacts.get(p.pk, set()))]
    if len(fitting) == 1 and (exact or len(before) == 1):
        plan = _is(row, fitting[0], known.here)
        return plan if exact or plan.asks else replace(plan, asks=asks)
    if not exact and len(own) == 1 and (renamed := _renamed(own, known)):
        ask = (str(renamed.person.public_id), *asks)
        return replace(_registered(row, renamed), asks=tuple(dict.fromkeys(ask)))
    if not exact and own and (same := _renamed(own, known)) and not namesakes:
        ask = (str(same.person.public_id), NEW_PERSON)
        return replace(_registered(row, same), asks=ask)
    if len(before) > 1 and not exact:
        return RowPlan(row, RowAction.UNCLEAR, other=before[0][1], asks=asks)
    if not namesakes:
        return RowPlan(row, RowAction.NEW)
    here = [known.here[p.pk] for p in namesakes if p.pk in known.here]
    if len(here) == len(namesakes) == 1 and len(before) == 1:
        # Registered here with another telephone or address: the same person with a new one?
        return replace(_registered(row, here[0]), asks=asks)
    return RowPlan(row, RowAction.UNCLEAR, asks=asks)


def _renamed(own: Collection[str], known: _Known) -> Registration | None:
    """Return the only player here who has one of these contacts, under whatever name."""
    found = {
        row.pk: row
        for each in own
        for row in known.by_contact.get(each, [])
    }  # fmt: skip
    return next(iter(found.values())) if len(found) == 1 else None


def _is(row: Row, person: Person, here: Mapping[int, Registration]) -> RowPlan:
    registration = here.get(person.pk)
    if registration is None:
        return RowPlan(row, RowAction.KNOWN, str(person.public_id))
    return _registered(row, registration)


def _registered(row: Row, registration: Registration) -> RowPlan:
    """Return the plan of a row that is a player here: only what the user ticks is changed."""
    person = str(registration.person.public_id)
    if registration.status == RegistrationStatus.WITHDRAWN:
        if registration.merged_into_id is not None:
            return RowPlan(row, RowAction.REGISTERED, person, registration.number)
        return RowPlan(row, RowAction.AGAIN, person, registration.number)
    listed = {field: getattr(row, field) for field in COMPARED}
    changes = tuple(
        Change(field, kept, listed[field])
        for field in COMPARED
        if listed[field] and not _same(field, kept := _kept(registration, field), listed[field])
    )
    return RowPlan(row, RowAction.REGISTERED, person, registration.number, changes=changes)


def _kept(registration: Registration, field: str) -> str:
    owner = registration if field in ("email", "phone") else registration.person
    return str(getattr(owner, field))


def _same(field: str, known: str, listed: str) -> bool:
    if field in ("email", "phone"):
        given = {"email": "", "phone": ""}
        return known == listed or _contacts(**{**given, field: known}) == _contacts(
            **{**given, field: listed}
        )
    return plain(known) == plain(listed)


def signed_preview(event: Event, plans: Sequence[RowPlan]) -> str:
    """Return the preview as a signed text, which the page sends back to have exactly this done."""
    data = [
        [asdict(p.row), p.action.value, p.person, p.other, p.waits, p.asks,
         [[c.field, c.known, c.listed] for c in p.changes]]
        for p in plans
    ]  # fmt: skip
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
        RowPlan(
            Row.from_json(row),
            RowAction(action),
            person,
            other,
            waits,
            tuple(asks),
            tuple(Change(*change) for change in changes),
        )
        for row, action, person, other, waits, asks, changes in data
    ]


def persons_of(event: Event, plans: Iterable[RowPlan]) -> dict[str, Person]:
    """Return the persons that the rows are or may be, by public id (one query)."""
    asked = {each for plan in plans for each in (*plan.asks, plan.person) if each} - {NEW_PERSON}
    return {str(row.public_id): row for row in known_persons(event).filter(public_id__in=asked)}


@dataclass(frozen=True)
class Answers:
    """What the user says of the rows of a preview, by line.

    ``who``: :data:`NEW_PERSON`, the public id of one of the persons asked about, or
    :data:`LEFT_OUT`. ``names`` are typed where the spreadsheet has lost them. ``ticked``: the
    fields to be changed. ``hidden``: whether hidden rows are taken, None without an answer.
    ``taken``: what is taken of :data:`offers.OFFERS`; ``means``: of who has paid, if not said.
    """

    who: Mapping[int, str]
    names: Mapping[int, str]
    ticked: Mapping[int, Collection[str]]
    hidden: bool | None = None
    taken: Collection[str] = ()
    means: str = ""


#: Nothing was asked, or nothing answered.
NO_ANSWERS = Answers({}, {}, {})


def decided(event: Event, plans: Sequence[RowPlan], answers: Answers) -> list[RowPlan]:
    """Return the plans after the user's answers; answers that do not fit a question are ignored.

    Without an answer nobody is changed, and nobody who withdrew is registered again. Refused with
    ``hidden_rows`` if rows are hidden and the user has not said what to do with them.
    """
    if answers.hidden is None and any(plan.row.hidden and plan.registers for plan in plans):
        raise Refused("hidden_rows", _("Say whether the hidden rows are taken or left out."))
    persons = persons_of(event, plans)
    here = {row.person_id: row for row in event.registrations.select_related("person")}
    return [_decide(plan, persons, here, answers) for plan in plans]


def _decide(
    plan: RowPlan,
    persons: Mapping[str, Person],
    here: Mapping[int, Registration],
    answers: Answers,
) -> RowPlan:
    row = plan.row
    answer = answers.who.get(row.line, "")
    if answer == LEFT_OUT or (row.hidden and not answers.hidden):
        return RowPlan(row, RowAction.LEFT_OUT)
    if plan.asks_name and (typed := answers.names.get(row.line, "").strip()):
        row = named(row, typed)
        return RowPlan(row, RowAction.UNREADABLE if row.problem else RowAction.NEW)
    if plan.action == RowAction.AGAIN and answer == plan.person:
        return replace(plan, action=RowAction.KNOWN)
    if plan.asks and answer == NEW_PERSON:
        return RowPlan(row, RowAction.NEW)
    if answer in plan.asks and answer in persons and answer != plan.person:
        plan = _is(row, persons[answer], here)
        return replace(plan, changes=())
    ticked = answers.ticked.get(row.line, ())
    return replace(plan, changes=tuple(each for each in plan.changes if each.field in ticked))


def book_of(job: Job) -> Book:
    """Return what was found in a file."""
    return Book.from_json(job.result)


def problem_of(job: Job) -> Refused | None:
    """Return why a file cannot be used, or None; no worker may be running, or one died of it."""
    if job.is_open:
        left = job.expires_at is None or job.expires_at > timezone.now()
        return None if left else unusable("not_read")
    if not job.failure:
        return None
    return unusable(job.failure if job.failure in PROBLEMS else "not_read", **job.result or {})
