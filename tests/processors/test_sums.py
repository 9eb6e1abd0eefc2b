"""What is counted for which bet; and the largest statistics that sources can make fit their topic and the changelog."""

import msgspec
import pytest

from baccarat.bets import BETS
from baccarat.odds import Moments, moments
from baccarat.paytables import load, published
from contract.codec import encode
from contract.currencies import CURRENCIES
from contract.figures import pace
from contract.statistics import ShoeStatistics, TableStatistics
from contract.topics import PROCESSORS, SHOE_STATISTICS, STATISTICS
from processors.engine import MAX_REQUEST_BYTES
from processors.lifetime import Dealt, Lifetime
from processors.statistics import Statistics
from processors.sums import Money, Risk, Sums, Tries, statistics_of
from tests.processors.reading import PARTITIONS, Reader, example

MANY = 10**24
"""More than any table takes: a thousand slips a batch of the highest stake, for years."""
ROOM = 4096


def moments_of(_: str, decks: int) -> dict[str, Moments]:
    """Of every bet, by some pay table that has it."""
    return {bet: each for name in published() for bet, each in moments(load(name), decks).items()}


def largest(decks: int) -> Sums:
    """A shoe as no table deals one: every bet in every currency, with more money than there is."""
    return Sums(
        {(bet, decks): Tries(10**9, 10**9, 10**9) for bet in BETS},
        {(bet, currency): Money(MANY, MANY, 7 * MANY // 3) for bet in BETS for currency in CURRENCIES},
        {(bet, currency, "house@1", decks): Risk(MANY + 1, MANY**2 + 1) for bet in BETS for currency in CURRENCIES},
    )


@pytest.fixture(scope="module")
def lifetime() -> Lifetime:
    """Eight of them, one of each number of decks, folded into one life."""
    whole = Lifetime()
    for decks in range(1, 9):
        whole = whole.with_shoe(
            10**9,
            largest(decks),
            moments_of,
            weight=MANY,
            occurred_at="2026-11-30T18:00:00.000000Z",
            dealt=Dealt(MANY, MANY, MANY),
        )
    return whole


def test_every_bet_in_every_currency_fits_one_record(lifetime: Lifetime) -> None:
    scope = statistics_of(lifetime.sums, 8, moments_of)
    fast = pace(rounds=10**9, shoes=10**9 - 1, milliseconds=10**12 + 1)
    statistics = TableStatistics(
        table_id="T" * 64,
        occurred_at="2026-11-30T18:00:00.000000Z",
        shoe_no=10**9,
        version=MANY,
        gaming_day="2026-11-30",
        pace={"shoe": fast, "lifetime": fast},
        scopes={"shoe": scope, "lifetime": scope},
    )
    assert set(scope["player"].money) == CURRENCIES
    assert scope["tiger_pair"].money["EUR"].expected_hold is not None
    assert len(encode(statistics)) < STATISTICS.max_message_bytes - ROOM
    shoe = ShoeStatistics(
        table_id="T" * 64,
        occurred_at="2026-11-30T18:00:00.000000Z",
        shoe_no=10**9,
        version=MANY,
        decks=8,
        gaming_day="2026-11-30",
        pace=fast,
        bets=scope,
    )
    assert len(encode(shoe)) < SHOE_STATISTICS.max_message_bytes - ROOM


def test_every_bet_in_every_currency_fits_one_row(lifetime: Lifetime) -> None:
    row = msgspec.json.encode(lifetime.row)
    assert len(row) < PROCESSORS["statistics"].changelog.max_message_bytes - ROOM
    assert Lifetime.of(row).sums == lifetime.sums


def test_the_processors_producer_takes_the_largest_record_of_every_topic_that_it_writes() -> None:
    written = {topic for processor in PROCESSORS.values() for topic in (*processor.outputs, processor.changelog)}
    assert max(topic.max_message_bytes for topic in written) <= MAX_REQUEST_BYTES


def test_a_life_that_was_written_before_anything_was_expected_is_read_and_expects_nothing() -> None:
    old = b'{"closed_through_shoe":3,"weight":9,"tries":{"tie":{"8":[9,9,1]}},"money":{"tie":{"EUR":[1,2,0]}}}'
    said = statistics_of(Lifetime.of(old).sums, 8, moments_of)["tie"].money["EUR"]
    assert (said.stake, said.expected_hold, said.hold_variance) == (2, None, None)
    more = Lifetime.of(old).with_shoe(4, largest(8), moments_of, weight=1, occurred_at="", dealt=Dealt())
    assert more.sums.expected["tie", "EUR"] is None
    assert more.sums.expected["tie", "USD"] is not None


def test_a_round_counts_for_every_bet_whose_fact_is_known_and_a_bet_is_listed_when_some_pay_table_has_it() -> None:
    reader = Reader(Statistics(PARTITIONS))
    dealt = example("round_dealt", shoe_no=1)  # Player wins, 6 to 2
    reader.take({**dealt, "round_no": 1, "paytable": "house@9"})
    assert reader.last(STATISTICS.name)["scopes"]["shoe"] == {}
    reader.take({**dealt, "round_no": 2, "paytable": "classic@1"})
    shoe = reader.last(STATISTICS.name)["scopes"]["shoe"]
    assert set(shoe) == {"player", "banker", "tie", "player_pair", "banker_pair"}
    assert [(shoe[bet]["rounds"], shoe[bet]["hits"]) for bet in ("player", "banker")] == [(2, 2), (2, 0)]
    reader.take({**example("round_corrected", shoe_no=1), "round_no": 2, "revision": 1, "paytable": "house@9"})
    assert reader.last(STATISTICS.name)["scopes"]["shoe"] == {}
