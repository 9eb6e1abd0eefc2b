"""Figures as people read them: small tables of plain text, with the target beside each figure that has one."""

from collections.abc import Iterable, Sequence

from benchmarks.bets import TARGET as ALL_BETS
from benchmarks.bets import Bets
from benchmarks.demo import DemoFigures, p50, p99
from benchmarks.fanout import TARGET as FANOUT
from benchmarks.fanout import Fanout
from benchmarks.floor import ROUNDS_A_SECOND, Floor
from benchmarks.odds import Odds
from benchmarks.scoreboards import RoundCost
from benchmarks.settlement import TARGETS, Cost, Speed

MIB = 1 << 20


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with its title; the first column to the left, figures to the right."""
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    aligned = (
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()  # one line of the table
        for line in lines
    )
    return "\n".join([title, *("  " + line for line in aligned), ""])


def speeds(measured: Iterable[Speed]) -> str:
    """The processor's slips per CPU-second beside the bare loop's, as a ratio with its target."""
    head = ("slips a record", "processor, slips/CPU-s", "bare loop, slips/CPU-s", "ratio", "target")
    rows = (
        (
            str(one.slips_a_record),
            f"{one.processor:,.0f}",
            f"{one.bare:,.0f}",
            f"{one.ratio:.2f}",
            f"{TARGETS[one.slips_a_record]:.2f}" if one.slips_a_record in TARGETS else "",
        )
        for one in measured
    )
    return table("Settlement, beside a bare aiokafka loop (outputs compared: equal)", head, rows)


def bets(measured: Iterable[Bets]) -> str:
    """Slips per CPU-second of the fold with every bet beside five, as a ratio with its target."""
    head = ("slips a record", "five bets, slips/CPU-s", "all bets, slips/CPU-s", "ratio", "target")
    rows = (
        (str(one.slips_a_record), f"{one.five:,.0f}", f"{one.every:,.0f}", f"{one.ratio:.2f}", f"{ALL_BETS:.2f}")
        for one in measured
    )
    return table("Settlement fold, every bet beside classic@1", head, rows)


def odds(measured: Odds) -> str:
    """CPU-seconds of both, and the ratio."""
    head = ("eight decks", "CPU-s", "ratio")
    rows = (
        ("every bet and pay table, by classes of cards", f"{measured.classes:.2f}", "1.00"),
        (
            "the three outcomes alone, enumerated plainly",
            f"{measured.plain:.2f}",
            f"{measured.plain / measured.classes:.1f}",
        ),
    )
    return table("Exact odds (outcomes compared: equal to the last integer)", head, rows)


def costs(measured: Sequence[Cost]) -> str:
    """What a slip costs as batches and tables grow; each figure also as a ratio to the first line's."""
    first = measured[0]
    head = ("batches a round, tables", "CPU µs/slip", "ratio", "row bytes/slip", "ratio", "process MiB")
    rows = (
        (
            f"{one.load.per_round}, {one.load.tables}",
            f"{one.cpu_us:.2f}",
            f"{one.cpu_us / first.cpu_us:.2f}",
            f"{one.row_bytes:.0f}",
            f"{one.row_bytes / first.row_bytes:.2f}",
            f"{one.memory / MIB:.0f}",
        )
        for one in measured
    )
    title = f"Settlement, cost per slip at {first.load.slips} slips a record (flat is 1.00)"
    return table(title, head, rows)


def shoe(measured: Sequence[RoundCost]) -> str:
    """What a round costs the scoreboards along a shoe; growth is the ratio to the first line's. Target: below 2."""
    first = measured[0]
    head = ("rounds of the shoe", "process, CPU µs/round", "growth", "fold alone, CPU µs/round")
    rows = (
        (
            f"{one.span.first}–{one.span.last}",
            f"{one.process_us:.0f}",
            f"{one.process_us / first.process_us:.2f}",
            f"{one.fold_us:.0f}",
        )
        for one in measured
    )
    return table("Scoreboards, cost per round of three records (targets: growth < 2, fold < 1,000 µs)", head, rows)


def demo(figures: DemoFigures) -> str:
    """Start, latency and memory of the demo."""
    rows = [
        ("command to the first round on the page", f"{figures.first_round_s:.1f} s", "< 15 s"),
        *_latencies("send to frame, {} of {} rounds", figures.latencies),
        *_latencies("send to frame, {} of {} corrections", figures.corrections),
        *((f"memory, {name}", f"{held / MIB:.0f} MiB", "") for name, held in figures.memory.items()),
    ]
    return table("Demo, 6 tables", ("what", "figure", "target"), rows)


def _latencies(what: str, seen: Sequence[float]) -> Iterable[Sequence[str]]:
    for name, quantile in (("p50", p50), ("p99", p99)):
        yield what.format(name, len(seen)), f"{1000 * quantile(seen):.0f} ms", ""


def fanout(measured: Fanout, renders: Sequence[float]) -> str:
    """Latency, memory and CPU of many displays, the ratio beside a bare server, and what a frame takes to render."""
    micro = sorted(seconds * 1e6 for seconds in renders)
    rows = (
        (
            "Kafka to a viewer's socket, p50 / p99",
            f"{p50(measured.latencies) * 1e3:.0f} / {p99(measured.latencies) * 1e3:.0f} ms",
            "",
        ),
        ("frames sent, bytes of one", f"{measured.frames:,} / {measured.frame_bytes:,}", ""),
        ("memory a viewer", f"{measured.memory_a_viewer / 1024:.1f} KiB", ""),
        ("page server, CPU", f"{measured.cpu_part:.0%} of a core", ""),
        ("CPU a thousand frames, ours / bare", f"{measured.cpu:.2f} / {measured.bare_cpu:.2f} s", ""),
        ("throughput beside a bare server", f"{measured.ratio:.2f}", f"{FANOUT:.2f}"),
        ("render of a frame, median / worst", f"{micro[len(micro) // 2]:.0f} / {micro[-1]:.0f} µs", ""),
        ("open files that a server needs", f"{measured.files:,}", ""),
    )
    return table(f"Fan-out to {measured.viewers:,} displays", ("", "measured", "target"), rows)


def floor(measured: Floor) -> str:
    """Latency of a large floor."""
    rows = (
        ("send to the end of the SSE frame, p50", f"{p50(measured.latencies) * 1e3:.0f} ms"),
        ("send to the end of the SSE frame, p99", f"{p99(measured.latencies) * 1e3:.0f} ms"),
        ("rounds dealt, of them watched and measured", f"{measured.rounds:,} / {len(measured.latencies):,}"),
        ("scoreboards, CPU", f"{measured.cpu_scoreboards:.0%} of a core"),
        ("page server, CPU", f"{measured.cpu_page:.0%} of a core"),
    )
    return table(f"{measured.tables:,} tables, {ROUNDS_A_SECOND} rounds a second", ("", "measured"), rows)
