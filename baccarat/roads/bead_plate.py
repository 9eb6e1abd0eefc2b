"""The bead plate: every round in the order dealt, ties and gaps included."""

from typing import Final, Literal, TypeAlias, get_args

#: B Banker won, P Player won, T tie, ? a round that is not known (a gap).
Bead: TypeAlias = Literal["B", "P", "T", "?"]
#: Row, column (both from 0 at the top left) and what lies there.
BeadCell: TypeAlias = tuple[int, int, Bead]

BEADS: Final[dict[str, Bead]] = {bead: bead for bead in get_args(Bead)}


def bead_plate(rounds: str, rows: int) -> tuple[BeadCell, ...]:
    """Return one cell a round, filled down each column of ``rows`` cells, from the left."""
    return tuple((index % rows, index // rows, BEADS[bead]) for index, bead in enumerate(rounds))
