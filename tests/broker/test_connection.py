"""How Kafka is reached: what is refused before anything is tried, and what is said where nobody answers."""

import socket
from pathlib import Path

import pytest
from aiokafka.errors import KafkaConnectionError, SaslAuthenticationFailed

from broker.connection import BadConnection, BrokerAway, Connection, admin_client, told_as_away


def test_options_for_a_plain_broker_name_every_server() -> None:
    options = Connection(bootstrap_servers="a:9092, [::1]:9093").client_options()
    assert options == {"bootstrap_servers": ["a:9092", "[::1]:9093"], "security_protocol": "PLAINTEXT"}


def test_a_login_goes_to_the_client_and_into_no_repr() -> None:
    connection = Connection(
        security_protocol="SASL_PLAINTEXT",
        sasl_mechanism="SCRAM-SHA-512",
        sasl_username="floor",
        sasl_password="secret-word",
    )
    options = connection.client_options()
    assert (options["sasl_mechanism"], options["sasl_plain_username"]) == ("SCRAM-SHA-512", "floor")
    assert options["sasl_plain_password"] == "secret-word"
    assert "secret-word" not in repr(connection)


def test_tls_brings_a_context_that_checks_the_host() -> None:
    context = Connection(security_protocol="SSL").client_options()["ssl_context"]
    assert context.check_hostname


@pytest.mark.parametrize(
    "servers", ["", "a b", "host:", "host:port", "host:9092,", "http://host:9092", "h:0", "h:65536"]
)
def test_servers_that_are_none_are_quoted(servers: str) -> None:
    with pytest.raises(BadConnection, match="HOST:PORT") as refused:
        Connection(bootstrap_servers=servers)
    assert repr(servers) in str(refused.value)


def test_everything_wrong_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadConnection) as refused:
        Connection(bootstrap_servers="a b", security_protocol="SASL_SSL", ssl_cafile=tmp_path / "ca.pem")
    said = str(refused.value)
    assert "'a b'" in said
    assert "needs a SASL user name and password" in said
    assert f"no CA file at {tmp_path / 'ca.pem'}" in said


def test_a_login_without_a_login_protocol_is_refused() -> None:
    with pytest.raises(BadConnection, match="goes with SASL_SSL or SASL_PLAINTEXT, not PLAINTEXT"):
        Connection(sasl_username="floor", sasl_password="x")


def test_certificates_without_tls_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("")
    with pytest.raises(BadConnection, match="goes with SSL or SASL_SSL, not PLAINTEXT"):
        Connection(ssl_cafile=tmp_path / "ca.pem")


def test_a_certificate_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(BadConnection, match="the certificates cannot be used"):
        Connection(security_protocol="SSL", ssl_cafile=tmp_path / "ca.pem").client_options()


def test_empty_settings_are_no_settings() -> None:
    assert Connection(sasl_username="", sasl_password="").client_options()["security_protocol"] == "PLAINTEXT"


@pytest.mark.parametrize("trouble", [KafkaConnectionError("x"), TimeoutError(), ConnectionResetError()])
def test_nobody_there_is_said_with_the_address_and_what_to_do(trouble: Exception) -> None:
    with (
        pytest.raises(BrokerAway, match=r"does not answer at host:1234: start it .*--bootstrap-servers"),
        told_as_away(Connection(bootstrap_servers="host:1234")),
    ):
        raise trouble


def test_a_refused_login_is_another_sentence() -> None:
    with (
        pytest.raises(BrokerAway, match=r"host:1234 does not let us in .*user name"),
        told_as_away(Connection(bootstrap_servers="host:1234")),
    ):
        raise SaslAuthenticationFailed


@pytest.mark.asyncio
async def test_a_port_that_nobody_listens_on_is_a_broker_away() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        server = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(BrokerAway, match=server):
            async with admin_client(Connection(bootstrap_servers=server)):
                pass


@pytest.mark.asyncio
async def test_a_port_that_is_silent_is_a_broker_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(BrokerAway, match=server):
            async with admin_client(Connection(bootstrap_servers=server), timeout_s=0.3):
                pass
