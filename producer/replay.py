"""``beadplate producer replay FILE``: recorded shoes, published as if they were dealt now.

The same file again is the same tables, shoes and rounds with the same content, so that everything in it is a
duplicate while the shoes are held. A table that nobody has opened is opened without bets; the settings of a table
that somebody has stay, for their number is higher. Processors refuse a shoe more than 50 above a table's highest.
"""

import asyncio
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO, Final, assert_never

from broker.catalogue import require
from broker.connection import Connection
from contract.rounds import RoundDealt, ShoeEnded, ShoeStarted, TableOpened
from contract.scalars import render_instant
from contract.topics import ROUNDS
from producer.clock import Clock, WallClock
from producer.ending import end, nothing_published
from producer.publisher import Publisher, publishing
from producer.recorded import BadLine, Happening, RecordedRound, ShoeBegun, ShoeOver
from producer.recordings import read
from producer.stopping import run_until, stop_signals

CONFIG_NO: Final = 0
"""Below every number that a floor gives its settings."""
NO_CURRENCY: Final = "XXX"
"""ISO 4217's code for no currency."""
DECKS: Final = 8
PAYTABLE: Final = "classic@1"
BAD_LINES: Final = 1
"""Exit status where lines were left out."""
_AHEAD: Final = 256
"""How many happenings of one table are read before they are due, where the pace is not 0."""


class BadReplay(ValueError):
    """A file that cannot be read, or a pace that is none; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Settings of a replay."""

    file: Path
    "Recording: JSON Lines of results, or a CSV table,shoe,round,player_cards,banker_cards."
    pace: float = 0.0
    "Seconds between rounds of one table, tables side by side; 0 for full speed, in the order of the file."

    def __post_init__(self) -> None:
        """Refuse a pace that is none."""
        if not 0 <= self.pace < float("inf"):
            raise BadReplay(f"the pace is seconds from 0 on, not {self.pace}")


async def run(settings: Replay, connection: Connection, *, clock: Clock | None = None) -> int:
    """Publish the file to its end, or until Ctrl-C or SIGTERM. Returns the exit status.

    Raises ``BadReplay`` and ``UnknownRecording`` before anything is published; ``TopicsNotReady``, ``BrokerAway`` and
    ``RecordRefused``.
    """
    with _opened(settings.file) as stream, stop_signals() as stop:
        reader = _Reader(settings.file, read(stream, settings.file.name))
        if await run_until(stop, require(connection, (ROUNDS,))) is None:
            return nothing_published()
        async with publishing(connection) as publisher:
            replayer = Replayer(publisher, clock or WallClock(), settings.pace)
            finished = await run_until(stop, _publish(reader, replayer, publisher))
            status = await end(publisher, finished=finished is True)
    return status or (BAD_LINES if reader.bad else 0)


async def _publish(happenings: Iterable[Happening], replayer: "Replayer", publisher: Publisher) -> bool:
    await replayer.replay(happenings)
    await publisher.flush()
    return True


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise BadReplay(f"{path} cannot be read: {error.strerror}") from error


class _Reader:
    """The happenings of a file; lines that are left out go to standard error, each with file, line and reason."""

    def __init__(self, path: Path, happenings: Iterator[Happening | BadLine]) -> None:
        self._path, self._happenings = path, happenings
        self.bad = 0

    def __iter__(self) -> Iterator[Happening]:
        for happening in self._happenings:
            if isinstance(happening, BadLine):
                self.bad += 1
                sys.stderr.write(f"{self._path}:{happening.line}: {happening.reason}\n")
            else:
                yield happening


class Replayer:
    """Publishes happenings: at pace 0 as they come, otherwise each table by itself, its rounds a pace apart."""

    def __init__(self, publisher: Publisher, clock: Clock, pace: float) -> None:
        self._publisher, self._clock, self._pace = publisher, clock, timedelta(seconds=pace)
        self._seen: set[str] = set()
        self._lanes: dict[str, asyncio.Queue[Happening | None]] = {}

    async def replay(self, happenings: Iterable[Happening]) -> None:
        """Publish all of them; memory does not grow with their number."""
        if not self._pace:
            for happening in happenings:
                await self._publish(happening)
            return
        async with asyncio.TaskGroup() as group:
            for happening in happenings:
                if (lane := self._lanes.get(happening.table_id)) is None:
                    lane = self._lanes[happening.table_id] = asyncio.Queue(_AHEAD)
                    group.create_task(self._run(lane))
                await lane.put(happening)
            for lane in self._lanes.values():
                await lane.put(None)

    async def _run(self, lane: "asyncio.Queue[Happening | None]") -> None:
        due = self._clock.now()
        while (happening := await lane.get()) is not None:
            await self._clock.sleep_until(due)
            if isinstance(happening, RecordedRound):
                due = max(due, self._clock.now()) + self._pace
            await self._publish(happening)

    async def _publish(self, happening: Happening) -> None:
        at = render_instant(self._clock.now())
        if happening.table_id not in self._seen:
            self._seen.add(happening.table_id)
            await self._publisher.publish(ROUNDS, opened(happening.table_id, at))
        await self._publisher.publish(ROUNDS, event_of(happening, at))


def opened(table_id: str, at: str) -> TableOpened:
    """What a replay says of a table that nobody has opened."""
    return TableOpened(
        table_id=table_id,
        occurred_at=at,
        config_no=CONFIG_NO,
        names={"en": table_id},
        currency=NO_CURRENCY,
        bets=False,
    )


def event_of(happening: Happening, at: str) -> ShoeStarted | RoundDealt | ShoeEnded:
    """The event that publishes a happening; equal but for its time whenever it is made again."""
    match happening:
        case ShoeBegun():
            return ShoeStarted(table_id=happening.table_id, occurred_at=at, shoe_no=happening.shoe_no, decks=DECKS)
        case ShoeOver():
            return ShoeEnded(
                table_id=happening.table_id, occurred_at=at, shoe_no=happening.shoe_no, rounds=happening.rounds
            )
        case RecordedRound():
            return RoundDealt(
                table_id=happening.table_id,
                occurred_at=at,
                shoe_no=happening.shoe_no,
                round_no=happening.round_no,
                revision=0,
                player=happening.player,
                banker=happening.banker,
                outcome=happening.outcome,
                player_pair=happening.player_pair,
                banker_pair=happening.banker_pair,
                paytable=PAYTABLE,
            )
        case _:
            assert_never(happening)
