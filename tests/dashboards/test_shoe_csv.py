"""A shoe as CSV: every version of every round, as a spreadsheet may read it."""

import csv
import io

import pytest

from contract.codec import decode
from contract.scoreboards import Round, ShoeRecord, Version
from contract.topics import SHOES
from dashboards.shoe_csv import COLUMNS, shoe_csv
from tests.dashboards.tables import example, keyed_rounds, scoreboard, shoe_record, site
from tests.dashboards.web import asking


def rows(record: ShoeRecord) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(shoe_csv(record))))


def test_the_contracts_example_has_a_row_for_every_version() -> None:
    record: ShoeRecord = decode(SHOES, example("shoe_record"))
    found = rows(record)
    assert [(int(row["round_no"]), int(row["revision"])) for row in found] == [
        (each.round_no, version.revision) for each in record.rounds for version in each.versions or (each,)
    ]
    for each in record.rounds:
        standing = [row for row in found if int(row["round_no"]) == each.round_no and row["stands"] == "1"]
        assert [row["outcome"] for row in standing] == [each.outcome or ""]
    assert list(found[0]) == list(COLUMNS)


def test_cards_and_facts_are_plain_text_and_numbers() -> None:
    record: ShoeRecord = decode(SHOES, example("shoe_record"))
    each = next(each for each in record.rounds if each.player and not each.versions)
    row = next(row for row in rows(record) if int(row["round_no"]) == each.round_no)
    assert each.player is not None
    assert row["player"].split(" ") == list(each.player)
    assert row["player_total"] == str(each.player_total)
    assert row["player_natural"] == str(int(bool(each.player_natural)))


def test_what_is_not_known_is_empty_and_no_zero() -> None:
    (row,) = rows(shoe_record(scoreboard(keyed_rounds("B"))))
    assert (row["outcome"], row["player"], row["player_total"], row["player_pair"]) == ("banker", "", "", "")


@pytest.mark.parametrize("reason", ["=HYPERLINK(1)", "+1", "-1", "@x", "\tx"])
def test_no_text_of_an_operator_becomes_a_formula(reason: str) -> None:
    version = Version(occurred_at="2026-11-30T10:31:00.000Z", revision=1, outcome="banker", reason=reason)
    each = Round(round_no=1, revision=1, voided=False, outcome="banker", versions=(version,))
    (row,) = rows(shoe_record(scoreboard([each])))
    assert row["reason"] == f"'{reason}"


def test_line_ends_and_quotes_stay_in_their_cell() -> None:
    version = Version(occurred_at="2026-11-30T10:31:00.000Z", revision=1, outcome="banker", reason='a "b",\nc')
    each = Round(round_no=1, revision=1, voided=False, outcome="banker", versions=(version,))
    (row,) = rows(shoe_record(scoreboard([each])))
    assert row["reason"] == 'a "b",\nc'


@pytest.mark.asyncio
async def test_the_api_gives_it_as_a_file() -> None:
    async with asking(site([example("scoreboard")])) as client:
        answer = await client.get("/api/v1/tables/B07/shoes/412?format=csv")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["content-disposition"] == 'attachment; filename="B07-412.csv"'
        assert answer.text.splitlines()[0] == ",".join(COLUMNS)
        assert (await client.get("/api/v1/tables/B07/shoes/412?format=xml")).status_code == 400
