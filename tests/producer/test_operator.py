"""An operator's word on a real Kafka: published, read back, and told when somebody else was faster."""

import asyncio
import uuid
from threading import Thread

import pytest
from aiokafka import AIOKafkaProducer
from msgspec.structs import replace

from broker.closing import opened
from broker.connection import Connection
from contract.codec import encode
from contract.partitions import partition_of
from contract.rounds import RoundDealt, RoundsEvent
from contract.topics import ROUNDS, SCOREBOARDS
from producer.amending import Result, Signed, correct, void
from producer.asking import Judged, Log, ask
from producer.nonsense import Nonsense
from producer.operator import Beaten, Said, found, operate
from producer.standing import Verdict
from tests.producer.conftest import Reader
from tests.producer.floor_events import CLOSED_AT, betting, corrected, dealt, started, voided

SIGNED = Signed("2026-11-30T18:02:10.000Z", "pit-3/amy", "misread")
BANKER = Result(player="KD,7C", banker="4H,5S")
NEW = Verdict("new")


def judged(event: RoundsEvent, offset: int, verdict: Verdict = NEW) -> Judged:
    return Judged(offset, encode(event), event, verdict)


def test_an_event_is_found_where_it_was_taken_or_repeats_what_is_held() -> None:
    mine, other = corrected(412, 2, 1), dealt(412, 3)
    assert found(mine, [judged(other, 7), judged(mine, 8), judged(mine, 9, Verdict("held"))]).offset == 8
    assert found(mine, [judged(mine, 9, Verdict("held"))]).offset == 9


def test_who_is_beaten_is_told_by_what() -> None:
    mine, theirs = corrected(412, 2, 1), voided(412, 2, 1)
    with pytest.raises(Beaten) as beaten:
        found(mine, [judged(dealt(412, 3), 7), judged(theirs, 8), judged(mine, 9, Verdict("conflict", "held"))])
    assert str(beaten.value).startswith(
        "somebody else was faster: round 2 of shoe 412 of B07 has just got revision 1: void, 2026-11-30T18:00:00.000Z "
        "by amy: exposed card. Yours stands at offset 9 and becomes a dead letter (conflict)"
    )
    with pytest.raises(Beaten, match="somebody else was faster: B07 is at shoe 414"):
        found(mine, [judged(mine, 9, Verdict("too_old", "B07 is at shoe 414"))])
    with pytest.raises(Beaten, match="not to be found"):
        found(mine, [judged(theirs, 8)])


async def put(connection: Connection, *events: RoundsEvent, topic: str = ROUNDS.name) -> None:
    async with opened(AIOKafkaProducer(**connection.client_options())) as producer:
        for event in events:
            await producer.send_and_wait(topic, encode(event), event.table_id.encode())


async def a_table(floor: Connection, *more: RoundsEvent) -> str:
    """A new table with two rounds in its shoe 412."""
    name = f"op-{uuid.uuid4().hex[:8]}"
    events = [started(412), dealt(412, 1), betting(412, 2, open_=False), dealt(412, 2), *more]
    await put(floor, *(replace(event, table_id=name) for event in events))
    return name


def corrects(log: Log) -> RoundsEvent:
    return correct(log.standing, 412, 2, result=BANKER, signed=SIGNED)


def voids(log: Log) -> RoundsEvent:
    return void(log.standing, 412, 2, SIGNED)


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_a_word_is_published_under_its_table_and_found_where_it_stands(
    floor: Connection, everything_in: Reader
) -> None:
    table = await a_table(floor, betting(412, 3, open_=False))
    first, second = await operate(floor, table, corrects), await operate(floor, table, voids)
    records = {record.offset: record for record in await everything_in(floor, ROUNDS) if record.key == table.encode()}
    for said in (first, second):
        assert said.offset is not None
        assert records[said.offset].value == encode(said.event)
        assert said.partition == records[said.offset].partition == partition_of(table.encode(), 12)
    assert (await ask(floor, table)).standing.shoes[412].rounds[2][1:] == [first.event, second.event]


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_what_is_only_to_be_shown_or_cannot_be_meant_is_not_published(
    floor: Connection, everything_in: Reader
) -> None:
    table = await a_table(floor)
    before = len(await everything_in(floor, ROUNDS))
    said = await operate(floor, table, corrects, dry_run=True)
    assert (said.event.table_id, said.offset) == (table, None)
    with pytest.raises(Nonsense, match="has no round 9"):
        await operate(floor, table, lambda log: void(log.standing, 412, 9, SIGNED))
    assert len(await everything_in(floor, ROUNDS)) == before


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_of_two_operators_at_once_the_second_is_told_that_he_was_beaten(floor: Connection) -> None:
    table = await a_table(floor)
    faster: list[Said] = []

    def corrects_while_another_voids(log: Log) -> RoundsEvent:
        rival = Thread(target=lambda: faster.append(asyncio.run(operate(floor, table, voids))))
        rival.start()
        rival.join()
        return corrects(log)

    with pytest.raises(Beaten, match=r"has just got revision 1: void.*becomes a dead letter \(conflict\)"):
        await operate(floor, table, corrects_while_another_voids)
    assert (await ask(floor, table)).standing.shoes[412].rounds[2][1:] == [faster[0].event]


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_whoever_says_the_same_at_once_is_not_beaten(floor: Connection) -> None:
    table = await a_table(floor)

    def both(log: Log) -> RoundsEvent:
        rival = Thread(target=lambda: asyncio.run(operate(floor, table, corrects)))
        rival.start()
        rival.join()
        return corrects(log)

    said = await operate(floor, table, both)
    assert len((await ask(floor, table)).standing.shoes[412].rounds[2]) == 2
    assert said.offset is not None


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_an_unknown_table_is_told_with_the_names_that_come_near(floor: Connection) -> None:
    table = f"op-{uuid.uuid4().hex[:8]}"
    await put(floor, replace(dealt(1, 1), table_id=table), topic=SCOREBOARDS.name)  # its key is looked at, no more
    with pytest.raises(Nonsense, match=rf"there is no table {table}7 \(.*\); there (is|are) .*{table}"):
        await operate(floor, f"{table}7", corrects)


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_rubbish_and_strangers_in_the_partition_change_nothing(floor: Connection) -> None:
    table = await a_table(floor)
    neighbour = next(
        name
        for name in (uuid.uuid4().hex for _ in range(1000))
        if partition_of(name.encode(), 12) == partition_of(table.encode(), 12)
    )
    wrong: list[tuple[str, bytes, int | None]] = [
        (table, b"rubbish", None),
        (table, b'{"type":"dealer_changed","table_id":"%s"}' % table.encode(), None),
        (table, encode(replace(voided(412, 2, 1), table_id=neighbour)), None),
        (neighbour, encode(replace(voided(412, 2, 1), table_id=table)), None),
        (table, encode(replace(voided(412, 2, 1), table_id=table)), (partition_of(table.encode(), 12) + 1) % 12),
    ]
    async with opened(AIOKafkaProducer(**floor.client_options())) as producer:
        for key, value, partition in wrong:
            await producer.send_and_wait(ROUNDS.name, value, key.encode(), partition=partition)
    log = await ask(floor, table)
    assert [version.revision for version in log.standing.shoes[412].rounds[2]] == [0]
    assert isinstance(log.standing.shoes[412].latest(2), RoundDealt)
    phase = log.standing.shoes[412].phase
    assert phase is not None
    assert phase.occurred_at == CLOSED_AT
