"""Cards: names, order, and refusals (docs/formats/README.md)."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards.cards import DECK, Card, Suit, format_cards, parse_card, parse_cards
from engine.errors import ChicagoError


def test_the_pack_has_fifty_two_different_cards_with_one_name_each():
    assert len(set(DECK)) == 52
    assert len({str(card) for card in DECK}) == 52
    assert [parse_card(str(card)) for card in DECK] == list(DECK)
    assert {(card.rank, card.suit) for card in DECK} == {
        (rank, suit) for rank in range(2, 15) for suit in Suit
    }


def test_suits_rank_hearts_spades_diamonds_clubs():
    assert sorted(Suit, reverse=True) == [Suit.HEARTS, Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS]
    assert [suit.letter for suit in Suit] == ["c", "d", "s", "h"]
    assert "".join(suit.sign for suit in Suit) == "♣♦♠♥"


@pytest.mark.parametrize("text", ["Th", "th", "TH", "tH", "10h", "10H"])
def test_ten_and_either_case_are_understood(text):
    assert parse_card(text) == parse_card("Th")
    assert parse_card(text).sign == "T♥"


@pytest.mark.parametrize(
    "text",
    ["", "h", "1h", "11h", "Ahh", "A h", "Ax", "010h", "２h", "A♥", "10", "ah ", None, 5, []],
)
def test_anything_else_is_bad_value(text):
    with pytest.raises(ChicagoError) as error:
        parse_card(text)
    assert error.value.code == "bad_value"


@pytest.mark.parametrize("number", [-1, 52, True, None, "5", 3.0])
def test_numbers_outside_the_pack_are_bad_value(number):
    with pytest.raises(ChicagoError) as error:
        Card(number)
    assert error.value.code == "bad_value"


def test_a_repeated_card_is_refused():
    with pytest.raises(ChicagoError) as error:
        parse_cards("Ah Kd ah")
    assert error.value.code == "bad_value"


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_with_a_code(text):
    code, cards = None, ()
    try:
        cards = parse_cards(text)
    except ChicagoError as error:
        code = error.code
    assert code in (None, "bad_value")
    assert parse_cards(format_cards(cards)) == cards


def test_cards_survive_pickling():
    assert pickle.loads(pickle.dumps(DECK)) == DECK
    assert repr(DECK[0]) == "Card('2c')"
