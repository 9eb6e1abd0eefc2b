"""The newest of each table wins, whatever order its records come in."""

from hypothesis import given
from hypothesis import strategies as st

from contract.codec import decode, encode
from contract.topics import STATISTICS
from dashboards.store import ShoeHead, Store
from tests.dashboards.tables import example, scoreboard


def keep(store: Store, shoe_no: int, version: int, at_ms: int = 0) -> bool:
    board = scoreboard(shoe_no=shoe_no, version=version)
    return store.keep_board(board, encode(board), at_ms)


def shown(store: Store) -> tuple[int, int]:
    event = store.boards["B07"].event
    return event.shoe_no, event.version


def test_a_higher_version_takes_the_place_of_a_lower() -> None:
    store = Store()
    assert keep(store, 412, 5)
    assert keep(store, 412, 6)
    assert shown(store) == (412, 6)


def test_a_lower_version_of_a_delayed_writer_changes_nothing() -> None:
    store = Store()
    keep(store, 412, 6)
    assert not keep(store, 412, 5)
    assert shown(store) == (412, 6)


def test_a_new_shoe_takes_the_place_of_any_version_of_the_old() -> None:
    store = Store()
    keep(store, 412, 900)
    assert keep(store, 413, 1)
    assert shown(store) == (413, 1)
    assert not keep(store, 412, 901)


def test_a_repeat_does_not_make_the_data_younger() -> None:
    store = Store()
    keep(store, 412, 6, at_ms=1000)
    assert not keep(store, 412, 6, at_ms=9000)
    assert store.boards["B07"].at_ms == 1000


@given(st.permutations([(412, 5), (412, 6), (413, 1), (413, 2), (413, 2), (411, 80)]))
def test_every_order_of_arrival_ends_with_the_same(arrivals: list[tuple[int, int]]) -> None:
    store = Store()
    for shoe_no, version in arrivals:
        keep(store, shoe_no, version)
    assert shown(store) == (413, 2)


def test_statistics_are_kept_apart_from_boards() -> None:
    store, event = Store(), decode(STATISTICS, example("bet_statistics"))
    assert store.keep_statistics(event, b"raw", 7)
    assert not store.keep_statistics(event, b"raw", 8)
    assert store.statistics["B07"].raw == b"raw"
    assert store.boards == {}


def head(version: int) -> ShoeHead:
    return ShoeHead(table_id="B07", shoe_no=9, version=version, decks=8, counts=scoreboard().counts)


def test_the_index_points_to_the_last_copy_of_the_highest_version() -> None:
    store = Store()
    for version, offset in ((1, 10), (2, 20), (2, 30)):
        store.keep_shoe(head(version), 0, offset)
    assert store.shoes["B07"][9].offset == 30


def test_a_lower_version_of_a_shoe_does_not_move_the_index() -> None:
    store = Store()
    store.keep_shoe(head(2), 0, 20)
    store.keep_shoe(head(1), 0, 30)
    assert store.shoes["B07"][9].offset == 20


def test_what_is_deleted_in_kafka_is_forgotten() -> None:
    store = Store()
    keep(store, 412, 6)
    store.keep_shoe(head(1), 0, 1)
    store.forget_table("B07")
    store.forget_shoe("B07", 9)
    store.forget_shoe("nobody", 1)
    store.forget_statistics("nobody")
    assert store.table_ids() == []
    assert store.shoes["B07"] == {}
