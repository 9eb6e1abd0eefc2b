"""Settings of the embedded node: small, fast, and with nothing thrown away that a topic does not name itself."""

import uuid
from base64 import urlsafe_b64encode
from typing import Final

MIB: Final = 1 << 20
TEN_YEARS_MIN: Final = 10 * 365 * 24 * 60

_SETTINGS: Final = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    "log.dirs": "topics",
    # a misspelt topic is an error, and a topic keeps for ever what its own configuration does not delete
    "auto.create.topics.enable": "false",
    "log.retention.ms": "-1",
    # a group that forgot where it was would read everything again, and old rounds would come back as too old
    "offsets.retention.minutes": str(TEN_YEARS_MIN),
    # one node: nobody to replicate to, nobody to wait for
    "min.insync.replicas": "1",
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "share.coordinator.state.topic.num.partitions": "1",
    "group.initial.rebalance.delay.ms": "0",
    # Kafka's defaults are made for a server: 128 MiB for the cleaner alone
    "num.network.threads": "2",
    "num.io.threads": "2",
    "background.threads": "2",
    "log.segment.bytes": str(16 * MIB),
    "log.index.size.max.bytes": str(1 * MIB),
    "log.cleaner.dedupe.buffer.size": str(4 * MIB),
    "log.cleaner.io.buffer.size": str(64 << 10),
    "log.cleaner.backoff.ms": "2000",
    "metadata.max.idle.interval.ms": "5000",
}


def server_properties(broker_port: int, controller_port: int, advertised_port: int | None = None) -> str:
    """The text of ``server.properties`` for a node on the loopback; its paths are relative to the data directory.

    Clients are sent to ``advertised_port``, which is the broker's own unless something stands between.
    """
    broker, controller = f"127.0.0.1:{broker_port}", f"127.0.0.1:{controller_port}"
    addresses = {
        "listeners": f"PLAINTEXT://{broker},CONTROLLER://{controller}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{advertised_port or broker_port}",
        "controller.quorum.voters": f"1@{controller}",
    }
    return "".join(f"{name}={value}\n" for name, value in (_SETTINGS | addresses).items())


def new_cluster_id() -> str:
    """A cluster id as Kafka makes them; never with a leading "-", which ``format`` would take for an option."""
    while (cluster_id := urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")).startswith("-"):
        pass
    return cluster_id
