"""The only way a person's name reaches other people.

Pages, prints, exports and scoring's pages all ask here; nothing public reads the name columns. Free
text that others can read, such as a reason, is filtered here too.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Case, F, Q, Value, When
from django.utils.translation import gettext as _

from scoring.models import AskedOften, Blank

from ..models import Event, HeatEntry, Person, Registration
from ..models.alphabet import Alphabetical, name_key
from ..models.enums import Visibility
from .erased_names import ErasedName, all_names_of, telling_words


class ShownPlayer(NamedTuple):
    """What others may see of a player."""

    number: int
    name: str
    club: str

    @property
    def player_id(self) -> str:
        """The player's reference."""
        return str(self.number)


#: The columns of registrations from which :func:`shown_player` is made, in its order: a page that
#: ranks hundreds reads them as plain values.
NAME_COLUMNS = (
    "number",
    "visibility",
    "person__visibility",
    "person__display_name",
    "person__legal_name",
    "person__club",
)


def shown_player(
    number: int, visibility: str, of_person: str, nickname: str, legal_name: str, club: str
) -> ShownPlayer:
    """Return the name that others may see, or "Player 12", and the club of a public name."""
    shown = Visibility.at_event(of_person, visibility, nickname)
    name = _numbered(number) if shown == Visibility.HIDDEN else nickname or legal_name
    return ShownPlayer(number, name, club if shown == Visibility.PUBLIC else "")


def _shown(registration: Registration) -> ShownPlayer:
    person = registration.person
    return shown_player(
        registration.number,
        registration.visibility,
        person.visibility,
        person.display_name,
        person.legal_name,
        person.club,
    )


def registration_name(registration: Registration) -> str:
    """Return the name that others may see, or "Player 12" if it is hidden.

    Select ``person`` with the registration.
    """
    return _shown(registration).name


def club_of(registration: Registration) -> str:
    """Return the club, empty unless the name is fully visible."""
    return _shown(registration).club


def hidden_name() -> str:
    """Return what stands for a name that is shown nowhere, over several events."""
    return _("Hidden name")


def person_names(
    players: Mapping[int, Iterable[int]], events: Iterable[int], *, hidden: bool = True
) -> dict[int, tuple[str, str]]:
    """Return name and club of players over several events (two queries).

    ``players`` has the persons whom each key stands for. The strictest of what they have chosen, as
    persons and at these events, holds; a hidden name has no number here, which would lead to it.
    ``hidden``: whether players without a name are in it.
    """
    asked = {person: key for key, persons in players.items() for person in persons}
    shown: dict[int, tuple[int, str, str]] = {}

    def add(pk: int, visibility: str, of_person: str, nick: str, legal: str, club: str) -> None:
        at = Visibility.at_event(of_person, visibility, nick)
        strict = _STRICT[at]
        name = hidden_name() if at == Visibility.HIDDEN else nick or legal
        found = (strict, name, club if at == Visibility.PUBLIC else "")
        known = shown.get(asked[pk])
        if known is None or strict > known[0]:
            shown[asked[pk]] = found

    columns = ("visibility", "display_name", "legal_name", "club")
    for pk, *own in Person.objects.filter(pk__in=list(asked)).values_list("pk", *columns):
        add(pk, "", *own)
    there = Registration.objects.filter(
        person__in=list(asked), event__in=list(events), merged_into__isnull=True
    ).exclude(visibility="")
    paths = (f"person__{each}" for each in columns)
    for pk, *theirs in there.values_list("person", "visibility", *paths):
        add(pk, *theirs)
    return {
        key: (name, club)
        for key, (strict, name, club) in shown.items()
        if hidden or strict < _STRICT[Visibility.HIDDEN]
    }


#: The more, the less is shown.
_STRICT = {Visibility.PUBLIC: 0, Visibility.NICKNAME: 1, Visibility.HIDDEN: 2}


def shown_columns(path: str = "") -> tuple[str, ...]:
    """Return the columns of registrations that public lists need, for ``only()``.

    References, statuses, and what the shown names and clubs are made of: a third of all columns;
    most of the others are dates, which take longest to read. ``path`` leads to the registration.
    """
    own = ("event", "number", "status", "visibility")
    persons = ("legal_name", "display_name", "club", "visibility")
    return tuple(f"{path}{each}" for each in (*own, *(f"person__{each}" for each in persons)))


def nameless(path: str = "") -> Q:
    """Return a query for registrations whose name is hidden, as ``Registration.shown_as`` decides.

    ``path`` leads to the registration: ``"entry__registration__"``.
    """
    hidden = Q(**{f"{path}visibility": Visibility.HIDDEN})
    hidden |= Q(**{f"{path}person__visibility": Visibility.HIDDEN})
    nickname = Q(**{f"{path}visibility": Visibility.NICKNAME})
    return hidden | nickname & Q(**{f"{path}person__display_name": ""})


def by_public_name(path: str = "") -> Alphabetical:
    """Return the sort order of public lists: by the name shown.

    Sorts by family name, or by the nickname if that is shown, so the order does not reveal a hidden
    name.
    """
    shown = F(f"{path}person__filed_public")
    return Alphabetical(Case(When(nameless(path), then=Value("")), default=shown))


def by_shown_club(path: str = "") -> Alphabetical:
    """Return the sort order by club, as :func:`club_of` shows it."""
    shown = Q(**{f"{path}person__visibility": Visibility.PUBLIC})
    shown &= Q(**{f"{path}visibility__in": ["", Visibility.PUBLIC]})
    return Alphabetical(Case(When(shown, then=F(f"{path}person__club")), default=Value("")))


def by_staff_name(path: str = "", language: str | None = None) -> Alphabetical:
    """Return the sort order of staff lists: by family name."""
    return Alphabetical(f"{path}person__filed_name", code=language)


def in_order(registration: Registration, language: str | None = None) -> str:
    """Return the sort key of a player already read; same order as :func:`by_public_name`."""
    hidden = registration.shown_as == Visibility.HIDDEN
    return name_key("" if hidden else registration.person.filed_public, language)


def staff_name(person: Person) -> str:
    """Return the full name with the nickname, for the event's staff only."""
    if person.is_erased:
        return str(person)
    if person.display_name and person.display_name != person.legal_name:
        return f"{person.legal_name} ({person.display_name})"
    return person.legal_name


def family_name_first(name: str, registration: Registration) -> str:
    """Return a shown name as in lists: "Öberg, Anna (Kortet)"; a nickname stays as it is."""
    person = registration.person
    if not (person.given_name and person.family_name and name.startswith(person.legal_name)):
        return name
    return f"{person.family_name}, {person.given_name}{name.removeprefix(person.legal_name)}"


def distinct_names(registrations: Iterable[Registration]) -> dict[str, str]:
    """Return display names by reference; players with the same name also get their number."""
    return told_apart(map(_shown, registrations))


def told_apart(players: Iterable[ShownPlayer]) -> dict[str, str]:
    """Return names by reference; players with the same name also get their number."""
    names = {player.number: player.name for player in players}
    count = Counter(names.values())
    return {
        str(number): name if count[name] == 1 else f"{name} ({number})"
        for number, name in names.items()
    }


_AT_TABLES: AskedOften[Any] = AskedOften(
    lambda: (
        HeatEntry.objects.filter(heat__table__in=Blank(several=True))
        .annotate(table_id=F("heat__table"))
        .select_related("registration__person")
        .only("registration", *shown_columns("registration__"))
        .order_by("entered_at", "pk")
    )
)


def names_for_tables(table_ids: Iterable[int]) -> Mapping[int, Mapping[str, str]]:
    tables: dict[int, list[Registration]] = {}
    for entry in _AT_TABLES.rows(list(table_ids)):
        tables.setdefault(entry.table_id, []).append(entry.registration)
    return {table: distinct_names(rows) for table, rows in tables.items()}


# --- names in free text --------------------------------------------------------------------------

#: A name may be followed by a possessive: "Annas", "Anna's".
_AFTER = r"(?=(?:['’]?s)?(?!\w))"


def shown_text(
    registrations: Iterable[Registration], *, anonymous: bool = False, staff: bool = False
) -> "Shown":
    """Return a filter that replaces hidden names in a text, earlier ones too, by the names shown.

    ``registrations`` are all of the event's, with their persons. A first or last name on its own is
    replaced unless another player bears it openly. ``anonymous``: hide every name; ``staff``: only
    those that have been erased.
    """
    rows = list(registrations)
    numbers = {row.pk: row.number for row in rows}
    whole: dict[str, str] = {}
    words: dict[str, set[str]] = {}
    open_words: set[str] = set()
    erased: list[ErasedName] = []
    for row in rows:
        person = row.person
        if person.is_erased:
            number = numbers.get(row.merged_into_id or row.pk, row.number)
            erased.append(ErasedName(person.erased_names, _numbered(number)))
            continue
        shown = _numbered(row.number) if anonymous else registration_name(row)
        if staff:
            open_words.update(telling_words(f"{person.legal_name} {person.display_name}"))
            continue
        if row.merged_into_id is not None:
            # The same player; the names are with those of who was kept.
            continue
        names = {person.legal_name, person.display_name if anonymous else person.legal_name}
        visibility = row.shown_as
        hidden = anonymous or visibility != Visibility.PUBLIC or bool(person.display_name)
        if visibility == Visibility.HIDDEN:
            names.add(person.display_name)
        open_words.update(telling_words(shown))
        if not hidden:
            continue
        if person.erased_names:
            erased.append(ErasedName(all_names_of(person), shown))
            continue
        for name in names - {"", shown}:
            whole.setdefault(name.casefold(), shown)
            for word in set(telling_words(name)) - set(telling_words(shown)):
                words.setdefault(word, set()).add(shown)
    single = {
        word: next(iter(shown))
        for word, shown in words.items()
        if len(shown) == 1 and word not in open_words
    }
    return Shown(whole, single, erased, open_words)


def _numbered(number: int) -> str:
    return _("Player %(number)s") % {"number": number}


class Shown:
    """A filter for texts that others can read; make it once and use it for many texts."""

    def __init__(
        self,
        whole: Mapping[str, str],
        single: Mapping[str, str],
        erased: Sequence[ErasedName] = (),
        borne: Collection[str] = (),
    ) -> None:
        self._whole, self._single = whole, single
        self._erased, self._borne = erased, borne
        self._names = _any_of(whole, re.IGNORECASE)
        self._words = _any_of(single)

    def __call__(self, text: str) -> str:
        """Return the text without hidden names."""
        if self._names is not None:
            text = self._names.sub(lambda found: self._whole[_one_line(found[0])], text)
        if self._words is not None:
            text = self._words.sub(lambda found: self._single[found[0]], text)
        for name in self._erased:
            text = name.replaced(text, self._borne)
        return text


def _one_line(text: str) -> str:
    return " ".join(text.split()).casefold()


def _any_of(names: Iterable[str], flags: int = 0) -> re.Pattern[str] | None:
    longest = sorted(names, key=len, reverse=True)
    if not longest:
        return None
    each = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest)
    return re.compile(rf"(?<!\w)(?:{each}){_AFTER}", flags)


def shown_text_of(event: Event | int, *, staff: bool = False) -> Callable[[str], str]:
    """Return :func:`shown_text` for an event (one or two queries)."""
    rows = Registration.objects.filter(event=event).select_related("person")
    plainly = Q(person__visibility=Visibility.PUBLIC, person__display_name="", visibility="")
    hidden = rows.exclude(person__erased_at=None) if staff else rows.exclude(plainly)
    return shown_text(rows, staff=staff) if hidden.exists() else str


def staff_text_of(event: Event) -> Callable[[str], str]:
    """Return :func:`shown_text_of` for staff, made at the first text, once for an event object."""

    def shown(text: str) -> str:
        if not text:
            return text
        if "_staff_text" not in event.__dict__:
            event.__dict__["_staff_text"] = shown_text_of(event, staff=True)
        found: Callable[[str], str] = event.__dict__["_staff_text"]
        return found(text)

    return shown


def text_for_table(table_id: int) -> Callable[[str], str]:
    """Return the filter for texts on a table's sheets."""
    event = Event.objects.filter(heats__table=table_id).first()
    return shown_text_of(event) if event is not None else str
