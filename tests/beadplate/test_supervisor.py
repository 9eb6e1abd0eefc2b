"""The supervisor over real, tiny child processes."""

import asyncio
import itertools
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from beadplate.supervisor import Child, GaveUp, Supervisor, last_words

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(60)]

PAUSE_S = 0.05
DEADLINE_S = 20.0

NOTES_ITS_START = """
import pathlib, sys, time
notes, *ends = sys.argv[1:]
path = pathlib.Path(notes)
with path.open("a") as out:
    print(time.monotonic(), file=out)
turn = len(path.read_text().splitlines())
end = ends[min(turn, len(ends)) - 1]
print(f"turn {turn} ends with {end}", flush=True)
time.sleep(0.4 if end == "late" else 60 if end == "stays" else 0)
sys.exit(3 if end == "late" else int(end))
"""
"""A child that notes when it was started and ends as it is told for each turn; the last word holds for later ones."""


def supervisor(*, steady_s: float = 60.0, pause_s: float = PAUSE_S) -> Supervisor:
    return Supervisor({}, (sys.executable, "-c", NOTES_ITS_START), pause_s, steady_s)


def child(folder: Path, *ends: str, may_end: bool = False) -> Child:
    return Child(name="one", arguments=(str(folder / "starts"), *ends), log=folder / "one.log", may_end=may_end)


def starts(folder: Path) -> list[float]:
    """When the child was started, each time."""
    path = folder / "starts"
    return [float(line) for line in path.read_text().split()] if path.exists() else []


async def until(condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < ends
        await asyncio.sleep(0.02)


async def test_after_five_failures_in_a_row_it_gives_up_and_says_who_how_and_where_to_look(tmp_path: Path) -> None:
    built = supervisor()
    async with built:
        built.start(child(tmp_path, "3"))
        with pytest.raises(GaveUp) as caught:
            await asyncio.wait_for(built.watch(), DEADLINE_S)
    assert str(caught.value) == (
        "one ended 5 times in a row, the last time with exit code 3: turn 5 ends with 3 "
        f"(all of it: {tmp_path / 'one.log'})"
    )
    assert len(starts(tmp_path)) == 5


async def test_the_pause_between_two_starts_doubles(tmp_path: Path) -> None:
    built = supervisor(pause_s=0.2)
    async with built:
        built.start(child(tmp_path, "3", "3", "3", "3", "stays"))
        await until(lambda: len(starts(tmp_path)) == 5)
    times = starts(tmp_path)
    pauses = [later - earlier for earlier, later in itertools.pairwise(times)]
    for pause, least in zip(pauses, (0.2, 0.4, 0.8, 1.6), strict=True):
        assert least <= pause


async def test_a_child_that_had_run_steadily_is_not_counted_with_its_earlier_failures(tmp_path: Path) -> None:
    built = supervisor(steady_s=0.3)
    async with built:
        built.start(child(tmp_path, *["3"] * 4, "late", *["3"] * 3, "late", "stays"))
        await until(lambda: len(starts(tmp_path)) == 10)


@pytest.mark.parametrize("code", ["1", "2"])
async def test_what_no_restart_cures_is_given_up_at_once(code: str, tmp_path: Path) -> None:
    built = supervisor()
    async with built:
        built.start(child(tmp_path, code))
        with pytest.raises(GaveUp, match=f"^one ended with exit code {code}, which no restart cures: turn 1 ends with"):
            await asyncio.wait_for(built.watch(), DEADLINE_S)
    assert len(starts(tmp_path)) == 1


async def test_a_child_that_may_end_is_not_started_again(tmp_path: Path) -> None:
    built = supervisor()
    async with built:
        built.start(child(tmp_path, "3", "0", "3", may_end=True))
        await until(lambda: len(starts(tmp_path)) == 2)
        await built.processes["one"].wait()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(built.watch(), 0.5)
    assert len(starts(tmp_path)) == 2


async def test_a_child_that_ends_with_0_and_may_not_is_started_again(tmp_path: Path) -> None:
    built = supervisor()
    async with built:
        built.start(child(tmp_path, "0", "stays"))
        await until(lambda: len(starts(tmp_path)) == 2)


async def test_who_leaves_it_ends_every_child(tmp_path: Path) -> None:
    built = supervisor()
    async with built:
        built.start(child(tmp_path, "stays"))
        await until(lambda: len(starts(tmp_path)) == 1)
        process = built.processes["one"]
        before = process.returncode
    assert before is None
    assert isinstance(process.returncode, int)
    assert len(starts(tmp_path)) == 1


async def test_last_words_are_the_last_line_that_says_something(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert last_words(log) == "it left no log"
    log.write_text("\n \n")
    assert last_words(log) == "it said nothing"
    log.write_text("first\nlast " + "x" * 400 + "\n\n")
    assert last_words(log) == "last " + "x" * 295
