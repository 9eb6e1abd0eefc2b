"""Compares what stands in the topics with what must come of the floor, and counts what is not as it must be."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import msgspec

from contract.partitions import partition_of
from contract.topics import PARTITIONS
from tests.faults.expected import Expected
from tests.faults.floor import BETS, ROUNDS, Event, Sent

SETTLEMENTS, SCOREBOARDS, STATISTICS, SHOES, LETTERS = (
    f"baccarat.{name}.v1" for name in ("settlements", "scoreboards", "statistics", "shoes", "dead-letters")
)
READ = (ROUNDS, BETS, SETTLEMENTS, SCOREBOARDS, STATISTICS, SHOES, LETTERS)
"""What is read of a Kafka to be judged."""

Fault = Literal["lost", "unsettled", "wrong", "contradictory", "letters"]
_decode = msgspec.json.Decoder().decode


class Stored(NamedTuple):
    """One record as it stands in a topic."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: dict[str, str]


class Finding(NamedTuple):
    """Something that is not as it must be."""

    fault: Fault
    what: str


class _Head(msgspec.Struct, gc=False):
    shoe_no: int
    version: int = 0
    batch_id: str = ""
    revision: int = 0


_head = msgspec.json.Decoder(_Head).decode


@dataclass
class Shelf:
    """What was read of the topics so far, of the outputs only what a consumer by identity keeps."""

    sources: Counter[Sent] = field(default_factory=Counter)
    offsets: dict[tuple[str, int, int], Sent] = field(default_factory=dict)
    settled: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    newest: dict[tuple[str, bytes], tuple[tuple[int, int], bytes]] = field(default_factory=dict)
    letters: dict[tuple[str, int, int], set[tuple[bytes | None, bytes | None, str]]] = field(
        default_factory=lambda: defaultdict(set)
    )
    contradictory: dict[tuple[str, object], str] = field(default_factory=dict)
    misplaced: list[str] = field(default_factory=list)
    _versions: dict[tuple[str, int], bytes] = field(default_factory=dict)

    def put(self, record: Stored) -> None:
        """Take in one record."""
        match record.topic:
            case topic if topic in (ROUNDS, BETS):
                bare = Sent(topic, record.partition, record.key, record.value)
                self.sources[bare] += 1
                self.offsets[topic, record.partition, record.offset] = bare
            case topic if topic == LETTERS:
                told = record.headers
                place = (told["topic"], int(told["partition"]), int(told["offset"]))
                self.letters[place].add((record.key, record.value, told["code"]))
            case topic if topic == SETTLEMENTS:
                self._settle(record)
            case _:
                self._show(record)

    def _place(self, record: Stored) -> None:
        """An output stands on its table's partition, as all that is said of a table."""
        assert record.key is not None
        if record.partition != partition_of(record.key.partition(b"/")[0], PARTITIONS):
            self.misplaced.append(f"{record.topic}: {record.key.decode()} on partition {record.partition}")

    def _settle(self, record: Stored) -> None:
        assert record.value is not None
        self._place(record)
        head = _head(record.value)
        identity = (head.batch_id, head.revision)
        if self._versions.setdefault(identity, record.value) != record.value:
            self.contradictory[record.topic, identity] = f"batch {head.batch_id} revision {head.revision}"
        if head.revision >= self.settled.get(head.batch_id, (0, b""))[0]:
            self.settled[head.batch_id] = (head.revision, record.value)

    def _show(self, record: Stored) -> None:
        assert record.value is not None
        assert record.key is not None
        self._place(record)
        head, name = _head(record.value), (record.topic, record.key)
        version, held = self.newest.get(name, ((-1, -1), b""))
        mine = (head.shoe_no, head.version)
        if mine > version:
            self.newest[name] = (mine, record.value)
            self.contradictory.pop(name, None)
        elif mine == version and held != record.value:
            self.contradictory[name] = f"{record.topic} of {record.key.decode()} at {mine}"

    def events(self, topic: str) -> dict[str, Event]:
        """The newest event of each key of a compacted topic."""
        return {key.decode(): _decode(value) for (name, key), (_, value) in self.newest.items() if name == topic}


def judge(expected: Expected, shelf: Shelf) -> list[Finding]:
    """Everything that is not as it must be; nothing where all is well."""
    return [
        *(Finding("contradictory", what) for what in shelf.contradictory.values()),
        *(Finding("wrong", what) for what in shelf.misplaced),
        *_settlements(expected, shelf),
        *_boards(expected, shelf),
        *_records(expected, shelf),
        *_statistics(expected, shelf),
        *_letters(expected, shelf),
    ]


def missing(published: Iterable[Sent], shelf: Shelf) -> Iterator[Finding]:
    """Records that were acknowledged and do not stand in their topic."""
    for record in published:
        if record._replace(code=None) not in shelf.sources:
            yield Finding("lost", f"{record.topic}: {record.value!r:.200}")


def _settlements(expected: Expected, shelf: Shelf) -> Iterator[Finding]:
    for batch_id, place in expected.places.items():
        worth, final = expected.worth(batch_id), shelf.settled.get(batch_id)
        if worth is None:
            if final is not None:
                yield Finding("wrong", f"batch {batch_id} is settled, and its round has not come")
            continue
        revision = expected.rounds[place]["revision"]
        if final is None or final[0] != revision:
            yield Finding("unsettled", f"batch {batch_id} at {final and final[0]}, its round at {revision}")
            continue
        said = _decode(final[1])["settlements"]
        if [(slip["slip_id"], slip["result"], slip["payout"]) for slip in said] != worth:
            yield Finding("wrong", f"batch {batch_id} at revision {revision}")
        if any(slip["net"] != slip["payout"] - slip["stake"] for slip in said):
            yield Finding("wrong", f"batch {batch_id}: net is not payout less stake")
    for batch_id in shelf.settled.keys() - expected.places.keys():
        yield Finding("wrong", f"batch {batch_id} is settled and was never placed")


def _boards(expected: Expected, shelf: Shelf) -> Iterator[Finding]:
    shown = shelf.events(SCOREBOARDS)
    yield from _keys("scoreboard", set(expected.shoes), set(shown))
    for table_id in expected.shoes.keys() & shown.keys():
        board, shoe_no = shown[table_id], max(expected.shoes[table_id], default=0)
        letters = expected.letters(table_id, shoe_no)
        wanted = (shoe_no, letters, expected.big_road(table_id, shoe_no))
        if (board["shoe_no"], board["roads"]["rounds"], board["roads"]["big_road"]) != wanted:
            yield Finding("wrong", f"scoreboard of {table_id}: {board['roads']['rounds']} and not {letters}")
        yield from _shoe(expected, table_id, board)


def _records(expected: Expected, shelf: Shelf) -> Iterator[Finding]:
    records = shelf.events(SHOES)
    yield from _keys("shoe_record", {f"{table_id}/{shoe_no}" for table_id, shoe_no in expected.over()}, set(records))
    for record in records.values():
        table_id, shoe_no = record["table_id"], record["shoe_no"]
        if record["roads"]["rounds"] != (letters := expected.letters(table_id, shoe_no)):
            yield Finding("wrong", f"record of {table_id}/{shoe_no}: {record['roads']['rounds']} and not {letters}")
        yield from _shoe(expected, table_id, record)


def _shoe(expected: Expected, table_id: str, shown: Event) -> Iterator[Finding]:
    """The rounds of a scoreboard or a shoe record: latest version, and all the others."""
    shoe_no = shown["shoe_no"]
    wanted = {key[2] for key in expected.rounds if key[:2] == (table_id, shoe_no)}
    if wanted != {entry["round_no"] for entry in shown["rounds"]}:
        yield Finding("wrong", f"{shown['type']} of {table_id}/{shoe_no} has other rounds than {sorted(wanted)}")
        return
    for entry in shown["rounds"]:
        key = (table_id, shoe_no, entry["round_no"])
        last, revisions = expected.rounds[key], expected.revisions[key]
        said = {version["revision"] for version in entry.get("versions", ())} or {entry["revision"]}
        cards = (entry.get("player"), entry.get("banker"))
        same = (entry["revision"], *cards) == (last["revision"], last.get("player"), last.get("banker"))
        if said != revisions or not same:
            yield Finding("wrong", f"round {key} is {entry} and not {last}")


def _statistics(expected: Expected, shelf: Shelf) -> Iterator[Finding]:
    shown, money = shelf.events(STATISTICS), expected.money()
    yield from _keys("bet_statistics", {table_id for table_id, shoes in expected.shoes.items() if shoes}, set(shown))
    for table_id in expected.shoes.keys() & shown.keys():
        event, shoes = shown[table_id], expected.shoes[table_id]
        scopes = {"shoe": [max(shoes)], "lifetime": sorted(shoes)}
        for scope, numbers in scopes.items():
            letters = "".join(expected.letters(table_id, number) for number in numbers).replace("?", "")
            for bet, mark in (("player", "P"), ("banker", "B"), ("tie", "T")):
                said = event["scopes"][scope].get(bet, {"rounds": 0, "hits": 0})
                if (said["rounds"], said["hits"]) != (len(letters), letters.count(mark)):
                    yield Finding("wrong", f"statistics of {table_id}, {scope}, {bet}: {said['rounds']} {said['hits']}")
        told = {bet: _sums(each["money"]["EUR"]) for bet, each in event["scopes"]["lifetime"].items() if each["money"]}
        wanted = {bet: _sums(sums) for bet, sums in money[table_id].items()}
        if {bet: sums for bet, sums in told.items() if any(sums)} != wanted:
            yield Finding("wrong", f"money of {table_id}: {told} and not {wanted}")


def _sums(row: Any) -> tuple[int, int, int]:
    return row["slips"], row["stake"], row["paid"]


def _letters(expected: Expected, shelf: Shelf) -> Iterator[Finding]:
    """Each rubbish record of the sources has its dead letter, with its place, its bytes and its code; nothing else."""
    for place, record in shelf.offsets.items():
        code, letters = expected.rubbish.get(record), shelf.letters.get(place, set())
        if letters != ({(record.key, record.value, code)} if code else set()):
            yield Finding("letters", f"{place} is {code}: {record.value!r:.200}, its letters {letters!r:.300}")
    for place in shelf.letters.keys() - shelf.offsets.keys():
        yield Finding("letters", f"a letter of {place}, where no record stands")


def _keys(what: str, wanted: set[str], found: set[str]) -> Iterator[Finding]:
    for key in sorted(wanted - found):
        yield Finding("lost", f"{what} of {key}")
    for key in sorted(found - wanted):
        yield Finding("wrong", f"{what} of {key}, which nobody has published")
