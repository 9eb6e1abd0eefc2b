"""``beadplate producer open-table``, ``open-shoe``, ``open-betting`` and their ends: an operator's words on tables."""

from typing import Annotated

from beadplate.logs import Logs
from beadplate.operator import Switch, now, say
from beadplate.settings import FLAT, KAFKA, LOGS
from broker.connection import Connection
from contract.rounds import RoundsEvent
from producer import announcing
from producer.announcing import Settings
from producer.asking import Log


def open_table(
    table: str,
    /,
    *,
    settings: Annotated[Settings, FLAT] = Settings(),
    config_no: int | None = None,
    dry_run: Switch = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Open a table, or change its settings; what is left out stays as it is.

    Parameters
    ----------
    table
        The table's id.
    config_no
        Number of these settings; one more than the highest where it is left out.
    dry_run
        Print the event and publish nothing.
    """

    def make(log: Log) -> RoundsEvent:
        return announcing.opening(log.standing, settings, now(), config_no=config_no, whole=log.whole)

    return say(table, make, connection, logs, dry_run=dry_run)


def close_table(
    table: str,
    /,
    *,
    config_no: int | None = None,
    dry_run: Switch = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Close a table; its rounds can still be corrected.

    Parameters
    ----------
    table
        The table's id.
    config_no
        Number of this setting; one more than the highest where it is left out.
    dry_run
        Print the event and publish nothing.
    """

    def make(log: Log) -> RoundsEvent:
        return announcing.closing(log.standing, now(), config_no=config_no, whole=log.whole)

    return say(table, make, connection, logs, dry_run=dry_run)


def open_shoe(
    table: str,
    shoe: int | None = None,
    /,
    *,
    decks: int | None = None,
    burn_card: str | None = None,
    force: Switch = False,
    dry_run: Switch = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Put a shoe on the table.

    Parameters
    ----------
    table
        The table's id.
    shoe
        Number of the shoe; the next one where it is left out.
    decks
        Packs in the shoe; as many as in the one before where it is left out.
    burn_card
        The card that was burnt, such as 7H.
    force
        Leave numbers out.
    dry_run
        Print the event and publish nothing.
    """

    def make(log: Log) -> RoundsEvent:
        return announcing.start_shoe(log.standing, shoe, now(), decks=decks, burn_card=burn_card, force=force)

    return say(table, make, connection, logs, dry_run=dry_run)


def end_shoe(
    table: str,
    shoe: int | None = None,
    /,
    *,
    rounds: int | None = None,
    force: Switch = False,
    dry_run: Switch = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """End a shoe.

    Parameters
    ----------
    table
        The table's id.
    shoe
        Number of the shoe; the table's highest where it is left out.
    rounds
        How many rounds it had; the highest that was published where it is left out.
    force
        End after more rounds than were published.
    dry_run
        Print the event and publish nothing.
    """

    def make(log: Log) -> RoundsEvent:
        return announcing.end_shoe(log.standing, shoe, now(), rounds=rounds, force=force)

    return say(table, make, connection, logs, dry_run=dry_run)


def open_betting(
    table: str,
    round_no: int | None = None,
    /,
    *,
    shoe: int | None = None,
    dry_run: Switch = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Open the betting on a round.

    Parameters
    ----------
    table
        The table's id.
    round_no
        Number of the round; the next one where it is left out.
    shoe
        Number of the shoe; the table's highest where it is left out.
    dry_run
        Print the event and publish nothing.
    """

    def make(log: Log) -> RoundsEvent:
        return announcing.open_betting(log.standing, round_no, now(), shoe_no=shoe)

    return say(table, make, connection, logs, dry_run=dry_run)


def close_betting(
    table: str,
    round_no: int | None = None,
    /,
    *,
    shoe: int | None = None,
    dry_run: Switch = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Close the betting on a round.

    Parameters
    ----------
    table
        The table's id.
    round_no
        Number of the round; the one that betting is open on where it is left out.
    shoe
        Number of the shoe; the table's highest where it is left out.
    dry_run
        Print the event and publish nothing.
    """

    def make(log: Log) -> RoundsEvent:
        return announcing.close_betting(log.standing, round_no, now(), shoe_no=shoe)

    return say(table, make, connection, logs, dry_run=dry_run)
