"""A shoe's history within the size of a record: the worst that the source topics accept, and what is told of it."""

import json
from typing import Any

import msgspec
import pytest

from contract.rounds import RoundVersion, TableOpened
from contract.topics import CHANGELOGS, SCOREBOARDS, SHOES
from processors.effects import Out
from processors.history import BUDGET, DETAILS
from processors.scoreboards import Scoreboards
from tests.processors.reading import PARTITIONS, Reader, example

TABLE, SHOE = "B07", 412
WIDE = "\x01"  # six bytes on the wire
ROOM = 4096  # what Kafka puts around a record, by far


def version(round_no: int, revision: int, text: str, paytable: str = "classic@1") -> dict[str, Any]:
    name = "round_corrected" if revision else "round_dealt"
    said = {"reason": text, "operator": text} if revision else {}
    return example(name, round_no=round_no, revision=revision, paytable=paytable, **said)


def row(round_no: int, versions: list[dict[str, Any]]) -> tuple[bytes, bytes]:
    held = [msgspec.convert(each, RoundVersion) for each in versions]
    return f"{TABLE}/{SHOE}/{round_no}".encode(), msgspec.json.encode(held)


def rows(rounds: int, versions: int, text: str, paytable: str = "classic@1") -> list[tuple[bytes, bytes]]:
    shown = (f"{TABLE}/{SHOE}".encode(), b'{"shown":{"baccarat.rounds.v1":0}}')
    return [shown] + [
        row(number, [version(number, revision, text, paytable) for revision in range(versions)])
        for number in range(1, rounds + 1)
    ]


def restored(held: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    """The board that is sent for these rows."""
    outs = Scoreboards(PARTITIONS).restore(held).outs
    board: dict[str, Any] = json.loads(next(out.value or b"" for out in outs if out.topic is SCOREBOARDS))
    return board


def size(out: Out) -> int:
    return len(out.key or b"") + len(out.value or b"")


def test_the_largest_history_that_the_sources_accept_fits_every_topic_it_goes_to() -> None:
    opened = example(
        "table_opened",
        names={f"{number:02}" + WIDE * 62: WIDE * 500 for number in range(20)},
        place=WIDE * 500,
        limits={f"{number:03}" + WIDE * 125: {"min": 2**53 - 1, "max": 2**53 - 1} for number in range(100)},
        road_rows=20,
        time_zone=WIDE * 128,
    )
    table = {"opened": opened, "closed": example("table_closed")}
    held = rows(200, 30, WIDE * 500, WIDE * 128)
    held.append((TABLE.encode(), json.dumps(table).encode()))
    fold = Scoreboards(PARTITIONS)
    outs = fold.restore(held).outs
    reader = Reader(fold)
    ended = reader.take(example("shoe_ended", shoe_no=SHOE)).outs
    assert {out.topic for out in [*outs, *ended]} >= {SCOREBOARDS, SHOES}
    for out in [*outs, *ended]:
        assert size(out) < out.topic.max_message_bytes - ROOM
    assert [shown["versions_left_out"] for shown in reader.board["rounds"]] == [30] * 200
    assert isinstance(msgspec.convert(opened, TableOpened), TableOpened)


def test_the_row_of_a_round_with_every_revision_and_the_longest_texts_fits_the_changelog() -> None:
    key, value = row(1, [version(1, revision, WIDE * 500, WIDE * 128) for revision in range(100)])
    assert len(key) + len(value) < min(topic.max_message_bytes for topic in CHANGELOGS) - ROOM


def test_a_round_may_have_every_revision_and_is_told_whole_while_there_is_room() -> None:
    board = restored(rows(2, 100, "misread"))
    for shown in board["rounds"]:
        assert "versions_left_out" not in shown
        assert [each["revision"] for each in shown["versions"]] == [*range(100)]


@pytest.mark.parametrize(
    ("rounds", "versions", "text", "kept", "characters"),
    [
        (80, 3, "m" * 500, [0, 1, 2], 500),
        (40, 100, "m" * 100, [0, *range(91, 100)], 100),
        (60, 100, "m" * 500, [0, 98, 99], 100),
        (200, 30, "🂡" * 500, [0, 29], 20),
    ],
)
def test_versions_in_the_middle_go_first_and_then_long_texts(
    rounds: int, versions: int, text: str, kept: list[int], characters: int
) -> None:
    board = restored(rows(rounds, versions, text))
    assert len(board["rounds"]) == rounds
    for shown in board["rounds"]:
        assert [each["revision"] for each in shown["versions"]] == kept
        assert shown.get("versions_left_out", 0) == versions - len(kept)
        assert (shown["revision"], len(shown["versions"][-1]["reason"])) == (versions - 1, characters)
        assert shown["versions"][-1]["reason"].endswith(text[-1] if characters == len(text) else "…")
    assert len(json.dumps(board["rounds"], ensure_ascii=False, separators=(",", ":")).encode()) <= BUDGET


def test_what_is_told_follows_from_what_is_held_whatever_came_first() -> None:
    held = rows(60, 60, "m" * 500)
    straight = restored(held)
    fold = Scoreboards(PARTITIONS)
    fold.restore([*held[:-1], row(60, [version(60, revision, "m" * 500) for revision in range(1, 59)])])
    reader = Reader(fold)
    reader.take(version(60, 59, "m" * 500), version(60, 0, "m" * 500))
    assert {**reader.board, "version": 0} == {**straight, "version": 0}
    assert reader.board["version"] == straight["version"]


def test_the_last_detail_holds_no_version_and_no_text() -> None:
    assert DETAILS[-1] == (0, 0)
    assert [*DETAILS] == sorted(DETAILS, reverse=True)
