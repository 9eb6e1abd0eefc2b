"""A real Kafka for the tests that are marked ``kafka``.

The node lives outside every event loop: it is started and stopped from a thread with a loop of its own, so that tests
with one loop per function can share it.
"""

import asyncio
import contextlib
import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from broker.embedded import EmbeddedKafka

# Nothing is finalized while other conftests and test modules are compiled: in CPython 3.11 a finalizer that makes a
# traceback parses as well, and the parser around it fails (python/cpython issue 106905).
gc.disable()


# How long an example takes says how busy the machine is, and nothing of what is tested.
settings.register_profile("beadplate", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("beadplate")


def pytest_collection_finish() -> None:
    """Tests run with the collector, as programs do."""
    gc.enable()


@contextlib.contextmanager
def _running(node: EmbeddedKafka) -> Iterator[str]:
    """The bootstrap address of a node that runs inside the block."""

    async def start() -> None:
        await node.__aenter__()

    with ThreadPoolExecutor(1) as outside:
        outside.submit(asyncio.run, start()).result()
        try:
            yield node.bootstrap
        finally:
            outside.submit(asyncio.run, node.stop()).result()


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Bootstrap address of the session's Kafka. Tests share it: take table ids and topic names of your own."""
    with _running(EmbeddedKafka(tmp_path_factory.mktemp("kafka"))) as bootstrap:
        yield bootstrap


@pytest.fixture
def fresh_kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """``fresh_kafka(data_dir=…, port=…)`` starts a Kafka for this test alone and returns its bootstrap address."""
    with contextlib.ExitStack() as nodes:

        def start(data_dir: Path | None = None, *, port: int = 0) -> str:
            node = EmbeddedKafka(data_dir or tmp_path_factory.mktemp("fresh-kafka"), port=port)
            return nodes.enter_context(_running(node))

        yield start
