"""What the auditor hands over: counts, sums of money, findings; as text for eyes and as one JSON object."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from audit.findings import SHOWN, Finding
from audit.money import Sums
from contract.topics import CATALOGUE


class TableSums(msgspec.Struct, frozen=True, kw_only=True):
    """Money of one table in one currency, minor units; staked = paid + kept + open where all is well.

    ``staked`` from the bets; ``paid`` (all that was handed back) and ``net`` (the bettors' gain) from each batch's
    settlement at the last version of its round; ``open`` is the stake of batches that wait for their round.
    """

    table_id: str
    currency: str
    batches: int
    slips: int
    staked: int
    paid: int
    net: int
    kept: int
    open: int


def row(table_id: str, currency: str, sums: Sums) -> TableSums:
    """The sums of one table as they are told."""
    return TableSums(
        table_id=table_id,
        currency=currency,
        batches=sums.batches,
        slips=sums.slips,
        staked=sums.staked,
        paid=sums.paid,
        net=sums.net,
        kept=sums.kept,
        open=sums.open,
    )


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of an audit; ``findings`` holds the first hundred of each kind, ``amiss`` counts all of them.

    ``complete``: the sources reach back to the first record. ``notes`` say what could not be judged, and why.
    """

    complete: bool
    counts: dict[str, int]
    sums: tuple[TableSums, ...]
    amiss: dict[str, int]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    tables: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is amiss."""
        return not self.amiss

    def to_json(self) -> bytes:
        """One JSON object."""
        return msgspec.json.encode({"ok": self.ok, **msgspec.structs.asdict(self)})


def gathered(notes: Iterable[tuple[str, str]]) -> Iterator[str]:
    """One sentence for each reason, with the tables that it is about; of many the first and their number."""
    about: dict[str, list[str]] = {}
    for why, what in notes:
        about.setdefault(why, []).append(what)
    for why, whats in about.items():
        more = f" and {len(whats) - _NAMED:,} more" if len(whats) > _NAMED else ""
        yield f"{why}: {', '.join(sorted(whats)[:_NAMED])}{more}"


_NAMED: Final = 10
_TOLD: Final = (
    "tables",
    "shoes",
    "rounds",
    "versions",
    "batches",
    "waiting",
    "settlements_right",
    "repeats",
    "skipped",
)


def text(report: Report) -> Iterator[str]:
    """The report line by line."""
    read = [(topic.name, report.counts.get(topic.name, 0)) for topic in CATALOGUE if topic.name in report.counts]
    yield "Read: " + ", ".join(f"{count:,} of {name}" for name, count in read)
    yield "Judged: " + ", ".join(f"{report.counts.get(name, 0):,} {name.replace('_', ' ')}" for name in _TOLD)
    refused = {name: count for name, count in sorted(report.counts.items()) if name.startswith("refused_")}
    if refused:
        yield "Refused: " + ", ".join(f"{count:,} {name.removeprefix('refused_')}" for name, count in refused.items())
    yield from _table(report.sums)
    yield from (f"Note: {note}." for note in report.notes)
    yield from map(str, report.findings)
    yield from _more(report)
    history = "the whole history" if report.complete else "what retention has left of the history"
    if report.ok:
        yield f"All outputs agree with {history}."
    else:
        amiss = ", ".join(f"{count:,} {name}" for name, count in report.amiss.items())
        yield f"NOT in order, by {history}: {amiss}."


def _more(report: Report) -> Iterator[str]:
    shown = [finding.kind for finding in report.findings]
    for kind in dict.fromkeys(shown):
        every = sum(count for name, count in report.amiss.items() if name.split()[0] == kind)
        if every > shown.count(kind):
            yield f"and {every - shown.count(kind):,} more {kind} ones (the first {SHOWN} are shown)"


def _table(sums: tuple[TableSums, ...]) -> Iterator[str]:
    if not sums:
        return
    rows = [TableSums.__struct_fields__, *(tuple(map(_cell, msgspec.structs.astuple(each))) for each in sums)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        yield "  ".join(map(_padded, cells, widths, range(len(cells)))).rstrip()


def _cell(value: str | int) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def _padded(cell: str, width: int, column: int) -> str:
    return cell.ljust(width) if column < _NAMES else cell.rjust(width)


_NAMES: Final = 2
"""Columns of names; the others are numbers."""
