"""Names of faust-streaming 0.15.3 that the safe recovery stands on; ``tests/faults/upstream`` knows their sources."""

import inspect

import pytest
from faust.app import App
from faust.tables.manager import TableManager
from faust.tables.recovery import Recovery
from faust.transport.consumer import Consumer
from faust.transport.drivers import aiokafka as driver

from processors.recovery import SafeRecovery, SafeTableManager


@pytest.mark.parametrize("name", ["_set_recovery_ended", "_wait", "_is_changelog_tp", "on_recovery_completed"])
def test_the_recovery_has_the_names_that_are_used(name: str) -> None:
    assert callable(getattr(Recovery, name))


@pytest.mark.parametrize("name", ["actives_for_table", "standbys_for_table", "completed"])
def test_the_recovery_sets_the_attributes_that_are_used(name: str) -> None:
    assert f"self.{name} = " in inspect.getsource(Recovery.__init__)


@pytest.mark.parametrize(
    "name",
    [
        "assignment",
        "earliest_offsets",
        "on_buffer_full",
        "on_partitions_revoked",
        "perform_seek",
        "resume_flow",
        "resume_partitions",
        "seek_wait",
        "stop_flow",
    ],
)
def test_the_consumer_has_the_names_that_are_used(name: str) -> None:
    assert callable(getattr(driver.Consumer, name))


@pytest.mark.parametrize("name", ["_committed_offset", "_buffered_partitions"])
def test_the_consumer_keeps_its_books_under_the_names_that_are_used(name: str) -> None:
    assert f"self.{name} = " in inspect.getsource(Consumer.__init__)


def test_the_app_has_the_fetcher_that_is_used() -> None:
    assert hasattr(App, "_fetcher")


def test_the_producer_keeps_its_client_under_the_name_that_is_used() -> None:
    assert "_producer" in driver.Producer.__annotations__
    assert callable(driver.Producer._settings_extra)


def test_the_safe_manager_makes_the_safe_recovery() -> None:
    assert isinstance(inspect.getattr_static(TableManager, "recovery"), property)
    source = inspect.getsource(inspect.getattr_static(SafeTableManager, "recovery").fget)
    assert SafeRecovery.__name__ in source
