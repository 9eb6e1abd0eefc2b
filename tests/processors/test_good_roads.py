"""Good roads as alerts: raised at their threshold, grown, and cleared when they are broken, corrected or over."""

from typing import Any

from baccarat.roads.good import Thresholds
from processors.scoreboards import Scoreboards
from tests.processors.reading import PARTITIONS, Reader, example

HANDS = {"P": (["4H", "5S"], ["KD", "3C"]), "B": (["KD", "3C"], ["4H", "5S"]), "T": (["4H", "5S"], ["4D", "5C"])}


def dealt(round_no: int, side: str, shoe_no: int = 1, **more: Any) -> dict[str, Any]:
    name = "round_corrected" if more.get("revision") else "round_dealt"
    player, banker = HANDS[side]
    return example(name, shoe_no=shoe_no, round_no=round_no, player=player, banker=banker, **more)


def boards(thresholds: Thresholds = Thresholds()) -> Reader:  # noqa: B008 - frozen
    return Reader(Scoreboards(PARTITIONS, thresholds))


def deal(reader: Reader, sides: str, shoe_no: int = 1, start: int = 1) -> None:
    for number, side in enumerate(sides, start=start):
        reader.take(dealt(number, side, shoe_no))


def test_a_streak_is_told_at_four_grows_over_ties_and_ends_with_the_other_side() -> None:
    reader = boards()
    deal(reader, "BBB")
    assert reader.good_roads == []
    deal(reader, "BTBP", start=4)
    assert reader.told("good_road") == [
        ("raised", "1/streak/banker", 4),
        ("changed", "1/streak/banker", 5),
        ("cleared", "1/streak/banker", 0),
    ]
    assert [told["message"] for told in reader.good_roads] == [
        "Banker in a row: 4 since round 1 of shoe 1.",
        "Banker in a row: 5 since round 1 of shoe 1.",
        "Banker in a row: over in shoe 1.",
    ]
    assert reader.board["good_roads"] == []


def test_the_board_and_the_alerts_say_the_same_by_the_thresholds_that_are_set() -> None:
    reader = boards(Thresholds(streak=2, ping_pong=99))
    deal(reader, "PBPBB")
    assert reader.board["good_roads"] == [{"kind": "streak", "side": "banker", "length": 2, "from_round": 4}]
    assert reader.told("good_road") == [("raised", "1/streak/banker", 2)]


def test_every_pattern_has_words() -> None:
    reader = boards(Thresholds(streak=2, ping_pong=2, double_jump=2, one_two=2, chop_after=2))
    deal(reader, "PBBPBBPPBBPPBPBPBPP")
    kinds = {told["subject"].removeprefix("1/") for told in reader.good_roads}
    assert kinds == {
        "streak/banker", "streak/player", "ping_pong/both", "double_jump/both", "one_two/both", "chop_after/banker",
        "chop_after/player",
    }  # fmt: skip


def test_a_correction_and_a_void_end_what_they_break() -> None:
    reader = boards()
    deal(reader, "BBBB")
    reader.take(dealt(2, "P", revision=1))
    assert reader.told("good_road")[-1] == ("cleared", "1/streak/banker", 0)
    reader.take(dealt(2, "B", revision=2), example("round_voided", shoe_no=1, round_no=4, revision=1))
    assert [state for state, _, _ in reader.told("good_road")] == ["raised", "cleared", "raised", "cleared"]


def test_behind_a_gap_nobody_knows_what_runs() -> None:
    reader = boards()
    deal(reader, "BBBB")
    reader.take(dealt(6, "B"))
    assert reader.told("good_road")[-1] == ("cleared", "1/streak/banker", 0)
    reader.take(dealt(5, "B"))
    assert reader.told("good_road")[-1] == ("raised", "1/streak/banker", 6)


def test_the_end_of_the_shoe_and_a_later_shoe_end_what_runs() -> None:
    reader = boards()
    deal(reader, "BBBB")
    reader.take(example("shoe_ended", shoe_no=1, rounds=4))
    assert reader.told("good_road")[-1] == ("cleared", "1/streak/banker", 0)
    deal(reader, "PPPP", shoe_no=2)
    reader.take(example("shoe_started", shoe_no=3))
    assert reader.told("good_road")[-2:] == [("raised", "2/streak/player", 4), ("cleared", "2/streak/player", 0)]


def test_after_a_restart_nothing_is_told_twice_and_nothing_forgotten() -> None:
    reader = boards()
    deal(reader, "BBBB")
    reader.restart()
    reader.take(dealt(5, "T"))
    assert len(reader.good_roads) == 1
    reader.take(dealt(6, "P"))
    assert reader.told("good_road")[-1] == ("cleared", "1/streak/banker", 0)
    reader.restart(back=1)
    reader.take(dealt(6, "P"))
    assert [state for state, _, _ in reader.told("good_road")] == ["raised", "cleared", "cleared"]
