"""``beadplate kafka`` and ``beadplate topics`` as processes, as people and supervisors run them."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from beadplate.cli import run

pytestmark = pytest.mark.kafka

BEADPLATE = [sys.executable, "-m", "beadplate"]


@pytest.mark.parametrize("told_to_stop", [signal.SIGINT, signal.SIGTERM])
def test_kafka_prints_its_address_runs_until_it_is_told_to_stop_and_is_gone(
    told_to_stop: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*BEADPLATE, "kafka", "--data-dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as kafka:
        assert kafka.stdout is not None
        address = kafka.stdout.readline().strip()
        assert run(["topics", "apply", "--bootstrap-servers", address]) == 0
        assert f"12 topics are ready at {address}, with 12 partitions each" in capsys.readouterr().out
        kafka.send_signal(told_to_stop)
        assert kafka.wait(20) == 0
    pid = json.loads((tmp_path / "broker.json").read_text())["kafka_pid"]
    assert not Path(f"/proc/{pid}").exists()


def test_kafka_that_dies_is_trouble(tmp_path: Path) -> None:
    command = [*BEADPLATE, "kafka", "--data-dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as kafka:
        assert kafka.stdout is not None
        assert kafka.stdout.readline()
        pid = json.loads((tmp_path / "broker.json").read_text())["kafka_pid"]
        subprocess.run(["kill", "-9", str(pid)], check=True)
        _, said = kafka.communicate(timeout=20)
    assert kafka.returncode == 3
    assert said.startswith("beadplate: Kafka has ended by itself")


def test_a_port_that_is_taken_is_a_sentence_and_exit_code_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert run(["kafka", "--port", port, "--data-dir", str(tmp_path)]) == 3
    assert capsys.readouterr().err.startswith(f"beadplate: port {port} on 127.0.0.1 cannot be used")


def test_topics_are_checked_applied_and_checked_again(
    fresh_kafka: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    servers = ["--bootstrap-servers", fresh_kafka()]
    assert run(["topics", "check", *servers]) == 1
    assert "baccarat.rounds.v1 is missing\n" in capsys.readouterr().out
    assert run(["topics", "apply", "--partitions", "4", *servers]) == 0
    assert "created baccarat.rounds.v1\n" in capsys.readouterr().out
    assert run(["topics", "check", *servers]) == 0
    assert "are as the catalogue has them" in capsys.readouterr().out
    assert run(["topics", "apply", "--partitions", "5", *servers]) == 3
    assert "baccarat.rounds.v1 has 4 partitions, not 5" in capsys.readouterr().err
    assert run(["doctor", *servers]) == 0
    said = capsys.readouterr().out
    assert "ok    all 12 topics are as the catalogue has them, 4 partitions each\n" in said


def test_the_catalogue_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["topics", "list"]) == 0
    assert [listed.split()[0] for listed in capsys.readouterr().out.splitlines()][:2] == [
        "baccarat.rounds.v1",
        "baccarat.bets.v1",
    ]
