"""The page server as a command: what keeps it from listening is one sentence."""

import socket

import pytest

from broker.connection import Connection
from dashboards.serve import run
from dashboards.settings import BadPage, Page


def test_a_taken_port_is_one_sentence_that_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert run(Page(port=port), Connection()) == 2
    said = capsys.readouterr().err
    assert said == (
        f"The page cannot listen on 127.0.0.1:{port}: another program does; stop it or name another port with --port.\n"
    )


@pytest.mark.parametrize("host", ["no.such.host.invalid", "203.0.113.9"])
def test_a_host_that_is_not_ours_is_one_sentence(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(Page(host=host, port=0), Connection()) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"The page cannot listen on {host}:0: ")
    assert said.count("\n") == 1
    assert "--host" in said


def test_settings_that_cannot_be_right_are_named_all_at_once() -> None:
    with pytest.raises(BadPage) as raised:
        Page(port=70000, max_viewers=0, beat=0, silent_after=float("nan"))
    for word in ("70000", "viewer", "beat", "silent-after"):
        assert word in str(raised.value)
