"""docs/rules-decisions.md agrees with the engine: every field, preset and variant."""

from __future__ import annotations

import re
from pathlib import Path

from engine.errors import ERROR_CODES, WARNING_CODES
from engine.messages import preset_text, texts_in, value_text, variant_text
from engine.messages.open_questions import open_questions
from engine.rules.presets import PRESETS
from engine.rules.ruleset import FIELD_NAMES, QuadsReset
from engine.rules.variants import CLASHES, EXCLUSIVE, VARIANTS, clash_of
from engine.sheet.entries import ACTIONS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "rules-decisions.md"


def section(title: str) -> list[str]:
    """Return the lines below a heading."""
    (found,) = (
        part
        for part in PAGE.read_text(encoding="utf-8").split("\n## ")
        if part.startswith(f"{title}\n")
    )
    return found.splitlines()[1:]


def table(title: str) -> list[list[str]]:
    """Return the cells of a section's table, without the header."""
    lines = [line for line in section(title) if line.startswith("|")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


def bullets(title: str) -> list[str]:
    return [line for line in section(title) if line.startswith("- ")]


def ticked(names) -> str:
    return ", ".join(f"`{name}`" for name in names)


def changed_by(variant: str) -> list[str]:
    """Return the fields that a variant changes on at least one preset."""
    pairs = [
        (preset.rules, VARIANTS[variant].apply(preset.rules))
        for name, preset in PRESETS.items()
        if clash_of(name, {variant}) is None
    ]
    return [
        field
        for field in FIELD_NAMES
        if any(getattr(before, field) != getattr(after, field) for before, after in pairs)
    ]


def test_every_preset_is_described():
    assert bullets("Rule sets") == [f"- `{name}`: {preset_text(name)}" for name in PRESETS]


def test_every_field_is_described_with_its_value_in_every_preset():
    assert table("Rule sets") == [
        [
            f"{label} (`{name}`)",
            meaning,
            *(value_text(name, getattr(preset.rules, name)) for preset in PRESETS.values()),
        ]
        for name, (label, meaning) in texts_in("en").field_texts.items()
    ]


def test_every_variant_is_described_with_what_it_changes():
    assert table("Variants") == [
        [f"`{name}`", variant_text(name), ticked(changed_by(name)) or "nothing"]
        for name in VARIANTS
    ]


def test_contradicting_variants_are_named():
    chosen = [name for name, each in PRESETS.items() if each.rules.quads_reset is QuadsReset.CHOICE]
    resets = ", ".join(chosen)
    assert bullets("Variants") == [
        *(f"- two of {ticked(group)}" for group in EXCLUSIVE),
        *(f"- `{first}` with `{second}`" for first, second in CLASHES),
        "- `win-again` where the game ends at once (festival, sm)",
        f"- `quads52`, `reset-one`, `sf52` with rules whose quads reset ({resets})",
    ]


def test_the_open_questions_are_those_that_the_program_shows():
    assert table("What stays open") == [list(each) for each in open_questions("en")]


def test_every_decision_names_a_known_field_and_a_reason():
    rows = table("What the sources leave open")
    assert len({topic for topic, *_ in rows}) == len(rows) > 50
    english = texts_in("en")
    words = {*FIELD_NAMES, *VARIANTS, *english.entries, *ACTIONS, *english.wins}
    known = {*words, *ERROR_CODES, *WARNING_CODES, "win", "chicago", "breaker", "places"}
    parts = re.split(r"^## (\d+)\. ", PAGE.with_name("rulebook.md").read_text("utf-8"), flags=re.M)
    chapters = dict(zip(parts[1::2], parts[2::2], strict=True))
    for _, decision, where, reason in rows:
        for number, title in re.findall(r"§(\d)(?: ([^§]+?))?(?:, (?=§)|$)", decision):
            assert f"*{title}" in chapters[number] if title else number in chapters
        assert where
        assert set(where.split("`")[1::2]) <= known
        assert reason.endswith(".")
