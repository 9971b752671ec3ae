"""How the language writes lists, numbers of things, names in order, and money."""

NAME = "Svenska"
SHOW_PAGE = "Visa sidan på svenska"
LOCALE = "sv-SE"

AND_WORD = "och"

#: Å, Ä, Ö and their foreign relatives come after Z.
LETTERS = {
    "å": "{",
    "ä": "|",
    "æ": "|",
    "ę": "|",
    "ö": "}",
    "ø": "}",
    "ő": "}",
    "œ": "}",
    "ô": "}",
    "ü": "y",
    "ű": "y",
}

CURRENCIES = {"SEK": "kr"}
MONEY = "{amount}\N{NO-BREAK SPACE}{currency}"


def plural(number: int) -> str:
    """Return the ending of the keys of texts about so many things."""
    return "one" if number == 1 else "other"
