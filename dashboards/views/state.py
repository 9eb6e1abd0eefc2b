"""How fresh a picture is, and why it may be old: two separate signs, age of the data and state of the link.

The script of the page goes on with this by the server's beats; the server says it once, for the first paint and for
pages without script. A closed table is no alarm.
"""

from typing import Literal, NamedTuple

from dashboards.views.times import age, clock, duration
from dashboards.words import Words

Cause = Literal["", "source", "silent"]
"""Why the data is old: the page server has lost Kafka, or the table says nothing. (A lost link only a browser sees.)"""


class Source(NamedTuple):
    """What the page server knows of its own source: whether it is lost, and when it last answered."""

    lost: bool
    contact_ms: int


class State(NamedTuple):
    """What head and foot of a page say of its freshness; ``title`` and ``text`` are empty where all is well."""

    cause: Cause
    title: str
    text: str
    age: str
    clock: str


class Subject(NamedTuple):
    """Whose freshness it is: the time of its data (0: none yet), its zone, and for one table where silence begins and
    its last round.
    """

    at_ms: int
    zone: str
    silent_after_s: float = 0
    round_no: int | None = None


def state(subject: Subject, now_ms: int, source: Source, words: Words) -> State:
    """The state of a table's picture now."""
    old_s = (now_ms - subject.at_ms) / 1000
    shown_age = age(old_s, words) if subject.at_ms else words.age_none
    time = clock(now_ms, subject.zone)
    if source.lost:
        lost_for = duration((now_ms - source.contact_ms) / 1000, words)
        title = words.stale.format(clock(source.contact_ms, subject.zone))
        why = words.source_short if subject.round_no is None else words.source_why
        return State("source", title, why.format(lost_for, subject.round_no), shown_age, time)
    if silent(subject.at_ms, subject.silent_after_s, now_ms):
        title = words.silent.format(clock(subject.at_ms, subject.zone))
        text = words.silent_why.format(duration(old_s, words), subject.round_no)
        return State("silent", title, text, shown_age, time)
    return State("", "", "", shown_age, time)


def silent(at_ms: int, silent_after_s: float, now_ms: int) -> bool:
    """Whether a table that should speak has said nothing for too long."""
    return silent_after_s > 0 and now_ms - at_ms > silent_after_s * 1000
