"""Alphabetical order of names: which part comes first, and which letter follows which."""

import re
from functools import cache
from typing import Any
from unicodedata import normalize

from django.db.backends.signals import connection_created
from django.db.models import Func, TextField
from django.dispatch import receiver
from django.utils.translation import get_language

from engine.messages import language, texts_in

from .search import plain

#: Particles that belong to the family name after them; lists file a name without them.
_PARTICLES = frozenset(
    {"af", "al", "av", "da", "das", "de", "del", "della", "den", "der", "di", "dos", "du", "el"}
    | {"la", "le", "op", "ten", "ter", "van", "vom", "von", "zu"}
)
#: Particles of such a name even when they are written with a capital. Not "Van", "Le" or "Di",
#: which are also whole names in Vietnamese.
_CAPITAL_PARTICLES = frozenset({"Af", "Da", "De", "Del", "Della", "Dos", "Von"})
#: A name in another writing, in brackets: one word with the one before it.
_WORD = re.compile(r"[([][^)\]]*[)\]]|\S+")
#: Separates family and given name; sorts before every letter, so that Ek comes before Ek Berg.
_GAP = "  "


def split_name(name: str) -> tuple[str, str]:
    """Return the likely given and family name; a person can correct them.

    >>> split_name("Anna Maria Öberg"), split_name("Öberg, Anna"), split_name("Zlatan")
    (('Anna Maria', 'Öberg'), ('Anna', 'Öberg'), ('Zlatan', ''))
    >>> split_name("Carl Johan von Schantz af Lejonhufvud"), split_name("Ebba De la Gardie")
    (('Carl Johan', 'von Schantz af Lejonhufvud'), ('Ebba', 'De la Gardie'))
    >>> split_name("Karim Issa (كريم عيسى)")
    ('Karim', 'Issa (كريم عيسى)')
    """
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma and family and given:
        return " ".join(given.split()), " ".join(family.split())
    words = _WORD.findall(name)
    whole = [n for n, word in enumerate(words) if word[0] not in "(["]
    if len(whole) < 2:
        return " ".join(words), ""
    first = next((n for n in whole[1:-1] if _is_particle(words[n])), whole[-1])
    return " ".join(words[:first]), " ".join(words[first:])


def _is_particle(word: str) -> bool:
    return word in _PARTICLES or word in _CAPITAL_PARTICLES


def filed(given: str, family: str) -> str:
    """Return the name as it is sorted, family name first, its particles last.

    >>> filed("Carl", "von Schantz"), filed("Louis", "De Geer"), filed("Ebba", "De la Gardie")
    ('Schantz  Carl von', 'Geer  Louis De', 'Gardie  Ebba De la')
    >>> filed("Minh", "Van Nguyen"), filed("", "af")
    ('Van Nguyen  Minh', 'af')
    """
    words = family.split()
    first = next((n for n, word in enumerate(words) if not _is_particle(word)), 0)
    last, before = " ".join(words[first:]), " ".join(words[:first])
    return _GAP.join(part for part in (last, f"{given} {before}".strip()) if part)


def name_key(name: str, code: str | None = None) -> str:
    """Return the sort key of a name in a language, by default the reader's.

    >>> sorted(["Öst", "Ås", "Zorn", "Édouard", "Äng"], key=lambda name: name_key(name, "sv"))
    ['Édouard', 'Zorn', 'Ås', 'Äng', 'Öst']
    """
    # As ICU does: an Å typed as A and a ring is an Å, too.
    text = normalize("NFC", name.casefold())
    letters = text.translate(_letters(_of(code)))
    # The gap stays, as plain() never leaves two spaces together. The name itself decides between
    # names with equal letters.
    return "  ".join(plain(part) for part in letters.split(_GAP)) + "\x01" + text


def _of(code: str | None) -> str:
    return language(code or get_language())


@cache
def _letters(code: str) -> dict[int, str]:
    return str.maketrans(dict(texts_in(code).letters))


class Alphabetical(Func):
    """Sort a column by the reader's alphabet: ICU on PostgreSQL, :func:`name_key` on SQLite."""

    arity = 1
    output_field = TextField()

    def __init__(self, column: Any, code: str | None = None, **extra: Any) -> None:
        super().__init__(column, language=_of(code), **extra)

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        """Use the function that every connection registers."""
        return self.as_sql(
            compiler, connection, template="name_key(%(expressions)s, '%(language)s')", **extra
        )

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        """Use PostgreSQL's ICU collation."""
        collation = f'"{texts_in(self.extra["language"]).locale}-x-icu"'
        return self.as_sql(
            compiler, connection, template=f"(%(expressions)s) COLLATE {collation}", **extra
        )


@receiver(connection_created, dispatch_uid="tournaments.alphabet")
def _teach(connection: Any, **kwargs: Any) -> None:
    """Register the sort function with a new SQLite connection."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(
            "name_key",
            2,
            lambda name, code: None if name is None else name_key(name, code),
            deterministic=True,
        )
