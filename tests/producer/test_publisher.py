"""The publisher against a broker that fails in every way: nothing is lost, and tables keep their order."""

import asyncio
import itertools
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

import pytest
from aiokafka.errors import KafkaConnectionError, MessageSizeTooLargeError, NotLeaderForPartitionError
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.rounds import BettingOpened
from contract.topics import ROUNDS
from producer.link import Link
from producer.publisher import Patience, Publisher, RecordRefused, running
from producer.records import Record

QUICK = Patience(in_flight=7, first_pause=0, longest_pause=0)
FAULTS = ["none", "none", "none", "lost", "unsaid", "send", "start", "cancelled"]
TABLES = ["T01", "T02", "T03"]


def opening(table: str, number: int) -> BettingOpened:
    return BettingOpened(
        table_id=table, occurred_at="2026-11-30T18:00:00.000Z", shoe_no=1 + number // 200, round_no=1 + number % 200
    )


class Log:
    """A broker's log, and the faults that await the links to it."""

    def __init__(self, faults: list[str]) -> None:
        self.written: list[Record] = []
        self._faults = deque(faults)
        self.links = 0

    def next_fault(self, *kinds: str) -> str:
        if self._faults and self._faults[0] in ("none", *kinds):
            return self._faults.popleft()
        return "none"

    def link(self) -> Link:
        self.links += 1
        return FaultyLink(self)

    def firsts(self, table: str) -> list[tuple[int, int]]:
        """The table's rounds in the order in which each was first written."""
        events = [record.event for record in self.written]
        rounds = [(e.shoe_no, e.round_no) for e in events if isinstance(e, BettingOpened) and e.table_id == table]
        return list(dict.fromkeys(rounds))


class FaultyLink:
    """Writes each record a moment after it was handed over, and goes on after a failure unless it is cut."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._cut = False
        self._queue: deque[tuple[Record, asyncio.Future[Any]]] = deque()

    async def start(self) -> None:
        await asyncio.sleep(0)
        if self._log.next_fault("start") == "start":
            raise KafkaConnectionError("nobody there")

    async def send(self, record: Record) -> "asyncio.Future[Any]":
        if self._log.next_fault("send") == "send":
            await asyncio.sleep(0)
            raise KafkaConnectionError("buffer full")
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._queue.append((record, future))
        if len(self._queue) == 1:
            loop.call_soon(self._write)
        return future

    def _write(self) -> None:
        if self._cut:
            return
        record, future = self._queue[0]
        match self._log.next_fault("lost", "unsaid", "cancelled"):
            case "lost":
                future.set_exception(NotLeaderForPartitionError())
            case "unsaid":
                self._log.written.append(record)
                future.set_exception(NotLeaderForPartitionError())
            case "cancelled":
                future.cancel()
            case _:
                self._log.written.append(record)
                future.set_result(None)
        self._queue.popleft()
        if self._queue:
            asyncio.get_running_loop().call_soon(self._write)

    def cut(self) -> None:
        self._cut = True

    async def close(self) -> None:
        await asyncio.sleep(0)


async def publish_all(log: Log, numbers: int, patience: Patience = QUICK) -> Publisher:
    publisher = Publisher(log.link, patience)
    async with asyncio.timeout(30), running(publisher):
        for number, table in itertools.product(range(numbers), TABLES):
            await publisher.publish(ROUNDS, opening(table, number))
        await publisher.flush()
    return publisher


@given(faults=st.lists(st.sampled_from(FAULTS), max_size=40))
@settings(deadline=None)
def test_whatever_fails_everything_is_written_and_tables_keep_their_order(faults: list[str]) -> None:
    log = Log(faults)
    publisher = asyncio.run(publish_all(log, 12))
    assert (publisher.acknowledged, publisher.unacknowledged) == (36, 0)
    for table in TABLES:
        assert log.firsts(table) == [(1, number) for number in range(1, 13)]


@pytest.mark.asyncio
async def test_without_faults_every_record_is_written_once() -> None:
    log = Log([])
    publisher = await publish_all(log, 300)
    assert set(Counter(log.written).values()) == {1}
    assert len(log.written) == publisher.acknowledged == 900
    assert log.links == 1


@pytest.mark.asyncio
async def test_a_record_is_keyed_by_its_table_and_counted_once_though_it_is_written_twice() -> None:
    log = Log(["none", "unsaid"])
    publisher = await publish_all(log, 2)
    assert {record.key for record in log.written} == {table.encode() for table in TABLES}
    assert len(log.written) > publisher.acknowledged == 6


@pytest.mark.asyncio
async def test_no_more_are_on_their_way_than_is_allowed() -> None:
    class Silent(FaultyLink):
        async def send(self, _record: Record) -> "asyncio.Future[Any]":
            return asyncio.get_running_loop().create_future()

    publisher = Publisher(lambda: Silent(Log([])), Patience(in_flight=5))
    async with running(publisher):
        for number in range(5):
            await publisher.publish(ROUNDS, opening("T01", number))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(publisher.publish(ROUNDS, opening("T01", 5)), 0.05)
    assert publisher.unacknowledged == 5


@pytest.mark.asyncio
async def test_delivered_means_acknowledged() -> None:
    log = Log(["lost", "none", "lost"])
    publisher = Publisher(log.link, QUICK)
    async with running(publisher):
        await publisher.deliver(ROUNDS, opening("T01", 0))
        assert (len(log.written), publisher.unacknowledged) == (1, 0)


@pytest.mark.asyncio
@pytest.mark.parametrize("when", ["handed over", "answered"])
async def test_a_record_that_is_refused_for_good_ends_the_block_and_is_named(when: str) -> None:
    class Refusing(FaultyLink):
        async def send(self, _record: Record) -> "asyncio.Future[Any]":
            if when == "handed over":
                raise MessageSizeTooLargeError("too large")
            future = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().call_soon(future.set_exception, MessageSizeTooLargeError("too large"))
            return future

    async def publish_one() -> None:
        publisher = Publisher(lambda: Refusing(Log([])), QUICK)
        async with asyncio.timeout(10), running(publisher):
            await publisher.publish(ROUNDS, opening("T01", 2))
            await publisher.flush()

    with pytest.raises(RecordRefused, match=r"betting_opened of table T01 shoe 1 round 3 .* too large"):
        await publish_one()


@pytest.mark.asyncio
@pytest.mark.parametrize("fault", ["none", "lost", "unsaid", "cancelled"])
async def test_what_was_taken_before_a_record_that_is_too_large_to_be_sent_is_written(fault: str) -> None:
    log, large = Log(["none", "none", fault]), opening("T02", 9)

    class Refusing(FaultyLink):
        async def send(self, record: Record) -> "asyncio.Future[Any]":
            if record.event == large:
                raise MessageSizeTooLargeError("too large")
            return await super().send(record)

    async def publish_all() -> None:
        publisher = Publisher(lambda: Refusing(log), QUICK)
        async with asyncio.timeout(10), running(publisher):
            for event in (*(opening("T01", number) for number in range(5)), large):
                await publisher.publish(ROUNDS, event)
            await publisher.flush()

    with pytest.raises(RecordRefused, match=r"table T02 shoe 1 round 10 .* too large"):
        await publish_all()
    assert log.firsts("T01") == [(1, number) for number in range(1, 6)]


@pytest.mark.asyncio
async def test_a_fault_of_the_block_comes_out_as_itself() -> None:
    async def fail() -> None:
        async with running(Publisher(Log([]).link, QUICK)):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()


@pytest.mark.asyncio
async def test_a_block_that_is_cancelled_from_outside_is_cancelled() -> None:
    async def wait_for_ever() -> None:
        async with running(Publisher(Log([]).link, QUICK)):
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(wait_for_ever(), 0.05)


@pytest.mark.asyncio
async def test_a_link_that_stays_silent_is_given_up_for_a_new_one() -> None:
    log = Log([])

    class Silent(FaultyLink):
        async def send(self, _record: Record) -> "asyncio.Future[Any]":
            return asyncio.get_running_loop().create_future()

    links: Iterator[Link] = iter((Silent(log), FaultyLink(log)))
    publisher = Publisher(lambda: next(links), Patience(complain_every=0.01, new_link_after=0.05, first_pause=0))
    async with asyncio.timeout(10), running(publisher):
        await publisher.publish(ROUNDS, opening("T01", 0))
        await publisher.flush()
    assert len(log.written) == 1
