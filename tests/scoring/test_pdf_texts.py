"""Every sentence of the print is there in Swedish, and says the same things."""

import ast
import re
from pathlib import Path

import polib
import pytest

import scoring.pdf

SOURCES = sorted(Path(scoring.pdf.__file__).parent.glob("*.py"))
CATALOGUE = Path(scoring.pdf.__file__).parents[2] / "locale/pdf/sv/LC_MESSAGES/django.po"
PLACE = re.compile(r"%\((\w+)\)[sd]")


def messages():
    """Yield (context, message, plural) of every translated text in the sources."""
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            words = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            if node.func.id == "_":
                yield None, words[0], ""
            elif node.func.id == "pgettext":
                yield words[0], words[1], ""
            elif node.func.id == "ngettext":
                yield None, words[0], words[1]


@pytest.fixture(scope="module")
def catalogue():
    return polib.pofile(str(CATALOGUE))


def test_every_sentence_is_translated(catalogue):
    known = {(entry.msgctxt, entry.msgid): entry for entry in catalogue}
    used = {(context, message) for context, message, _ in messages()}
    assert len(used) > 80
    assert used - known.keys() == set()
    assert known.keys() - used == set()
    assert not catalogue.untranslated_entries()
    assert not catalogue.fuzzy_entries()


def test_translations_use_the_same_facts(catalogue):
    for entry in catalogue:
        facts = set(PLACE.findall(entry.msgid + entry.msgid_plural))
        for text in [entry.msgstr, *entry.msgstr_plural.values()]:
            if text:
                assert set(PLACE.findall(text)) <= facts, entry.msgid
        if not entry.msgid_plural:
            assert set(PLACE.findall(entry.msgstr)) == facts, entry.msgid
