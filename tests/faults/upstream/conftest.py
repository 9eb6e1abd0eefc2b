"""No test of this folder ends the test session with the process that it ends."""

import pytest

from processors import runner
from processors.standstill import Standstill


class Died(Exception):
    """Here the process would have ended."""


@pytest.fixture(autouse=True)
def deaths(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Why the process would have ended; in its place what is in hand fails."""
    told: list[str] = []

    def die(why: str, **_: object) -> None:
        told.append(why)
        raise Died(why)

    monkeypatch.setattr(runner, "die", die)
    monkeypatch.setattr(Standstill, "start", lambda _: None)  # its thread would outlive the test
    return told
