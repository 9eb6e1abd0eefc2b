"""The table of a run under faults: how often each happened, what was lost by it, how long the house needed after it."""

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.faults.judge import Finding

COLUMNS = ("lost", "unsettled", "wrong", "contradictory", "letters")


@dataclass
class Report:
    """Runs of every fault, as they happened."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    found: dict[str, Counter[str]] = field(default_factory=dict)

    def ran(self, fault: str, seconds: float) -> None:
        """A fault has happened; all was settled so many seconds after its end."""
        self.seconds.setdefault(fault, []).append(seconds)

    def judged(self, fault: str, findings: Iterable[Finding]) -> None:
        """What was not as it must be after the fault."""
        self.found.setdefault(fault, Counter()).update(finding.fault for finding in findings)

    def text(self) -> str:
        """The table, as Markdown."""
        heads = ["fault", "runs", *COLUMNS, "recovery median s", "worst s"]
        lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
        for fault, seconds in self.seconds.items():
            found = self.found.get(fault, Counter())
            times = (f"{statistics.median(seconds):.1f}", f"{max(seconds):.1f}")
            lines.append(f"| {' | '.join([fault, str(len(seconds)), *(str(found[c]) for c in COLUMNS), *times])} |")
        return "\n".join(lines)
