"""Dead letters published again, after whatever refused them was mended: key and value as they were.

A letter is published to the topic that its headers name, if that is one of sources, and to the partition that its key
names; a record without a key goes back to its own. In their order in the dead letters, each record once however many
letters it has: what still cannot be taken is a dead letter again, and must not double with every replay.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from broker.catalogue import require
from broker.connection import Connection
from broker.reading import read_topic
from contract.topics import BETS, DEAD_LETTERS, ROUNDS
from producer.dead_letters import Choice, Letter, Place, letter
from producer.link import KafkaLink
from producer.publisher import Publisher, running
from producer.records import Record

REPEATED: Final = "the same record has been published from an earlier letter"


@dataclass(slots=True)
class Replayed:
    """What came of a replay: letters by code that were published, letters that were not, places that have none."""

    published: Counter[str] = field(default_factory=Counter)
    passed_over: int = 0
    missing: set[Place] = field(default_factory=set)


Report = Callable[[Letter, str | None], None]
"""Told of every letter that is meant: published, or why not."""


async def replay(connection: Connection, choice: Choice, report: Report, *, dry_run: bool = False) -> Replayed:
    """Publish the letters that are meant and stand in the topic now; returns when Kafka has acknowledged them.

    Raises ``TopicsNotReady``, ``BrokerAway`` and ``RecordRefused``.
    """
    partitions = await require(connection, (ROUNDS, BETS, DEAD_LETTERS))
    publisher = Publisher(partial(KafkaLink, connection))
    if dry_run:
        return await _replay(connection, choice, report, None, partitions)
    async with running(publisher):
        replayed = await _replay(connection, choice, report, publisher, partitions)
        await publisher.flush()
    return replayed


async def _replay(
    connection: Connection, choice: Choice, report: Report, publisher: Publisher | None, partitions: int
) -> Replayed:
    done, seen = Replayed(missing=set(choice.places)), set[bytes]()
    async for record in read_topic(connection, DEAD_LETTERS.name):
        found = letter(record)
        if not choice.takes(found):
            continue
        done.missing -= {found.place, found.source}
        hindrance, fingerprint = choice.hindrance(found), found.fingerprint()
        if hindrance is None and fingerprint in seen:
            hindrance = REPEATED
        if hindrance is None:
            seen.add(fingerprint)
            done.published[found.code] += 1
            if publisher is not None:
                await publisher.forward(as_it_was(found, partitions))
        else:
            done.passed_over += 1
        report(found, hindrance)
    return done


def as_it_was(found: Letter, partitions: int) -> Record:
    """The record of a letter that nothing hinders, as it is published again."""
    assert found.source is not None
    partition = found.source.partition % partitions if found.key is None else None
    return Record(found.source.topic, found.key, found.value, None, partition)
