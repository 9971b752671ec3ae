"""What a spreadsheet would make of a text that it reads from a CSV file, and the guard against it.

An apostrophe in front keeps a text a text. Reading takes back what writing has put there, and
nothing else.
"""

import re

#: What would run as a formula, even after whitespace; some programs take the wide signs, too.
_FORMULA = r"\s*[=+\-@\t\r\n|%＝＋－＠]"
#: Numbers, and what is taken for one or for a day or a time: 007, 1E3, 46 2/3, 1-2, 10:30, 5 %.
_NUMBER = r"[\s.,:/\-+()%]*\d[\s\d.,:/\-+()%]*(?:e[+\-]?\d+)?\s*(?:[ap]m|kr|%)?\s*\Z"
#: The first letters of months in English and Swedish: "10 dec", "mars-5", "MARCH1".
_MONTH = (
    r"(?:jan|feb|mar|apr|ma[yj]|jun|jul|aug|sep|o[ck]t|nov|dec)"
    r"(?:uary|ch|s|il|e|y|i|ust|t|tember|ober|ember|uari|ruari|ruary|usti)?\.?"
)
_DAY = rf"(?:\d{{1,4}}[\s./\-]*{_MONTH}(?:[\s./\-]*\d{{1,4}})?|{_MONTH}[\s./,\-]*\d[\d\s,./\-]*)\Z"
#: Truth values in English and Swedish.
_TRUTH = r"(?:true|false|sant|falskt)\Z"
# Any apostrophes before: what has one already gets another, and so comes back as it was.
_CHANGED = re.compile(rf"'*(?:{_FORMULA}|{_NUMBER}|{_DAY}|{_TRUTH})", re.IGNORECASE)
#: Control characters that XML, and so XLSX, does not allow.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def guarded(text: str) -> str:
    """Return a text that stays a text in a spreadsheet.

    >>> guarded("=1+1"), guarded("0701234567"), guarded("10-12"), guarded("Anna 2")
    ("'=1+1", "'0701234567", "'10-12", 'Anna 2')
    """
    return f"'{text}" if _CHANGED.match(text) else text


def unguarded(text: str) -> str:
    """Return the text that :func:`guarded` was given.

    >>> unguarded("'+46 70"), unguarded("'t Hooft")
    ('+46 70', "'t Hooft")
    """
    return text[1:] if text.startswith("'") and _CHANGED.match(text) else text


def without_control(text: str) -> str:
    return _CONTROL.sub("", text)
