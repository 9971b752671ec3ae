"""Amounts as people write them; stored as whole numbers of the smallest unit, never floats."""

import re

from django.utils.translation import get_language

from engine.messages import texts_in

#: Currencies without a smaller unit; all others here have a hundredth.
_WHOLE = frozenset({"ISK", "JPY", "KRW", "CLP"})
#: More than any event handles; leaves room for sums in the database's integers.
MAX_AMOUNT = 10**12

_AMOUNT = re.compile(r"^(\d{1,12})(?:[.,](\d{1,2}))?$", re.ASCII)


def digits_of(currency: str) -> int:
    """Return the number of decimals of a currency."""
    return 0 if currency in _WHOLE else 2


def parse_amount(text: str, currency: str) -> int | None:
    """Return an amount such as "200" or "1 250,50" in the smallest unit, None if invalid.

    >>> parse_amount("1 250,5", "SEK"), parse_amount("12.345", "SEK"), parse_amount("-1", "SEK")
    (125050, None, None)
    """
    found = _AMOUNT.match("".join(text.split()))
    if found is None:
        return None
    whole, part = found.group(1), found.group(2) or ""
    digits = digits_of(currency)
    if len(part) > digits:
        return None
    amount = int(whole) * 10**digits + int(part.ljust(digits, "0") or 0)
    return amount if amount <= MAX_AMOUNT else None


def show_amount(amount: int, currency: str = "") -> str:
    """Return the amount for people, with sign and the reader's number format.

    >>> show_amount(-125050, "SEK"), show_amount(20000, "SEK"), show_amount(0)
    ('−1\\xa0250.50\\xa0SEK', '200\\xa0SEK', '0')
    """
    digits = digits_of(currency)
    whole, part = divmod(abs(amount), 10**digits)
    texts = texts_in(get_language())
    text = f"{whole:,}".replace(",", texts.thousand_separator)
    if part:
        text += f"{texts.decimal_separator}{part:0{digits}d}"
    text = ("\N{MINUS SIGN}" if amount < 0 else "") + text
    sign = texts.currencies.get(currency, currency)
    return texts.money.format(amount=text, currency=sign) if currency else text
