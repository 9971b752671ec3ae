"""``python -m engine rules``: a rule set, or the list of all presets and variants."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

from ..errors import ChicagoError
from ..messages import LANGUAGES, preset_text, variant_text
from ..rules.presets import PRESETS
from ..rules.variants import VARIANTS, parse_rules
from ..sheet.record import dump_json
from .answers import unreadable
from .files import misused

USAGE: Final = """usage: python -m engine rules [NAME[+V...]]

Prints a rule set with its texts, or without a name the list of all presets and variants.
"""


def main(argv: Sequence[str]) -> int:
    """Exit 0, or 2 for a name that makes no rule set."""
    words = list(argv)
    if words in (["-h"], ["--help"]):
        print(USAGE, end="")
        return 0
    if len(words) > 1 or any(word.startswith("-") for word in words):
        return misused(USAGE)
    document: object = catalogue()
    status = 0
    if words:
        try:
            document = _described(words[0])
        except ChicagoError as error:
            document, status = unreadable(error), 2
    sys.stdout.write(dump_json(document) + "\n")
    return status


def _described(name: str) -> dict[str, object]:
    rules = parse_rules(name)
    texts = {
        lang: [
            preset_text(rules.preset, lang),
            *(variant_text(variant, lang) for variant in rules.variants),
        ]
        for lang in LANGUAGES
    }
    return {**rules.as_json(), "text": texts}


def catalogue() -> dict[str, Any]:
    """All presets and variants with a sentence each, in English and Swedish.

    >>> [preset["name"] for preset in catalogue()["presets"]][:2]
    ['festival', 'sm']
    """
    return {
        "presets": [
            {
                "name": preset.name,
                "text": {lang: preset_text(preset.name, lang) for lang in LANGUAGES},
                "digest": preset.rules.digest(),
            }
            for preset in PRESETS.values()
        ],
        "variants": [
            {"name": name, "text": {lang: variant_text(name, lang) for lang in LANGUAGES}}
            for name in VARIANTS
        ],
    }
