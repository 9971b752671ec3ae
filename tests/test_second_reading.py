"""The table of rulebook §9 (second_reading.md) and the cases it names."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ROW = re.compile(r"^\| (?!sentence|---)(.+) \| (.+) \|$", re.MULTILINE)
ROWS: list[tuple[str, str]] = ROW.findall((HERE / "second_reading.md").read_text("utf-8"))
TITLE, TEST = re.compile(r"\*([^*]+)\*"), re.compile(r"`([\w/]+\.py)::(\w+)`")
TITLES = re.compile(r"^§9 (.+)$", re.MULTILINE)


def names_in(path: Path) -> list[str]:
    return re.findall(r"^ *def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)


def written() -> set[str]:
    """Return the titles of §9 among the conformance tables."""
    tables = (HERE / "engine" / "conformance").glob("*.cases")
    return {title for table in tables for title in TITLES.findall(table.read_text("utf-8"))}


def test_every_sentence_names_existing_cases() -> None:
    titles = written()
    for sentence, cases in ROWS:
        assert TITLE.search(cases) or TEST.search(cases), sentence
        for title in TITLE.findall(cases):
            assert title in titles, sentence
        for path, name in TEST.findall(cases):
            assert name in names_in(HERE / path), sentence


def test_every_case_of_the_second_reading_is_named_by_a_sentence() -> None:
    named = {case for _sentence, cases in ROWS for case in TITLE.findall(cases)}
    assert written() == named
    named = {name for _sentence, cases in ROWS for _path, name in TEST.findall(cases)}
    conformance = (HERE / "engine" / "conformance").glob("test_*.py")
    found = {name for path in conformance for name in names_in(path) if name.startswith("test_s9_")}
    assert found <= named


def test_every_paragraph_of_the_rulebook_is_in_the_table() -> None:
    rulebook = (HERE.parent / "docs" / "rulebook.md").read_text("utf-8")
    _, _, paragraphs = rulebook.partition("## 9. Second reading")
    page = (HERE / "second_reading.md").read_text("utf-8").lower()
    named = re.findall(r"(?:^|\. )\*([A-Z][^*.(]+?)(?: \([^)]*\))?\.?\*", paragraphs, re.MULTILINE)
    assert len(named) >= 14
    for each in named:
        assert each.lower() in page, each
