"""``beadplate producer``: puts rounds and bets on Kafka."""

from pathlib import Path
from typing import Annotated

import uvloop

from baccarat.paytables import UnknownPaytable
from beadplate.endings import kafka_meaning
from beadplate.logs import Logs, configure
from beadplate.paytables import Own
from beadplate.settings import FLAT, KAFKA, LOGS
from broker.connection import Connection
from producer import replay as replaying
from producer import simulate as simulation
from producer.publisher import RecordRefused
from producer.recordings import UnknownRecording
from producer.replay import BadReplay, Replay
from producer.simulate import Simulation


def simulate(
    *,
    settings: Annotated[Simulation, FLAT] = Simulation(),
    own: Annotated[Own, FLAT] = Own(),
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Deal on a simulated floor and publish rounds and bets.

    Each table goes on from its highest shoe. Ends after --shoes shoes a table, or with Ctrl-C or SIGTERM, when what is
    on its way has been sent, and says how many records Kafka acknowledged.
    """
    configure(logs)
    own.bring()
    with kafka_meaning(misuse=(UnknownPaytable,), trouble=(RecordRefused,)):
        return uvloop.run(simulation.run(settings, connection))


def replay(
    file: Path,
    *,
    pace: float = 0.0,
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Publish recorded shoes, tables side by side.

    Bad lines are reported with file, line and reason; what else the file has is published, and the exit code is 1. The
    same file again is only duplicates while its shoes are held.

    Parameters
    ----------
    file
        JSON Lines with one shoe a line, or a CSV table,shoe,round,player_cards,banker_cards.
    pace
        Seconds between rounds of one table; 0 for full speed.
    """
    configure(logs)
    with kafka_meaning(misuse=(BadReplay, UnknownRecording), trouble=(RecordRefused,)):
        return uvloop.run(replaying.run(Replay(file=file, pace=pace), connection))
