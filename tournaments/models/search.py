"""Finding names as people type them: without accents, in any case, on any database."""

import unicodedata

#: Letters that Unicode does not take apart into a base and a mark.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)


def plain(text: str) -> str:
    """Return the text in small letters without marks: what is compared when searching.

    >>> plain("Åke  Strauß-Łukasz")
    'ake strauss-lukasz'
    """
    split = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN))
    # PostgreSQL knows no NUL in a text.
    bare = "".join(sign for sign in split if sign != "\0" and not unicodedata.combining(sign))
    return " ".join(bare.split())
