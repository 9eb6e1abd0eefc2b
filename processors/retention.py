"""Records that Kafka deleted before they were read: after a stop longer than the topic's retention."""

import datetime as dt
from collections.abc import Sequence
from typing import Final

from broker.groups import Place
from contract.scalars import render_instant
from processors.effects import Out
from processors.notices import alert

ALL_TABLES: Final = "all-tables"
"""The ``table_id`` of a notice that is about no single table: what was lost cannot be named any more."""


def lost_notice(processor: str, place: Place, now: float) -> Out:
    """The notice of what a processor has lost of one partition; ``now`` in seconds since 1970."""
    return alert(
        "retention_lost",
        ALL_TABLES,
        render_instant(dt.datetime.fromtimestamp(now, dt.UTC)),
        f"{lost_sentence(processor, place)}. Its outputs lack them: rounds may be missing on boards and bets be "
        "unsettled. `beadplate verify` tells which.",
        subject=f"{processor} {place.topic}/{place.partition}",
        value=place.lost,
    )


def lost_sentence(processor: str, place: Place) -> str:
    """What is gone, in words."""
    return (
        f"{place.lost} records of {place.topic} partition {place.partition}, offsets {place.committed} to "
        f"{place.begin - 1}, were deleted before {processor} had read them"
    )


def beyond_sentence(processor: str, places: Sequence[Place]) -> str:
    """What to do where more is committed than there is."""
    first = places[0]
    more = f" (and {len(places) - 1} more partitions like it)" if len(places) > 1 else ""
    return (
        f"{processor} has committed offset {first.committed} of {first.topic} partition {first.partition}, which ends "
        f"at {first.end}{more}: the end of the log was lost, or the topic was deleted and made anew, and what is held "
        f"no longer fits it. Stop all its workers and run `beadplate replay {processor}`"
    )
