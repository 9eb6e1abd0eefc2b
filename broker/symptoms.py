"""What the newest records tell: whether they can be read, whose clock is wrong, what people have been told of late.

Functions of what was seen, each a sequence of findings; ``broker.doctor`` goes and looks.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from broker.samples import Sample
from contract.alerts import NEWS, Alert
from contract.codec import BadRecord, UnknownType, decode
from contract.dead_letters import CODES, DeadLetterCode
from contract.scalars import parse_instant
from contract.topics import CATALOGUE, DEAD_LETTERS, Topic

Verdict = Literal["holds", "note", "wrong"]

AHEAD_S: Final = 5.0
"""So far the broker's clock may be ahead of ours: an append time in our future is told from here on."""
SOURCE_CLOCK_S: Final = 300.0
"""The same tolerance as the alert ``clock`` has."""
READABLE: Final = tuple(topic for topic in CATALOGUE if topic is not DEAD_LETTERS)
"""Topics whose records have a schema."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about one thing; a wrong one says what to do."""

    verdict: Verdict
    sentence: str


@dataclass(slots=True)
class LastDay:
    """Dead letters by code, and alerts by kind, table and subject, of the last day; ``complete`` if all were read."""

    letters: Counter[str] = field(default_factory=Counter)
    alerts: dict[tuple[str, str, str], Alert] = field(default_factory=dict)
    complete: bool = True

    def take_letter(self, sample: Sample) -> None:
        """Count one dead letter."""
        self.letters[sample.headers.get("code", "without a code")] += 1

    def take_alert(self, sample: Sample) -> None:
        """Note one alert; what cannot be read is told elsewhere."""
        try:
            alert = decode(_topic("baccarat.alerts.v1"), sample.value)
        except (BadRecord, UnknownType):
            return
        self.alerts[alert.kind, alert.table_id, alert.subject] = alert


def _topic(name: str) -> Topic:
    return next(topic for topic in CATALOGUE if topic.name == name)


def schemas(samples: Iterable[Sample]) -> Iterator[Finding]:
    """Whether the newest records of each topic can be read by this version."""
    bad: dict[str, list[tuple[Sample, str]]] = defaultdict(list)
    unknown: dict[str, list[Sample]] = defaultdict(list)
    seen = Counter[str]()
    for sample in samples:
        seen[sample.topic] += 1
        try:
            decode(_topic(sample.topic), sample.value)
        except BadRecord as error:
            bad[sample.topic].append((sample, str(error)))
        except UnknownType:
            unknown[sample.topic].append(sample)
    for name, count in seen.items():
        yield from _unreadable(_topic(name), bad[name], count)
        if unknown[name]:
            yield Finding(
                "note",
                f"{len(unknown[name])} of the {count} newest records of {name} are of a type that this version does "
                "not know and skips: a newer version writes there",
            )
    if seen and not any(bad.values()) and not any(unknown.values()):
        yield Finding("holds", f"the newest records of {len(seen)} topics can be read ({seen.total()} were looked at)")


def _unreadable(topic: Topic, bad: list[tuple[Sample, str]], count: int) -> Iterator[Finding]:
    if not bad:
        return
    sample, why = bad[-1]
    said = (
        f"{len(bad)} of the {count} newest records of {topic.name} cannot be read; partition {sample.partition} offset "
        f"{sample.offset}: {why}"
    )
    if topic.log_append_time and len(bad) < count:
        yield Finding("note", f"{said}. Processors make dead letters of such records: see who sends them")
    else:
        yield Finding("wrong", f"{said}. Look at who writes there, and whether its version and this one fit")


def clocks(samples: Iterable[Sample], now_ms: int) -> Iterator[Finding]:
    """Whether the broker's clock and those of the sources agree with ours and with each other."""
    appended = [sample for sample in samples if _topic(sample.topic).log_append_time]
    if not appended:
        return
    ahead = max(sample.timestamp for sample in appended) / 1000 - now_ms / 1000
    if ahead > AHEAD_S:
        yield Finding(
            "wrong",
            f"the broker's clock is {ahead:.0f} s ahead of this machine's: set both by one time server, for alerts and "
            "dead letters are dated by the broker's",
        )
    wrong = {table: off for table, off in _source_clocks(appended).items() if abs(off) > SOURCE_CLOCK_S}
    for table, off in sorted(wrong.items()):
        word = "ahead of" if off > 0 else "behind"
        yield Finding(
            "note",
            f"the clock of what publishes {table} is {abs(off):.0f} s {word} the broker's, or it published late: look "
            "at it",
        )
    if ahead <= AHEAD_S and not wrong:
        yield Finding("holds", "the clocks of the broker, of the sources and of this machine agree")


def _source_clocks(samples: Iterable[Sample]) -> dict[str, float]:
    """Per table the seconds by which its newest event's own time is ahead of its append time."""
    found: dict[str, tuple[int, float]] = {}
    for sample in samples:
        try:
            event = decode(_topic(sample.topic), sample.value)
        except (BadRecord, UnknownType):
            continue
        taken = dt.datetime.fromtimestamp(sample.timestamp / 1000, dt.UTC)
        off = (parse_instant(event.occurred_at) - taken).total_seconds()
        if sample.timestamp >= found.get(event.table_id, (0, 0.0))[0]:
            found[event.table_id] = sample.timestamp, off
    return {table: off for table, (_, off) in found.items()}


def last_day(day: LastDay) -> Iterator[Finding]:
    """What people have been told since yesterday."""
    at_least = "" if day.complete else "at least "
    yield from _letters(day.letters, at_least)
    raised: dict[str, list[Alert]] = defaultdict(list)
    for (kind, _, _), alert in day.alerts.items():
        if alert.state != "cleared" and kind not in NEWS:
            raised[kind].append(alert)
    for kind, alerts in sorted(raised.items()):
        tables = ", ".join(sorted({alert.table_id for alert in alerts})[:5])
        yield Finding(
            "note",
            f"{at_least}{len(alerts)} alerts of kind {kind} raised in the last day and not cleared ({tables}); the "
            f"last: {alerts[-1].message} `beadplate show alerts` has all",
        )


def _letters(letters: Mapping[str, int], at_least: str) -> Iterator[Finding]:
    codes: Mapping[str, str] = dict[DeadLetterCode, str](CODES)  # type: ignore[assignment]
    for code, count in sorted(letters.items()):
        yield Finding(
            "note",
            f"{at_least}{count} dead letters {code} in the last day ({codes.get(code, 'of another version')}): "
            "`beadplate dead-letters list` shows them",
        )
