"""What of Faust's, mode's and aiokafka's our code replaces, calls by a private name, or mends the fault of.

Each is known by the SHA-256 of its source, cut to 32 digits: an upgrade that changes one is noticed here, and nobody
has to remember where to look. The tests beside this one say whether a fault is still there.
"""

import hashlib
import importlib
import inspect
from pathlib import Path
from typing import Any, Final

import faust
import pytest

ROOT: Final = Path(__file__).parents[3]
PACKAGES: Final = ("audit", "beadplate", "broker", "contract", "dashboards", "processors", "producer")

UPSTREAM: Final[dict[str, dict[str, str]]] = {
    "processors/recovery.py": {
        "faust.tables.recovery:Recovery.__init__": "acec96bd78fac09b8d1f7fd6ee2684ab",
        "faust.tables.recovery:Recovery.on_recovery_completed": "6ef567acf072e46da3fccbccc6d66237",
        "faust.tables.recovery:Recovery._restart_recovery": "6bd8a8558a2dffe4c60b8150f23d721b",
        "faust.tables.recovery:Recovery._seek_offsets": "19598ca63d94d250e49d2dfe48a3c48e",
        "faust.tables.recovery:Recovery._wait": "ec7429b70176f8c688545780fdd67517",
        "faust.tables.recovery:Recovery._set_recovery_ended": "84badf3f2cfe0d0206c632a08818f7c8",
        "faust.tables.recovery:Recovery._is_changelog_tp": "453e8762c530ad44bfe4fda7a4baa3d3",
        "faust.tables.recovery:Recovery.on_rebalance": "aa4d997a1795ceae3880f98311b46935",
        "faust.tables.manager:TableManager.recovery": "f0bf5de78b4c3d235c3554010480f407",
        "faust.tables.manager:TableManager.on_actives_ready": "274c07e80913af0c54cd0cb2ef449c92",
        "faust.tables.manager:TableManager.on_standbys_ready": "46be52cea69684f5038285dd293a49bb",
        "faust.transport.consumer:Consumer.__init__": "302410d59e6972d144e35ce91483b287",
        "faust.transport.consumer:Consumer.perform_seek": "0e8c130ff4b0afd82c0be9c5fd831316",
        "faust.transport.consumer:Consumer.stop_flow": "cf7e875a2b0d40e8e45df69720709199",
        "faust.transport.consumer:Consumer.resume_flow": "db59630f25b5819b092c90649e1046cb",
        "faust.transport.consumer:Consumer.pause_partitions": "27a1c94bdacd54de06593ec4eb040b32",
        "faust.transport.consumer:Consumer.resume_partitions": "afe6b7c02a41d63cd46d47a03f09b547",
        "faust.transport.consumer:Consumer.getmany": "4b168d84882a70d6e3e2f9804430a63b",
        "faust.transport.consumer:Consumer._wait_next_records": "6218e1969a636b3ff504ad1b8e7ad58a",
        "faust.transport.consumer:Fetcher": "c922e4ab78d9e2963da90b4c0504f9dd",
        "faust.transport.drivers.aiokafka:AIOKafkaConsumerThread.seek_to_committed": "775ab0adc4b052abee204d5347a55641",
        "faust.transport.drivers.aiokafka:AIOKafkaConsumerThread.seek_wait": "12e8d34e554e90240c73ce9912f6533c",
        "faust.transport.drivers.aiokafka:AIOKafkaConsumerThread._seek_wait": "9d221e816d9404678ac2d802b1419c7c",
        "faust.transport.drivers.aiokafka:AIOKafkaConsumerThread._fetch_records": "39a2c6c79fc1455a199629912b533458",
        "faust.transport.drivers.aiokafka:AIOKafkaConsumerThread.earliest_offsets": "5d697cd768735af7b5aa13f130070e2e",
        "faust.transport.drivers.aiokafka:AIOKafkaConsumerThread.highwaters": "b49ed48ec1731816169d552bc5b11d34",
        "faust.transport.drivers.aiokafka:ConsumerRebalanceListener": "f3d04f29dfb3f716e5c5725a0649e25f",
        "faust.app.base:App._on_partitions_assigned": "de932b7927db85b3d5e88971c3c7d2d7",
        "faust.app.base:App.on_rebalance_end": "b7ff69e1e3772f3094aad3c63e65dc81",
        "aiokafka:AIOKafkaConsumer.seek_to_committed": "f6cd85c8b70a4ccf7e862de24f6c5d98",
    },
    "processors/engine.py": {
        "faust.transport.consumer:Consumer.on_partitions_revoked": "d04b7ae72c6fc206924a2879d6c90dd3",
        "faust.transport.consumer:Consumer.on_partitions_assigned": "29ce96596f05a18c6738eeb2e0d308dd",
        "faust.transport.consumer:Consumer.on_buffer_full": "c8961679e0bcdce5c23b07143d687ec8",
        "faust.transport.consumer:Consumer.on_buffer_drop": "4b57e8a418d5ad9c58632b13b58b377a",
        "faust.transport.consumer:Consumer.commit": "a354437baaa08bf8096d978ca195963e",
        "faust.app.base:App._create_directories": "a9f571c3b04abec38c7a41d019bb5d94",
        "faust.transport.drivers.aiokafka:Consumer.verify_event_path": "a17e8f0610e1abcb03ac2a94f6fae337",
        "faust.transport.consumer:Consumer.wait_empty": "e4662fe24f094819add590b2d75f2338",
        "faust.transport.drivers.aiokafka:Producer._settings_default": "9c39987fb719e98422344bbfa0872571",
        "faust.transport.drivers.aiokafka:Producer._settings_extra": "a4c7bc41b63822236e4c9be1c49437d0",
        "faust.transport.drivers.aiokafka:Producer._new_producer": "e72355c3430ed02f5202c83e2f5ef7da",
        "faust.transport.drivers.aiokafka:Producer.on_start": "219c9a7a785d77b29016a7f32a12b296",
        "faust.transport.drivers.aiokafka:Producer.on_stop": "86799c5ab7b662f7e7b8869a1cca8f22",
        "faust.app.base:App._on_partitions_revoked": "d5c895bbe57dc73ae4d7f762f6fdc9fd",
        "faust.transport.conductor:ConductorCompiler.build": "837cf521368c1ee4b22c235a2b137f66",
        "faust.streams:Stream._c_aiter": "fa44582a5882e9df5240199eabc47566",
        "faust.streams:Stream._py_aiter": "3a48ee257a65435b482d51edb74f2993",
    },
    "processors/runner.py": {
        "faust.transport.consumer:Consumer.ack": "5fcf41cf45153475de3790dc56fec1b8",
        "faust.transport.consumer:Consumer._new_offset": "1d2c7ea89a7ad4f1a216c1d51936e569",
        "faust.transport.consumer:Consumer._should_commit": "5ce941793947ad42b5c4298765d32f8f",
        "faust.transport.consumer:Consumer._commit_offsets": "1a6979904118844111259d182ca1c6e9",
        "faust.transport.producer:ProducerBuffer.flush_atmost": "4966e8c5f9b42eb97abe3f93cbc9bc56",
        "faust.transport.drivers.aiokafka:Producer.flush": "36d0cb3615f65b01010d1ec8c5b0f618",
        "faust.agents.agent:Agent._execute_actor": "c750b828d2bda93ef38a5e89888b6f4d",
        "faust.events:Event.ack": "2d29a6eda87c4ce5f7a491e486c88be9",
        "faust.types.tuples:Message.ack": "4751b72c4ed84153a7b6c14fdfe41cc9",
        "faust.types.tuples:ConsumerMessage": "5edc45d571eb42a2da07834bc4c408b9",
        "faust.streams:Stream.events": "c62f4dd3a73fe7aaa7c61fd2658bffe9",
        "faust.streams:Stream.noack": "921a6f5c674d32d4568445c58e340ad1",
        "faust.stores.memory:Store": "83ceb1145af05eae126b5852b8bb1394",
        "aiokafka:AIOKafkaProducer.send": "08ce81263f43983815bb1056036c2498",
        "aiokafka:AIOKafkaProducer.flush": "d70a0cb58abb4bd2e16fd2707d59f590",
    },
    "processors/progress.py": {
        "faust.transport.drivers.aiokafka:AIOKafkaConsumerThread._commit": "932852ce7a23f658804273d0296de6af",
        "faust.transport.drivers.aiokafka:AIOKafkaConsumerThread.verify_event_path": "b983e7735f647cb34650530fb0f1bc70",
    },
    "processors/delivery.py": {
        "faust.transport.consumer:ThreadDelegateConsumer._getmany": "f9d47aa9010b5ff2b874ba65f927871f",
        "faust.transport.consumer:Consumer.wait_for_stopped_flow": "9a686a7f90a4e52b313f59ce4ab24bb3",
        "mode.services:Service.wait_first": "feade6a31f8a67897cf687c54c66f5f4",
        "faust.transport.consumer:Consumer._drain_messages": "44a2500309e83c630493f6828af50166",
        "faust.sensors.monitor:Monitor.on_message_in": "b2a9a9045b2f456cc736fdbf99f47f4f",
        "faust.sensors.monitor:Monitor.on_stream_event_in": "df6d2e5f6397ce441d1fdeb83cb7cb58",
        "faust.sensors.monitor:Monitor.on_stream_event_out": "2d2277a6dbda754cd655207496c08adb",
        "faust.sensors.monitor:Monitor.on_message_out": "7c4054247cde96c35740d0f5876b90d6",
    },
    "producer/link.py": {
        "aiokafka.client:AIOKafkaClient._metadata_update": "06dc51ed3e0d38b8d64100fd59012f39",
        "aiokafka.producer.sender:Sender.sender_task": "2aa81bcdcedb2d20fe10689f60156f99",
        "aiokafka:AIOKafkaProducer.stop": "43ef97147111893b2d336de3e8f7bd2f",
    },
    "broker/closing.py": {
        "aiokafka:AIOKafkaConsumer.stop": "bc5da9c98595299a3d968526cd9f4a34",
    },
    "broker/doctor.py": {
        "aiokafka.admin.client:AIOKafkaAdminClient._send_request": "1ed126f126dd917a2b23d8ca06f2bd95",
    },
}
"""By the module of ours that stands on it."""

COMPILED: Final = "0041622f4a251188f53d73e6d51d18d1"
"""Of ``faust/_cython/streams.pyx``, which the agents' streams run on."""


def _source(path: str) -> str:
    module, _, names = path.partition(":")
    found: Any = importlib.import_module(module)
    for name in names.split("."):
        found = inspect.getattr_static(found, name)
    if isinstance(found, property):
        found = found.fget
    return inspect.getsource(getattr(found, "fun", found))  # a task of a service wraps its function


def _digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()[:32]


@pytest.mark.parametrize(
    ("ours", "upstream"), [(ours, upstream) for ours, known in UPSTREAM.items() for upstream in known]
)
def test_what_we_stand_on_has_not_changed(ours: str, upstream: str) -> None:
    found = _digest(_source(upstream).encode())
    assert found == UPSTREAM[ours][upstream], (
        f"{upstream} is another one than {ours} was written for: read what has changed there, run the tests of "
        f"tests/faults (make soak, too), see whether {ours} still does all that it must or may go, "
        f"and only then put {found!r} here"
    )


def test_the_compiled_streams_have_not_changed() -> None:
    source = (Path(faust.__file__).parent / "_cython" / "streams.pyx").read_bytes()
    assert _digest(source) == COMPILED, "look at what it acknowledges, run tests/faults, then put the new digest here"


def test_the_version_is_the_one_that_was_measured() -> None:
    assert faust.__version__ == "0.15.3"


def test_every_module_that_uses_a_private_name_of_a_library_is_in_the_table() -> None:
    using = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if "noqa: SLF001" in path.read_text()
    }
    assert using <= UPSTREAM.keys()
