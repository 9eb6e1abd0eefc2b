"""Quotations in messages."""

from hypothesis import given
from hypothesis import strategies as st

from baccarat.quoting import quote


def test_a_short_text_is_quoted_whole() -> None:
    assert quote("10H") == "'10H'"


def test_a_long_text_is_cut() -> None:
    assert quote("x" * 10**6) == "'" + "x" * 20 + "'..."


@given(st.text())
def test_a_quotation_is_short_and_printable_whatever_was_sent(text: str) -> None:
    assert quote(text).isprintable()
    assert len(quote(text)) <= 20 * len("\\U0010ffff") + len("''...")
