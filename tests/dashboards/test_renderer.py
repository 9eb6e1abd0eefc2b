"""Pieces that come again are drawn once, and never for other values than their own."""

from jinja2 import Environment
from jinja2.runtime import Macro
from markupsafe import Markup

from dashboards.options import View
from dashboards.renderer import Each, Renderer
from dashboards.views.table import table_view
from tests.dashboards.tables import NOON_MS, board_shoe, scoreboard

MACROS = "{% macro cell(x, more='') %}<b>{{ x }}{{ more }}</b>{% endmacro %}"


def macro() -> Macro:
    cell = Environment(autoescape=True).from_string(MACROS).module.cell  # type: ignore[attr-defined]
    assert isinstance(cell, Macro)
    return cell


def test_each_value_is_drawn_once_and_escaped() -> None:
    each = Each()
    assert each(["<", "a", "<"], macro()) == Markup("<b>&lt;</b><b>a</b><b>&lt;</b>")
    assert each.drawn == 2
    assert each(["a"], macro(), "!") == Markup("<b>a!</b>")
    assert each(["a"], macro()) == Markup("<b>a</b>")
    assert each.drawn == 3


def test_one_value_is_drawn_once_too() -> None:
    each = Each()
    assert [each.once("<", macro(), more) for more in ("!", "?", "!")] == [
        "<b>&lt;!</b>",
        "<b>&lt;?</b>",
        "<b>&lt;!</b>",
    ]
    assert each.drawn == 2


def test_no_more_than_a_lot_is_kept() -> None:
    each = Each(most=3)
    for number in range(10):
        assert each([number], macro()) == Markup(f"<b>{number}</b>")
    assert each.drawn == 10
    each([9], macro())
    assert each.drawn == 10


def test_the_next_round_draws_little_that_is_new() -> None:
    rounds, _ = board_shoe()
    renderer, view = Renderer(), View()

    def drawn(count: int) -> int:
        board = scoreboard(rounds[:count])
        before = renderer.each.drawn
        renderer.table_frame(table_view(board, NOON_MS, view, 180), view)
        return renderer.each.drawn - before

    assert drawn(57) > 100
    assert drawn(58) < 30
    assert drawn(58) == 0


def test_a_frame_is_the_same_whatever_was_drawn_before() -> None:
    rounds, _ = board_shoe()
    view = View()
    wanted = table_view(scoreboard(rounds), NOON_MS, view, 180)
    used = Renderer()
    for count in range(1, len(rounds)):
        used.table_frame(table_view(scoreboard(rounds[:count]), NOON_MS, view, 180), view)
    assert used.table_frame(wanted, view) == Renderer().table_frame(wanted, view)


def test_no_frame_carries_the_indentation_of_its_template() -> None:
    rounds, _ = board_shoe()
    view = View()
    frame = Renderer().table_frame(table_view(scoreboard(rounds), NOON_MS, view, 180), view)
    assert [line for line in frame.splitlines() if line.startswith(" ")] == []
