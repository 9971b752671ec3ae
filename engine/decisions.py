"""The rules in words, and the table of what the sources leave open (rulebook §2, §8).

``python -m engine.decisions`` prints docs/rules-decisions.md; a test holds the file against it.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.messages.fields import FIELD_TEXTS, VALUE_TEXTS
from engine.messages.sentences import language
from engine.presets import PRESETS
from engine.ruleset import FIELD_NAMES, RuleSet
from engine.variants import CLASHES, EXCLUSIVE, VARIANTS, clash_of


@dataclass(frozen=True, slots=True)
class FieldText:
    """One field of a rule set in words: its name, label, meaning and value."""

    name: str
    label: str
    meaning: str
    value: str


def value_text(name: str, value: object, lang: str = "en") -> str:
    """Return a field's value in words.

    >>> from engine.presets import FESTIVAL
    >>> value_text("need", FESTIVAL.need), value_text("need", FESTIVAL.need, "sv")
    ('a Chicago played', 'en spelad chicago')
    """
    words = VALUE_TEXTS[language(lang)]
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    found = words.get(f"{name}={value}")
    if found is None:
        found = words.get(str(value))
    return str(value) if found is None else found


def describe(rules: RuleSet, lang: str = "en") -> tuple[FieldText, ...]:
    """Return every field of a rule set in words, for a page that shows the rules.

    >>> from engine.presets import FESTIVAL
    >>> [field.value for field in describe(FESTIVAL) if field.name == "discardless"]
    ['45']
    """
    texts = FIELD_TEXTS[language(lang)]
    return tuple(
        FieldText(name, *texts[name], value_text(name, getattr(rules, name), lang))
        for name in FIELD_NAMES
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing that the sources leave open: what holds here, where it is set, and why."""

    topic: str
    decision: str
    where: str
    reason: str


def _decide(*rows: tuple[str, str, str, str]) -> tuple[Decision, ...]:
    return tuple(Decision(*row) for row in rows)


#: Where the sources are silent or contradict themselves.
DECISIONS: tuple[Decision, ...] = _decide(
    (
        "Players in basic and wikipedia",
        "2 to 4",
        "`players_min`, `players_max`",
        "Neither text gives a number; the other three do.",
    ),
    (
        "Royal flush in basic and wikipedia",
        "8, a straight flush like any other",
        "`hand_points`, `royal_as_straight_flush`",
        "Their tables end with the straight flush. With `sf10` both are worth 10.",
    ),
    (
        "Equal best hands in basic and wikipedia",
        "nobody scores",
        "all rule sets",
        'They say that "only one player" gets points.',
    ),
    (
        "End of the game in basic and wikipedia",
        "after the deal",
        "`ending`",
        "Their variation about two players at 52 in one deal makes sense only then.",
    ),
    (
        "Lead in a Chicago where nothing is said",
        "forehand",
        "`chicago_lead`",
        "Nothing is said, so that the ordinary lead stays.",
    ),
    (
        "Final hand in a Chicago deal in basic and wikipedia",
        "only if the Chicago was won",
        "`final_hand_in_chicago`",
        "As in pagat, where a lost Chicago ends the deal.",
    ),
    (
        "Scores below zero in basic and wikipedia",
        "allowed",
        "`floor`",
        "They take 15 or 20 points off whatever the score.",
    ),
    (
        "A Chicago that nobody broke",
        "lost without a bonus",
        "`chicago` without `breaker`",
        "A declarer may revoke or concede; then nobody has overtaken.",
    ),
    (
        "Only one player left in the game",
        "wins at once",
        "`win`: `last_standing`",
        "Nobody is left to play against.",
    ),
    (
        "Players who went out",
        "placed behind everybody still in, sharing their places",
        "`out_points`, variant `outs-zero`",
        "Going out loses to staying in, even on 0; a director may give outs nothing.",
    ),
    (
        "Outs after a royal flush under `outs-zero`",
        "still nothing; the others share the places above them",
        "`out_points`",
        "The director chose that going out is worth nothing, however the game ends.",
    ),
    (
        "A straight flush that makes the score 52, with target 51",
        "the score becomes 52 all the same",
        "`straight_flush`, `royal_flush`",
        "52 is what the sources write on the sheet; the target only says when a game is won.",
    ),
    (
        "`sf-wins` where a straight flush wins already",
        "52 points are added (festival: instead of making it 52)",
        "`straight_flush`, `royal_flush`",
        "The variant says +52 and the game; a reset by the royal flush stays as it was.",
    ),
    (
        "`D` with `K` and `quads-end`",
        "points end the deal, so four of a kind does; shown before the tricks it resets nobody",
        "`quads_end_deal`, `reset_ends_deal`",
        "`quads-end` says always, and under `K` no reset comes before the tricks.",
    ),
    (
        "Revoke of every player in a deal",
        (
            "the last trick cannot be written; the director lets the players sit out and the deal "
            "closes"
        ),
        "rulings",
        "The rules know no such deal; a deal in which nobody is left for the tricks closes.",
    ),
    (
        "Variant B on rule sets where four of a kind only scores",
        "it may reset there too, ends the deal and does not bind",
        "`quads_reset`, `quads_bound`",
        'The scales say "7 or reset" and "8 or reset"; with `C` nothing of the reset is left.',
    ),
    (
        "Variant B with `D`",
        "the scale's points for four of a kind and the reset",
        "`hand_points`, `quads_reset`",
        "The one says what it is worth, the other what it does besides.",
    ),
    (
        "`sf10` where a straight flush wins",
        "it is worth 10 and wins nothing; a royal flush goes on winning",
        "`hand_points`, `straight_flush`",
        "The variant names only the straight flush.",
    ),
    (
        "A limit on exchanging in basic and wikipedia",
        "from the next deal",
        "`discardless_from`",
        "As in every rule set that plays its deals to the end.",
    ),
    (
        "Hands shown before the tricks",
        "only those that end the game or the deal; any other is `unexpected_kind`",
        "`straight_flush`, `royal_flush`, `quads_reset`, `reset_ends_deal`, `quads_end_deal`",
        "Everything else is compared after the tricks.",
    ),
    (
        "A winning flush written down after the tricks, or as the final hand of a Chicago deal",
        "it wins as before the tricks",
        "`straight_flush`, `royal_flush`",
        "Nothing says that it loses its worth by being shown late.",
    ),
    (
        "A reset under `K` in the final phase",
        "with the final hand, after the tricks; it may be repeated and does not bind",
        "`reset_ends_deal`",
        "The deal goes on, so that the tricks are still to be played.",
    ),
    (
        "`D`: four of a kind after the tricks",
        "points only",
        "`quads_reset`",
        "A reset is for the time until the tricks.",
    ),
    (
        "A reset after a Chicago",
        "not allowed",
        "`reset_not_allowed`",
        "As after any tricks.",
    ),
    (
        "Blind Chicago on the sheet",
        (
            "the first entry of a deal, from any score; it closes the deal and counts as a "
            "Chicago played, also for `S`; a breaker gets the rule set's bonus"
        ),
        "`blind_chicago`",
        "It is declared before anybody has seen a card, and is a Chicago in all else.",
    ),
    (
        "Blind Chicago won with a deuce",
        "60 points, and the game is won",
        "`blind_deuce`",
        "The encyclopedia calls it a game won at once.",
    ),
    (
        "Revokes and illegal discards outside the tournament rules",
        "not on the sheet",
        "`offences`",
        "Only the tournament rules name a penalty; elsewhere the table settles it.",
    ),
    (
        "What a revoke takes off",
        (
            "the seat's hand points of this deal since it was last set to zero; a score that "
            "a ruling has lowered to zero was not set to zero"
        ),
        "`revoke`",
        "What a reset has taken cannot be taken again.",
    ),
    (
        "After a revoke",
        "no hands before the tricks and no illegal discards in this deal",
        "`unexpected_kind`",
        "A revoke happens during the tricks, so that both are past.",
    ),
    (
        "The least score of a declarer who revokes",
        "asked for as it was before the revoke",
        "`chicago_minimum`",
        "The Chicago was declared before the tricks, the revoke took its points after.",
    ),
    (
        "A dead hand and a Chicago",
        "it can neither take the last trick, break nor win one; it may lose one",
        "`dead_hand`",
        "The hand takes part in no trick any more, but a declarer may revoke.",
    ),
    (
        "Sitting a deal out by a ruling",
        "for the rest of this deal; earlier points stay and the deal passes on as usual",
        "`sit_out_deal`",
        "The ruling speaks of the deal, not of the game.",
    ),
    (
        "A disqualified player's score",
        "stays as it was; the last places and 0 game points",
        "`disqualify`",
        "The sheet shows what was played; the places show what it counts.",
    ),
    (
        "Several disqualified players in a game",
        "one group in `places`, 0 game points each",
        "`places`",
        "Nothing is left to tell them apart by.",
    ),
    (
        "Time is up",
        "placed by score, the unfinished deal's points included; no look at the target",
        "`end_game`",
        "Nobody has won, and nobody is punished for a deal that was not played out.",
    ),
    (
        "Points by a ruling where the deal is played to its end",
        (
            "they meet the target when the deal closes; under `Z` also with the next "
            "exchange's scoring"
        ),
        "`ending`",
        "As all other points of that deal.",
    ),
    (
        "A reset and scores below zero",
        "they rise to 0",
        "`floor`",
        "The sources say that the others go to zero.",
    ),
    (
        "A winning flush from below zero",
        '"+52" wins only if it reaches the target, else the deal is over; "becomes 52" wins',
        "`straight_flush`, `royal_flush`",
        "The points are what wins.",
    ),
    (
        "A winning flush where the deal is played to its end",
        "the game is over at once and the others' scores stay, but for the royal's reset",
        "`ending`",
        "There is no close of the deal at which to look at them.",
    ),
    (
        "Several at the target when a deal closes",
        "the highest wins; equal ones share the win",
        "`ending`",
        "As svensk says; the others do not contradict.",
    ),
    (
        "`Y`: what counts",
        (
            "the last trick or a won Chicago of the deal now closing; who lacks the Chicago "
            "that is needed is zeroed all the same, and winning flushes win regardless"
        ),
        "`trick_to_win`",
        "The variant adds a condition and takes none away.",
    ),
    (
        "`Y` where the game ends at once",
        (
            "it ends as soon as a player at the target has taken this deal's last trick or "
            "won its Chicago"
        ),
        "`trick_to_win`",
        '"At once" and the condition both hold.',
    ),
    (
        "`Y` with `win-again`",
        "who won by `win-again` has met `Y` as well",
        "`win_again`",
        "Both ask for the same trick.",
    ),
    (
        "`Y` with `Z`",
        "nobody wins before the tricks of a deal; zeroing and the limit are early",
        "`trick_to_win`, `ending`",
        "Before the tricks nobody has taken one.",
    ),
    (
        "`W` and `need-chicago-3` where nobody is set to zero",
        "zeroed, plays on",
        "`missing`",
        "As svensk does; going out belongs to the tournament rules.",
    ),
    (
        "`need-chicago-3` and points by a ruling",
        "zeroed at once too",
        "`need_won_with_three`",
        "It says at once, whatever the points come from.",
    ),
    (
        "Falling below the target under `win-again`",
        "disarms, even if the deal closes at the target again",
        "`win_again`",
        "The points have to be kept.",
    ),
    (
        '"From the next deal"',
        (
            "exchanging ends when a deal closes, and is allowed again at once when the score "
            "falls below"
        ),
        "`discardless_from`",
        "A limit is a matter of the score; only its beginning waits.",
    ),
    (
        "A royal flush that resets nobody",
        "the others are placed by score",
        "`royal_resets`",
        "Only the reset makes them equal.",
    ),
    (
        "Game points of two players",
        "the first two of the table",
        "`game_points`",
        "The places are the same, only fewer.",
    ),
    (
        "`B4`: a royal flush without its suit",
        "`missing_suit`, before the tricks too",
        "`royal_hearts_only`",
        "It may be the one in hearts; the Auditor has to look.",
    ),
    (
        "A player disqualified in any finished game of a heat",
        "last in the heat, cannot go on, is out in the outlook; among several the chain decides",
        "ranking of heats",
        "A heat is one session; who is thrown out of it does not win it.",
    ),
    (
        "Undecided ties in a heat",
        "the tied share a place and none of them is listed as going on until the flip-flop",
        "ranking of heats",
        "The list names those who certainly go on.",
    ),
    (
        "Games of other rules or other players in a heat",
        "the heat is not read: `other_rules`, `other_players`",
        "reader of heats",
        "It is not one heat.",
    ),
    (
        "A hand both rare and against a standing hand",
        "two warnings",
        "`rare_hand`, `standing_hand`",
        "They are two questions.",
    ),
    (
        "A hand with a wrong phase number before the tricks",
        "`wrong_phase` where a hand may be shown, `unexpected_kind` where none may",
        "order of the codes",
        "The phase is wrong only if the kind fits.",
    ),
    (
        "Several standing hands contradict one entry",
        "one warning: the scoring seat's own hand first, else the highest",
        "`standing_hand`",
        "The Auditor should look at one thing at a time.",
    ),
    (
        "Repeated keys, NaN and non-UTF-8 text in a document",
        "`malformed`; a byte order mark is skipped",
        "reader of records",
        "Different readers would understand different games.",
    ),
)


def rules_decisions() -> str:
    """Return the text of docs/rules-decisions.md."""
    lines = [
        "# The rules as this program plays them",
        "",
        "Made from the rule sets themselves by `python -m engine.decisions`; do not edit.",
        "Every line is a field of `RuleSet`, so a tournament director can see what a rule set",
        "does, and what a variant would change.",
        "",
        "## What the sources leave open",
        "",
        "| question | what holds | where | why |",
        "|---|---|---|---|",
    ]
    lines += [f"| {row.topic} | {row.decision} | {row.where} | {row.reason} |" for row in DECISIONS]
    lines += ["", "## Rule sets", ""]
    lines += [f"- `{name}`: {preset.text()}" for name, preset in PRESETS.items()]
    lines += [
        "",
        "| field | meaning | " + " | ".join(PRESETS) + " |",
        "|---" * (len(PRESETS) + 2) + "|",
    ]
    for name in FIELD_NAMES:
        label, meaning = FIELD_TEXTS["en"][name]
        values = [value_text(name, getattr(preset.rules, name)) for preset in PRESETS.values()]
        lines.append(f"| {label} (`{name}`) | {meaning} | " + " | ".join(values) + " |")
    lines += [
        "",
        "## Variants",
        "",
        "Any of them may stand behind a preset, `svensk+C+N`; their order does not matter.",
        "",
        "| variant | what it says | what it changes on the rule sets |",
        "|---|---|---|",
    ]
    lines += [
        f"| `{name}` | {variant.text()} | {_changes(name)} |" for name, variant in VARIANTS.items()
    ]
    lines += ["", "These contradict each other:", ""]
    lines += [f"- two of {', '.join(f'`{name}`' for name in group)}" for group in EXCLUSIVE]
    lines += [f"- `{first}` with `{second}`" for first, second in CLASHES]
    lines += ["- `win-again` where the game ends at once (festival, sm)", ""]
    return "\n".join(lines)


def _changes(name: str) -> str:
    """The fields that a variant changes on at least one preset."""
    changed: list[str] = []
    for preset, item in PRESETS.items():
        if clash_of(preset, {name}) is not None:
            continue
        rules = VARIANTS[name].apply(item.rules)
        changed += [
            field
            for field in FIELD_NAMES
            if field not in changed and getattr(rules, field) != getattr(item.rules, field)
        ]
    return ", ".join(f"`{field}`" for field in FIELD_NAMES if field in changed) or "nothing"


if __name__ == "__main__":
    print(rules_decisions(), end="")
