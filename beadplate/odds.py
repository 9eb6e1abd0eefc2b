"""``beadplate odds``: exact odds without a Kafka."""

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from beadplate.endings import meaning
from beadplate.offline.odds import run
from beadplate.paytables import Own
from beadplate.settings import FLAT


def odds(
    *,
    decks: int = 8,
    paytable: str = "classic@1",
    form: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
    own: Annotated[Own, FLAT] = Own(),
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
    own.bring()
    with meaning(misuse=(ValueError, KeyError)):
        return run(decks=decks, paytable=paytable, format=form, stdout=sys.stdout)
