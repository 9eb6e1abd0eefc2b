"""The command line: settings and where they come from, exit codes, one sentence for every fault."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from beadplate.cli import COMMANDS, run

BEADPLATE = [sys.executable, "-m", "beadplate"]
NOBODY = "127.0.0.1:1"


def command_lines() -> Iterator[list[str]]:
    for name, command in COMMANDS.items():
        yield from ([name, sub] for sub in command) if isinstance(command, dict) else [[name]]


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty working directory and no setting in the environment."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("BEADPLATE_")]:
        monkeypatch.delenv(name)


def decks(capsys: pytest.CaptureFixture[str], *arguments: str) -> int:
    assert run(["odds", "--format", "json", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)["decks"]
    assert isinstance(found, int)
    return found


def test_flags_come_before_the_environment_before_the_file_before_defaults(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert decks(capsys) == 8
    Path("beadplate.toml").write_text("[odds]\ndecks = 3\n")
    assert decks(capsys) == 3
    monkeypatch.setenv("BEADPLATE_DECKS", "2")
    assert decks(capsys) == 2
    assert decks(capsys, "--decks", "1") == 1


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int) -> str:
    """The one sentence on standard error of a command that fails."""
    assert run(arguments) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("beadplate: ")
    assert said.err.count("\n") == 1
    return said.err


def test_a_bad_value_is_told_with_the_flag_it_came_from(capsys: pytest.CaptureFixture[str]) -> None:
    said = told(capsys, "producer", "simulate", "--tables", "many", code=2)
    assert '--tables: unable to convert "many" into int' in said
    assert "See beadplate producer simulate --help." in said


def test_a_bad_value_is_told_with_the_name_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BEADPLATE_TABLES", "many")
    said = told(capsys, "producer", "simulate", code=2)
    assert 'BEADPLATE_TABLES from the environment: unable to convert "many" into int' in said


def test_a_bad_value_is_told_with_its_key_and_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Path("beadplate.toml").write_text('[producer.simulate]\ntables = "many"\n')
    said = told(capsys, "producer", "simulate", code=2)
    assert f'[tables] from {tmp_path / "beadplate.toml"}: unable to convert "many" into int' in said


def test_a_setting_that_fits_no_command_of_its_table_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("beadplate.toml").write_text("[producer.simulate]\ntabels = 3\n")
    assert "[tabels]" in told(capsys, "producer", "simulate", code=2)


def test_a_table_that_is_no_command_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("beadplate.toml").write_text("[producer.simulat]\ntables = 3\n")
    assert "Unknown table [producer.simulat]" in told(capsys, "odds", code=2)


def test_a_file_with_settings_is_no_hindrance_to_help(capsys: pytest.CaptureFixture[str]) -> None:
    Path("beadplate.toml").write_text('bootstrap_servers = "kafka:9092"\n[odds]\ndecks = 6\n')
    assert run(["--help"]) == 0
    assert run(["odds", "--help"]) == 0
    assert run([]) == 0
    assert capsys.readouterr().err == ""


def test_a_setting_that_is_called_like_a_command_is_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Path("beadplate.toml").write_text('paytables = "own"\n')
    assert "--paytables names a directory, and own is none" in told(capsys, "odds", code=2)
    own = tmp_path / "own"
    own.mkdir()
    text = 'id = "house"\nversion = 1\nrounding = "down"\nopposite_bets = "allowed"\n[pays]\nplayer = "1:1"\n'
    (own / "house@1.toml").write_text(text, encoding="utf-8-sig")
    assert run(["odds", "--paytable", "house@1"]) == 0
    assert run(["paytables", "list"]) == 0
    assert run(["paytables", "check", str(own / "house@1.toml")]) == 0
    assert capsys.readouterr().out.count("house@1") == 3


@pytest.mark.parametrize("text", ["port = " + "1" * 5000, "x = " + "[" * 3000])
def test_a_file_that_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    Path("beadplate.toml").write_text(text)
    assert f"{tmp_path / 'beadplate.toml'} is no TOML" in told(capsys, "odds", code=2)


def test_a_file_that_is_no_toml_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Path("beadplate.toml").write_text("decks = [")
    assert f"{tmp_path / 'beadplate.toml'} is no TOML" in told(capsys, "odds", code=2)


def test_settings_above_the_tables_are_for_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    Path("beadplate.toml").write_text(f'bootstrap-servers = "{NOBODY}"\n[dashboards.serve]\nport = 8081\n')
    assert f"Kafka does not answer at {NOBODY}" in told(capsys, "topics", "check", code=3)
    assert decks(capsys) == 8  # an offline command has no use for it, and no quarrel with it


def test_a_setting_above_the_tables_that_no_two_commands_share_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("beadplate.toml").write_text("port = 8081\n")
    said = told(capsys, "odds", code=2)
    assert 'Unknown setting "port"' in said
    assert "bootstrap_servers" in said


def test_settings_that_cannot_be_right_together_are_told_all_at_once_with_where_settings_were_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BEADPLATE_SECURITY_PROTOCOL", "SASL_SSL")
    said = told(capsys, "topics", "check", "--bootstrap-servers", "a b", code=2)
    assert "'a b'" in said
    assert "needs a SASL user name and password" in said
    assert "Settings were also read from BEADPLATE_SECURITY_PROTOCOL" in said


def test_a_password_is_never_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("BEADPLATE_SASL_PASSWORD", "secret-word")
    assert "secret-word" not in told(capsys, "topics", "check", code=2)
    assert run(["topics", "check", "--help"]) == 0
    assert "secret-word" not in "".join(capsys.readouterr())


def test_a_command_that_is_none_is_told_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'doctr', did you mean doctor?" in told(capsys, "doctr", code=2)
    assert "beadplate topics has no command 'xyz'; there are apply, check, list." in told(
        capsys, "topics", "xyz", code=2
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["odds", "--decks", "9"], "1 to 8 decks, not 9"),
        (["odds", "--paytable", "generous@1"], "generous@1"),
        (["roads", "BPX"], "'X'"),
        (["roads", "BP", "--rows", "0"], "at least one row"),
        (["show", "nothing"], "there is no topic 'nothing'; there are rounds, bets, "),
        (["kafka", "--port", "65536"], "65535"),
        (["topics", "apply", "--partitions", "0"], "--partitions"),
        (["producer", "replay", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in told(capsys, *arguments, code=2)


@pytest.mark.parametrize("arguments", [["topics", "apply"], ["topics", "check"], ["doctor"], ["show", "rounds"]])
def test_a_kafka_that_does_not_answer_is_a_sentence_and_exit_code_3(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"Kafka does not answer at {NOBODY}: start it" in told(
        capsys, *arguments, "--bootstrap-servers", NOBODY, code=3
    )


@pytest.mark.parametrize("words", list(command_lines()), ids=" ".join)
def test_every_command_has_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words, "--help"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"Usage: beadplate {' '.join(words)}")


def test_help_names_every_command_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    said = capsys.readouterr().out
    assert all(f"│ {name} " in said for name in COMMANDS)
    assert "Exit codes: 0 done" in said


def test_an_offline_command_waits_for_no_kafka_client_and_no_web_server() -> None:
    code = (
        "import sys\nfrom beadplate.cli import run\nassert run(['roads', 'BPB']) == 0\n"
        "print({'aiokafka', 'faust', 'starlette', 'structlog'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "set()"


def process(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*BEADPLATE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("told_to_stop", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_told_to_stop_is_done(told_to_stop: signal.Signals) -> None:
    with process("roads") as roads:
        assert roads.stdin is not None
        assert roads.stdout is not None
        roads.stdin.write("BPB\n")
        roads.stdin.flush()
        assert json.loads(roads.stdout.readline())["rounds"] == "BPB"  # it runs, and waits for the next line
        roads.send_signal(told_to_stop)
        _, said = roads.communicate(timeout=20)
    assert (roads.returncode, said) == (0, "")


def test_a_reader_that_leaves_early_is_no_fault() -> None:
    done = subprocess.run(
        f"{sys.executable} -m beadplate topics list | head -1", shell=True, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("baccarat.rounds.v1")
    assert done.stderr == ""


def test_the_version_is_told_on_one_line() -> None:
    done = subprocess.run([*BEADPLATE, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("beadplate")
    assert done.stdout.count("\n") == 1


def test_the_exit_code_of_the_process_is_that_of_the_command() -> None:
    assert subprocess.run([*BEADPLATE, "odds", "--decks", "0"], capture_output=True, check=False).returncode == 2
    assert (
        subprocess.run(
            [*BEADPLATE, "topics", "check", "--bootstrap-servers", NOBODY], capture_output=True, check=False
        ).returncode
        == 3
    )
