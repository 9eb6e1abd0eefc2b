"""Recorded results in JSON Lines: one shoe a line.

``{"table_id": "T01", "shoe_no": 1, "outcomes": "BPPT", "player_pairs": [2], "banker_pairs": []}``: the letters are
the rounds from 1 on, the pairs are numbers of rounds. Pairs that are left out, or null, are unknown.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from baccarat.quoting import quote
from baccarat.rounds import ImpossibleRound, Outcome, judge
from contract.scalars import MAX_ROUND, RoundNo, ShoeNo, TableId
from producer.recorded import Happening, LineFault, RecordedRound, ShoeBegun, ShoeOver

_OUTCOMES: Final[dict[str, Outcome]] = {"P": "player", "B": "banker", "T": "tie"}


class _Shoe(msgspec.Struct, frozen=True):
    table_id: TableId
    shoe_no: ShoeNo
    outcomes: str
    player_pairs: frozenset[RoundNo] | None = None
    banker_pairs: frozenset[RoundNo] | None = None


class RecordedResults:
    """Reads such lines; remembers the last shoe of each table, for shoes only rise."""

    def __init__(self) -> None:
        self._decoder = msgspec.json.Decoder(_Shoe)
        self._last: dict[str, int] = {}

    def take(self, line: str) -> Iterator[Happening]:
        """What a line says. Raises ``LineFault``, and then nothing of the line counts."""
        try:
            shoe = self._decoder.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise LineFault(str(error)) from error
        rounds = list(_rounds(shoe))
        if shoe.shoe_no <= (last := self._last.get(shoe.table_id, 0)):
            raise LineFault(f"shoe {shoe.shoe_no} of table {shoe.table_id} stands after its shoe {last}")
        self._last[shoe.table_id] = shoe.shoe_no
        return iter(
            (
                ShoeBegun(table_id=shoe.table_id, shoe_no=shoe.shoe_no),
                *rounds,
                ShoeOver(table_id=shoe.table_id, shoe_no=shoe.shoe_no, rounds=len(rounds)),
            )
        )

    def close(self) -> Iterator[Happening]:
        """Nothing: every shoe ends on its line."""
        return iter(())


def _rounds(shoe: _Shoe) -> Iterator[RecordedRound]:
    if len(shoe.outcomes) > MAX_ROUND:
        raise LineFault(f"outcomes has {len(shoe.outcomes)} rounds: a shoe has {MAX_ROUND} at most")
    for name, numbers in (("player_pairs", shoe.player_pairs), ("banker_pairs", shoe.banker_pairs)):
        if numbers and max(numbers) > len(shoe.outcomes):
            raise LineFault(f"{name} names round {max(numbers)} of {len(shoe.outcomes)}")
    for round_no, letter in enumerate(shoe.outcomes, start=1):
        if (outcome := _OUTCOMES.get(letter)) is None:
            raise LineFault(f"outcomes has {quote(letter)} as round {round_no}: write B, P or T")
        player_pair = None if shoe.player_pairs is None else round_no in shoe.player_pairs
        banker_pair = None if shoe.banker_pairs is None else round_no in shoe.banker_pairs
        try:
            judge(outcome=outcome, player_pair=player_pair, banker_pair=banker_pair)
        except ImpossibleRound as error:
            raise LineFault(f"round {round_no}: {error}") from error
        yield RecordedRound(
            table_id=shoe.table_id,
            shoe_no=shoe.shoe_no,
            round_no=round_no,
            outcome=outcome,
            player_pair=player_pair,
            banker_pair=banker_pair,
        )
