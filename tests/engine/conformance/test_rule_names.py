"""Rulebook §2 variants and §8 Rule set names, through ``rules`` and the header of a record."""

import itertools
import json

import pytest

from .runner import record, replay, run

PRESETS = ["festival", "sm", "svensk", "pagat", "basic", "wikipedia"]
LETTERS = [
    *("A", "B2", "B3", "B4", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O"),
    *("P", "P10", "Q", "R", "S", "T", "U", "V40", "V41", "V42", "V43", "V44", "V45", "V46"),
    *("V47", "V48", "Voff", "W", "X", "Y", "Z"),
]
EXTRAS = [
    *("reset", "quads-end", "sf10", "sf-wins", "limit42", "need-chicago-3", "breaker8"),
    *("win-again", "three-exchanges", "redeal-ten"),
    *("no-open", "final-hand-never", "quads52", "reset-one", "sf52"),
    *("royal-wins", "declarer-leads"),
]
#: Pairs that the text does not settle: see the rulebook's "where it makes sense".
OPEN = {("festival", "Y"), ("sm", "Y")}
REFUSED = {("festival", "win-again"), ("sm", "win-again")} | {
    (preset, name)
    for preset in ("festival", "sm", "svensk")
    for name in ("quads52", "reset-one", "sf52")
}
SINGLE = [
    pair for pair in itertools.product(PRESETS, LETTERS + EXTRAS) if pair not in OPEN | REFUSED
]


def rules_doc(*argv):
    ran = run("rules", *argv)
    assert (ran.code, ran.err) == (0, "")
    return ran.doc


def accepted(spec):
    ran = replay(record(spec))
    codes = [problem["code"] for problem in ran.doc["problems"]]
    assert (ran.code, codes) in [(0, []), (2, ["unknown_rules"])]
    return ran.code == 0


def test_s2_every_preset_and_variant_is_listed_with_a_sentence():
    listed = json.dumps(rules_doc())
    for name in [*PRESETS, "A", "Z", *EXTRAS]:
        assert f'"{name}"' in listed


def test_s2_sm_and_festival_differ_only_in_game_points_and_name():
    one, other = (json.loads(run("rules", name).out) for name in ("festival", "sm"))
    sheet = "a+20 1a:fl 2b:4k Tc2 3- 1- 2- Ca-b 1c:4k!"
    states = [replay(record(name, sheet)).doc["state"] for name in ("festival", "sm")]
    scores = [state["scores"] for state in states]
    assert scores[0] == scores[1]
    assert one != other


def test_s2_any_variant_on_any_preset():
    assert [pair for pair in SINGLE if not accepted("+".join(pair))] == []


CLASHES = [
    *(("svensk", a, b) for a, b in itertools.combinations(("B2", "B3", "B4"), 2)),
    ("svensk", "C", "D"),
    ("basic", "V40", "V41"),
    ("basic", "V48", "Voff"),
    ("svensk", "C", "reset"),
    ("pagat", "C", "reset"),
    *(("svensk", a, b) for a, b in itertools.combinations(("P", "P10", "breaker8"), 2)),
    ("festival", "V40", "V42"),
    ("svensk", "V42", "limit42"),
    ("pagat", "Voff", "V45"),
    ("pagat", "Voff", "limit42"),
    ("svensk", "W", "X"),
    ("festival", "W", "X"),
    ("pagat", "need-chicago-3", "X"),
    ("basic", "F", "three-exchanges"),
    ("pagat", "sf10", "sf-wins"),
    ("pagat", "win-again", "Z"),
    ("basic", "win-again", "Z"),
    # §9
    *(("pagat", "reset-one", name) for name in ("reset", "quads-end", "J", "C", "D")),
    *(("basic", "quads52", name) for name in ("C", "D")),
    *(
        ("wikipedia", name, scale)
        for name in ("quads52", "sf52", "reset-one")
        for scale in ("B2", "B3", "B4")
    ),
    *(("pagat", "sf52", name) for name in ("sf10", "sf-wins")),
    ("pagat", "final-hand-never", "Q"),
    ("basic", "no-open", "G"),
    ("pagat", "declarer-leads", "M"),
]


@pytest.mark.parametrize(("preset", "one", "other"), CLASHES, ids=["+".join(c) for c in CLASHES])
def test_s8_names_a_clash_names_both(preset, one, other):
    for pair in ((one, other), (other, one)):
        ran = replay(record("+".join((preset, *pair))))
        (problem,) = ran.doc["problems"]
        assert (ran.code, problem["code"], ran.doc["state"]) == (2, "unknown_rules", None)
        assert one in problem["message"]
        assert other in problem["message"]


@pytest.mark.parametrize("preset", ["festival", "sm", "svensk"])
@pytest.mark.parametrize("name", ["quads52", "reset-one", "sf52"])
def test_s9_preset_rule_sets_where_quads_reset_refuse_the_lifts(preset, name):
    (problem,) = replay(record(f"{preset}+{name}")).doc["problems"]
    assert problem["code"] == "unknown_rules"
    assert preset in problem["message"]
    assert name in problem["message"]


@pytest.mark.parametrize("preset", ["festival", "sm"])
def test_s8_names_win_again_clashes_where_the_game_ends_at_once(preset):
    (problem,) = replay(record(f"{preset}+win-again")).doc["problems"]
    assert problem["code"] == "unknown_rules"
    assert "win-again" in problem["message"]


UNKNOWN = [
    *("", " ", "+", "+C", "svensk+", "svensk++C", " svensk", "svensk ", "svensk +C", "svensk,C"),
    *("Svensk", "FESTIVAL", "Sm", "svensk+c", "svensk+k", "svensk+voff", "svensk+VOFF"),
    *("svensk+Reset", "svensk+b2", "svensk+p10", "pagat+SF10", "svensk+v42"),
    *("svensk+B", "svensk+V", "festival+B", "festival+V", "svensk+B1", "svensk+B5", "svensk+B22"),
    *("svensk+V39", "svensk+V49", "svensk+V", "svensk+V4", "svensk+V042", "svensk+V42.0"),
    *("svensk+P8", "svensk+P5", "svensk+AA", "svensk+1", "svensk+Å", "svensk+unknown", "C"),
    *("svensk+festival", "svensk+pagat", "C+svensk", "svensk+C+C", "svensk+V42+V42"),
    *("pagat+reset+reset", "svensk+N+O+N", "svensk+C\n", "svensk+\u0421", "svensk+V４２"),
    *("festival+\x00", "svensk C"),
]


def test_s8_names_unknown():
    assert [spec for spec in UNKNOWN if accepted(spec)] == []


@pytest.mark.parametrize("spec", ["", "whist", "svensk+c", "svensk+C+D", "svensk+V49"])
def test_rules_refuses_unknown_names(spec):
    ran = run("rules", spec)
    assert ran.code == 2
    assert ran.doc["valid"] is False
    assert [problem["code"] for problem in ran.doc["problems"]] == ["unknown_rules"]
    assert ran.doc["state"] is None


@pytest.mark.parametrize(
    "names",
    [("C", "N", "V42"), ("B3", "K", "P10"), ("reset", "limit42", "breaker8"), ("Q", "R", "U")],
    ids="+".join,
)
def test_s8_names_order_does_not_matter(names):
    docs = [rules_doc("+".join(("svensk", *p))) for p in itertools.permutations(names)]
    assert all(doc == docs[0] for doc in docs)


CHANGES = [
    *("A", "B2", "B3", "B4", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O"),
    *("P", "P10", "Q", "R", "S", "T", "U", "V40", "V48", "Voff", "W", "X", "Y", "Z"),
    *("quads-end", "sf10", "limit42", "need-chicago-3", "breaker8", "win-again", "redeal-ten"),
]


def test_s2_variants_of_svensk_differ_from_it_and_from_each_other():
    """Each one changes something, if only in card play."""
    digests = {variant: rules_doc(f"svensk+{variant}")["digest"] for variant in CHANGES}
    assert len(set(digests.values())) == len(CHANGES)
    assert rules_doc("svensk")["digest"] not in digests.values()


@pytest.mark.parametrize(
    ("spec", "same"),
    [
        ("festival+V45", "festival"),
        ("svensk+V45", "svensk"),
        ("festival+N", "festival"),
        ("festival+J", "festival"),
        ("festival+H", "festival"),
        ("festival+G", "festival"),
        ("festival+P10", "festival"),
        ("basic+F", "basic"),
        ("basic+G", "basic"),
        ("pagat+X", "pagat"),
        ("pagat+three-exchanges", "pagat"),
        ("svensk+reset", "svensk"),
        ("pagat+limit42", "pagat+V42"),
        ("svensk+C+N+V42", "svensk+V42+N+C"),
    ],
)
def test_s8_names_a_variant_that_changes_nothing_resolves_to_the_same(spec, same):
    assert rules_doc(spec)["digest"] == rules_doc(same)["digest"]
