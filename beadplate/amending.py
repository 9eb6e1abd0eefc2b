"""``beadplate producer correct``, ``void`` and ``deal``: an operator's words on rounds."""

from typing import Annotated, Final

from cyclopts import Group, Parameter

from beadplate.logs import Logs
from beadplate.operator import Switch, now, operator_name, say
from beadplate.paytables import Own
from beadplate.settings import FLAT, KAFKA, LOGS
from broker.connection import Connection
from contract.rounds import RoundsEvent
from producer import amending
from producer.amending import Result, Signed, Terms
from producer.asking import Log

RESULT: Final = Parameter(name="*", group=Group("Result", sort_key=0))


def correct(
    table: str,
    shoe: int,
    round_no: int,
    /,
    *,
    reason: str,
    result: Annotated[Result, RESULT] = Result(),
    terms: Annotated[Terms, RESULT] = Terms(),
    operator: str | None = None,
    revision: int | None = None,
    force: Switch = False,
    dry_run: Switch = False,
    own: Annotated[Own, FLAT] = Own(),
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Correct a round, or bring a voided one back: say what was dealt.

    beadplate producer correct B07 412 17 --player 4H,5S --banker KD,3C --reason "cards read in the wrong order"

    Pay table, end of betting and free hand stay as they were unless told. Of the result nothing stays: what is not
    said is unknown afterwards, and bets that need it are given back.

    Parameters
    ----------
    table
        The table's id.
    shoe
        Number of the shoe: the table's highest or the one before.
    round_no
        Number of the round in the shoe.
    reason
        Why; it stands beside the round in its history.
    operator
        Who says it; the name of this machine's user where it is left out.
    revision
        The revision that this must become; refused where it is not the next free one.
    force
        Take a pay table that is not known here.
    dry_run
        Print the event and publish nothing.
    """
    own.bring()

    def make(log: Log) -> RoundsEvent:
        return amending.correct(
            log.standing,
            shoe,
            round_no,
            result=result,
            terms=terms,
            signed=Signed(now(), operator_name(operator), reason),
            revision=revision,
            force=force,
        )

    return say(table, make, connection, logs, dry_run=dry_run)


def void(
    table: str,
    shoe: int,
    round_no: int,
    /,
    *,
    reason: str,
    operator: str | None = None,
    revision: int | None = None,
    dry_run: Switch = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Void a round: it leaves roads and counters, stays in the history, and its stakes go back.

    A number that never came may be voided too: then it is no gap any more.

    Parameters
    ----------
    table
        The table's id.
    shoe
        Number of the shoe: the table's highest or the one before.
    round_no
        Number of the round in the shoe.
    reason
        Why; it stands beside the round in its history.
    operator
        Who says it; the name of this machine's user where it is left out.
    revision
        The revision that this must become; refused where it is not the next free one.
    dry_run
        Print the event and publish nothing.
    """

    def make(log: Log) -> RoundsEvent:
        signed = Signed(now(), operator_name(operator), reason)
        return amending.void(log.standing, shoe, round_no, signed, revision=revision)

    return say(table, make, connection, logs, dry_run=dry_run)


def deal(
    table: str,
    shoe: int | None = None,
    round_no: int | None = None,
    /,
    *,
    result: Annotated[Result, RESULT] = Result(),
    terms: Annotated[Terms, RESULT] = Terms(),
    force: Switch = False,
    dry_run: Switch = False,
    own: Annotated[Own, FLAT] = Own(),
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Publish a round as dealt, such as one that never arrived.

    Parameters
    ----------
    table
        The table's id.
    shoe
        Number of the shoe; the table's highest where it is left out.
    round_no
        Number of the round in the shoe; the next one where it is left out.
    force
        Leave a gap, deal after the end of the shoe, take a pay table that is not known here.
    dry_run
        Print the event and publish nothing.
    """
    own.bring()

    def make(log: Log) -> RoundsEvent:
        return amending.deal(log.standing, shoe, round_no, result=result, terms=terms, at=now(), force=force)

    return say(table, make, connection, logs, dry_run=dry_run)
