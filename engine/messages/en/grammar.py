"""How the language writes lists, numbers of things, names in order, and money."""

#: Its own name, and what a button that switches to it says.
NAME = "English"
SHOW_PAGE = "Show this page in English"
#: For documents, and for PostgreSQL's order of names.
LOCALE = "en-GB"

AND_WORD = "and"

#: Letters that are another letter in the order of names; "{", "|", "}" and "~" follow "z".
LETTERS: dict[str, str] = {}

#: Currencies that are not written as their codes.
CURRENCIES: dict[str, str] = {}
MONEY = "{amount}\N{NO-BREAK SPACE}{currency}"


def plural(number: int) -> str:
    """Return the ending of the keys of texts about so many things."""
    return "one" if number == 1 else "other"
