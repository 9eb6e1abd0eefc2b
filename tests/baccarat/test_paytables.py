"""Pay tables: what the house rules promise, and every way in which a file can be wrong."""

from fractions import Fraction

import pytest

from baccarat.paytables import BadPaytable, UnknownPaytable, available, load, parse

GOOD = """
id = "classic"
version = 3
rounding = "down"
opposite_bets = "allowed"
[pays]
banker = "19:20"
tie = "9:1"
"""


def test_the_usual_game_and_the_one_with_the_lower_tie_come_with_the_package() -> None:
    assert {"classic@1", "classic-8@1"} <= set(available())


@pytest.mark.parametrize(("name", "tie"), [("classic@1", 9), ("classic-8@1", 8)])
def test_pays_are_those_of_the_house_rules(name: str, tie: int) -> None:
    paytable = load(name)
    assert {bet: dict(classes) for bet, classes in paytable.pays.items()} == {
        "player": {"won": Fraction(1)},
        "banker": {"won": Fraction(95, 100)},
        "tie": {"won": Fraction(tie)},
        "player_pair": {"won": Fraction(11)},
        "banker_pair": {"won": Fraction(11)},
    }
    assert (paytable.name, paytable.rounding, paytable.opposite_bets) == (name, "down", "refused")


@pytest.mark.parametrize("name", available())
def test_every_file_loads_under_its_own_name_and_once(name: str) -> None:
    assert load(name).name == name
    assert load(name) is load(name)


def test_a_loaded_pay_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        load("classic@1").pays["tie"] = {}  # type: ignore[index]


@pytest.mark.parametrize("name", ["", "classic", "classic@2", "CLASSIC@1", "../paytables/classic@1", "x" * 10_000])
def test_an_unknown_pay_table_is_refused_with_the_known_names(name: str) -> None:
    with pytest.raises(UnknownPaytable) as refusal:
        load(name)
    assert "classic@1" in str(refusal.value)
    assert len(str(refusal.value)) < 400
    assert isinstance(refusal.value, KeyError)


def test_a_good_file_is_read_exactly() -> None:
    paytable = parse("classic@3", GOOD)
    assert (paytable.id, paytable.version, paytable.opposite_bets) == ("classic", 3, "allowed")
    assert paytable.pays["banker"]["won"] == Fraction(19, 20)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('id = "classic"', "", "id is missing"),
        ("version = 3", "", "version is missing"),
        ("version = 3", "version = 0", "an integer from 1"),
        ("version = 3", "version = true", "an integer from 1"),
        ("version = 3", 'version = "3"', "an integer from 1"),
        ('id = "classic"', 'id = "Classic"', "small letters"),
        ('id = "classic"', 'id = "other"', "id and version make other@3"),
        ('rounding = "down"', 'rounding = "up"', "rounding is 'up', and may be down, half_even, half_up"),
        ('rounding = "down"', "rounding = [1]", "rounding is [1]"),
        ('opposite_bets = "allowed"', 'opposite_bets = "no"', "opposite_bets is 'no'"),
        ('rounding = "down"', 'rounding = "down"\ncurrency = "EUR"', "currency is no key"),
        ('tie = "9:1"', 'tei = "9:1"', "tei is no bet"),
        ('tie = "9:1"', 'tie = "0:1"', "tie pays '0:1'"),
        ('tie = "9:1"', 'tie = "9:0"', "tie pays '9:0'"),
        ('tie = "9:1"', 'tie = "1001:1"', "at most 1000 to 1"),
        ('tie = "9:1"', "tie = 0.95", "tie needs a ratio"),
        ('tie = "9:1"', 'tie = "-9:1"', "tie pays '-9:1'"),
        ('tie = "9:1"', 'tie = "0.95"', "tie pays '0.95'"),
        ('tie = "9:1"', 'tie = {win = "9:1"}', "tie has no pay class 'win'"),
        ('tie = "9:1"', 'tie = {win = "9:1"}', "tie lacks the pay of 'won'"),
        ('tie = "9:1"', "tie = {won = 9}", "tie pays 9"),
        ('banker = "19:20"\ntie = "9:1"', "", "pays has no bet"),
        ("[pays]", "[[pays]]", "pays has no bet"),
        ("[pays]", "[pay]", "pays is missing"),
        ("[pays]", "[pays", "is not TOML"),
    ],
)
def test_a_wrong_file_is_refused_by_its_problem(old: str, new: str, problem: str) -> None:
    assert old in GOOD
    with pytest.raises(BadPaytable) as refusal:
        parse("classic@3", GOOD.replace(old, new))
    assert any(problem in said for said in refusal.value.problems)
    assert "classic@3" in str(refusal.value)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(BadPaytable) as refusal:
        parse("classic@3", GOOD.replace("down", "up").replace("9:1", "x").replace("version = 3", ""))
    assert len(refusal.value.problems) == 3
