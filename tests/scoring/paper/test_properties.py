"""Whatever the names, scores and entries: a protocol is printed and stays on its page."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.variants import parse_rules
from engine.sheet.facts import ScoreChanged
from engine.sheet.legality import candidates
from scoring.paper import Labels, PaperHeat, empty_protocols_pdf, render
from scoring.paper.data import DealRow, EntryRow, RankingRow, Zeroed
from tests.scoring.paper import eyes
from tests.scoring.paper.factory import game, heat, seat

NAMES = st.text(alphabet=st.characters(exclude_categories=()), max_size=50)
#: The program makes addresses itself, so they only contain what a QR code can encode.
ADDRESSES = st.text(alphabet=st.characters(codec="utf-8"), max_size=50)
SCORES = st.one_of(st.integers(0, 70), st.integers(-70, 200), st.integers(-(10**9), 10**9))
CAUSES = st.sampled_from(["hand", "breaker", "reset", "no_chicago"])
FACTS = st.lists(st.builds(ScoreChanged, st.integers(0, 4), SCORES, SCORES, CAUSES)).map(tuple)
POINTS = st.one_of(
    st.none(), st.fractions(0, 20, max_denominator=12), st.fractions(0, 20, max_denominator=3)
)
WINS = [None, "target", "straight_flush", "royal_flush", "blind_chicago", "last_standing", "ended"]


ZEROED = st.builds(
    Zeroed, st.integers(1, 30), SCORES, st.sampled_from(["no_chicago", "reset", "royal_flush"])
)


@st.composite
def seats_of(draw, count):
    """Draw the rows of one game."""
    return tuple(
        seat(
            index,
            draw(NAMES),
            draw(SCORES),
            executed=draw(st.booleans()),
            asterisks=draw(st.integers(0, 12)),
            status=draw(st.sampled_from(["in", "out", "disqualified"])),
            discardless=draw(st.booleans()),
            place=draw(st.one_of(st.none(), st.just((1, count)), st.integers(1, count))),
            points=draw(POINTS),
            zeroed=tuple(draw(st.lists(ZEROED, max_size=4))),
        )
        for index in range(count)
    )


#: Every kind of entry, by four seats.
ENTRIES = [entry.as_json() for entry in candidates(parse_rules("wikipedia+B4"), 4)]


@st.composite
def entries(draw):
    """Draw an entry, legal or not: the print never judges."""
    fields = {**draw(st.sampled_from(ENTRIES)), "reason": draw(NAMES)}
    return EntryRow(draw(st.integers(1, 999)), fields, draw(FACTS))


@st.composite
def heats(draw):
    count = draw(st.integers(2, 4))
    games = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        deals = tuple(
            DealRow(
                n + 1,
                draw(st.integers(0, 3)),
                tuple(draw(st.lists(entries(), max_size=6))),
                tuple(draw(st.lists(SCORES, max_size=4))),
            )
            for n in range(draw(st.integers(0, 3)))
        )
        games.append(
            game(
                number,
                draw(seats_of(count)),
                status=draw(st.sampled_from(["waiting", "running", "finished"])),
                win=draw(st.sampled_from(WINS)),
                winners=tuple(draw(st.sets(st.integers(0, count - 1)))),
                deals=deals,
            )
        )
    ranking = tuple(
        RankingRow(
            place=place + 1,
            player_id=str(place),
            name=draw(NAMES),
            game_points=draw(st.fractions(-20, 80, max_denominator=12)),
            points_per_game=tuple(draw(st.lists(POINTS, max_size=4))),
            score_points=draw(SCORES),
            asterisks=draw(st.integers(0, 20)),
            decided_by=draw(
                st.sampled_from([None, "game_points", "score_points", "asterisks", "flip_flop"])
            ),
            advances=draw(st.booleans()),
        )
        for place in range(draw(st.integers(0, count)))
    )
    labels = Labels(draw(NAMES), draw(NAMES), draw(NAMES), draw(NAMES), draw(ADDRESSES))
    return replace(
        heat(),
        games=tuple(games),
        ranking=ranking,
        labels=labels,
        auditor=draw(NAMES),
        rules=draw(NAMES),
        provisional=draw(st.booleans()),
    )


@settings(max_examples=20, deadline=None)
@given(data=heats(), language=st.sampled_from(["en", "sv"]), with_deals=st.booleans())
def test_any_heat_prints_within_its_pages(data, language, with_deals):
    pdf = render(data, language=language, with_deals=with_deals)
    for picture in eyes.pictures(pdf):
        assert eyes.margins_are_clean(picture)


@settings(max_examples=12, deadline=None)
@given(
    names=st.lists(st.just("") | NAMES, min_size=2, max_size=4),
    games=st.integers(1, 7),
)
def test_any_empty_protocol_prints_within_its_pages(names, games):
    labels = Labels(event_name=" ".join(names))
    heat = PaperHeat(labels, tuple(names), parse_rules("festival"), games)
    pdf = empty_protocols_pdf([heat], language="sv")
    for picture in eyes.pictures(pdf):
        assert eyes.margins_are_clean(picture)
