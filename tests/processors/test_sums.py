"""What is counted for which bet; and the largest statistics that sources can make fit their topic and the changelog."""

import msgspec

from baccarat.bets import BETS
from contract.codec import encode
from contract.currencies import CURRENCIES
from contract.statistics import TableStatistics
from contract.topics import CHANGELOGS, STATISTICS
from processors.statistics import Statistics
from processors.sums import LifetimeRow, Money, Sums, Tries, statistics_of
from tests.processors.reading import PARTITIONS, Reader, example

MANY = 10**24
"""More than any table takes: a thousand slips a batch of the highest stake, for years."""
ROOM = 4096


def largest() -> Sums:
    tries = {(bet, decks): Tries(10**9, 10**9, 10**9) for bet in BETS for decks in range(1, 9)}
    return Sums(tries, {(bet, currency): Money(MANY, MANY, 7 * MANY // 3) for bet in BETS for currency in CURRENCIES})


def test_every_bet_in_every_currency_fits_one_record() -> None:
    scope = statistics_of((largest(),), 8)
    statistics = TableStatistics(
        table_id="T" * 64,
        occurred_at="2026-11-30T18:00:00.000000Z",
        shoe_no=10**9,
        version=MANY,
        scopes={"shoe": scope, "lifetime": scope},
    )
    assert set(scope["player"].money) == CURRENCIES
    assert len(encode(statistics)) < STATISTICS.max_message_bytes - ROOM


def test_every_bet_in_every_currency_fits_one_row() -> None:
    sums = largest()
    row = LifetimeRow(
        closed_through_shoe=10**9,
        weight=MANY,
        occurred_at="2026-11-30T18:00:00.000000Z",
        tries={bet: {decks: sums.tries[bet, decks] for decks in range(1, 9)} for bet in BETS},
        money={bet: {currency: sums.money[bet, currency] for currency in CURRENCIES} for bet in BETS},
    )
    assert len(msgspec.json.encode(row)) < min(topic.max_message_bytes for topic in CHANGELOGS) - ROOM


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
