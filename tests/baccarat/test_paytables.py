"""Pay tables: what the house rules promise, and every way in which a file can be wrong."""

from fractions import Fraction

import pytest

from baccarat import paytables
from baccarat.bets import BETS
from baccarat.paytables import PUSH, BadPaytable, UnknownPaytable, add, available, load, parse, published

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
        "banker": dict.fromkeys(("won", "on_6", "three_card_7"), Fraction(95, 100)),
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
        ('tie = "9:1"', 'tie = "push"', "tie needs a ratio"),
        ('tie = "9:1"', 'tie = {won = "push"}', "tie never wins more than its stake"),
        ('banker = "19:20"', 'banker = {won = "1:1", on_6 = "1:2"}', "banker lacks the pay of 'three_card_7'"),
        (
            'rounding = "down"',
            'rounding = "down"\nside_bets = "no"',
            "side_bets is 'no', and may be alone, with_main",
        ),
        ('banker = "19:20"\ntie = "9:1"', "", "pays has no bet"),
        ("[pays]", "[[pays]]", "pays has no bet"),
        ("[pays]", "[pay]", "pays is missing"),
        ("[pays]", "[pays", "is not TOML"),
        ("version = 3", "version = " + "3" * 5000, "is not TOML"),
        ("version = 3", "version = " + "3" * 140, "version is at most 999999999"),
        ("[pays]", "more = " + "[" * 3000 + "\n[pays]", "is not TOML"),
        (
            '[pays]\nbanker = "19:20"\ntie = "9:1"',
            'side_bets = "with_main"\n[pays]\nsuper_6 = "12:1"',
            "there is no main bet to be beside",
        ),
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


# What is published never changes: by name, the digest of what each says.
PUBLISHED = {
    "classic-8@1": "4b38b81c766d518f",
    "classic@1": "aae6610b17b26190",
    "commission-4@1": "05a82b94ef2eafe9",
    "dragon-bonus-long@1": "5c0f0997ae2b95da",
    "egalite@1": "335f3662792a8ef4",
    "ez@1": "601a5067a3d19236",
    "full@1": "10eae940bce3fa3a",
    "no-commission@1": "11df74645289f23a",
    "tiger@1": "c7162f400f340089",
}


def test_what_a_published_version_says_never_changes() -> None:
    assert {name: load(name).digest for name in published()} == PUBLISHED


def test_every_bet_is_on_some_pay_table() -> None:
    assert {bet for name in published() for bet in load(name).pays} == set(BETS)


def test_the_full_table_pays_the_mains_as_classic_8_and_every_bet_of_the_notes() -> None:
    full, eight = load("full@1"), load("classic-8@1")
    assert set(full.pays) == {*eight.pays, *NOTED}
    assert {bet: full.pays[bet] for bet in eight.pays} == dict(eight.pays)
    assert full.opposite_bets == "allowed"


# The usual pays of the trade, as the felt of most floors has them.
NOTED = {
    "either_pair": {"won": 5},
    "perfect_pair": {"one_hand": 25, "both_hands": 200},
    "small": {"won": Fraction(3, 2)},
    "big": {"won": Fraction(54, 100)},
    "super_6": {"won": 12},
    "lucky_6": {"two_cards": 12, "three_cards": 20},
    "dragon_7": {"won": 40},
    "panda_8": {"won": 25},
    "dragon_bonus_player": dict(zip(BETS["dragon_bonus_player"].classes, (1, 1, 2, 4, 6, 10, 30), strict=True)),
    "dragon_bonus_banker": dict(zip(BETS["dragon_bonus_banker"].classes, (1, 1, 2, 4, 6, 10, 30), strict=True)),
}


@pytest.mark.parametrize("bet", NOTED)
def test_side_bets_pay_as_usual(bet: str) -> None:
    assert dict(load("full@1").pays[bet]) == NOTED[bet]


def test_a_class_may_push_and_a_single_ratio_is_that_of_every_class() -> None:
    banker = load("ez@1").pays["banker"]
    assert dict(banker) == {"won": 1, "on_6": 1, "three_card_7": PUSH}
    assert set(load("commission-4@1").pays["banker"].values()) == {Fraction(24, 25)}


def test_side_bets_stand_alone_unless_a_file_says_otherwise() -> None:
    assert {load(name).side_bets for name in ("classic@1", "full@1")} == {"alone"}
    assert load("tiger@1").side_bets == "with_main"


def test_two_files_that_say_the_same_have_one_digest_and_another_pay_another() -> None:
    same = parse("classic@3", "# words\n" + GOOD.replace("19:20", "95:100"))
    assert same.digest == parse("classic@3", GOOD).digest
    assert parse("classic@3", GOOD.replace("9:1", "8:1")).digest != same.digest
    assert parse("classic@3", GOOD.replace("down", "half_up")).digest != same.digest
    assert parse("classic@3", GOOD.replace("[pays]", 'side_bets = "with_main"\n[pays]')).digest != same.digest


def test_a_pay_table_of_the_house_is_found_once_it_was_added(own: str) -> None:
    with pytest.raises(UnknownPaytable):
        load(own)
    mine = parse(own, GOOD.replace('"classic"', f'"{own[:-2]}"'))
    add(mine)
    add(parse(own, GOOD.replace('"classic"', f'"{own[:-2]}"')))
    assert load(own) is mine
    assert own in available()
    with pytest.raises(BadPaytable, match="new version"):
        add(parse(own, GOOD.replace('"classic"', f'"{own[:-2]}"').replace("9:1", "8:1")))
    assert load(own) is mine


def test_a_name_of_ours_with_other_content_is_refused() -> None:
    with pytest.raises(BadPaytable, match="new version"):
        add(parse("classic@1", GOOD.replace("version = 3", "version = 1")))
    assert load("classic@1").pays["tie"]["won"] == 9


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a pay table that nobody else has; forgotten after the test."""
    monkeypatch.setattr(paytables, "_added", {})
    return "house@3"
