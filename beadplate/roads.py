"""``beadplate roads``: draws roads without a Kafka."""

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from beadplate.endings import meaning
from beadplate.offline.roads import run


def roads(
    rounds: str | None = None,
    *,
    rows: int = 6,
    tail: Literal["stay", "drop"] = "stay",
    form: Annotated[Literal["text", "json"] | None, Parameter(name="--format")] = None,
) -> int:
    """Draw the five roads of a shoe.

    Parameters
    ----------
    rounds
        The shoe's rounds: B, P and T, and ? for a round that is missing. Without it one shoe a line is read from
        standard input and answered by one JSON object a line.
    rows
        Rows of the big road and the derived roads.
    tail
        Where a full column goes on: stay in its row, or drop back down where there is room.
    form
        Text to look at, the usual for ROUNDS, or JSON, the usual for standard input.
    """
    with meaning(misuse=(ValueError,)):
        return run(rounds, rows=rows, tail=tail, format=form, stdin=sys.stdin.buffer, stdout=sys.stdout)
