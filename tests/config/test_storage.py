"""Static files as they are stored for serving."""

from pathlib import Path

import pytest
from django.core.files.base import ContentFile

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
        ("scoring/auditor.js", b"// A\n/** B */\nif (a) {\n  b();\n}\n", b"if(a){b();}"),
        (
            "scoring/queue.js",
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


@pytest.mark.parametrize("imports", ['import{a}from"./a.js";', 'import("./a.js");'])
def test_imports_inside_a_tables_modules_have_the_files_names(tmp_path: Path, imports: str) -> None:
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    for name, text in (("scoring/a.js", "a();"), ("scoring/b.js", imports)):
        storage.save(name, ContentFile(text.encode()))
    paths = {name: (storage, name) for name in ("scoring/a.js", "scoring/b.js")}
    list(storage.post_process(paths))
    named = storage.stored_name("scoring/a.js").removeprefix("scoring/")
    assert named != "a.js"
    text = (tmp_path / storage.stored_name("scoring/b.js")).read_text()
    assert text == imports.replace("a.js", named)


def test_all_own_files_get_names_by_their_content(tmp_path: Path) -> None:
    """Two scripts that import each other would have none."""
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    static = ROOT / "static"
    names = [str(path.relative_to(static)) for path in static.rglob("*.*")]
    for name in names:
        storage.save(name, ContentFile((static / name).read_bytes()))
    processed = list(storage.post_process({name: (storage, name) for name in names}))
    assert [result for _name, _named, result in processed if isinstance(result, Exception)] == []
    assert set(storage.hashed_files) == set(names)
