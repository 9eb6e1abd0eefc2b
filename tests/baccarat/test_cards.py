"""Cards: what each is worth, and which texts name one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.cards import RANKS, SUITS, BadCard, Card, parse_card


@pytest.mark.parametrize(
    ("rank", "value"),
    [("A", 1), *((str(pips), pips) for pips in range(2, 10)), ("T", 0), ("J", 0), ("Q", 0), ("K", 0)],
)
def test_each_rank_counts_what_the_house_rules_say(rank: str, value: int) -> None:
    assert parse_card(f"{rank}H").value == value


def test_there_are_thirteen_ranks_and_four_suits() -> None:
    assert len(set(RANKS)) == 13
    assert set(SUITS) == set("CDHS")


@pytest.mark.parametrize("suit", ["", *SUITS])
@pytest.mark.parametrize("rank", RANKS)
def test_a_card_is_written_as_it_is_read(rank: str, suit: str) -> None:
    card = parse_card(rank + suit)
    assert card == Card(rank, suit)
    assert str(card) == rank + suit


@pytest.mark.parametrize("text", ["", "1H", "0C", "10H", "H4", "4h", "th", "4HH", " 4H", "4H\n", "XX", "🂡"])
def test_a_text_that_is_no_card_is_quoted_in_the_refusal(text: str) -> None:
    with pytest.raises(BadCard) as refusal:
        parse_card(text)
    assert repr(text) in str(refusal.value)


@given(st.text())
def test_any_text_is_either_a_card_or_refused_in_a_short_message(text: str) -> None:
    if text in {rank + suit for rank in RANKS for suit in ("", *SUITS)}:
        assert str(parse_card(text)) == text
        return
    with pytest.raises(BadCard) as refusal:
        parse_card(text)
    assert len(str(refusal.value)) < 400
    assert str(refusal.value).isprintable()
