"""A pay table that was used keeps what it said: another content under its name ends the processor."""

import pytest

from baccarat.paytables import Paytable, UnknownPaytable, load, parse
from processors.settlements import Settlements
from processors.terms import PaytableChanged, Terms
from tests.processors.reading import PARTITIONS, Reader, example

MINE = 'id = "house"\nversion = 1\nrounding = "down"\nopposite_bets = "refused"\n[pays]\nplayer = "1:1"\ntie = "{}:1"\n'


def finding(tie: int | None) -> Settlements:
    """A fold to which ``house@1`` pays a tie so, or, with None, is not known."""

    def paytables(name: str) -> Paytable:
        if name != "house@1":
            return load(name)
        if tie is None:
            raise UnknownPaytable(name)
        return parse(name, MINE.format(tie))

    return Settlements(PARTITIONS, paytables)


def settled() -> dict[bytes, bytes]:
    """The rows of a table one round of which was settled by ``house@1``."""
    reader = Reader(finding(8))
    reader.take(example("round_dealt", paytable="house@1", revision=0))
    assert b"B07/paytables" in reader.rows
    return reader.rows


def test_another_content_under_the_name_of_a_used_pay_table_ends_the_processor() -> None:
    with pytest.raises(PaytableChanged, match=r"house@1 says something else .* B07 .* new\s+version"):
        finding(9).restore(list(settled().items()))


@pytest.mark.parametrize("tie", [8, None])
def test_the_same_content_goes_on_and_so_does_a_pay_table_that_is_missing(tie: int | None) -> None:
    finding(tie).restore(list(settled().items()))


def test_the_row_is_written_once_a_pay_table_and_table() -> None:
    terms = Terms(load)
    assert [row.key for row in terms.use("B07", load("classic@1"))] == [b"B07/paytables"]
    assert terms.use("B07", load("classic@1")) == []
    (row,) = terms.use("B07", load("full@1"))
    assert [other.key for other in terms.use("B08", load("full@1"))] == [b"B08/paytables"]
    restored = Terms(load)
    assert row.value is not None
    assert restored.load(row.key, row.value)
    assert restored.use("B07", load("classic@1")) == restored.use("B07", load("full@1")) == []


def test_rows_of_others_are_left_to_them() -> None:
    terms = Terms(load)
    assert not any(terms.load(key, b"{}") for key in (b"B07", b"B07/12", b"B07/12/1", b"B07/12/1/paytables"))
