"""``beadplate verify``: recomputes every output from rounds and bets, compares, and says what is amiss."""

import sys
from collections.abc import Coroutine
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from audit import report
from audit.house import House
from audit.report import Report
from audit.run import HistoryCut, UnknownTable, run
from audit.waiting import ProcessorBehind
from beadplate import running
from beadplate.endings import CHECK_FAILED, DONE, Misuse, kafka_meaning
from beadplate.good_roads import GoodRoads
from beadplate.logs import quiet
from beadplate.paytables import Own
from beadplate.settings import FLAT, KAFKA
from broker.connection import Connection
from contract.days import GamingDays


def verify(
    *,
    table: str | None = None,
    shoe: Annotated[int | None, Parameter(validator=Number(gte=1))] = None,
    from_beginning: Annotated[bool, Parameter(negative=())] = False,
    wait: Annotated[float, Parameter(validator=Number(gte=0, lte=86_400))] = 60.0,
    form: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
    own: Annotated[Own, FLAT] = Own(),
    days: Annotated[GamingDays, FLAT] = GamingDays(),
    good_roads: Annotated[GoodRoads, FLAT] = GoodRoads(),
    connection: Annotated[Connection, KAFKA] = Connection(),
) -> int:
    """Recompute every scoreboard, settlement, statistic and shoe record from rounds and bets, and compare.

    Prints counts, sums of money per table and currency, and every output that is missing, extra, wrong or
    contradictory; exit code 1 where there is one.

    Parameters
    ----------
    table
        Judge this table alone.
    shoe
        Judge this shoe of the table alone.
    from_beginning
        Insist on the whole history: fail where retention has deleted its beginning.
    wait
        Seconds that the processors may take to come up to the sources.
    form
        Lines for eyes, or one JSON object.
    """
    if shoe is not None and table is None:
        raise Misuse("--shoe names a shoe of a table: say which with --table")
    quiet()
    own.bring()
    with kafka_meaning(misuse=(UnknownTable,), trouble=(ProcessorBehind,)):
        house = House(days, good_roads.thresholds)
        audit = run(connection, table=table, shoe=shoe, from_beginning=from_beginning, wait_s=wait, house=house)
        return running.run(_told(audit, form))


async def _told(audit: Coroutine[Any, Any, Report], form: Literal["text", "json"]) -> int:
    try:
        judged = await audit
    except HistoryCut as error:
        print(f"beadplate: {error}", file=sys.stderr)
        return CHECK_FAILED
    lines = report.text(judged) if form == "text" else [judged.to_json().decode()]
    print(*lines, sep="\n")
    return DONE if judged.ok else CHECK_FAILED
