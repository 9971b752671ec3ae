"""Find an erased name in texts that can never change, such as a reason in a hashed row.

The name itself is no longer stored, only salted digests of it and of its words. Anybody who can
read the database can still read it in those texts; readers of the pages cannot.
"""

import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from ..models import Person

_WORD = re.compile(r"\w+")
#: Words that can stand for a person: not "von", initials or numbers.
_TELLING = re.compile(r"[^\W\d_]{2,}")


def telling_words(name: str) -> list[str]:
    """Return the words that can stand for the person; not "von" or initials."""
    return [word for word in _TELLING.findall(name) if word[0].isupper()]


def digests_of(
    names: Sequence[str], further: Sequence[str] = (), *, known: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return what is kept of a person's names: a salt, and digests of names and of their words.

    ``further`` are more single words that stand for the person; ``known`` is what is kept already.
    """
    known = known or {"salt": secrets.token_hex(8), "sizes": [], "whole": [], "words": []}
    salt = known["salt"]
    whole = {" ".join(_WORD.findall(name.casefold())) for name in names}
    # A nickname of digits is in texts as anybody's number.
    whole = {name for name in whole if any(map(str.isalpha, name))}
    words = {word for name in (*names, *further) for word in telling_words(name)}
    return {
        "salt": salt,
        "sizes": sorted({*known["sizes"], *(len(name.split()) for name in whole)}, reverse=True),
        "whole": sorted({*known["whole"], *(_digest(salt, name) for name in whole)}),
        "words": sorted({*known["words"], *(_digest(salt, word) for word in words)}),
    }


def with_names_of(person: Person) -> dict[str, Any]:
    """Return what is kept of the person's earlier names, and of those of today."""
    given, family = person.given_name, person.family_name
    names = [person.legal_name, person.display_name, f"{family} {given}"]
    words: list[str] = []
    if person.legal_name.islower() or person.legal_name.isupper():
        # Names are looked for with a capital ("Anna"); "von" alone is not one.
        words = [word.capitalize() for word in (*given.split()[:1], *family.split()[-1:])]
    known = next((each for each in person.erased_names if "of" not in each), None)
    return digests_of([name for name in names if name], words, known=known)


def all_names_of(person: Person) -> list[dict[str, Any]]:
    """Return :func:`with_names_of` and, each with its key as ``of``, of who was merged into it."""
    return [with_names_of(person), *(each for each in person.erased_names if "of" in each)]


def _digest(salt: str, text: str) -> str:
    return blake2b(text.encode(), key=salt.encode(), digest_size=12).hexdigest()


def _stems(word: str) -> list[str]:
    """Return the word, and what it is the possessive of: "Annas"."""
    return [word, word[:-1]] if word[-1:] in "sS" else [word]


class ErasedName:
    """One person's erased names, earlier ones too, and what is shown in their place.

    ``kept`` are such digests; all are looked for in one pass, as a person's names share words.
    """

    def __init__(self, kept: Sequence[Mapping[str, Any]], shown: str) -> None:
        self._salts: list[str] = [each["salt"] for each in kept]
        sizes: set[int] = {size for each in kept for size in each["sizes"]}
        self._sizes = sorted(sizes, reverse=True)
        self._whole = {digest for each in kept for digest in each["whole"]}
        self._words = {digest for each in kept for digest in each["words"]}
        self._shown = shown

    def replaced(self, text: str, borne: Collection[str] = ()) -> str:
        """Return the text without the name; a single word stays that others bear (``borne``).

        What is shown is possessive where the name was: "Player 1s".
        """
        words = list(_WORD.finditer(text))
        told, done, at = [], 0, 0
        while at < len(words):
            size, ending = self._found(words[at:], borne)
            if size:
                told += [text[done : words[at].start()], self._shown]
                done = words[at + size - 1].end() - ending
            at += size or 1
        return "".join((*told, text[done:])) if told else text

    def _found(self, words: list[re.Match[str]], borne: Collection[str]) -> tuple[int, int]:
        """Return how many of the first words are the name, and the length of its possessive s."""
        for size in self._sizes:
            if size > len(words):
                continue
            *first, last = (word[0].casefold() for word in words[:size])
            for stem in _stems(last):
                if self._is_in(self._whole, " ".join((*first, stem))):
                    return size, len(last) - len(stem)
        for stem in _stems(words[0][0]):
            if stem not in borne and self._is_in(self._words, stem):
                return 1, len(words[0][0]) - len(stem)
        return 0, 0

    def _is_in(self, digests: Collection[str], text: str) -> bool:
        return any(_digest(salt, text) in digests for salt in self._salts)
