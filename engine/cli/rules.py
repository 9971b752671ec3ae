"""``chicago-engine rules``: one rule set, or the list of all presets and variants."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..answers import unreadable
from ..documents import CatalogueDocument
from ..errors import ChicagoError
from ..messages import describe, languages, preset_text, variant_text
from ..rules.presets import PRESETS
from ..rules.variants import VARIANTS, parse_rules
from .files import command, show
from .readable import sentences


def main(argv: Sequence[str]) -> int:
    """Exit 0, or 2 for an unknown rule set."""
    parser = command("rules", "A rule set with its texts, or the list of all presets and variants.")
    parser.add_argument("name", nargs="?", metavar="NAME[+V...]", help="such as svensk+C+N")
    options = parser.parse_args(argv)
    lang, status = options.lang, 0
    document: Any
    try:
        document = catalogue() if options.name is None else _described(options.name)
    except ChicagoError as error:
        document, status = unreadable(error, lang), 2
    show(document, options, partial(_readable, document, options.name, lang))
    return status


def _readable(document: dict[str, Any], name: str | None, lang: str) -> list[str]:
    if "problems" in document:
        return sentences(document)
    if name is None:
        listed = [*document["presets"], *document["variants"]]
        return [f"{each['name']:16}{each['text'][lang]}" for each in listed]
    rules = parse_rules(name)
    fields = [f"  {field.label}: {field.value}" for field in describe(rules, lang)]
    return [rules.spec, *document["text"][lang], *fields]


def _described(name: str) -> dict[str, object]:
    rules = parse_rules(name)
    texts = {
        lang: [
            preset_text(rules.preset, lang),
            *(variant_text(variant, lang) for variant in rules.variants),
        ]
        for lang in languages()
    }
    return {**rules.as_json(), "text": texts}


def catalogue() -> CatalogueDocument:
    """Return all presets and variants with a sentence each, in every language.

    >>> [preset["name"] for preset in catalogue()["presets"]][:2]
    ['festival', 'sm']
    """
    return {
        "presets": [
            {
                "name": preset.name,
                "text": {lang: preset_text(preset.name, lang) for lang in languages()},
                "digest": preset.rules.digest(),
            }
            for preset in PRESETS.values()
        ],
        "variants": [
            {"name": name, "text": {lang: variant_text(name, lang) for lang in languages()}}
            for name in VARIANTS
        ],
    }
