"""What an operator may say of tables, shoes and betting: what the event says, and which sentence refuses it."""

from collections.abc import Callable

import pytest

from contract.rounds import BettingClosed, BettingOpened, Limit, RoundsEvent, TableOpened
from producer.announcing import Settings, close_betting, closing, end_shoe, open_betting, opening, start_shoe
from producer.nonsense import Nonsense, UnknownTable
from producer.standing import Standing
from tests.producer.floor_events import TABLE, betting, closed, dealt, ended, opened, standing, started, voided

LATER = "2026-11-30T18:02:10.000Z"


def refusal(ask: Callable[[], object]) -> str:
    with pytest.raises(Nonsense) as refused:
        ask()
    return str(refused.value)


def test_a_new_table_is_opened_with_what_is_given_and_the_defaults_of_the_contract() -> None:
    settings = Settings(
        name={"en": "Baccarat 07"}, currency="EUR", limit={"player": "5000-500000"}, time_zone="Asia/Macau"
    )
    event = opening(Standing(TABLE), settings, LATER)
    assert event == TableOpened(
        table_id=TABLE,
        occurred_at=LATER,
        config_no=1,
        names={"en": "Baccarat 07"},
        currency="EUR",
        limits={"player": Limit(min=5000, max=500_000)},
        time_zone="Asia/Macau",
    )


def test_settings_that_are_not_given_stay_and_empty_ones_go() -> None:
    before = opened(
        7,
        names={"en": "Baccarat 07", "ru": "Баккара 07"},
        place="Pit 3",
        limits={"player": Limit(min=1, max=2), "tie": Limit(min=3, max=4)},
        bets=False,
        road_rows=8,
        tail="drop",
        time_zone="Asia/Macau",
    )
    event = opening(standing(before), Settings(name={"ru": ""}, limit={"tie": "", "banker": "5-6"}), LATER)
    assert (event.config_no, event.names, event.place, event.bets) == (8, {"en": "Baccarat 07"}, "Pit 3", False)
    assert (event.road_rows, event.tail, event.time_zone, event.currency) == (8, "drop", "Asia/Macau", "EUR")
    assert event.limits == {"player": Limit(min=1, max=2), "banker": Limit(min=5, max=6)}


def test_a_closed_table_is_opened_again_as_it_was() -> None:
    event = opening(standing(opened(3), closed(4)), Settings(), LATER)
    assert (event.config_no, event.names, event.currency) == (5, {"en": "Baccarat 07"}, "EUR")


@pytest.mark.parametrize(
    ("table", "settings", "words"),
    [
        (Standing(TABLE), Settings(), "table B07 has never been opened: say its --currency"),
        (Standing(TABLE), Settings(currency="euro"), "no event that anyone would take"),
        (Standing("B 7"), Settings(currency="EUR"), "no event that anyone would take"),
        (standing(opened(3)), Settings(), "nothing would change: table B07 is open with these settings"),
        (standing(opened(3)), Settings(name={"en": "Baccarat 07"}), "nothing would change"),
        (standing(opened(3)), Settings(limit={"tie": "9-1"}), "the limits of tie are the least and the greatest stake"),
        (standing(opened(3)), Settings(limit={"tie": "all"}), "not 'all'"),
        (standing(opened(3)), Settings(time_zone="Mars/Base"), "there is no time zone 'Mars/Base'"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused_with_what_is(
    table: Standing, settings: Settings, words: str
) -> None:
    assert words in refusal(lambda: opening(table, settings, LATER))


def test_where_older_settings_may_be_gone_from_the_topic_their_number_is_asked_for() -> None:
    settings = Settings(currency="EUR")
    assert "say --config-no" in refusal(lambda: opening(standing(started(412)), settings, LATER, whole=False))
    assert "say --config-no" in refusal(lambda: closing(standing(started(412)), LATER, whole=False))
    assert opening(standing(started(412)), settings, LATER, config_no=9, whole=False).config_no == 9
    assert opening(standing(opened(3)), Settings(place="Pit 4"), LATER, whole=False).config_no == 4
    assert "settings 3 of B07 hold" in refusal(lambda: closing(standing(opened(3)), LATER, config_no=3))


def test_a_table_is_closed_once() -> None:
    assert closing(standing(opened(3)), LATER).config_no == 4
    assert "has been closed since" in refusal(lambda: closing(standing(opened(3), closed(4)), LATER))
    with pytest.raises(UnknownTable):
        closing(Standing(TABLE), LATER)


def test_the_next_shoe_has_the_decks_of_the_one_before() -> None:
    event = start_shoe(standing(started(412, decks=6)), None, LATER, burn_card="10h")
    assert (event.shoe_no, event.decks, event.burn_card, event.force) == (413, 6, "TH", False)
    event = start_shoe(standing(opened()), None, LATER)
    assert (event.shoe_no, event.decks) == (1, 8)
    assert start_shoe(standing(started(412, decks=6)), None, LATER, decks=8).decks == 8


def test_a_shoe_that_a_round_has_opened_can_still_be_started() -> None:
    event = start_shoe(standing(started(412), dealt(413, 1)), 413, LATER, decks=6)
    assert (event.shoe_no, event.decks) == (413, 6)


@pytest.mark.parametrize(("shoe_no", "forced"), [(414, False), (462, False), (463, True), (10**6, True)])
def test_a_jump_can_be_insisted_on_and_says_so_where_processors_ask_for_it(shoe_no: int, *, forced: bool) -> None:
    table = standing(started(412))
    left_out = shoe_no - 413
    assert refusal(lambda: start_shoe(table, shoe_no, LATER)) == (
        f"B07 is at shoe 412: shoe {shoe_no} would leave {left_out} out, say --force if it is no slip of the keys"
    )
    event = start_shoe(table, shoe_no, LATER, force=True)
    assert event.force is forced
    assert table.judge(event).judgement == "new"


@pytest.mark.parametrize(
    ("table", "shoe_no", "words"),
    [
        (standing(started(412, decks=6)), 412, "shoe 412 of B07 was started 2026-11-30T18:00:00.000Z with 6 decks"),
        (standing(started(412), started(413), started(414)), 412, "can be changed no more"),
        (standing(opened(), started(412), closed(2)), 413, "has been closed since"),
        (standing(started(412)), 0, "no event that anyone would take"),
        (Standing("B70"), 1, "there is no table B70"),
    ],
)
def test_a_shoe_that_cannot_be_meant_is_refused_with_what_is(table: Standing, shoe_no: int, words: str) -> None:
    assert words in refusal(lambda: start_shoe(table, shoe_no, LATER))


def test_a_shoe_ends_after_its_highest_round() -> None:
    table = standing(started(412), dealt(412, 1), dealt(412, 2), voided(412, 3, 1))
    event = end_shoe(table, None, LATER)
    assert (event.shoe_no, event.rounds) == (412, 3)
    assert end_shoe(table, 412, LATER, rounds=5, force=True).rounds == 5
    assert "its round 3 was published" in refusal(lambda: end_shoe(table, 412, LATER, rounds=2))
    assert "say --force" in refusal(lambda: end_shoe(table, 412, LATER, rounds=5))
    assert "B07 has no shoe 413" in refusal(lambda: end_shoe(table, 413, LATER))
    over = standing(started(412), dealt(412, 1), ended(412, 1))
    assert "shoe 412 of B07 has ended after 1 rounds" in refusal(lambda: end_shoe(over, None, LATER))


def test_betting_opens_on_the_next_round_and_closes_on_the_one_that_is_open() -> None:
    table = standing(started(412), dealt(412, 1))
    event: RoundsEvent = open_betting(table, None, LATER)
    assert event == BettingOpened(table_id=TABLE, occurred_at=LATER, shoe_no=412, round_no=2)
    table.take(event)
    event = close_betting(table, None, LATER)
    assert event == BettingClosed(table_id=TABLE, occurred_at=LATER, shoe_no=412, round_no=2)
    table.take(event)
    assert open_betting(table, 3, LATER).round_no == 3  # the result of round 2 may still be on its way


@pytest.mark.parametrize(
    ("events", "round_no", "shoe_no", "words"),
    [
        ((started(412), dealt(412, 1)), 1, None, "round 1 of shoe 412 of B07 has its result"),
        ((started(412), dealt(412, 1)), 3, None, "shoe 412 of B07 is at round 1: betting on round 3 would leave a gap"),
        ((started(412), betting(412, 1, open_=False)), 1, None, "betting on round 1 of shoe 412 of B07 was closed"),
        ((started(412), ended(412, 0)), 1, None, "shoe 412 of B07 has ended after 0 rounds"),
        ((started(412), started(413)), 1, 412, "shoe 412 of B07 is over: the table is at shoe 413"),
        ((opened(), started(412), closed(2)), 1, None, "has been closed since"),
        ((started(412),), 0, None, "no event that anyone would take"),
        ((opened(),), 1, None, "has had no shoe yet"),
    ],
)
def test_betting_that_cannot_be_meant_is_refused_with_what_is(
    events: tuple[RoundsEvent, ...], round_no: int, shoe_no: int | None, words: str
) -> None:
    table = standing(*events)
    assert words in refusal(lambda: open_betting(table, round_no, LATER, shoe_no=shoe_no))
    assert words in refusal(lambda: close_betting(table, round_no, LATER, shoe_no=shoe_no))
