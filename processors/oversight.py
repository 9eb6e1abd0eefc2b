"""What the scoreboards processor tells people of a table besides its board: gaps, impossible counts, closed tables."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from contract.alerts import AlertKind
from contract.rounds import RoundDealt, ShoeStarted, TableOpened
from contract.topics import ROUNDS
from processors.alarms import Alarms, State, place_of
from processors.board import Picture, facts_at
from processors.effects import Out, Record
from processors.gaps import Gaps
from processors.instants import latest
from processors.ledger import Taken
from processors.notices import alert, appended_at
from processors.shoe_counts import ShoeCounts
from processors.shoes import Shoe

_GAP, _COUNT, _ROAD, _CLOSED = "gap/", "count/", "road/", "closed"
_KINDS: Final[dict[str, AlertKind]] = {"gap": "gap", "count": "impossible_count", "road": "good_road"}


class Oversight:
    """Looks at every record of ``rounds`` that was taken or repeated; ``picture_of`` draws a shoe as it stands now."""

    def __init__(self, alarms: Alarms, picture_of: Callable[[Shoe], Picture]) -> None:
        self._alarms, self._picture_of = alarms, picture_of
        self._gaps: dict[str, Gaps] = {}
        self._counts: dict[str, ShoeCounts] = {}

    def look(self, record: Record, taken: Taken, event: Any) -> list[Out]:
        """The notices that the record gives rise to."""
        outs = self._closed(record, taken, event)
        for shoe in taken.table.shoes.values():
            outs += self._gap_notices(record, shoe, changed=shoe is taken.shoe and taken.round is not None)
        if taken.shoe is not None and (taken.round is not None or isinstance(event, ShoeStarted)):
            outs += self._count_notices(record, taken.shoe, taken)
        for shoe in taken.table.shoes.values():
            if (shoe is taken.shoe and taken.round is not None) or self._alarms.any(
                place_of(shoe.table_id, shoe.number)
            ):
                outs += self._road_notices(
                    record, shoe, over=shoe.ended or shoe.number < taken.table.highest(ROUNDS.name)
                )
        return outs

    def forget(self, shoe: Shoe) -> list[Out]:
        """Clear what stands raised of a shoe that is forgotten: nothing can mend it any more."""
        place = place_of(shoe.table_id, shoe.number)
        self._gaps.pop(place, None)
        self._counts.pop(place, None)
        outs: list[Out] = []
        standing = sorted(self._alarms.concerned(place, "", -1))
        last = latest(facts_at(shoe), self._picture_of(shoe).occurred_at) if standing else ""
        for name in standing:
            what, _, subject = name.partition("/")
            kind = _KINDS[what]
            message = (
                f"Shoe {shoe.number} is left behind for good, with this in its record: {_NEVER[kind]} ({subject})."
            )
            outs.append(_notice(shoe, _Told(kind, subject, "cleared", 0, message), last))
        return outs

    def _closed(self, record: Record, taken: Taken, event: Any) -> list[Out]:
        table = taken.table
        if isinstance(event, TableOpened):
            if table.closed or not self._alarms.concerned(table.table_id, _CLOSED, record.offset):
                return []
            state = self._alarms.turn(table.table_id, _CLOSED, on=False, offset=record.offset)
            message = "The table is open again."
        elif not isinstance(event, RoundDealt) or not table.closed:
            return []
        elif taken.new or self._alarms.changed_by(table.table_id, _CLOSED, record.offset):
            state = self._alarms.turn(table.table_id, _CLOSED, on=True, offset=record.offset, value=record.offset)
            message = (
                f"Round {event.round_no} of shoe {event.shoe_no} was dealt while the table is closed. It stands and is "
                "settled: open the table (table_opened with a higher config_no), or void the round."
            )
        else:
            return []
        if state is None:
            return []
        numbers = {"shoe_no": event.shoe_no, "round_no": event.round_no} if isinstance(event, RoundDealt) else {}
        told = alert("dealt_while_closed", table.table_id, event.occurred_at, message,
                     subject=table.table_id, state=state, **numbers)  # fmt: skip
        return [told]

    def _gap_notices(self, record: Record, shoe: Shoe, *, changed: bool) -> Iterable[Out]:
        place = place_of(shoe.table_id, shoe.number)
        gaps = self._gaps.get(place)
        if gaps is not None and not changed and gaps.none and not self._alarms.any(place):
            return
        if gaps is None or changed:
            gaps = self._gaps.setdefault(place, Gaps())
            drawn = self._picture_of(shoe)
            gaps.see(drawn.gaps, drawn.last_round, record.timestamp)
        told = self._alarms.concerned(place, _GAP, record.offset)
        for number in sorted(gaps.due(record.timestamp) | {int(name.removeprefix(_GAP)) for name in told}):
            missing = number in gaps  # an alarm that stands needs no second cause
            state = self._alarms.turn(place, f"{_GAP}{number}", on=missing, offset=record.offset)
            if state is None:
                continue
            message = (
                f"Round {number} of shoe {shoe.number} has not arrived; rounds up to {gaps.last_round} have. "
                "Publish it, or void it with revision 1 if there was none."
                if missing
                else f"Round {number} of shoe {shoe.number} is missing no more."
            )
            notice = _Told("gap", str(number), state, int(missing), message)
            yield _notice(shoe, notice, appended_at(record), number)

    def _count_notices(self, record: Record, shoe: Shoe, taken: Taken) -> Iterable[Out]:
        place = place_of(shoe.table_id, shoe.number)
        counts = self._counts.get(place)
        if counts is None:
            counts = self._counts[place] = ShoeCounts()
            for each in shoe.rounds.values():
                counts.put_round(each.number, each.result)
        elif taken.round is not None:
            counts.put_round(taken.round.number, taken.round.result)
        counts.put_start(shoe.decks, shoe.row.started.burn_card if shoe.row.started else None)
        over = {f"{_COUNT}{card}": times for card, times in counts.impossible.items()}
        for name in sorted(over.keys() | self._alarms.concerned(place, _COUNT, record.offset)):
            times = over.get(name, 0)
            state = self._alarms.turn(place, name, on=bool(times), offset=record.offset, value=times)
            if state is None:
                continue
            card = name.removeprefix(_COUNT)
            message = (
                f"{_card(card)} was seen {times} times in shoe {shoe.number} of {shoe.decks} packs, which is more than "
                "there are. A hand was read wrongly, or the packs of the shoe are: correct what is wrong. The rounds "
                "stand until then."
                if times
                else f"{_card(card)} was seen no more often in shoe {shoe.number} than its packs allow."
            )
            round_no = taken.round.number if taken.round is not None else None
            told = _Told("impossible_count", card, state, times, message)
            yield _notice(shoe, told, appended_at(record), round_no)

    def _road_notices(self, record: Record, shoe: Shoe, *, over: bool) -> Iterable[Out]:
        """Patterns at the end of the shoe: begun, grown, and broken or ended with the shoe."""
        place = place_of(shoe.table_id, shoe.number)
        roads = () if over else self._picture_of(shoe).good_roads
        running = {f"{_ROAD}{road.kind}/{road.side or 'both'}": road for road in roads}
        for name in sorted(running.keys() | self._alarms.concerned(place, _ROAD, record.offset)):
            road = running.get(name)
            length = road.length if road else 0
            state = self._alarms.turn(place, name, on=road is not None, offset=record.offset, value=length)
            if state is None:
                continue
            pattern = name.removeprefix(_ROAD)
            said = f"{length} since round {road.from_round} of" if road else "over in"
            message = f"{_ROADS[pattern]}: {said} shoe {shoe.number}."
            yield _notice(shoe, _Told("good_road", pattern, state, length, message), appended_at(record))


_ROADS: Final = {
    "streak/banker": "Banker in a row",
    "streak/player": "Player in a row",
    "ping_pong/both": "Ping-pong, columns of one",
    "double_jump/both": "Double jump, columns of two",
    "one_two/both": "One-two, pairs of columns",
    "chop_after/banker": "Chop after Banker",
    "chop_after/player": "Chop after Player",
}
"""What is counted, by kind and side of a good road."""
_NEVER = {
    "gap": "a round that never arrived",
    "impossible_count": "a card seen too often",
    "good_road": "a pattern at its end",
}


def _card(card: str) -> str:
    return f"The card {card}" if len(card) > 1 else f"The rank {card}"


class _Told(NamedTuple):
    """What a notice says of an alarm of a shoe."""

    kind: AlertKind
    subject: str
    state: State
    value: int
    message: str


def _notice(shoe: Shoe, told: _Told, at: str, round_no: int | None = None) -> Out:
    return alert(
        told.kind,
        shoe.table_id,
        at,
        told.message,
        subject=f"{shoe.number}/{told.subject}",
        state=told.state,
        shoe_no=shoe.number,
        round_no=round_no,
        value=told.value,
    )
