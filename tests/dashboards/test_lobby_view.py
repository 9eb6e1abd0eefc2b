"""The lobby's tiles: in the order that people expect, alike here and in the page's script."""

import pytest

from dashboards.options import View
from dashboards.views.lobby import tile
from tests.dashboards.tables import keyed_rounds, scoreboard


def order(name: str, table_id: str = "T1") -> str:
    board = scoreboard(keyed_rounds("B"), names={"en": name}, table_id=table_id)
    return tile(board, 0, View(sort="name"), 60).order


@pytest.mark.parametrize(
    "names",
    [
        ["Ёлка", "Яхта"],
        ["Äpfel", "Zebra"],
        ["table 2", "Table 10"],
        ["éclair", "Fuchs"],
        ["\uff21 (full width)", "B"],
    ],
)
def test_names_stand_as_people_sort_them(names: list[str]) -> None:
    assert [name for _, name in sorted((order(name), name) for name in names)] == names


def test_tables_of_one_name_stand_by_their_ids() -> None:
    assert order("Same", "T2") < order("Same", "T10")
    assert order("Same", "T10") < order("Samebut", "T1")


@pytest.mark.parametrize("names", [["\N{SLOT MACHINE} One", "\uffee Two", "\ue000 Three"]])
def test_an_order_is_plain_ascii_so_that_utf_16_compares_it_alike(names: list[str]) -> None:
    assert all(order(name).isascii() for name in names)
    keys = [order(name) for name in names]
    assert sorted(keys) == sorted(keys, key=lambda key: key.encode("utf-16-be"))
