"""How to reach Kafka: one frozen value that every client of the house is made from.

Raises ``BadConnection`` where the settings cannot be right (misuse) and ``BrokerAway`` where Kafka does not answer
(trouble, which a later try may cure). No message and no ``repr`` shows the password.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import (
    AuthenticationFailedError,
    AuthenticationMethodNotSupported,
    KafkaConnectionError,
    KafkaTimeoutError,
    NodeNotReadyError,
    RequestTimedOutError,
    SaslAuthenticationFailed,
    UnsupportedSaslMechanismError,
)
from aiokafka.helpers import create_ssl_context

SecurityProtocol = Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"]
SaslMechanism = Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]

_SERVER: Final = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[^\s:,\[\]]+)(:\d{1,5})?\Z")
_LAST_PORT: Final = 65535
_REFUSED: Final = (
    AuthenticationFailedError,
    AuthenticationMethodNotSupported,
    SaslAuthenticationFailed,
    UnsupportedSaslMechanismError,
)
_AWAY: Final = (
    KafkaConnectionError,
    KafkaTimeoutError,
    NodeNotReadyError,
    RequestTimedOutError,
    TimeoutError,
    ConnectionError,
)


class BadConnection(ValueError):
    """Settings that no broker could be reached with; the message names each of them."""


class BrokerAway(RuntimeError):
    """Kafka does not answer, or turned us away; the message says where and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """Where Kafka is and how to speak to it."""

    bootstrap_servers: str = "127.0.0.1:9092"
    "Kafka servers to ask first: HOST:PORT, several with commas."
    security_protocol: SecurityProtocol = "PLAINTEXT"
    "Encryption and login, as the broker's listener has them."
    sasl_mechanism: SaslMechanism = "PLAIN"
    "How to log in where the protocol is a SASL one."
    sasl_username: str | None = None
    "Name to log in with."
    sasl_password: str | None = field(default=None, repr=False)
    "Password to log in with; better given in the environment than as a flag."
    ssl_cafile: Path | None = None
    "PEM file of the authority that signed the broker's certificate; the system's authorities otherwise."
    ssl_certfile: Path | None = None
    "PEM file of our own certificate, where the broker asks for one."
    ssl_keyfile: Path | None = None
    "PEM file of our own key; it may stand in the certificate's file instead."

    def __post_init__(self) -> None:
        """Refuse what cannot be right, everything at once."""
        if problems := list(self._problems()):
            raise BadConnection("; ".join(problems))

    def _problems(self) -> Iterator[str]:
        for server in self.servers:
            found = _SERVER.match(server)
            if not found or not 0 < int((found[2] or ":9092")[1:]) <= _LAST_PORT:
                yield f"bootstrap servers are HOST:PORT,HOST:PORT, not {self.bootstrap_servers!r}"
                break
        named = bool(self.sasl_username or self.sasl_password)
        if self.security_protocol.startswith("SASL") and not (self.sasl_username and self.sasl_password):
            yield f"security protocol {self.security_protocol} needs a SASL user name and password"
        elif named and not self.security_protocol.startswith("SASL"):
            yield f"a SASL user name or password goes with SASL_SSL or SASL_PLAINTEXT, not {self.security_protocol}"
        files = {"CA file": self.ssl_cafile, "certificate": self.ssl_certfile, "key": self.ssl_keyfile}
        for what, path in files.items():
            if path is not None and not self.encrypted:
                yield f"the {what} {path} goes with SSL or SASL_SSL, not {self.security_protocol}"
            elif path is not None and not path.is_file():
                yield f"there is no {what} at {path}"

    @property
    def servers(self) -> list[str]:
        """Each bootstrap server by itself, ``host:port``."""
        return [server.strip() for server in self.bootstrap_servers.split(",")]

    @property
    def encrypted(self) -> bool:
        """Whether the broker is spoken to through TLS."""
        return self.security_protocol in {"SSL", "SASL_SSL"}

    def client_options(self) -> dict[str, Any]:
        """Keyword arguments for any aiokafka client. Raises ``BadConnection`` where a certificate cannot be read."""
        options: dict[str, Any] = {
            "bootstrap_servers": self.servers,
            "security_protocol": self.security_protocol,
        }
        if self.security_protocol.startswith("SASL"):
            options |= {
                "sasl_mechanism": self.sasl_mechanism,
                "sasl_plain_username": self.sasl_username,
                "sasl_plain_password": self.sasl_password,
            }
        if self.encrypted:
            options["ssl_context"] = self._ssl_context()
        return options

    def _ssl_context(self) -> Any:
        try:
            return create_ssl_context(cafile=self.ssl_cafile, certfile=self.ssl_certfile, keyfile=self.ssl_keyfile)
        except OSError as error:  # ssl.SSLError is one
            raise BadConnection(f"the certificates cannot be used: {error}") from error


@contextlib.contextmanager
def told_as_away(connection: Connection) -> Iterator[None]:
    """Turn the client library's many words for "nobody answers" into one ``BrokerAway`` that says what to do."""
    try:
        yield
    except _REFUSED as error:
        raise BrokerAway(
            f"Kafka at {connection.bootstrap_servers} does not let us in ({error}): "
            "check the security protocol, the mechanism, the user name and the password"
        ) from error
    except _AWAY as error:
        raise BrokerAway(
            f"Kafka does not answer at {connection.bootstrap_servers}: start it there (beadplate kafka runs one), "
            "or name another with --bootstrap-servers"
        ) from error


@contextlib.asynccontextmanager
async def admin_client(connection: Connection, *, timeout_s: float = 20) -> AsyncIterator[AIOKafkaAdminClient]:
    """A started admin client. Raises ``BrokerAway``, also for what is asked of the client inside the block."""
    client = AIOKafkaAdminClient(**connection.client_options(), request_timeout_ms=int(timeout_s * 1000))
    try:
        with told_as_away(connection):
            async with asyncio.timeout(timeout_s):
                await client.start()
            yield client
    finally:
        await client.close()
