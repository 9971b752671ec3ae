"""A language that nobody speaks, made from the English: «each text between marks», a third longer.

What of ours a page shows outside the marks cannot be translated, and what does not fit a phone in
it would not in German either. :func:`make` writes what a further language consists of, a folder for
the engine and catalogues, and nothing in the program is told of it but where they lie.
"""

import importlib
import pkgutil
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import django
import polib
from django.apps import apps

from config import texts
from engine.messages import en

CODE = "qps"
#: What makes texts longer: words, as in sentences.
_FILLER = "ñåmñ ëwört ïn lång "
_LETTER = re.compile(r"[^\W\d_]")


def marked(text: str) -> str:
    """Return a text of the language for an English one; placeholders stay as they are.

    >>> marked("Seat {number}"), marked(" in"), marked("%(a)s–%(b)s")
    ('«Seat {number} ñå»', ' «inñ»', '%(a)s–%(b)s')
    """
    plain = re.sub(r"%\(\w+\)[sd]|\{\w*\}|<[^>]*>", "", text).strip()
    if not _LETTER.search(plain):
        return text
    words = text.strip()
    before, after = text.split(words)
    longer = (_FILLER * 99)[: -(-len(plain) // 3)].rstrip()
    return f"{before}«{words}{' ' if ' ' in words else ''}{longer}»{after}"


def unmarked(text: str, known: Collection[str] = ()) -> list[str]:
    """Return the words outside the marks but ``known`` ones; a mark alone if its pair is cut off.

    >>> unmarked("Anna: «goes on «then» 7» Boat", ["Anna"]), unmarked("«goes o…")
    (['Boat'], ['«'])
    """
    left, depth = [], 0
    for part in re.split("([«»])", re.sub(r"https?://\S+", "", text)):
        if part == "«":
            depth += 1
        elif part == "»":
            depth -= 1
        elif depth == 0:
            left.append(part)
    found = [word for word in words(" ".join(left)) if word not in known]
    return found + ["«" if depth > 0 else "»"] * abs(depth)


def words(text: str) -> list[str]:
    """Return the words of a text, of two letters or more."""
    return re.findall(r"[^\W\d_]{2,}", text)


def make(folder: Path) -> Path:
    """Write the language: its folder in ``engine``, its catalogue for each app in ``locale``."""
    package = folder / "engine" / CODE
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    for info in pkgutil.iter_modules(en.__path__):
        english = importlib.import_module(f"{en.__name__}.{info.name}")
        (package / f"{info.name}.py").write_text("\n".join(_module(english)), encoding="utf-8")
    for source in (*texts.catalogues(), *_of_libraries()):
        if source.parts[-3] in {"sv", "en"}:
            ours = texts.BASE_DIR / "locale" in source.parents
            name = source.parts[-4 if ours else -5]
            target = folder / "locale" / name / CODE / "LC_MESSAGES"
            target.mkdir(parents=True)
            _catalogue(source).save_as_mofile(str(target / "django.mo"))
    return folder


def _module(english: Any) -> Iterator[str]:
    """Yield the lines of a module: the English one's data, with the texts marked."""
    yield f"from {english.__name__} import *"
    if english.__name__.endswith(".formats"):
        return
    for name, value in vars(english).items():
        if name.isupper() and not name.startswith("_") and name not in {"LOCALE", "MONEY"}:
            yield f"{name} = {_marked(value)!r}"


def _marked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _marked(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return tuple(map(_marked, value))
    return marked(value)


def _of_libraries() -> list[Path]:
    """Return the English catalogues of Django and of the installed apps of others."""
    folders = [
        Path(django.__file__).parent / "conf",
        *(Path(a.path) for a in apps.get_app_configs()),
    ]
    found = [folder / "locale" / "en" / "LC_MESSAGES" / "django.po" for folder in folders]
    return [path for path in found if path.exists()]


def _catalogue(source: Path) -> polib.POFile:
    """Return a catalogue with the texts of another one."""
    made = polib.POFile()
    made.metadata = {
        "Content-Type": "text/plain; charset=utf-8",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    for entry in polib.pofile(str(source)):
        if entry.msgid_plural:
            forms = {0: marked(entry.msgid), 1: marked(entry.msgid_plural)}
            new = polib.POEntry(msgid=entry.msgid, msgid_plural=entry.msgid_plural)
            new.msgstr_plural = forms
        else:
            new = polib.POEntry(msgid=entry.msgid, msgstr=marked(entry.msgid))
        new.msgctxt = entry.msgctxt
        made.append(new)
    return made
