"""``beadplate odds``: exact odds without a Kafka."""

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from beadplate.endings import meaning
from beadplate.offline.odds import run


def odds(
    *,
    decks: int = 8,
    paytable: str = "classic@1",
    form: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
) -> int:
    """Exact probabilities and house edge of every bet in a fresh shoe.

    Parameters
    ----------
    decks
        Decks of the shoe, 1 to 8.
    paytable
        Pay table and version.
    form
        A table to read, or JSON.
    """
    with meaning(misuse=(ValueError, KeyError)):
        return run(decks=decks, paytable=paytable, format=form, stdout=sys.stdout)
