"""The one catalogue of topics: it makes the topics, the AsyncAPI document and the tables of the documentation."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from contract.alerts import Alert
from contract.bets import BetsPlaced
from contract.rounds import (
    BettingClosed,
    BettingOpened,
    Event,
    RoundCorrected,
    RoundDealt,
    RoundVoided,
    ShoeEnded,
    ShoeStarted,
    TableClosed,
    TableOpened,
)
from contract.scoreboards import Scoreboard, ShoeRecord
from contract.settlements import BetsSettled
from contract.statistics import ShoeStatistics, TableStatistics

PARTITIONS: Final = 12
"""Default number of partitions; all topics have the same, so that a table's state lives together."""
DAY_MS: Final = 24 * 60 * 60 * 1000
MIB: Final = 1 << 20

Cleanup = Literal["delete", "compact", "compact,delete"]
ProcessorName = Literal["scoreboards", "settlements", "statistics"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One topic: ``key`` in words, ``events`` that may stand in it, sizes in bytes, retention in days (None: for ever).

    ``consumers`` are the ones that the house knows of. A topic with ``log_append_time`` is stamped by the broker.
    """

    name: str
    purpose: str
    key: str
    events: tuple[type[Event], ...]
    cleanup: Cleanup
    retention_days: int | None
    max_message_bytes: int = MIB
    log_append_time: bool = False
    consumers: tuple[str, ...] = ()

    def config(self) -> dict[str, str]:
        """The topic's configuration as Kafka spells it."""
        retention = -1 if self.retention_days is None else self.retention_days * DAY_MS
        config = {
            "cleanup.policy": self.cleanup,
            "retention.ms": str(retention),
            "max.message.bytes": str(self.max_message_bytes),
            "message.timestamp.type": "LogAppendTime" if self.log_append_time else "CreateTime",
        }
        if "compact" in self.cleanup:
            config |= _COMPACTION
        if not set(self.consumers).isdisjoint(get_args(ProcessorName)):
            config |= _UNPACKED
        return config


_COMPACTION: Final = {
    # the active segment is never cleaned, so it has to roll
    "segment.ms": "600000",
    "min.cleanable.dirty.ratio": "0.1",
    "max.compaction.lag.ms": "600000",
    "delete.retention.ms": "86400000",
}

_UNPACKED: Final = {"compression.type": "uncompressed"}
"""For what a processor reads: the broker unpacks a batch and measures what is in it, and refuses the largest to their
sender. Measured as packed, a record of many megabytes would be taken, and no dead letter could carry it.
"""

ROUNDS: Final = Topic(
    name="baccarat.rounds.v1",
    purpose="Tables, shoes, betting phases and dealt, corrected and voided rounds",
    key="table_id",
    events=(
        TableOpened,
        TableClosed,
        ShoeStarted,
        ShoeEnded,
        BettingOpened,
        BettingClosed,
        RoundDealt,
        RoundCorrected,
        RoundVoided,
    ),
    cleanup="delete",
    retention_days=90,
    log_append_time=True,
    consumers=("scoreboards", "settlements", "statistics"),
)
BETS: Final = Topic(
    name="baccarat.bets.v1",
    purpose="Batches of slips, 1 to 1,000 of one table's round",
    key="table_id",
    events=(BetsPlaced,),
    cleanup="delete",
    retention_days=90,
    log_append_time=True,
    consumers=("settlements",),
)
SETTLEMENTS: Final = Topic(
    name="baccarat.settlements.v1",
    purpose="The settlement of each batch at each revision of its round",
    key="table_id",
    events=(BetsSettled,),
    cleanup="delete",
    retention_days=90,
    max_message_bytes=MIB + MIB // 2,  # more than any batch comes to; a dead letter of it has room for its headers
    consumers=("statistics", "wallets"),
)
SCOREBOARDS: Final = Topic(
    name="baccarat.scoreboards.v1",
    purpose="The whole current state of each table's display",
    key="table_id",
    events=(Scoreboard,),
    cleanup="compact",
    retention_days=None,
    consumers=("dashboards", "display boards"),
)
STATISTICS: Final = Topic(
    name="baccarat.statistics.v1",
    purpose="Per table: every bet's rounds, hits and money in the running shoe and in all shoes",
    key="table_id",
    events=(TableStatistics,),
    cleanup="compact",
    retention_days=None,
    max_message_bytes=4 * MIB,  # every bet in every currency there is
    consumers=("dashboards", "analytics"),
)
SHOE_STATISTICS: Final = Topic(
    name="baccarat.shoe-statistics.v1",
    purpose="The statistics of each shoe, with its gaming day: any period can be summed",
    key="table_id/shoe_no",
    events=(ShoeStatistics,),
    cleanup="compact,delete",
    retention_days=400,
    max_message_bytes=4 * MIB,
    consumers=("dashboards", "analytics"),
)
SHOES: Final = Topic(
    name="baccarat.shoes.v1",
    purpose="The record of each shoe: its rounds with all their versions",
    key="table_id/shoe_no",
    events=(ShoeRecord,),
    cleanup="compact,delete",
    retention_days=400,
    consumers=("dashboards", "analytics"),
)
ALERTS: Final = Topic(
    name="baccarat.alerts.v1",
    purpose="Notices for people; they may repeat and are no part of the final state",
    key="table_id",
    events=(Alert,),
    cleanup="delete",
    retention_days=90,
    consumers=("pit", "operations"),
)
DEAD_LETTERS: Final = Topic(
    name="baccarat.dead-letters.v1",
    purpose="Records that could not be taken, with key and value untouched and the reason in the headers",
    key="as the record had it",
    events=(),
    cleanup="delete",
    retention_days=90,
    max_message_bytes=2 * MIB,
    consumers=("operations",),
)

CATALOGUE: Final = (ROUNDS, BETS, SETTLEMENTS, SCOREBOARDS, STATISTICS, SHOE_STATISTICS, SHOES, ALERTS, DEAD_LETTERS)
"""Every topic of the contract, in the order in which a round walks through them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Processor:
    """What Kafka knows of one processor: its consumer group, the topics it reads and writes, its changelog."""

    name: ProcessorName
    sources: tuple[Topic, ...]
    outputs: tuple[Topic, ...]

    @property
    def group(self) -> str:
        """Consumer group, and Faust's app id."""
        return f"beadplate-{self.name}"

    @property
    def table(self) -> str:
        """Name of the Faust table that holds the rows."""
        return "rows"

    @property
    def changelog(self) -> Topic:
        """The topic that keeps the rows; compacted only, for a trimmed changelog hangs the recovery."""
        return Topic(
            name=f"{self.group}-{self.table}-changelog",
            purpose=f"Rows of the {self.name} processor; private",
            key="row",
            events=(),
            cleanup="compact",
            retention_days=None,
            max_message_bytes=4 * MIB if self.name == "statistics" else 2 * MIB,
            consumers=(self.name,),
        )


PROCESSORS: Final[dict[ProcessorName, Processor]] = {
    "scoreboards": Processor(name="scoreboards", sources=(ROUNDS,), outputs=(SCOREBOARDS, SHOES, ALERTS, DEAD_LETTERS)),
    "settlements": Processor(name="settlements", sources=(ROUNDS, BETS), outputs=(SETTLEMENTS, ALERTS, DEAD_LETTERS)),
    "statistics": Processor(
        name="statistics", sources=(ROUNDS, SETTLEMENTS), outputs=(STATISTICS, SHOE_STATISTICS, ALERTS, DEAD_LETTERS)
    ),
}
CHANGELOGS: Final = tuple(processor.changelog for processor in PROCESSORS.values())


def topic_named(name: str) -> Topic:
    """The topic of the catalogue with this full name, or the part between ``baccarat.`` and ``.v1``.

    Raises KeyError where there is none.
    """
    for topic in CATALOGUE:
        if name in (topic.name, topic.name.removeprefix("baccarat.").removesuffix(".v1")):
            return topic
    raise KeyError(name)


def event_name(event: type[Event]) -> str:
    """The ``type`` of an event on the wire, such as ``round_dealt``."""
    tag = event.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
