"""Recorded cards in a CSV: a header, then one round a line.

``table,shoe,round,player_cards,banker_cards`` and ``T01,1,1,4H 5S,KD 3C``: the cards of a hand in the order dealt,
a space between them, ten as ``T``, the suit left out where it is not known. Tables may take turns; the shoes of one
table rise, and a shoe is over when a later one of its table begins, or the file ends.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from baccarat.quoting import quote
from baccarat.rounds import ImpossibleRound, judge
from contract.scalars import MAX_ROUND, MAX_SHOE
from producer.recorded import Happening, LineFault, RecordedRound, ShoeBegun, ShoeOver

HEADER: Final = ("table", "shoe", "round", "player_cards", "banker_cards")
_TABLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_NUMBER: Final = re.compile(r"[0-9]{1,10}")


@dataclass(slots=True)
class _Running:
    """The shoe that a table is at, and the rounds of it that were read."""

    shoe_no: int
    rounds: set[int] = field(default_factory=set)


class RecordedCards:
    """Reads such lines after the header; remembers the running shoe of each table."""

    def __init__(self) -> None:
        self._running: dict[str, _Running] = {}

    def take(self, line: str) -> Iterator[Happening]:
        """What a line says. Raises ``LineFault``, and then nothing of the line counts."""
        happened = _round(fields(line))
        running = self._running.get(happened.table_id)
        if running is None or happened.shoe_no > running.shoe_no:
            over = [] if running is None else [_over(happened.table_id, running)]
            self._running[happened.table_id] = running = _Running(happened.shoe_no)
            begun = ShoeBegun(table_id=happened.table_id, shoe_no=happened.shoe_no)
            running.rounds.add(happened.round_no)
            return iter((*over, begun, happened))
        if happened.shoe_no < running.shoe_no:
            raise LineFault(
                f"shoe {happened.shoe_no} of table {happened.table_id} stands after its shoe {running.shoe_no}"
            )
        if happened.round_no in running.rounds:
            raise LineFault(
                f"round {happened.round_no} of shoe {happened.shoe_no} of table {happened.table_id} stands here again"
            )
        running.rounds.add(happened.round_no)
        return iter((happened,))

    def close(self) -> Iterator[Happening]:
        """The ends of the shoes that were still running."""
        return (_over(table_id, running) for table_id, running in self._running.items())


def fields(line: str) -> list[str]:
    """The fields of one line. Raises ``LineFault`` where its quotation marks are wrong."""
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise LineFault(f"no line of a CSV: {error}") from error


def _over(table_id: str, running: _Running) -> ShoeOver:
    return ShoeOver(table_id=table_id, shoe_no=running.shoe_no, rounds=max(running.rounds))


def _round(values: list[str]) -> RecordedRound:
    if len(values) != len(HEADER):
        raise LineFault(f"{len(values)} fields instead of {len(HEADER)}: {','.join(HEADER)}")
    table_id, shoe, number, player, banker = (value.strip() for value in values)
    if _TABLE.fullmatch(table_id) is None:
        raise LineFault(f"{quote(table_id)} names no table: 1 to 64 letters, digits, dots, dashes, underscores")
    shoe_no, round_no = _number("shoe", shoe, MAX_SHOE), _number("round", number, MAX_ROUND)
    hands = tuple(player.split()), tuple(banker.split())
    try:
        judge(player=hands[0], banker=hands[1])
    except ImpossibleRound as error:
        raise LineFault(str(error)) from error
    return RecordedRound(table_id=table_id, shoe_no=shoe_no, round_no=round_no, player=hands[0], banker=hands[1])


def _number(what: str, text: str, most: int) -> int:
    if _NUMBER.fullmatch(text) is None or not 1 <= int(text) <= most:
        raise LineFault(f"{quote(text)} is no {what}: a number from 1 to {most}")
    return int(text)
