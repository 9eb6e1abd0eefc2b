"""Settlement by every pay table: against a second, naive one, at every small stake, and as the odds promise."""

import random
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.bets import BETS, LOST, PUSHED
from baccarat.odds import edges, moments
from baccarat.odds.deals import deals, total_orders
from baccarat.paytables import PUSH, Paytable, Rounding, load, parse, published
from baccarat.rounds import Facts, judge
from baccarat.settlement import Ruling, Settler, winnings
from baccarat.tableau import NATURALS, banker_draws, player_draws
from tests.baccarat.naive import settle

DECK = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
TABLES = published()


@dataclass(frozen=True)
class Slip:
    bet: str
    stake: int = 100
    bettor: str = "seat-1"
    placed_at: str | None = None


def rule(facts: Facts, paytable: Paytable, *slips: Slip) -> list[Ruling]:
    return Settler(facts, paytable, betting_closed_at=None, free_hand=False).rule(slips)


def dealt(shoe: list[str]) -> Facts:
    """The round that the six cards give by the tableau."""
    one, two, three, four, five, six = shoe
    player, banker, third = [one, three], [two, four], None
    totals = [judge_total(hand) for hand in (player, banker)]
    if not NATURALS & set(totals):
        if player_draws(totals[0]):
            player.append(five)
            third = judge_total([five])
        if banker_draws(totals[1], third):
            banker.append(six if third is not None else five)
    return judge(player=player, banker=banker)


def judge_total(hand: list[str]) -> int:
    return sum("A23456789".find(card[0]) + 1 for card in hand) % 10


CARDS = st.integers(0, 2**32).map(lambda seed: random.Random(seed).sample(DECK * 8, 6))
SLIPS = st.lists(
    st.builds(Slip, st.sampled_from([*BETS, "no_bet"]), st.integers(1, 10_000), st.sampled_from("abc")), max_size=40
)


@pytest.mark.parametrize("paytable", TABLES)
@given(CARDS, SLIPS)
def test_a_second_settlement_written_from_the_rules_alone_agrees(
    paytable: str, cards: list[str], slips: list[Slip]
) -> None:
    facts, table = dealt(cards), load(paytable)
    assert facts.player is not None
    assert facts.banker is not None
    expected = settle(paytable, set(table.pays), [*facts.player], [*facts.banker], slips)
    assert rule(facts, table, *slips) == expected


FIELDS = ("player_total", "banker_total", "player_natural", "banker_natural", "player_pair", "banker_pair")


@pytest.mark.parametrize("paytable", TABLES)
@given(CARDS, st.sets(st.sampled_from(FIELDS)))
def test_without_the_cards_a_slip_is_settled_as_with_them_or_voided_and_never_guessed(
    paytable: str, cards: list[str], fields: set[str]
) -> None:
    facts, table = dealt(cards), load(paytable)
    keyed = judge(outcome=facts.outcome, **{field: getattr(facts, field) for field in fields})
    slips = [Slip(bet, 1_000, bet) for bet in table.pays]
    slips += [Slip("tie", 1, bet) for bet in table.pays]  # a main bet for each, where the house asks for one
    for slip, mine, full in zip(slips, rule(keyed, table, *slips), rule(facts, table, *slips), strict=True):
        assert mine in (full, ("voided", slip.stake, "unknown_fact"))


@pytest.mark.parametrize("paytable", TABLES)
def test_the_outcome_alone_settles_the_main_bets_but_where_the_pay_hangs_on_the_cards(paytable: str) -> None:
    voided = {"ez@1": ["banker"], "no-commission@1": ["banker"], "tiger@1": ["banker"]}.get(paytable, [])
    for outcome in ("player", "tie"):
        for bet in ("player", "banker", "tie"):
            (ruling,) = rule(judge(outcome=outcome), load(paytable), Slip(bet))
            assert ruling.reason is None
    rulings = rule(
        judge(outcome="banker"), load(paytable), *(Slip(bet, 100, bet) for bet in ("player", "banker", "tie"))
    )
    assert [bet for bet, ruling in zip(("player", "banker", "tie"), rulings, strict=True) if ruling.reason] == voided


# Money.


def exact(stake: int, pay: Fraction, rounding: Rounding) -> int:
    """The winnings by the words of the rule, in exact fractions."""
    won = stake * pay
    whole = floor(won)
    if rounding == "down" or won == whole:
        return whole
    rest = won - whole
    if rest == Fraction(1, 2):
        return whole + 1 if rounding == "half_up" else whole + whole % 2
    return whole + (rest > Fraction(1, 2))


PAYS = sorted({pay for name in TABLES for pays in load(name).pays.values() for pay in pays.values() if pay != PUSH})


@pytest.mark.parametrize("rounding", ["down", "half_even", "half_up"])
def test_every_stake_to_ten_thousand_is_paid_to_the_minor_unit(rounding: Rounding) -> None:
    """Every pay of every table, commission included; stakes one by one, through the settlement itself."""
    won = judge(player=["8C", "KS"], banker=["7H", "KD"])
    for pay in PAYS:
        ratio = f'"{pay.numerator}:{pay.denominator}"'
        text = f'id = "t"\nversion = 1\nrounding = "{rounding}"\nopposite_bets = "allowed"\n[pays]\nplayer = {ratio}\n'
        rulings = rule(won, parse("t@1", text), *(Slip("player", stake) for stake in range(1, 10_001)))
        assert [payout for _, payout, _ in rulings] == [
            stake + exact(stake, pay, rounding) for stake in range(1, 10_001)
        ]
        assert winnings(7, pay, rounding) == exact(7, pay, rounding)


# The house's rules.


def test_a_side_bet_stands_beside_a_main_bet_wherever_it_lies_in_the_batch() -> None:
    facts = judge(player=["8C", "KS"], banker=["7H", "KD"])
    slips = [Slip("tiger_pair", 10, "a"), Slip("player", 50, "a"), Slip("tiger_pair", 20, "b"), Slip("tie", 5, "c"),
             Slip("tiger", 30, "c")]  # fmt: skip
    assert rule(facts, load("tiger@1"), *slips) == [
        ("lost", 0, None),
        ("won", 100, None),
        ("refused", 20, "side_bet_alone"),
        ("lost", 0, None),
        ("lost", 0, None),
    ]


def test_a_main_bet_that_was_refused_carries_no_side_bet() -> None:
    closed = "2026-11-30T18:00:58.000Z"
    slips = [
        Slip("player", 50, "a", "2026-11-30T18:00:59.000Z"),
        Slip("tiger", 10, "a", "2026-11-30T18:00:50.000Z"),
        Slip("player", 50, "b", closed),
        Slip("banker", 50, "b", closed),
        Slip("tiger", 10, "b", closed),
    ]
    facts = judge(player=["8C", "KS"], banker=["7H", "KD"])
    rulings = Settler(facts, load("tiger@1"), betting_closed_at=closed, free_hand=False).rule(slips)
    assert [ruling.reason for ruling in rulings] == ["late", "side_bet_alone", None, "opposite_bet", None]


def test_a_main_bet_that_is_voided_was_accepted_and_a_free_hand_takes_no_bet_at_all() -> None:
    slips = [Slip("banker", 50), Slip("tiger_tie", 10)]
    rulings = rule(judge(outcome="banker"), load("tiger@1"), *slips)
    assert [ruling.reason for ruling in rulings] == ["unknown_fact", None]
    free = Settler(judge(outcome="banker"), load("tiger@1"), betting_closed_at=None, free_hand=True).rule(slips)
    assert [tuple(ruling) for ruling in free] == [("refused", 50, "free_hand"), ("refused", 10, "free_hand")]


def test_opposite_bets_are_taken_where_the_house_allows_them() -> None:
    facts = judge(player=["8C", "KS"], banker=["7H", "KD"])
    assert rule(facts, load("full@1"), Slip("player"), Slip("banker")) == [("won", 200, None), ("lost", 0, None)]


# As the odds promise.


@pytest.mark.parametrize("decks", [1, 6, 8])
@pytest.mark.parametrize("paytable", TABLES)
def test_what_all_deals_together_bring_is_the_edge_exactly(paytable: str, decks: int) -> None:
    """At a stake that no pay cuts a fraction off, through the settlement: Σ probability × net = −edge."""
    table, stake = load(paytable), 100
    slips = [Slip(bet, stake, bet) for bet in table.pays] + [Slip("tie", stake, bet) for bet in table.pays]
    net, square = dict.fromkeys(table.pays, 0), dict.fromkeys(table.pays, 0)
    for facts, orders in deals(decks):
        for slip, ruling in zip(slips[: len(net)], rule(facts, table, *slips), strict=False):
            net[slip.bet] += orders * (ruling.payout - stake)
            square[slip.bet] += orders * (ruling.payout - stake) ** 2
    whole = total_orders(decks)
    means = {bet: Fraction(each, whole * stake) for bet, each in net.items()}
    assert means == {bet: -edge for bet, edge in edges(table, decks).items()}
    variances = {bet: Fraction(square[bet], whole * stake**2) - means[bet] ** 2 for bet in net}
    assert variances == {bet: each.variance for bet, each in moments(table, decks).items()}
    assert {end for bet in table.pays for facts, _ in deals(decks) for end in BETS[bet].ends(facts)} <= {
        LOST, PUSHED, *(end for pays in table.pays.values() for end in pays)
    }  # fmt: skip
