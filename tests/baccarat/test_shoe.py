"""The shoe: every card once, the burn, the order of dealing and the cut card."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.cards import RANKS, SUITS, parse_card
from baccarat.rounds import judge
from baccarat.shoe import Hand, Shoe, ShoeFinished


class Stacked(Random):
    """A generator that does not shuffle but stacks: the given cards are dealt first, in order."""

    def __init__(self, dealt_first: str, behind_cut_card: int = 14) -> None:
        super().__init__(0)
        self._dealt_first = dealt_first.split()
        self._behind = behind_cut_card

    def shuffle(self, x: list[str]) -> None:  # type: ignore[override]
        for card in self._dealt_first:
            x.remove(card)
        x.extend(reversed(self._dealt_first))

    def choice(self, seq: range) -> int:  # type: ignore[override]
        assert self._behind in seq
        return self._behind


def play(shoe: Shoe) -> list[tuple[Hand, Hand]]:
    rounds = []
    while not shoe.finished:
        rounds.append(shoe.deal_round())
    return rounds


SEEDS = st.integers(0, 2**32)
DECKS = st.integers(1, 8)


@given(DECKS, SEEDS)
def test_every_round_dealt_is_one_that_the_tableau_allows(decks: int, seed: int) -> None:
    for player, banker in play(Shoe(decks, Random(seed))):
        judge(player=player, banker=banker)  # raises if the house drew wrongly


@given(DECKS, SEEDS)
def test_no_card_is_dealt_more_often_than_the_decks_have_it(decks: int, seed: int) -> None:
    shoe = Shoe(decks, Random(seed))
    seen = Counter([shoe.burn_card])
    for player, banker in play(shoe):
        seen.update((*player, *banker))
    assert set(seen) <= {rank + suit for rank in RANKS for suit in SUITS}
    assert max(seen.values()) <= decks


@given(DECKS, SEEDS)
def test_the_same_seed_deals_the_same_shoe(decks: int, seed: int) -> None:
    assert play(Shoe(decks, Random(seed))) == play(Shoe(decks, Random(seed)))


@given(DECKS, SEEDS)
def test_a_shoe_ends_behind_the_cut_card_and_never_runs_dry(decks: int, seed: int) -> None:
    shoe = Shoe(decks, Random(seed))
    before_last = before = len(shoe)
    while not shoe.finished:
        before_last, before = before, len(shoe)
        shoe.deal_round()
    # one round in which the cut card showed, and the last one after it: four to six cards each
    assert before_last >= 14
    assert 16 - 12 - 2 <= len(shoe) < 16 - 4
    assert before < 16


@pytest.mark.parametrize("card", ["AS", "2H", "9D", "TC", "JS", "QH", "KD"])
def test_as_many_cards_are_burnt_as_the_first_one_says_ten_for_ten_and_court_cards(card: str) -> None:
    shoe = Shoe(8, Stacked(card))
    assert shoe.burn_card == card
    assert len(shoe) == 416 - 1 - (parse_card(card).value or 10)


def test_cards_go_to_player_and_banker_in_turn_then_the_thirds() -> None:
    # ace shown, one burnt; then Player, Banker, Player, Banker, Player's third, Banker's third
    shoe = Shoe(8, Stacked("AS KS 2H AC KD KH 2C 5D 4H 5S"))
    assert shoe.deal_round() == (("2H", "KD", "2C"), ("AC", "KH", "5D"))


@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("4H KD 5S 3C", ("4H", "5S"), ("KD", "3C")),
        ("KD 4H 3C 5S", ("KD", "3C"), ("4H", "5S")),
        ("6H 5C KD KS 2C", ("6H", "KD"), ("5C", "KS", "2C")),
        ("2H 3C KD KS 8C 9D", ("2H", "KD", "8C"), ("3C", "KS")),
        ("7H 6C KD KS 9D", ("7H", "KD"), ("6C", "KS")),
        ("2H 5C KD KS TC", ("2H", "KD", "TC"), ("5C", "KS")),
    ],
)
def test_thirds_are_drawn_by_the_tableau_alone(cards: str, player: Hand, banker: Hand) -> None:
    assert Shoe(8, Stacked("AS KS " + cards)).deal_round() == (player, banker)


@pytest.mark.parametrize("behind", [14, 15, 16])
def test_when_the_cut_card_shows_the_round_is_finished_and_one_more_played(behind: int) -> None:
    shoe = Shoe(1, Stacked("AS", behind_cut_card=behind))
    while len(shoe) >= behind:  # the cut card has not shown yet
        assert not shoe.last_round
        shoe.deal_round()
    assert (shoe.last_round, shoe.finished) == (True, False)
    shoe.deal_round()
    assert (shoe.last_round, shoe.finished) == (False, True)


def test_a_finished_shoe_deals_no_more() -> None:
    shoe = Shoe(8, Random(1))
    play(shoe)
    with pytest.raises(ShoeFinished, match="shuffle a new shoe"):
        shoe.deal_round()


def test_a_whole_shoe_of_eight_decks_has_the_usual_number_of_rounds() -> None:
    lengths = [len(play(Shoe(8, Random(seed)))) for seed in range(200)]
    # 416 cards at 4.94 a round: eighty on average, less the burn and the cards behind the cut card
    assert min(lengths) >= 70
    assert max(lengths) <= 92
    assert 78 <= sum(lengths) / len(lengths) <= 84


@pytest.mark.parametrize("decks", [0, 9, -1])
def test_a_shoe_holds_one_to_eight_decks(decks: int) -> None:
    with pytest.raises(ValueError, match="1 to 8 decks"):
        Shoe(decks, Random(1))
