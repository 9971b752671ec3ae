"""Search names as people type them: in any case and without accents, on any database."""

import unicodedata
from functools import lru_cache

#: Letters that Unicode does not split into a base and a mark.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
#: Show nothing, though Unicode counts them as letters, marks or symbols.
INVISIBLE = {
    *map(chr, [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0]),
    *map(chr, [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]),
}


# Every list of players asks for the same names again, to sort them and to tell equal ones.
@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Return the text in lower case without accents and invisible signs, for comparing.

    >>> plain("Åke  Strauß-Łukasz")
    'ake strauss-lukasz'
    >>> plain("An\\ufe0fna") == plain("Anna")
    True
    """
    split = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN))
    bare = "".join(sign for sign in split if not _shows_nothing(sign))
    return " ".join(bare.split())


def _shows_nothing(sign: str) -> bool:
    # PostgreSQL does not allow NUL in text.
    if sign == "\0" or sign in INVISIBLE:
        return True
    return unicodedata.combining(sign) > 0 or unicodedata.category(sign) == "Cf"
