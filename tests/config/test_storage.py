"""Static files as they are stored for serving."""

import re
from os.path import dirname, normpath
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage

from config.storage import StaticStorage
from tests.config.server import ROOT


@pytest.mark.parametrize(
    ("name", "written", "served"),
    [
        (
            "scoring/sheet.css",
            b"/* A\n   B */\n@media print {\n  a { top: 0; }\n}\n",
            b"@media print{a{top:0}}",
        ),
        ("scoring/table.js", b"// A\n/** B */\nif (a) {\n  b();\n}\n", b"if(a){b();}"),
        (
            "scoring/store.js",
            b'let a = 1; // one\nlet b = "c // d"; // it\'s\nlet c = `${a}  // e`;\n',
            b'let a=1;let b="c // d";let c=`${a}  // e`;',
        ),
        ("bootstrap/css/a.css", b"/* A */\n  a { top: 0; }\n", b"/* A */\n  a { top: 0; }\n"),
    ],
)
def test_own_files_are_served_without_comments(
    tmp_path: Path, name: str, written: bytes, served: bytes
) -> None:
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    saved = storage.save(name, ContentFile(written))
    assert (tmp_path / saved).read_bytes() == served


def plain(css: str) -> str:
    """Return a style sheet without comments and the spaces that mean nothing."""
    css = " ".join(re.sub(r"/\*.*?\*/", " ", css, flags=re.DOTALL).split())
    css = re.sub(r" ?([{};,>~!]) ?", r"\1", css)
    return re.sub(r"([:(]) | (?=\))", r"\1", css).replace(";}", "}")


def test_style_sheets_say_the_same_as_they_are_served(tmp_path: Path) -> None:
    """Inside some blocks the library takes `a :is(b)`, which must be `a *:is(b)`, for `a:is(b)`."""
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    for folder in ("scoring", "site", "tournaments"):
        for path in (ROOT / "static" / folder).rglob("*.css"):
            saved = storage.save(f"{folder}/{path.name}", ContentFile(path.read_bytes()))
            assert plain((tmp_path / saved).read_text()) == plain(path.read_text())


def test_all_own_files_have_names_by_their_content(tmp_path: Path) -> None:
    """Also where modules import each other: none that a browser stores is ever out of date."""
    source = FileSystemStorage(ROOT / "static", base_url="/static/")
    names = [str(path.relative_to(source.location)) for path in (ROOT / "static").rglob("*.*")]
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    for name in names:
        with source.open(name) as file:
            storage.save(name, file)
    processed = list(storage.post_process({name: (source, name) for name in names}))
    assert [result for _name, _named, result in processed if isinstance(result, Exception)] == []
    assert set(storage.hashed_files) == set(names)  # two that import each other would have none
    imported = {
        normpath(f"{dirname(name)}/{url}")
        for name in names
        if name.endswith(".js")
        for url in re.findall(
            r"""(?:from|import|import\() ?"(\.[^"]+)""",
            (tmp_path / storage.stored_name(name)).read_text(),
        )
    }
    assert {"scoring/count", "scoring/count/effects", "scoring/machine", "scoring/page"} <= {
        name.split(".")[0] for name in imported
    }
    assert imported <= set(storage.hashed_files.values())


def test_what_is_named_by_its_content_is_compressed(tmp_path: Path) -> None:
    source = FileSystemStorage(ROOT / "static", base_url="/static/")
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    for name in ("scoring/shell.js", "screens/screen.js"):
        with source.open(name) as file:
            storage.save(name, file)
    found = {name: (source, name) for name in ("scoring/shell.js", "screens/screen.js")}
    assert list(storage.post_process(found))
    named = {*storage.hashed_files.values()}
    packed = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.br")}
    assert packed == {f"{name}.br" for name in named}
    assert {path.with_suffix(".gz") for path in tmp_path.rglob("*.br")} == {*tmp_path.rglob("*.gz")}
