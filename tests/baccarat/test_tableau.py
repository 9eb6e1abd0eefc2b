"""The tableau against the words of the house rules, cell by cell."""

from collections.abc import Collection

import pytest

from baccarat.tableau import NATURALS, banker_draws, player_draws

# "0-2 draws; 3 draws if Player stood or drew anything but an 8; 4 if Player stood or drew 2-7; 5 if Player stood or
# drew 4-7; 6 only if Player drew 6 or 7; 7 stands. (Player stood: Banker draws on 0-5.)"
DRAWS_ON: dict[int, Collection[int]] = {
    0: range(10),
    1: range(10),
    2: range(10),
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: range(2, 8),
    5: range(4, 8),
    6: {6, 7},
    7: (),
    8: (),
    9: (),
}


@pytest.mark.parametrize("total", range(10))
def test_player_draws_on_nought_to_five_and_stands_above(total: int) -> None:
    assert player_draws(total) is (total <= 5)


@pytest.mark.parametrize("third", range(10))
@pytest.mark.parametrize("total", range(10))
def test_banker_draws_by_her_total_and_the_card_that_player_drew(total: int, third: int) -> None:
    assert banker_draws(total, third) is (third in DRAWS_ON[total])


@pytest.mark.parametrize("total", range(10))
def test_banker_draws_on_nought_to_five_when_player_stood(total: int) -> None:
    assert banker_draws(total, None) is (total <= 5)


def test_a_third_card_worth_nothing_is_a_card() -> None:
    assert banker_draws(5, None)
    assert not banker_draws(5, 0)
    assert banker_draws(3, 0)


def test_a_natural_is_eight_or_nine() -> None:
    assert set(NATURALS) == {8, 9}
