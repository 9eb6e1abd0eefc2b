"""The report as people read it."""

from audit.findings import Findings
from audit.report import Report, gathered, text


def report(findings: Findings) -> Report:
    return Report(
        complete=True,
        counts={"baccarat.rounds.v1": 1200, "tables": 3, "refused_invalid": 2},
        sums=(),
        amiss={f"{kind} {what}": count for (kind, what), count in findings.counts.items()},
        findings=tuple(findings.shown),
        notes=("statistics are not judged, still dealing: T01",),
        tables=("T01",),
    )


def test_where_all_is_well_the_last_line_says_so() -> None:
    lines = list(text(report(Findings())))
    assert lines[0] == "Read: 1,200 of baccarat.rounds.v1"
    assert lines[1].startswith("Judged: 3 tables, 0 shoes")
    assert "Refused: 2 invalid" in lines
    assert "Note: statistics are not judged, still dealing: T01." in lines
    assert lines[-1] == "All outputs agree with the whole history."


def test_a_flood_of_findings_is_counted_and_the_first_of_each_kind_are_told() -> None:
    findings = Findings()
    for number in range(250):
        findings.add("missing", "settlement", f"batch {number}", "bets/0/7")
    findings.add("wrong", "scoreboard", "T01 shoe 1 version 9", "boards/0/3", "gaps ()", "gaps (3,)")
    lines = list(text(report(findings)))
    assert sum(line.startswith("missing settlement batch") for line in lines) == 100
    assert "and 150 more missing ones (the first 100 are shown)" in lines
    assert "wrong scoreboard T01 shoe 1 version 9 at boards/0/3: expected gaps (), found gaps (3,)" in lines
    assert lines[-1] == "NOT in order, by the whole history: 250 missing settlement, 1 wrong scoreboard."


def test_notes_of_a_thousand_tables_are_one_sentence_a_reason() -> None:
    notes = [("statistics are not judged, still dealing", f"T{number:03}") for number in range(1000)]
    (said,) = gathered([*notes])
    assert said.startswith("statistics are not judged, still dealing: T000, T001")
    assert said.endswith("T009 and 990 more")
