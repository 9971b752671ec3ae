"""The printed protocol: its texts, its pages, its look."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from django.utils import timezone

from engine.sheet.facts import ScoreChanged
from scoring.paper import layout, render, render_many, texts
from scoring.paper.data import CorrectionRow, Labels, PenaltyRow, RankingRow, RulingRow, Zeroed
from scoring.paper.paper import BOTTOM, LEFT, RIGHT, TOP
from scoring.reading.acceptance import AcceptedGame, Word
from tests.scoring.paper import eyes
from tests.scoring.paper.factory import deals, entry, game, heat, seat


@pytest.fixture(scope="module")
def english():
    return render(heat(), language="en")


@pytest.fixture(scope="module")
def swedish():
    return render(heat(), language="sv")


def one_game(*seats, **changes):
    """Return a heat of one game with these seats and no ranking."""
    return heat(games=(game(1, tuple(seats), **changes),), ranking=(), corrections=())


# --- texts --------------------------------------------------------------------------------------


def test_nobody_goes_on_from_a_final():
    for is_final, arrows in ((False, 1), (True, 0)):
        lines = eyes.text(render(heat(is_final=is_final, corrections=()), language="en"))
        assert lines.count("→") == arrows


def test_english_words(english):
    text = eyes.text(english)
    for words in (
        "Åsa Bergström",
        "Łukasz Wiśniewski",
        "Weiß-Sørensen",
        "Dag Öhman",
        "Chicagofestivalen i Göteborg 2026",
        "lördag 21 november 2026",
        "Cecilia Ågren",
        "7FQ3-A2KD-P5XM",
        "11.66",
        "= 11 2/3",
        "46.66 = 46 2/3",
        "2–4",
        "Åsa Bergström won at 54 in deal 11",
        "Dag Öhman won with a royal flush ♥ in deal 4",
        "set to zero at 53 without a Chicago, deal 9 · out",
        "55 + 55 + 55 = 165 ✓",
        "→ advances",
        "Łukasz Wiśniewski: pair → Łukasz Wiśniewski: flush (Cecilia Ågren, läste fel)",
        "Tournament director",
    ):
        assert words in text, words


def test_swedish_words(swedish):
    text = eyes.text(swedish)
    for words in (
        "Chicagoprotokoll",
        "Revisor",
        "Parti 1",
        "11,66",
        "= 11 2/3",
        "Dag Öhman vann på royal flush ♥ i giv 4",
        "nollad på 53 utan chicago, giv 9 · ute",
        "Kontrollsumma, placeringspoäng 55 + 55 + 55 = 165 ✓",
        "→ vidare",
        "Tävlingsledare",
        "Inringat namn: har spelat chicago",
    ):
        assert words in text, words


def test_all_four_suits_are_printed(english):
    assert "".join(eyes.text(english).split()).startswith("♥♠♦♣")


def test_deciding_steps_are_sentences(english):
    words = eyes.text(english)
    assert "ahead of Jørgen Weiß-Sørensen on sheet points, 97 to 91" in words
    assert "ahead of Łukasz Wiśniewski on game points, 38 to 33.66" in words


def test_a_shared_place_shows_all_its_places_and_says_so():
    rows = (
        RankingRow(1, "a", "Anna", Fraction(47), shared=True),
        RankingRow(1, "b", "Bo", Fraction(47), shared=True),
    )
    words = eyes.text(render(heat(ranking=rows), language="en"))
    assert "1–2 Anna" in words
    assert "level with Bo" in words


def test_a_penalty_in_game_points_shows_the_sum_and_the_reason():
    rows = (RankingRow(1, "a", "Anna", Fraction(42), penalty=Fraction(5)),)
    taken = PenaltyRow("Anna", Fraction(5), "reason:offence.slow. third time", datetime(2026, 5, 2))
    data = replace(heat(ranking=rows), penalties=(taken,))
    words = eyes.text(render(data, language="en"))
    assert "47 − 5" in words
    assert "Anna −5 (Took too long: third time)" in words


def test_acceptances_have_their_time_and_protests_are_shown():
    at = datetime(2026, 5, 2, 19, 5, tzinfo=UTC)
    said = AcceptedGame(1, 9, (Word("b", "Bo", at, "pin"), Word("c", "Cia")), (), 1)
    told = {"protest": "Nobody remembers the deal.", "by_director_at": at + timedelta(minutes=9)}
    data = replace(heat(), accepted=(said,), **told)
    words = eyes.text(render(data, language="en"))
    assert f"Bo {timezone.localtime(at):%H:%M}" in words
    assert "Nobody remembers the deal." in words
    assert f"{timezone.localtime(told['by_director_at']):%H:%M}" in words


def test_a_shared_win_names_both():
    seats = (seat(0, "Anna", 54, place=(1, 2)), seat(1, "Bo", 54, place=(1, 2)))
    data = one_game(*seats, winners=(0, 1), win="target", deal=7)
    assert "Anna and Bo shared the win at 54 in deal 7" in eyes.text(render(data, language="en"))


def test_an_unfinished_heat_is_provisional():
    running = game(
        2,
        (seat(0, "Anna", 47, discardless=True), seat(1, "Bo", -5), seat(2, "Cia", 12)),
        status="running",
        deal=7,
    )
    waiting = game(3, (seat(0, "Bo"), seat(1, "Cia"), seat(2, "Anna")), status="waiting")
    data = replace(heat(), games=(running, waiting), ranking=(), provisional=True, corrections=())
    words = eyes.text(render(data, language="en"))
    assert "PROVISIONAL" in words
    assert "under way, deal 7" in words
    assert "not started" in words
    assert "may not exchange" in words
    assert "−5" in words
    assert "No game is finished yet." in words
    assert "Checksum" not in words


def test_a_finished_heat_is_not_called_provisional(english):
    assert "PROVISIONAL" not in eyes.text(english)


def test_a_disqualification_explains_the_checksum():
    seats = (
        seat(0, "Anna", 52, place=1, points=20),
        seat(1, "Bo", 40, place=2, points=15),
        seat(2, "Cia", 30, place=3, points=12),
        seat(3, "Dag", 44, place=4, points=0, status="disqualified"),
    )
    words = eyes.text(render(one_game(*seats, winners=(0,), win="target"), language="en"))
    assert "disqualified" in words
    assert "47 – game 1 hands out 47 of 55" in words
    assert "✓" not in words


def test_missing_flip_flops_are_named():
    data = heat(needs_flip_flop=(("Anna", "Bo"),))
    words = eyes.text(render(data, language="en"))
    assert "Flip Flop still to be played Anna and Bo" in words


def test_labels_drop_a_caption_that_is_printed_anyway():
    with texts.speaking("en"):
        assert texts.labelled("Heat", "Heat 12") == ("12", "Heat 12")
        assert texts.labelled("Heat", "12") == ("12", "Heat 12")
        assert texts.labelled("Heat", "Kitchen evening") == ("Kitchen evening",) * 2


# --- pages --------------------------------------------------------------------------------------


def test_all_notes_at_once_still_fit_the_page():
    data = heat(provisional=True, needs_flip_flop=(("Anna", "Bo"),))
    assert len(eyes.reader(render(data, language="sv")).pages) == 1


def test_deal_by_deal_pages_on_request():
    pdf = render(heat(), language="en", with_deals=True)
    assert len(eyes.reader(pdf).pages) == 2
    words = eyes.text(pdf, 1)
    assert "Åsa: two pair +2" in words
    assert "Jørgen: last trick with a deuce +10" in words
    assert "Dag: four of a kind, the others to zero" in words
    assert "Dag: Chicago broken by Jørgen −15, +10" in words
    assert "Director: Dag +16 (felräknat)" in words
    assert "Dag: royal flush ♥ +52" in words
    assert "(corrected)" in words
    assert "page 2 of 2" in words
    assert "7FQ3-A2KD-P5XM" in words


def test_a_hand_past_52_without_a_chicago_says_so():
    row = replace(
        entry(9, (), kind="hand", phase=3, seat=1, category="four_of_a_kind"),
        facts=(ScoreChanged(1, 44, 52, "hand"), ScoreChanged(1, 52, 0, "no_chicago")),
    )
    with texts.speaking("en"):
        shown = texts.entry_with_points(row, ["Anna", "Bo"])
    assert shown == "Bo: four of a kind, set to zero at 52"


def test_many_deals_continue_on_further_pages():
    long = replace(heat().games[0], deals=deals() * 30)
    pdf = render(heat(games=(long,)), language="en", with_deals=True)
    assert len(eyes.reader(pdf).pages) > 3
    assert all(eyes.margins_are_clean(picture) for picture in eyes.pictures(pdf))


def test_many_corrections_get_a_page_of_their_own():
    many = tuple(replace(heat().corrections[0], sequence=n) for n in range(100, 130))
    pdf = render(heat(corrections=many), language="en")
    assert len(eyes.reader(pdf).pages) == 2
    assert "30 corrections, see the next page" in eyes.text(pdf, 0)
    assert "line 129 corrected:" in eyes.text(pdf, 1)


def test_rulings_are_listed_with_their_deal_before_corrections():
    rows = tuple(RulingRow(str(n), f"Bo −{n}", None, f"Game 1, deal {n}") for n in range(1, 31))
    few, many = (render(heat(rulings=found), language="en") for found in (rows[:2], rows))
    assert "Bo −1 (Game 1, deal 1); Bo −2 (Game 1, deal 2)" in eyes.text(few)
    assert len(eyes.reader(few).pages) == 1
    assert "30 rulings, see the next page" in eyes.text(many, 0)
    assert "line 14 corrected:" in eyes.text(many, 0)
    assert "Bo −30 (Game 1, deal 30)" in eyes.text(many, 1)


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("void", "taken back: Anna: pair"),
        ("insert", "added: Nobody scores"),
        ("amend", "corrected: Anna: pair → Nobody scores"),
        ("reseat", "new seats: Anna, Cia"),
    ],
)
def test_corrections_show_the_old_and_the_new_entry(kind, what):
    item = CorrectionRow(
        game=2,
        kind=kind,
        sequence=5,
        entry={"kind": "hand", "phase": 1, "seat": 0, "category": "pair"},
        replacement=None if kind == "void" else {"kind": "none", "phase": 1},
        author="Bo",
        seats=("Anna", "Cia"),
    )
    with texts.speaking("en"):
        assert texts.correction(item) == f"game 2, line 5 {what} (Bo)"


def test_a_long_auditors_name_is_whole_under_the_signature_line():
    name = "Wilhelmina von Schantz af Rosenborg-Lejonhufvud till Ekolsund och Sjö"
    words = eyes.text(render(heat(auditor=name), language="sv"))
    assert f"Revisor: {name}" in " ".join(words.split())


def test_entries_by_the_tables_link_are_attributed_to_the_auditor():
    item = replace(heat().corrections[0], author="link 13", at_table=True, reason="")
    with texts.speaking("sv"):
        assert texts.correction(item).endswith("(Revisor)")


def test_many_heats_in_one_file_with_an_outline():
    second = heat(labels=Labels(event_name="Chicagofestivalen", heat_label="Heat 13"))
    pdf = render_many([heat(), second], language="en", title="All heats")
    document = eyes.reader(pdf)
    assert len(document.pages) == 2
    assert document.metadata.title == "All heats"
    assert [item.title for item in document.outline] == [
        "Table 3 · Heat 12",
        "Heat 13",
    ]


def test_no_heats_are_no_document():
    with pytest.raises(ValueError, match="no protocols"):
        render_many([], language="en")


# --- the file -----------------------------------------------------------------------------------


def test_the_same_data_gives_the_same_bytes(english):
    render(heat(auditor="Somebody Else"), language="sv")
    assert render(heat(), language="en") == english


def test_threads_do_not_corrupt_each_others_fonts(english, swedish):
    """The library's fonts are shared by all documents, and pages are served by several threads."""
    wanted = {"en": english, "sv": swedish}
    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(lambda lang: render(heat(), language=lang), ["en", "sv"] * 6))
    assert made == [wanted[lang] for lang in ["en", "sv"] * 6]


def test_metadata_and_language(english, swedish):
    document = eyes.reader(swedish)
    assert document.metadata.title == (
        "Chicagoprotokoll, Heat 12, Chicagofestivalen i Göteborg 2026"
    )
    assert document.metadata.author == "Chicagofestivalen i Göteborg 2026"
    assert document.trailer["/Root"]["/Lang"] == "sv-SE"
    assert eyes.reader(english).trailer["/Root"]["/Lang"] == "en-GB"
    assert eyes.reader(render(heat(), language="fr")).trailer["/Root"]["/Lang"] == "en-GB"


def elements(node):
    """Yield an element and every structure element below it."""
    node = node.get_object()
    if isinstance(node, dict):
        if "/S" in node:
            yield node
        kids = node.get("/K", [])
        kids = kids if isinstance(kids, list) else [kids]
        for kid in kids:
            if not isinstance(kid, int):
                yield from elements(kid)


def test_the_document_is_tagged(english):
    root = eyes.reader(english).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    found = list(elements(root["/StructTreeRoot"]))
    roles = [element["/S"] for element in found]
    assert roles[:3] == ["/Document", "/Sect", "/P"]
    assert roles.count("/H1") == 1
    assert roles.count("/Table") == 4
    assert roles.count("/TR") == 3 * 5 + 5
    alts = [element["/Alt"] for element in found if element["/S"] == "/Figure"]
    assert "54 points" in alts
    assert "Verification code 7FQ3-A2KD-P5XM" in alts
    assert len(alts) == 13


def test_every_mark_on_the_page_is_in_the_structure_tree(english):
    document = eyes.reader(english)
    page = document.pages[0]
    content = page.get_contents().get_data()
    tree = document.trailer["/Root"]["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    marks = tree[2 * page["/StructParents"] + 1]
    assert content.count(b"/MCID") == len(marks)
    assert content.count(b" BDC") + content.count(b" BMC") == content.count(b"EMC")


def test_every_font_is_embedded(english):
    fonts = eyes.reader(english).pages[0]["/Resources"]["/Font"]
    used = [fonts[name].get_object() for name in fonts]
    assert used
    for font in used:
        if font["/Subtype"] == "/TrueType":
            assert "/FontFile2" in font["/FontDescriptor"]


# --- the look -----------------------------------------------------------------------------------

FIRST_ROW = layout.first_top() + layout.TITLE_BAND + layout.CAPTION_BAND


def fence(picture, row, seats=4):
    """Return the picture of the tally field of one row of the first game."""
    height = layout.row_height(seats)
    return eyes.cut(
        picture,
        layout.X_FENCE + 0.4,
        FIRST_ROW + row * height + 0.4,
        layout.FENCE - 0.8,
        height - 0.8,
    )


@pytest.mark.parametrize("score", [1, 4, 5, 23, 52, 66, 70])
def test_the_tallies_add_up_to_the_score(score):
    data = one_game(seat(0, "Anna", score), seat(1, "Bo", 0))
    picture = eyes.pictures(render(data, language="en"), scale=4)[0]
    height = layout.row_height(2)
    # A line above the slashes and below the strokes' upper ends crosses upright strokes only.
    y = FIRST_ROW + (height - layout.TALLY) / 2 + layout.TALLY * 0.18
    across = eyes.cut(picture, layout.X_FENCE + 0.5, y, layout.FENCE - 1, 1)
    assert eyes.runs_across(across) == score - score // 5


@pytest.mark.parametrize("score", [0, 1, 5, 52, 66, 70, 71, 140, -1, -66])
def test_tallies_stay_in_their_field(score):
    with_score = one_game(seat(0, "Anna", score, place=1), seat(1, "Bo", 0))
    without = one_game(seat(0, "Anna", 0, place=1), seat(1, "Bo", 0))
    picture = eyes.pictures(render(with_score, language="en"), scale=2)[0]
    empty = eyes.pictures(render(without, language="en"), scale=2)[0]
    height = layout.row_height(2)
    name = (LEFT, FIRST_ROW + 0.4, layout.NAME - 0.5, height - 0.8)
    assert eyes.cut(picture, *name).tobytes() == eyes.cut(empty, *name).tobytes()
    place = (layout.X_PLACE - 0.3, FIRST_ROW + 0.4, layout.PLACE, height - 0.8)
    assert eyes.cut(picture, *place).tobytes() == eyes.cut(empty, *place).tobytes()
    drawn = eyes.ink(fence(picture, 0, 2)) > eyes.ink(fence(empty, 0, 2))
    assert drawn == (score != 0)
    assert eyes.ink(fence(picture, 1, 2), darker_than=45) == 0


def test_only_players_of_a_chicago_have_their_name_circled():
    def name_field(executed):
        data = one_game(seat(0, "Bo", 0, executed=executed), seat(1, "Cia", 0))
        picture = eyes.pictures(render(data, language="en"), scale=2)[0]
        return eyes.cut(picture, LEFT, FIRST_ROW + 0.5, layout.NAME - 0.5, 17)

    assert eyes.ink(name_field(True)) > eyes.ink(name_field(False)) * 1.5


def test_a_zeroed_score_is_crossed_out_but_readable():
    def field(zeroed):
        data = one_game(seat(0, "Bo", 0, zeroed=zeroed), seat(1, "Cia", 0))
        return eyes.ink(
            fence(eyes.pictures(render(data, language="en"), scale=2)[0], 0, 2), darker_than=150
        )

    assert field((Zeroed(3, 30, "reset"),)) > field(()) + 500


def test_a_black_and_white_copy_keeps_what_counts(english):
    picture = eyes.pictures(english, scale=2)[0].point(lambda value: 255 if value > 150 else 0)
    assert eyes.ink(fence(picture, 0)) > 1000
    corner = eyes.cut(picture, RIGHT - layout.QR, BOTTOM - 30, layout.QR, 26)
    assert eyes.ink(corner) > 2000
    scale = eyes.cut(picture, layout.X_FENCE, FIRST_ROW - 3.2, layout.FENCE, 3)
    assert eyes.ink(scale) > 20


def test_the_layout_meets_its_requirements():
    assert layout.NAME + layout.FENCE + layout.SCORE + layout.PLACE + layout.POINTS == RIGHT - LEFT
    assert layout.FENCE >= 110
    assert all(layout.row_height(seats) >= 12 for seats in (2, 3, 4, 5, 6))
    assert layout.FENCE_PAD + layout.CAPACITY * layout.UNIT <= layout.FENCE
    assert layout.CAPACITY >= 66
    assert TOP >= 5
    assert LEFT >= 15  # Space for the binder's holes.
