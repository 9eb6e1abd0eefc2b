"""The audit of a Kafka: waits until the processors have come up to the sources, and reads partition by partition.

First the ends of the sources are taken, then every processor's committed offsets must pass them, and only then are the
ends of the outputs taken: so every output of the sources that are judged is there. What comes meanwhile is read too,
since outputs may know it, and demanded of nobody.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from aiokafka import TopicPartition

from audit.findings import Findings
from audit.house import House
from audit.partition import READ, Partition
from audit.reading import Bounds, Reader, reader
from audit.report import Report, TableSums, gathered
from audit.scope import Scope
from audit.waiting import caught_up
from broker.catalogue import require
from broker.connection import Connection
from contract.codec import BadRecord, UnknownType, decode
from contract.partitions import partition_of
from contract.topics import BETS, CATALOGUE, ROUNDS, Topic

_SOURCES: Final = (ROUNDS, BETS)


class HistoryCut(Exception):
    """The whole history was asked for, and retention has deleted its beginning."""


class UnknownTable(Exception):
    """No record of the sources speaks of the table; the message names those that there are."""


async def run(
    connection: Connection,
    *,
    table: str | None = None,
    shoe: int | None = None,
    from_beginning: bool = False,
    wait_s: float = 60.0,
    house: House = House(),  # noqa: B008 - frozen
) -> Report:
    """Audit a Kafka, or one table of it, or one shoe of that table.

    Raises ``HistoryCut``, ``UnknownTable``, ``ProcessorBehind``, ``TopicsNotReady`` and ``BrokerAway``.
    """
    scope = Scope(table_id=table, shoe_no=shoe)
    partitions = await require(connection, CATALOGUE)
    numbers = range(partitions) if table is None else [partition_of(table.encode(), partitions)]
    async with reader(connection) as source:
        snapshot = await source.bounds(_SOURCES, numbers)
        if from_beginning and not snapshot.complete:
            raise HistoryCut(_cut(snapshot))
        await caught_up(connection, source, snapshot, numbers, partitions=partitions, wait_s=wait_s)
        bounds = await source.bounds(READ[:1] + READ[3:], numbers)
        now = await source.bounds(_SOURCES, numbers)
        report = await _audit(
            source, numbers, partitions, scope, snapshot=snapshot, bounds=bounds.with_(now), house=house
        )
        if table is not None and table not in report.tables:
            raise UnknownTable(await _unknown(source, table, partitions))
    return report


def _cut(snapshot: Bounds) -> str:
    cut = [f"{place.topic} {place.partition} begins at {offset}" for place, offset in snapshot.begins.items() if offset]
    return (
        f"the history is not complete any more ({', '.join(cut[:3])}{', …' if len(cut) > len(cut[:3]) else ''}); "
        "without --from-beginning what is left is judged"
    )


async def _audit(
    source: Reader,
    numbers: Sequence[int],
    partitions: int,
    scope: Scope,
    *,
    snapshot: Bounds,
    bounds: Bounds,
    house: House,
) -> Report:
    findings, counts = Findings(), Counter[str]()
    tables, notes, sums = list[str](), list[tuple[str, str]](), list[TableSums]()
    for number in numbers:
        partition = Partition(
            number,
            partitions,
            begins=bounds.begins_of(number),
            snapshot=snapshot.ends_of(number),
            scope=scope,
            findings=findings,
            counts=counts,
            house=house,
        )
        for topic in READ:
            async for record in source.read(TopicPartition(topic.name, number), bounds):
                partition.take(topic, record)
        if partition.finish():
            async for record in source.read(TopicPartition(BETS.name, number), bounds):
                partition.explain(record)
        tables += partition.tables
        notes += partition.notes
        sums += partition.sums
    return Report(
        complete=snapshot.complete,
        counts=dict(counts),
        sums=tuple(sorted(sums, key=lambda row: (row.table_id, row.currency))),
        amiss={f"{kind} {what}": count for (kind, what), count in findings.counts.items()},
        findings=tuple(findings.shown),
        notes=tuple(gathered(notes)),
        tables=tuple(sorted(tables)),
    )


async def _unknown(source: Reader, table: str, partitions: int) -> str:
    """Which tables there are, for one that there is not."""
    bounds = await source.bounds((ROUNDS,), range(partitions))
    known: set[str] = set()
    for place in bounds.ends:
        async for record in source.read(place, bounds):
            known.update(_table_of(ROUNDS, record.value))
    there = f"there are {', '.join(sorted(known))}" if known else "there is none at all"
    return f"no record speaks of table {table!r}; {there}"


def _table_of(topic: Topic, value: bytes | None) -> tuple[str, ...]:
    try:
        event = decode(topic, value)
    except (BadRecord, UnknownType):
        return ()
    return (event.table_id,)
