"""Every text on the pages has its translation into every language."""

import os
import re
from collections import Counter
from pathlib import Path

import polib
import pytest

from config import texts
from engine.messages import texts_in

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


def test_every_text_in_the_sources_is_translated() -> None:
    lacking = [
        f"{code} {message.where}: {message.text}"
        for code, found in texts.missing().items()
        for message in found
    ]
    assert lacking == []


def test_no_translation_is_unfinished() -> None:
    unfinished = [
        f"{path.parts[-4]}: {entry.msgid}"
        for path in texts.catalogues()
        for entry in polib.pofile(str(path))
        if not entry.translated()
    ]
    assert unfinished == []


def test_a_text_is_in_one_catalogue_of_a_language_and_in_the_sources() -> None:
    stand = [
        (path.parts[-3], entry.msgctxt, entry.msgid)
        for path in texts.catalogues()
        for entry in polib.pofile(str(path))
    ]
    assert [text for text, times in Counter(stand).items() if times > 1] == []
    in_sources = {(message.context, message.text) for message in texts.messages_in_sources()}
    assert {(context, text) for _language, context, text in stand} - in_sources == set()


def test_what_the_engine_names_is_in_no_catalogue() -> None:
    texts_of = texts_in("en")
    kinds = (
        *(texts_of.categories, texts_of.penalties, texts_of.rulings),
        *(texts_of.stages, texts_of.statuses, texts_of.step_names),
    )
    named = {text.lower() for kind in kinds for text in kind.values()}
    stand = {
        entry.msgid.lower()
        for path in texts.catalogues()
        for entry in polib.pofile(str(path))
        if entry.msgctxt != "column"  # heads of columns are shorter
    }
    # Only administrators see what models and their fields are called.
    assert stand & named - {"", "flip flop", "points off"} == set()


def test_translations_keep_their_placeholders() -> None:
    wrong = []
    for path in texts.catalogues():
        for entry in polib.pofile(str(path)):
            forms = [entry.msgstr] if entry.msgstr else list(entry.msgstr_plural.values())
            wanted = [set(PLACEHOLDER.findall(entry.msgid))]
            if entry.msgid_plural:
                # "One heat" may leave the number out, and "%(count)s share it" a single name.
                wanted.append(set(PLACEHOLDER.findall(entry.msgid_plural)))
                wanted = [each - {"%(count)s"} for each in wanted]
            known = set(PLACEHOLDER.findall(f"{entry.msgid} {entry.msgid_plural}"))
            for form in forms:
                found = set(PLACEHOLDER.findall(form))
                if not found <= known or not any(each <= found for each in wanted):
                    wrong.append(f"{entry.msgid!r} → {form!r}")
    assert wrong == []


def test_no_sentence_bends_by_the_name_of_a_round() -> None:
    # A name is singular or plural ("Final", "Semi-finals"), so it stands beside a colon.
    bent = [
        text
        for path in texts.catalogues()
        for entry in polib.pofile(str(path))
        for text in (entry.msgid, entry.msgstr)
        if "%(stage)s" in text and not re.search(r"%\(stage\)s: |: %\(stage\)s", text)
    ]
    assert bent == []


@pytest.mark.parametrize(
    ("name", "source", "found"),
    [
        (
            "page.html",
            '{% load i18n %}{% translate "Seat" %}{% translate "Open" context "heat" %}',
            [(None, "Seat", None), ("heat", "Open", None)],
        ),
        (
            "count.html",
            "{% blocktranslate count n=n %}one{% plural %}{{ n }} deals{% endblocktranslate %}",
            [(None, "one", "%(n)s deals")],
        ),
        (
            "code.py",
            "_('Deal'), pgettext('sheet', 'Trick'), ngettext('%(n)d point', '%(n)d points', n)",
            [
                (None, "Deal", None),
                ("sheet", "Trick", None),
                (None, "%(n)d point", "%(n)d points"),
            ],
        ),
    ],
)
def test_texts_are_found_in_templates_and_code(
    tmp_path: Path, name: str, source: str, found: list[tuple[str | None, str, str | None]]
) -> None:
    (tmp_path / name).write_text(source, encoding="utf-8")
    messages = list(texts.messages_in(tmp_path / name, tmp_path))
    assert [(message.context, message.text, message.plural) for message in messages] == found


def test_catalogues_are_compiled_when_their_sources_are_newer(tmp_path: Path) -> None:
    folder = tmp_path / "locale" / "scoring" / "sv" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": "text/plain; charset=utf-8"}
    catalogue.append(polib.POEntry(msgid="trick", msgstr="stick"))
    catalogue.save(str(folder / "django.po"))
    assert [path.name for path in texts.compile_all(tmp_path)] == ["django.mo"]
    assert texts.compile_all(tmp_path) == []
    assert polib.mofile(str(folder / "django.mo"))[0].msgstr == "stick"
    later = (folder / "django.mo").stat().st_mtime + 10
    os.utime(folder / "django.po", (later, later))
    assert [path.name for path in texts.compile_all(tmp_path)] == ["django.mo"]
