"""Statistics as people read them."""

from collections.abc import Sequence

from contract.codec import decode
from contract.statistics import BetStatistics, MoneyStatistics, TableStatistics
from contract.topics import STATISTICS
from dashboards.views.statistics import MoneyRow, house_statistics, table_statistics
from dashboards.words import ENGLISH
from tests.dashboards.tables import example


def bet(rounds: int, hits: int, exact: float, **money: MoneyStatistics) -> BetStatistics:
    return BetStatistics(rounds=rounds, hits=hits, exact_probability=exact, money=money)


def money(slips: int, stake: int, paid: int) -> MoneyStatistics:
    percent = round(100 * (stake - paid) / stake, 3) if stake else None
    return MoneyStatistics(slips=slips, stake=stake, paid=paid, hold=stake - paid, hold_percent=percent)


def table(table_id: str, **lifetime: BetStatistics) -> TableStatistics:
    return TableStatistics(
        table_id=table_id,
        occurred_at="2026-11-30T12:00:00.000Z",
        shoe_no=1,
        version=1,
        scopes={"shoe": {}, "lifetime": lifetime},
    )


def plain(rows: Sequence[MoneyRow]) -> list[MoneyRow]:
    """The rows' texts."""
    return [row._replace(values=()) for row in rows]


def test_the_contracts_example_in_both_scopes() -> None:
    view = table_statistics(decode(STATISTICS, example("bet_statistics")), ENGLISH)
    assert [scope.title for scope in view.scopes] == ["Shoe 412", "All shoes"]
    shoe = view.scopes[0]
    assert [row.bet for row in shoe.bets] == ["Banker", "Player", "Tie", "Banker pair", "Player pair"]
    banker = shoe.bets[0]
    assert (banker.rounds, banker.hits, banker.rate, banker.exact) == ("7", "4", "57.14%", "45.86%")
    assert plain(banker.money) == [MoneyRow("EUR", "1", "100.50", "195.97", "−95.47", "−94.995%", "–", "–")]
    assert shoe.bets[3].money == []
    assert plain(shoe.together) == [MoneyRow("EUR", "5", "400.50", "195.97", "204.53", "51.069%", "–", "80.10")]


def test_no_rounds_and_no_stake_make_no_rate() -> None:
    view = table_statistics(table("T1", tie=bet(0, 0, 0.0951, EUR=money(0, 0, 0))), ENGLISH)
    row = view.scopes[1].bets[0]
    assert (row.rate, row.exact) == ("–", "9.51%")
    assert row.money[0].hold_percent == "–"


def test_money_is_sorted_by_what_is_read_not_by_minor_units() -> None:
    view = table_statistics(table("T1", tie=bet(9, 1, 0.1, JPY=money(1, 12000, 0), EUR=money(1, 15000, 0))), ENGLISH)
    sums = {row.currency: row.values[1:4] for row in view.scopes[1].bets[0].money}
    assert sums == {"EUR": ("150.00", "0.00", "150.00"), "JPY": ("12000", "0", "12000")}


def test_each_currency_has_a_row_with_its_own_digits() -> None:
    view = table_statistics(table("T1", tie=bet(9, 1, 0.1, JPY=money(1, 1500, 0), EUR=money(1, 1500, 0))), ENGLISH)
    assert [(row.currency, row.stake) for row in view.scopes[1].bets[0].money] == [("EUR", "15.00"), ("JPY", "1,500")]


def test_a_bet_without_words_is_shown_by_its_name_after_the_usual_ones() -> None:
    view = table_statistics(table("T1", dragon_7=bet(1, 0, 0.02), tie=bet(1, 0, 0.1)), ENGLISH)
    assert [row.bet for row in view.scopes[1].bets] == ["Tie", "Dragon 7"]


def test_all_tables_together_are_sums_and_the_mean_probability_by_rounds() -> None:
    one = table("T1", tie=bet(100, 10, 0.1, EUR=money(3, 1000, 900)))
    two = table("T2", tie=bet(300, 20, 0.2, EUR=money(1, 500, 0)), banker=bet(0, 0, 0.45))
    scope = house_statistics([one, two], ENGLISH)
    tie = scope.bets[1]
    assert (tie.bet, tie.rounds, tie.hits, tie.rate, tie.exact) == ("Tie", "400", "30", "7.50%", "17.50%")
    assert plain(tie.money) == [MoneyRow("EUR", "4", "15.00", "9.00", "6.00", "40.000%", "–", "3.75")]
    assert scope.bets[0].exact == "45.00%"


def test_a_hold_is_rounded_half_to_even_from_exact_integers() -> None:
    one = table("T1", tie=bet(1, 0, 0.1, EUR=money(1, 200_000, 100_001)))  # 49.9995 %
    assert house_statistics([one], ENGLISH).together[0].hold_percent == "50.000%"
    two = table("T1", tie=bet(1, 0, 0.1, EUR=money(1, 200_000, 100_003)))  # 49.9985 %
    assert house_statistics([two], ENGLISH).together[0].hold_percent == "49.998%"


def test_no_tables_have_no_bets() -> None:
    assert list(house_statistics([], ENGLISH).bets) == []
