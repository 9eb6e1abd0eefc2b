"""``beadplate settle``: settles rounds without a Kafka."""

import sys
from typing import Annotated

from beadplate.endings import meaning
from beadplate.offline.settle import run
from beadplate.paytables import Own
from beadplate.settings import FLAT


def settle(*, paytable: str = "classic@1", own: Annotated[Own, FLAT] = Own()) -> int:
    """Read rounds with slips from standard input, one JSON object a line, and write one result a line.

    A line in has player and banker cards (or an outcome and what else was keyed) and slips:
    {"player":["4H","5S"],"banker":["KD","3C"],"slips":[{"slip_id":"a","bettor":"1","bet":"player","stake":10000}]}.
    A bad line is answered by {"error":…}, and the exit code is 1 at the end.

    Parameters
    ----------
    paytable
        Pay table and version.
    """
    own.bring()
    with meaning(misuse=(ValueError, KeyError)):
        return run(paytable=paytable, stdin=sys.stdin.buffer, stdout=sys.stdout)
