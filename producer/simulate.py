"""``beadplate producer simulate``: a floor of tables that deal real shoes, with bettors, for ever or for some shoes."""

import asyncio
import itertools
import math
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog

from baccarat.paytables import load
from baccarat.quoting import quote
from baccarat.shoe import MOST_DECKS
from broker.catalogue import require
from broker.connection import Connection
from contract.scalars import MAX_MONEY
from contract.topics import BETS, ROUNDS, SCOREBOARDS
from producer.clock import Clock, WallClock, to_millisecond
from producer.ending import end, nothing_published
from producer.floor import Table, opened, tables
from producer.plans import plan_shoe
from producer.publisher import Publisher, publishing
from producer.reached import Reached, reached
from producer.schedule import BURNT, SHUFFLED, end_shoe, schedule_round, start_shoe
from producer.stopping import run_until, stop_signals

MOST_TABLES: Final = 999
MOST_BETTORS: Final = 10_000
_CURRENCY: Final = re.compile(r"[A-Z]{3}")
_PREFIX: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,60})?")
_SEED_BITS: Final = 53
_log = structlog.stdlib.get_logger(__name__)


class BadSimulation(ValueError):
    """Settings that make no floor; the message names each of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """Settings of the simulated floor."""

    tables: int = 6
    "Tables on the floor."
    shoes: int | None = None
    "Shoes that each table deals before it ends; without a number it never ends."
    pace: float = 5.0
    "Seconds between rounds of one table; 0 for full speed."
    bettors: int = 20
    "Bettors at each table; 0 for tables without bets."
    seed: int | None = None
    "Makes cards, bets and ids the same for the same shoes of the same tables."
    decks: int = 8
    "Packs of cards in a shoe."
    paytable: str = "classic@1"
    "Pay table of all tables."
    currency: str = "EUR"
    "ISO 4217 code of the stakes."
    corrections: float = 0.0
    "Part of the rounds that are corrected or voided afterwards, 0 to 1."
    time_zone: str = "UTC"
    "Time zone of the tables, as the IANA database names it."
    prefix: str = "T"
    "Tables are named PREFIX01, PREFIX02 and so on."

    def __post_init__(self) -> None:
        """Refuse what makes no floor, everything at once."""
        if problems := [*self._problems(), *self._problems_of_names()]:
            raise BadSimulation("; ".join(problems))

    def _problems(self) -> Iterator[str]:
        if self.tables not in range(1, MOST_TABLES + 1):
            yield f"a floor has 1 to {MOST_TABLES} tables, not {self.tables}"
        if self.shoes is not None and self.shoes < 1:
            yield f"a table deals at least one shoe, not {self.shoes}"
        if not (math.isfinite(self.pace) and self.pace >= 0):
            yield f"the pace is seconds from 0 on, not {self.pace}"
        if self.bettors not in range(MOST_BETTORS + 1):
            yield f"a table has 0 to {MOST_BETTORS} bettors, not {self.bettors}"
        if self.decks not in range(1, MOST_DECKS + 1):
            yield f"a shoe has 1 to {MOST_DECKS} decks, not {self.decks}"
        if not 0 <= self.corrections <= 1:
            yield f"corrections are a part of the rounds, 0 to 1, not {self.corrections}"

    def _problems_of_names(self) -> Iterator[str]:
        if _CURRENCY.fullmatch(self.currency) is None:
            yield f"a currency is a code of three capitals such as EUR, not {quote(self.currency)}"
        if _PREFIX.fullmatch(self.prefix) is None:
            yield f"a prefix of tables is 0 to 61 letters, digits, dots, dashes, underscores, not {quote(self.prefix)}"
        try:
            ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            yield f"there is no time zone {quote(self.time_zone)}: write one such as Asia/Macau"


async def run(settings: Simulation, connection: Connection, *, clock: Clock | None = None) -> int:
    """Deal until every table has had its shoes, or until Ctrl-C or SIGTERM. Returns the exit status.

    Raises ``UnknownPaytable``, ``TopicsNotReady``, ``BrokerAway`` and ``RecordRefused``.
    """
    load(settings.paytable)
    clock = clock or WallClock()
    with stop_signals() as stop:
        before = await run_until(stop, _look(settings, connection))
        if before is None:
            return nothing_published()
        seed = secrets.randbits(_SEED_BITS) if settings.seed is None else settings.seed
        _log.info("The floor opens", tables=settings.tables, pace=settings.pace, seed=seed)
        async with publishing(connection) as publisher:
            dealers = [
                Dealer(table=table, settings=settings, seed=seed, before=so_far, publisher=publisher, clock=clock)
                for table, so_far in before.items()
            ]
            finished = await run_until(stop, _deal(dealers, publisher))
            return await end(publisher, finished=finished is True)


async def _look(settings: Simulation, connection: Connection) -> dict[Table, Reached]:
    """The tables of the floor, and how far each of them has come."""
    partitions = await require(connection, (ROUNDS, BETS, SCOREBOARDS))
    floor = tables(
        prefix=settings.prefix,
        count=settings.tables,
        bettors=settings.bettors,
        decks=settings.decks,
        paytable=settings.paytable,
        currency=settings.currency,
    )
    before = await reached(connection, (table.table_id for table in floor), partitions)
    return {table: before[table.table_id] for table in floor}


async def _deal(dealers: "list[Dealer]", publisher: Publisher) -> bool:
    async with asyncio.TaskGroup() as group:
        for dealer in dealers:
            group.create_task(dealer.deal())
    await publisher.flush()
    return True


class Dealer:
    """Deals the shoes of one table, at the table's own pace, and publishes what happens."""

    def __init__(
        self,
        *,
        table: Table,
        settings: Simulation,
        seed: int,
        before: Reached,
        publisher: Publisher,
        clock: Clock,
    ) -> None:
        self._table, self._settings, self._seed = table, settings, seed
        self._first_shoe = before.shoe_no + 1
        self._config_no = min(before.config_no + 1, MAX_MONEY)
        self._publisher, self._clock = publisher, clock
        # tables are spread over the pace, so that the floor does not deal in step
        self._next = clock.now() + self._paced((table.number - 1) / settings.tables)

    def _paced(self, parts: float) -> timedelta:
        return timedelta(seconds=parts * self._settings.pace)

    async def deal(self) -> None:
        """Deal the shoes that are wanted, one after the other."""
        shoes = itertools.count(self._first_shoe)
        for shoe_no in itertools.islice(shoes, self._settings.shoes):
            await self._shoe(shoe_no)
            self._next += self._paced(SHUFFLED)

    async def _shoe(self, shoe_no: int) -> None:
        plan = plan_shoe(self._table, shoe_no, seed=self._seed, corrections=self._settings.corrections)
        start = await self._begin()
        # said again with every shoe: who reads only the newest records finds the table's settings there too
        await self._publisher.publish(
            ROUNDS,
            opened(self._table, config_no=self._config_no, time_zone=self._settings.time_zone, at=start),
        )
        # no bet of a shoe is sent before the shoe itself stands in the log: another run must not deal it again
        await self._publisher.deliver(ROUNDS, start_shoe(self._table, plan, start))
        self._next = start + self._paced(BURNT)
        rounds = 0
        for planned in plan.rounds:
            start = await self._begin()
            for due in schedule_round(self._table, shoe_no, planned, start, self._settings.pace):
                await self._clock.sleep_until(due.at)
                await self._publisher.publish(due.topic, due.event)
            self._next = start + self._paced(planned.lasts)
            rounds = planned.round_no
        await self._publisher.publish(ROUNDS, end_shoe(self._table, plan, rounds, await self._begin()))

    async def _begin(self) -> datetime:
        """Wait for the moment planned next; one that is past, after a delay, becomes now."""
        await self._clock.sleep_until(self._next)
        self._next = to_millisecond(max(self._next, self._clock.now()))
        return self._next
