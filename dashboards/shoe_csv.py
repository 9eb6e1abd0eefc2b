"""A shoe as CSV: a row for every version of every round, for spreadsheets and scripts (RFC 4180, UTF-8)."""

import csv
import io
from collections.abc import Iterator
from typing import Final

from contract.scoreboards import Round, ShoeRecord, Version

COLUMNS: Final = (
    "table_id",
    "shoe_no",
    "round_no",
    "revision",
    "stands",
    "voided",
    "outcome",
    "player",
    "banker",
    "player_total",
    "banker_total",
    "player_natural",
    "banker_natural",
    "player_pair",
    "banker_pair",
    "paytable",
    "free_hand",
    "occurred_at",
    "reason",
    "operator",
    "versions_left_out",
)
"""``stands``: 1 for the version that holds. Cards have spaces between them; a fact that is not known is empty.

``versions_left_out``: so many versions of the round are not here.
"""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""With these a spreadsheet would begin a formula; a text that does gets an apostrophe before it."""


def shoe_csv(record: ShoeRecord) -> str:
    """The record's rounds by number, each one's versions by revision."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    for each in record.rounds:
        for version in each.versions or (each,):
            writer.writerow(dict(_cells(record, each, version)))
    return text.getvalue()


def _cells(record: ShoeRecord, each: Round, version: Round | Version) -> Iterator[tuple[str, object]]:
    yield from (("table_id", record.table_id), ("shoe_no", record.shoe_no), ("round_no", each.round_no))
    yield "stands", int(version.revision == each.revision)
    for column in COLUMNS[COLUMNS.index("stands") + 1 :]:
        yield column, _cell(getattr(version, column, None))
    yield from (("revision", version.revision), ("versions_left_out", each.versions_left_out))


def _cell(value: object) -> object:
    match value:
        case None:
            return ""
        case bool():
            return int(value)
        case tuple():
            return " ".join(value)
        case str() if value.startswith(_FORMULA):
            return f"'{value}"
        case _:
            return value
