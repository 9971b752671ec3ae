"""The languages: one folder each, with the same modules and names in it.

A language is found by its folder, here or where :func:`add_languages` looks as well. English is the
one that a reader of no other gets.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

DEFAULT = "en"

_HERE = __package__ or ""

Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language's data; each field is the constant of that name, in a module of the folder."""

    # grammar
    name: str
    show_page: str
    locale: str
    and_word: str
    letters: Texts
    currencies: Texts
    money: str
    plural: Callable[[int], str]
    # formats
    decimal_separator: str
    thousand_separator: str
    # words
    document: str
    seat: str
    categories: Texts
    a_category: Texts
    subjects: Texts
    entries: Texts
    rulings: Texts
    penalties: Texts
    statuses: Texts
    marks: Texts
    stages: Texts
    unusual: Texts
    ordinals: tuple[str, ...]
    # problems, table
    problems: Texts
    field_hints: Texts
    action_problems: Texts
    awaited: Texts
    # rules, fields, open_questions
    preset_names: Texts
    preset_texts: Texts
    variant_texts: Texts
    field_texts: Mapping[str, tuple[str, str]]
    value_texts: Texts
    open_questions: Mapping[str, Texts]
    # results
    wins: Texts
    win_names: Texts
    in_deal: str
    causes: Texts
    zeroed: str
    advances: Texts
    step_names: Texts
    steps: Texts
    # facts, reminder, reasons
    zeroed_now: str
    losses: Texts
    worth: Texts
    reminder: Texts
    reasons: Texts
    # prospects
    prospects: Texts
    scored: Texts
    # outlook
    places: tuple[str, ...]
    outlook: Texts
    outlook_of_wins: Texts
    # terminal
    terminal: Texts
    statistics: Texts


def languages() -> tuple[str, ...]:
    """Return the codes of all languages, English first.

    >>> languages()[0], "sv" in languages()
    ('en', True)
    """
    return tuple(_folders())


def add_languages(*folders: Path) -> None:
    """Look for languages in these folders, too; with none, only here again.

    Settings that list the languages must be read afterwards.
    """
    sys.modules[_HERE].__path__[1:] = map(str, folders)
    for known in (_folders, language, _load):
        known.cache_clear()


def texts_in(tag: str | None) -> Language:
    """Return the data of the language for a language tag."""
    return _load(language(tag))


@cache
def language(tag: str | None) -> str:
    """Return the code of the language for a language tag; English for unknown tags.

    >>> language("sv-FI"), language("sv_SE"), language("de")
    ('sv', 'sv', 'en')
    """
    code = (tag or "").lower().replace("_", "-")
    while code and code not in _folders():
        code = code.rpartition("-")[0]
    return code or DEFAULT


@cache
def _folders() -> dict[str, str]:
    """Return the name of each language's package by its code."""
    found = pkgutil.iter_modules(sys.modules[_HERE].__path__)
    names = sorted(
        {each.name for each in found if each.ispkg}, key=lambda name: (name != DEFAULT, name)
    )
    return {name.lower().replace("_", "-"): name for name in names}


@cache
def _load(code: str) -> Language:
    package = import_module(f"{_HERE}.{_folders()[code]}")
    found: dict[str, Any] = {}
    for each in pkgutil.iter_modules(package.__path__):
        module = import_module(f"{package.__name__}.{each.name}")
        found |= {name.lower(): value for name, value in vars(module).items()}
    return Language(**{field.name: found[field.name] for field in fields(Language)})
