"""What an operator may say of a round: what the event says, and which sentence refuses it."""

from typing import Any

import pytest

from contract.codec import encode
from contract.partitions import partition_of
from contract.rounds import RoundCorrected, RoundDealt, RoundsEvent
from contract.topics import ROUNDS
from processors.effects import Record
from processors.scoreboards import Scoreboards
from producer.amending import Result, Signed, Terms, cards, correct, deal, forgotten, void
from producer.nonsense import Nonsense, UnknownTable
from producer.standing import Standing
from tests.producer.floor_events import (
    AT,
    CLOSED_AT,
    TABLE,
    betting,
    closed,
    corrected,
    dealt,
    ended,
    opened,
    standing,
    started,
    voided,
)

LATER = "2026-11-30T18:02:10.000Z"
SIGNED = Signed(LATER, "pit-3/amy", "cards read in the wrong order")
PLAYER = Result(player="4H,5S", banker="KD,3C")
BANKER = Result(player="KD,7C", banker="4H,5S")


def a_shoe(*more: RoundsEvent) -> Standing:
    """Shoe 412 with rounds 1 and 2, Player's both."""
    return standing(started(412), dealt(412, 1), dealt(412, 2, betting_closed_at=CLOSED_AT), *more)


def corrects(table: Standing, round_no: int = 2, result: Result = BANKER, **more: Any) -> RoundCorrected:
    return correct(table, 412, round_no, result=result, signed=SIGNED, **more)


def test_a_correction_says_the_whole_round_at_the_next_revision() -> None:
    assert corrects(a_shoe()) == RoundCorrected(
        table_id=TABLE,
        occurred_at=LATER,
        shoe_no=412,
        round_no=2,
        revision=1,
        player=("KD", "7C"),
        banker=("4H", "5S"),
        paytable="classic@1",
        betting_closed_at=CLOSED_AT,
        reason="cards read in the wrong order",
        operator="pit-3/amy",
    )


def test_the_terms_are_those_of_the_latest_result_unless_told() -> None:
    late = "2026-11-30T18:01:05.000Z"
    table = a_shoe(corrected(412, 2, 1, paytable="classic-8@1", free_hand=True, betting_closed_at=late))
    event = corrects(table, result=PLAYER)
    assert (event.revision, event.paytable, event.betting_closed_at, event.free_hand) == (2, "classic-8@1", late, True)
    terms = Terms(paytable="classic@1", betting_closed_at="2026-11-30T19:01:00+01:00", free_hand=False)
    event = corrects(table, result=PLAYER, terms=terms)
    assert (event.paytable, event.betting_closed_at, event.free_hand) == (
        "classic@1",
        "2026-11-30T18:01:00.000Z",
        False,
    )


def test_a_void_is_corrected_back_with_the_terms_of_the_result_before_it() -> None:
    table = a_shoe(voided(412, 2, 1))
    event = corrects(table, result=PLAYER)
    assert (event.revision, event.betting_closed_at) == (2, CLOSED_AT)


def test_a_round_is_corrected_several_times_and_in_the_shoe_before() -> None:
    table = a_shoe(corrected(412, 2, 1), voided(412, 2, 2), started(413))
    assert corrects(table, result=PLAYER).revision == 3


def test_a_correction_may_change_terms_alone() -> None:
    assert corrects(a_shoe(), result=PLAYER, terms=Terms(paytable="classic-8@1")).paytable == "classic-8@1"


def test_a_keyed_result_stands_with_what_is_said_and_nothing_else() -> None:
    event = corrects(a_shoe(), result=Result(outcome="banker", banker_total=9, player_pair=False))
    said = (event.player, event.outcome, event.banker_total, event.player_total, event.player_pair, event.banker_pair)
    assert said == (None, "banker", 9, None, False, None)


def test_what_is_not_known_any_more_is_told() -> None:
    table = a_shoe()
    event = corrects(table, result=Result(outcome="banker", banker_total=9, player_pair=False))
    assert forgotten(table, event) == ["player_total", "player_natural", "banker_natural", "banker_pair"]
    assert forgotten(table, corrects(table)) == []


@pytest.mark.parametrize(
    ("typed", "hand"),
    [("4H,5S", ("4H", "5S")), ("4h 5s", ("4H", "5S")), (" 10d, tc ,k ", ("TD", "TC", "K")), ("", ())],
)
def test_cards_are_read_as_people_type_them(typed: str, hand: tuple[str, ...]) -> None:
    assert cards(typed) == hand


@pytest.mark.parametrize(
    ("table", "ask", "words"),
    [
        (a_shoe(), {"round_no": 3}, "shoe 412 of B07 has no round 3: its highest is 2"),
        (a_shoe(dealt(412, 5)), {"round_no": 4}, "round 4 of shoe 412 of B07 never came: publish it with"),
        (a_shoe(), {"result": PLAYER}, "nothing would change: round 2 of shoe 412 of B07 already is what you say"),
        (
            a_shoe(corrected(412, 2, 1)),
            {"revision": 1},
            f"is taken (revision 1: Player KD 7C against Banker 4H 5S, {AT} by amy: misread); the next free one is 2",
        ),
        (a_shoe(corrected(412, 2, 5)), {"result": PLAYER, "revision": 3}, "would change nothing, for 5 is held"),
        (a_shoe(), {"revision": 2}, "the next revision of round 2 of shoe 412 of B07 is 1, not 2"),
        (a_shoe(corrected(412, 2, 99)), {"result": PLAYER}, "has had all of its 99 revisions"),
        (a_shoe(), {"result": Result(player="4H,5S", banker="KD,3C,2C")}, "Banker drew after Player's natural 4H 5S"),
        (a_shoe(), {"result": Result(player="6H,KD", banker="5C,TS")}, "cannot have been dealt: Banker stood on 5"),
        (a_shoe(), {"result": Result(player="4H,5X", banker="KD,3C")}, "no event that anyone would take"),
        (a_shoe(), {"result": Result(player="4H,5S")}, "the cards of both hands"),
        (a_shoe(), {"result": Result()}, "say what was dealt"),
        (a_shoe(), {"result": Result(outcome="player", player_total=0)}, "No round can have"),
        (a_shoe(), {"terms": Terms(paytable="generous@1")}, "There is no pay table 'generous@1'; there are classic"),
        (a_shoe(), {"terms": Terms(betting_closed_at="noon")}, "--betting-closed-at 'noon' is no RFC 3339 time"),
        (a_shoe(started(413), started(414)), {}, "shoe 412 of B07 can be changed no more: the table is at shoe 414"),
        (standing(started(411)), {}, "B07 has no shoe 412: it is at shoe 411"),
        (standing(opened()), {}, "table B07 has had no shoe yet"),
        (standing(started(400), started(413)), {}, "nothing was ever published of shoe 412 of B07"),
    ],
)
def test_a_correction_that_cannot_be_meant_is_refused_with_what_is(
    table: Standing, ask: dict[str, Any], words: str
) -> None:
    with pytest.raises(Nonsense) as refused:
        corrects(table, **ask)
    assert words in str(refused.value)


def test_a_pay_table_that_is_not_known_here_can_be_insisted_on() -> None:
    assert corrects(a_shoe(), terms=Terms(paytable="generous@1"), force=True).paytable == "generous@1"


def test_an_unknown_table_is_an_error_of_its_own() -> None:
    with pytest.raises(UnknownTable):
        corrects(Standing("B70"))


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_reason_is_needed(reason: str) -> None:
    with pytest.raises(Nonsense, match="--reason"):
        correct(a_shoe(), 412, 2, result=BANKER, signed=Signed(LATER, "amy", reason))
    with pytest.raises(Nonsense, match="--reason"):
        void(a_shoe(), 412, 2, Signed(LATER, "amy", reason))


def test_a_round_is_voided_at_its_next_revision() -> None:
    event = void(a_shoe(corrected(412, 2, 1)), 412, 2, SIGNED)
    assert (event.round_no, event.revision, event.reason, event.operator) == (
        2,
        2,
        "cards read in the wrong order",
        "pit-3/amy",
    )


@pytest.mark.parametrize(
    "more",
    [
        (dealt(412, 5),),
        (betting(412, 4, open_=False),),
        (ended(412, 4),),
        (ended(412, 4), started(413)),
    ],
    ids=["a later round", "its betting", "the end of the shoe", "a shoe later"],
)
def test_a_number_that_never_came_is_voided_at_revision_1(more: tuple[RoundsEvent, ...]) -> None:
    assert void(a_shoe(*more), 412, 4, SIGNED).revision == 1


@pytest.mark.parametrize(
    ("table", "round_no", "revision", "words"),
    [
        (a_shoe(), 3, None, "shoe 412 of B07 has no round 3: its highest is 2"),
        (a_shoe(), 0, None, "no event that anyone would take"),
        (a_shoe(voided(412, 2, 1)), 2, None, "round 2 of shoe 412 of B07 is void already"),
        (a_shoe(corrected(412, 2, 1)), 2, 1, "is taken"),
        (a_shoe(dealt(412, 5)), 4, 2, "its void is revision 1, not 2"),
        (a_shoe(started(413), started(414)), 2, None, "can be changed no more"),
    ],
)
def test_a_void_that_cannot_be_meant_is_refused_with_what_is(
    table: Standing, round_no: int, revision: int | None, words: str
) -> None:
    with pytest.raises(Nonsense) as refused:
        void(table, 412, round_no, SIGNED, revision=revision)
    assert words in str(refused.value)


def deals(table: Standing, *numbers: int | None, result: Result = PLAYER, **more: Any) -> RoundDealt:
    shoe_no, round_no = numbers or (None, None)
    return deal(table, shoe_no, round_no, result=result, at=LATER, **more)


def test_the_next_round_is_dealt_with_the_end_of_its_betting_and_the_pay_table_of_the_table() -> None:
    table = standing(started(412), dealt(412, 1, paytable="classic-8@1"), betting(412, 2, open_=False))
    event = deals(table)
    assert (event.shoe_no, event.round_no, event.revision) == (412, 2, 0)
    assert (event.paytable, event.betting_closed_at) == ("classic-8@1", CLOSED_AT)


def test_a_table_without_rounds_is_paid_by_the_classic_table() -> None:
    assert deals(standing(started(1))).paytable == "classic@1"


def test_a_round_that_never_came_is_dealt_into_its_gap_also_in_the_shoe_before() -> None:
    assert deals(a_shoe(dealt(412, 5), ended(412, 5), started(413)), 412, 4).round_no == 4


@pytest.mark.parametrize(
    ("table", "numbers", "words"),
    [
        (a_shoe(), (412, 2), "has been published (revision 0: Player 4H 5S against Banker KD 3C)"),
        (a_shoe(dealt(412, 5), voided(412, 4, 1)), (412, 4), "`beadplate producer correct` changes it"),
        (a_shoe(), (412, 4), "round 4 would leave a gap, say --force"),
        (a_shoe(ended(412, 2)), (412, 3), "ended after 2 rounds: round 3 comes after its end, say --force"),
        (a_shoe(), (413, 1), "B07 has no shoe 413"),
        (standing(opened(), started(412), closed(2)), (412, 1), "table B07 has been closed since"),
    ],
)
def test_a_deal_that_cannot_be_meant_is_refused_with_what_is(
    table: Standing, numbers: tuple[int, int], words: str
) -> None:
    with pytest.raises(Nonsense) as refused:
        deals(table, *numbers)
    assert words in str(refused.value)


def test_a_gap_and_a_round_after_the_end_can_be_insisted_on() -> None:
    assert deals(a_shoe(), 412, 4, force=True).round_no == 4
    assert deals(a_shoe(ended(412, 2)), 412, 3, force=True).round_no == 3


def test_a_closed_table_can_still_be_corrected() -> None:
    table = standing(opened(), started(412), dealt(412, 1), dealt(412, 2), ended(412, 2), closed(2))
    assert corrects(table).revision == 1
    assert void(table, 412, 2, SIGNED).revision == 1


def test_the_scoreboard_takes_what_an_operator_says() -> None:
    table, fold = Standing(TABLE), Scoreboards(12)
    log: list[RoundsEvent] = [started(412), dealt(412, 1), dealt(412, 2), dealt(412, 4)]
    partition = partition_of(TABLE.encode(), 12)

    def publish(event: RoundsEvent) -> list[str]:
        table.take(event)
        log.append(event)
        record = Record(ROUNDS.name, partition, len(log), 1_795_975_200_000, TABLE.encode(), encode(event))
        return [out.topic.name for out in fold.step(record).outs]

    for event in log[:4]:
        publish(event)
    said = (
        lambda: corrects(table),
        lambda: void(table, 412, 2, SIGNED),
        lambda: corrects(table, result=Result(outcome="tie")),
        lambda: void(table, 412, 3, SIGNED),
        lambda: correct(table, 412, 3, result=PLAYER, signed=SIGNED),
        lambda: deals(table),
    )
    for say in said:
        topics = publish(say())
        assert "baccarat.scoreboards.v1" in topics
        assert "baccarat.dead-letters.v1" not in topics
    assert fold.counters() == {"taken": 4 + len(said)}
