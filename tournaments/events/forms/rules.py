"""The choice of a rule set: a preset, and variants described in sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from engine.errors import ChicagoError
from engine.messages import preset_name, preset_text, say, variant_text
from engine.rules.presets import PRESETS
from engine.rules.ruleset import SPEC_SEPARATOR, RuleSet
from engine.rules.variants import VARIANTS, parse_rules
from scoring.words import lang

#: Variants that exclude each other: chosen from a list instead of ticked.
GROUPS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "B": (_("Points of the highest hands"), ("B2", "B3", "B4")),
    "P": (_("Who breaks a Chicago"), ("P", "P10", "breaker8")),
    "V": (
        _("From when a player may no longer exchange"),
        (*(f"V{limit}" for limit in range(40, 49)), "limit42", "Voff"),
    ),
}
_GROUPED = frozenset(name for _label, names in GROUPS.values() for name in names)
#: Variants for which the event has a field of its own.
OWN_FIELD = frozenset({"outs-zero"})
#: Change how cards are dealt and exchanged, but not what is written on the sheet.
CARDS_ONLY = frozenset(
    {"E", "G", "H", "I", "L", "M", "T", "redeal-ten", "no-open", "declarer-leads"}
)


@dataclass(frozen=True)
class Reading:
    """The rule set of a spec with each variant's sentence, or why the spec is invalid."""

    rules: RuleSet | None
    sentences: tuple[str, ...] = ()
    problem: str = ""
    cards_only: tuple[str, ...] = ()

    @property
    def points(self) -> tuple[str, str]:
        """Return the rule set's own game points for tables of four and of three."""
        if self.rules is None:
            return "", ""
        four, three = (self.rules.place_points(seats) for seats in (4, 3))
        return " ".join(map(str, four)), " ".join(map(str, three))


def read_rules(spec: str) -> Reading:
    """Return the meaning of a spec in the reader's language."""
    try:
        rules = parse_rules(spec)
    except ChicagoError as error:
        return Reading(None, problem=say(error, lang()))
    texts = (variant_text(name, lang()) for name in rules.variants)
    return Reading(
        rules,
        (preset_text(rules.preset, lang()), *texts),
        cards_only=tuple(name for name in rules.variants if name in CARDS_ONLY),
    )


def spec_of(data: Mapping[str, Any], name: str = "rules") -> str:
    """Return the spec that the form's fields make: a preset and the chosen variants."""
    preset = str(data.get(name) or "").strip()
    chosen = data.getlist(f"{name}_variants") if isinstance(data, MultiValueDict) else []
    return SPEC_SEPARATOR.join([preset, *(part for part in map(str, chosen) if part)])[:400]


class RulesWidget(forms.Widget):
    """A list of presets, and below it the variants with what each changes."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return the spec made of the parts."""
        return spec_of(data, name)

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        """Return whether the form lacked this field."""
        return name not in data

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        attrs = self.build_attrs(self.attrs, attrs)
        preset, *chosen = str(value or "festival").split(SPEC_SEPARATOR)
        invalid = "is-invalid" in str(attrs.get("class", ""))
        return SafeString(
            render_to_string(
                "tournaments/events/_rules_field.html",
                {
                    "name": name,
                    "id": attrs.get("id", f"id_{name}"),
                    "disabled": bool(attrs.get("disabled")),
                    "invalid": invalid,
                    # An unknown name stays in the list, so that no input is lost.
                    "presets": [
                        (key, preset_name(key, lang()) if key in PRESETS else "", key == preset)
                        for key in [*PRESETS, *([] if preset in PRESETS else [preset])]
                    ],
                    "singles": [
                        (key, variant_text(key, lang()), key in chosen)
                        for key in VARIANTS
                        if key not in _GROUPED and (key not in OWN_FIELD or key in chosen)
                    ],
                    "groups": [
                        (
                            label,
                            [(key, variant_text(key, lang()), key in chosen) for key in names],
                        )
                        for label, names in GROUPS.values()
                    ],
                    "unknown": [key for key in chosen if key not in VARIANTS],
                    "count": len(chosen),
                    "reading": read_rules(str(value or "festival")),
                },
            )
        )
