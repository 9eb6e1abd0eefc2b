"""``beadplate paytables``, and pay tables of a casino's own for every command that needs them."""

import json
from pathlib import Path

import pytest

from baccarat import paytables
from beadplate.cli import run

MINE = (
    'id = "house"\nversion = 2\nrounding = "half_up"\nopposite_bets = "refused"\n[pays]\nplayer = "1:1"\ntie = "{}:1"\n'
)


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paytables, "_added", {})


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A directory with one pay table."""
    (tmp_path / "house@2.toml").write_text(MINE.format(8))
    return tmp_path


def test_a_right_file_is_told_with_its_edges(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["paytables", "check", str(own / "house@2.toml")]) == 0
    said = capsys.readouterr().out
    assert "house@2, 8 decks" in said
    assert "14.3596%" in said  # the exact edge of a tie at 8:1
    assert run(["paytables", "check", str(own / "house@2.toml"), "--format", "json", "--decks", "6"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["bets"]["tie"]["pays"] == {"won": "8:1"}
    assert (told["decks"], told["rounding"]) == (6, "half_up")


def test_every_fault_of_a_wrong_file_is_told_and_the_others_are_checked_all_the_same(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = own / "bad@1.toml"
    bad.write_text(MINE.format("x").replace("half_up", "up"))
    assert run(["paytables", "check", str(bad), str(own / "house@2.toml"), str(own / "none@1.toml")]) == 1
    said = capsys.readouterr()
    assert said.err.count(str(bad)) == 3
    assert "rounding is 'up'" in said.err
    assert f"{own / 'none@1.toml'}: cannot be read" in said.err
    assert "house@2" in said.out


def test_a_published_name_with_other_content_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "classic@1.toml"
    file.write_text(MINE.format(8).replace("house", "classic").replace("= 2", "= 1"))
    assert run(["paytables", "check", str(file)]) == 1
    assert "make it a new version" in capsys.readouterr().err
    assert run(["odds", "--paytables", str(tmp_path)]) == 2
    assert str(file) in capsys.readouterr().err


def test_what_is_listed_has_our_own(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["paytables", "list", "--paytables", str(own)]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert {"classic@1", "full@1", "house@2"} <= set(names)


def test_a_command_finds_our_own_by_flag_and_by_environment(
    own: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["odds", "--paytable", "house@2", "--format", "json"]) == 2
    capsys.readouterr()
    assert run(["odds", "--paytable", "house@2", "--format", "json", "--paytables", str(own)]) == 0
    assert list(json.loads(capsys.readouterr().out)["bets"]) == ["player", "tie"]
    monkeypatch.setattr(paytables, "_added", {})
    monkeypatch.setenv("BEADPLATE_PAYTABLES", str(own))
    assert run(["odds", "--paytable", "house@2"]) == 0


def test_a_directory_that_is_none_and_wrong_files_in_it_end_a_command_before_it_begins(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["odds", "--paytables", str(own / "nowhere")]) == 2
    assert "names a directory" in capsys.readouterr().err
    (own / "other@1.toml").write_text(MINE.format(8))
    assert run(["settle", "--paytables", str(own)]) == 2
    assert "id and version make house@2" in capsys.readouterr().err


def test_nothing_to_check_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["paytables", "check"]) == 2
    assert "Name the files" in capsys.readouterr().err
