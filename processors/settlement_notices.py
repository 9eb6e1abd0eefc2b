"""What the settlements processor tells people: batches that wait, late slips, stakes beyond limits, odd pay tables."""

from typing import NamedTuple

from contract.alerts import AlertKind
from contract.bets import BetsPlaced
from contract.rounds import Played
from contract.settlements import BetsSettled
from processors.alarms import Alarms, State, place_of
from processors.effects import Out, Record
from processors.limits import beyond
from processors.notices import alert, appended_at
from processors.settling import late_slips
from processors.shoes import Round, Shoe, Table

_UNSETTLED, _PAYTABLE = "unsettled", "paytable"


class SettlementNotices:
    """Notices of one processor; those that last until they are mended are kept by ``alarms``."""

    def __init__(self, alarms: Alarms) -> None:
        self._alarms = alarms

    def waiting(self, record: Record, shoe: Shoe, round_no: int, batches: int) -> list[Out]:
        """Batches wait for a round although the table is at a later shoe."""
        message = (
            f"{batches} batches wait for round {round_no} of shoe {shoe.number}, and the table is at a later shoe: "
            "publish the round, or void it with revision 1, before the table is two shoes on."
        )
        return self._turn(record, _About(shoe, round_no, _UNSETTLED), batches, message)

    def told_by(self, record: Record, shoe: Shoe) -> list[int]:
        """The rounds of the shoe whose waiting batches were last told of by this very record."""
        place = place_of(shoe.table_id, shoe.number)
        names = self._alarms.concerned(place, f"{_UNSETTLED}/", record.offset)
        told = [name for name in names if self._alarms.changed_by(place, name, record.offset)]
        return sorted(int(name.partition("/")[2]) for name in told)

    def settled(self, record: Record, shoe: Shoe, round_no: int) -> list[Out]:
        """The batches of a round are settled, whatever has been told of it."""
        where = f"of round {round_no} of shoe {shoe.number}"
        return [
            *self._turn(record, _About(shoe, round_no, _UNSETTLED), 0, f"The batches {where} are settled."),
            *self._turn(record, _About(shoe, round_no, _PAYTABLE), 0, f"The pay table {where} is known now."),
        ]

    def odd_paytable(self, record: Record, shoe: Shoe, the_round: Round) -> list[Out]:
        """A round names a pay table that is not known here."""
        version = the_round.latest
        assert isinstance(version, Played)
        message = (
            f"Round {the_round.number} of shoe {shoe.number} names the pay table {version.paytable!r}, which is not "
            "known here; its batches wait. Deploy the pay table, then replay the dead letter; or correct the round."
        )
        return self._turn(record, _About(shoe, the_round.number, _PAYTABLE), 1, message)

    def never(self, shoe: Shoe, round_no: int, batches: int, at: str) -> Out:
        """Batches are forgotten with their shoe, and their round never came."""
        message = (
            f"{batches} batches of round {round_no} of shoe {shoe.number} were never settled, and the shoe is left "
            "behind for good: give their stakes back by hand."
        )
        standing = self._alarms.concerned(place_of(shoe.table_id, shoe.number), f"{_UNSETTLED}/", -1)
        state: State = "changed" if f"{_UNSETTLED}/{round_no}" in standing else "raised"
        return _of_round("unsettled", shoe, round_no, _Told(state, batches, message, at))

    def never_known(self, shoe: Shoe) -> list[Out]:
        """A shoe is forgotten, and the pay tables of these rounds are not known yet: nothing can mend that any more."""
        outs = []
        for name in sorted(self._alarms.concerned(place_of(shoe.table_id, shoe.number), f"{_PAYTABLE}/", -1)):
            round_no = int(name.partition("/")[2])
            message = f"Shoe {shoe.number} is left behind for good; the pay table of round {round_no} never was known."
            last = shoe.rounds[round_no].latest.occurred_at
            outs.append(_of_round("unknown_paytable", shoe, round_no, _Told("cleared", 0, message, last)))
        return outs

    def _turn(self, record: Record, about: "_About", value: int, message: str) -> list[Out]:
        shoe, round_no, kind = about.shoe, about.round_no, _KINDS[about.name]
        place = place_of(shoe.table_id, shoe.number)
        name = f"{about.name}/{round_no}"
        state = self._alarms.turn(place, name, on=bool(value), offset=record.offset, value=value, again=True)
        if state is None:
            return []
        return [_of_round(kind, shoe, round_no, _Told(state, value, message, appended_at(record)))]


class _About(NamedTuple):
    """What an alarm is about."""

    shoe: Shoe
    round_no: int
    name: str


_KINDS: dict[str, AlertKind] = {_UNSETTLED: "unsettled", _PAYTABLE: "unknown_paytable"}


def late(settled: BetsSettled) -> list[Out]:
    """The notice of slips that were refused because they came after betting had closed."""
    slips = late_slips(settled)
    if not slips:
        return []
    message = (
        f"{slips} slips of batch {settled.batch_id} came after betting had closed on round {settled.round_no} of shoe "
        f"{settled.shoe_no}; they are refused and their stakes go back. If betting was open still, correct the round's "
        "betting_closed_at."
    )
    return [_of_batch("late_slips", settled, message, slips)]


def limits(table: Table, batch: BetsPlaced) -> list[Out]:
    """The notice of stakes outside the table's limits, one a batch."""
    if table.row.opened is None or (found := beyond(batch, table.row.opened)) is None:
        return []
    bettor, bet, stake = found.worst
    limit = table.row.opened.limits[bet]
    above = f"{found.over} above them in all" if found.over else "none above them"
    message = (
        f"{found.stakes} stakes of batch {batch.batch_id} on round {batch.round_no} of shoe {batch.shoe_no} are "
        f"outside the table's limits, {above} (worst: {bettor} with {stake} on {bet}, limits {limit.min} to "
        f"{limit.max}; minor units of {batch.currency}). Limits settle nothing and refuse nothing here, since the "
        "betting system has accepted the stakes: look at its limits."
    )
    return [_of_batch("limit", batch, message, found.over)]


def _of_batch(kind: AlertKind, batch: BetsPlaced | BetsSettled, message: str, value: int) -> Out:
    return alert(
        kind,
        batch.table_id,
        batch.occurred_at,
        message,
        subject=batch.batch_id,
        shoe_no=batch.shoe_no,
        round_no=batch.round_no,
        value=value,
    )


class _Told(NamedTuple):
    """What a notice says of a round, and when."""

    state: State
    value: int
    message: str
    at: str


def _of_round(kind: AlertKind, shoe: Shoe, round_no: int, told: _Told) -> Out:
    return alert(
        kind,
        shoe.table_id,
        told.at,
        told.message,
        subject=f"{shoe.number}/{round_no}",
        state=told.state,
        shoe_no=shoe.number,
        round_no=round_no,
        value=told.value,
    )
