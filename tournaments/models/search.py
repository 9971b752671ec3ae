"""Search names as people type them: in any case and without accents, on any database."""

import unicodedata

#: Letters that Unicode does not split into a base and a mark.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)


def plain(text: str) -> str:
    """Return the text in lower case without accents, for comparing in searches.

    >>> plain("Åke  Strauß-Łukasz")
    'ake strauss-lukasz'
    """
    split = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN))
    # PostgreSQL does not allow NUL in text.
    bare = "".join(sign for sign in split if sign != "\0" and not unicodedata.combining(sign))
    return " ".join(bare.split())
