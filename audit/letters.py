"""The dead letters of one partition, compared with what must stand there."""

from typing import Final, NamedTuple

from audit.admission import Verdict
from audit.findings import Findings
from audit.records import Stored, digest_of_record
from contract.dead_letters import CODES
from contract.topics import BETS, DEAD_LETTERS, ROUNDS, SETTLEMENTS

_REPORTERS: Final = {ROUNDS.name: "scoreboards", BETS.name: "settlements", SETTLEMENTS.name: "statistics"}
"""Whose dead letters a topic's bad records are; an unknown pay table is told by settlements."""


class Letter(NamedTuple):
    """One dead letter: who wrote it and why, the digest of its key and value, and where it stands."""

    processor: str
    code: str
    content: int
    place: str


class Letters:
    """Takes in the dead letters of a partition first, then is asked about every record of the sources."""

    def __init__(self, partition: int, findings: Findings) -> None:
        self._partition, self._findings = partition, findings
        self._by_record: dict[tuple[str, int], list[Letter]] = {}
        self.count = 0
        self.since = 0
        """Append time of the first letter that is still there, where older ones were deleted; in milliseconds."""

    def take(self, record: Stored) -> None:
        """Take in one dead letter."""
        self.count += 1
        told = {name: value.decode("utf-8", "replace") for name, value in record.headers}
        try:
            place = (told["topic"], int(told["offset"]))
            partition, code, processor = int(told["partition"]), told["code"], told["processor"]
        except (KeyError, ValueError):
            self._findings.add("wrong", "dead_letter", "without its headers", record.place, "headers", repr(told))
            return
        if code not in CODES or place[0] not in _REPORTERS or partition != self._partition:
            self._findings.add("extra", "dead_letter", f"{place[0]}/{partition}/{place[1]}", record.place, "", code)
            return
        letter = Letter(processor, code, digest_of_record(record.key, record.value), record.place)
        self._by_record.setdefault(place, []).append(letter)

    def said(self, record: Stored, processor: str = "") -> str | None:
        """The code that this processor (the topic's reporter) gives for the record, if it has a letter."""
        letters = self._by_record.get((record.topic, record.offset), ())
        wanted = processor or _REPORTERS[record.topic]
        return next((letter.code for letter in letters if letter.processor == wanted), None)

    def check(self, record: Stored, verdict: Verdict, also: str | None = None) -> bool:
        """Compare a record's letters with the verdict on it; ``also`` is a code that settlements may give besides.

        False where the verdict's letter is missing; the caller says so, for there may be reasons.
        """
        reporter = _REPORTERS[record.topic]
        allowed = {(reporter, verdict.code), ("settlements", also)} - {(reporter, None), ("settlements", None)}
        letters = self._by_record.pop((record.topic, record.offset), [])
        content = digest_of_record(record.key, record.value) if letters else 0
        for letter in letters:
            if (letter.processor, letter.code) not in allowed:
                right = verdict.code or "no letter, the record is good"
                self._findings.add("extra", "dead_letter", record.place, letter.place, right, letter.code)
            elif letter.content != content:
                self._findings.add("wrong", "dead_letter", record.place, letter.place, "untouched bytes", "others")
        has = any((letter.processor, letter.code) == (reporter, verdict.code) for letter in letters)
        return has or verdict.code is None or not verdict.sure or record.timestamp < self.since

    def missing(self, record: Stored, code: str | None) -> None:
        """Say that a record's letter is missing."""
        self._findings.add("missing", "dead_letter", record.place, "", f"{code} in {DEAD_LETTERS.name}")

    def rest(self, read: dict[str, range]) -> None:
        """Every letter that is left speaks of a record that is not there (nor was deleted meanwhile)."""
        for (topic, offset), letters in self._by_record.items():
            if topic in read and offset >= read[topic].start:
                for letter in letters:
                    place = f"{topic}/{self._partition}/{offset}"
                    self._findings.add("extra", "dead_letter", place, letter.place, "no such record", letter.code)
