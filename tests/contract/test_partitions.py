import pytest
from aiokafka.partitioner import DefaultPartitioner
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.partitions import murmur2, partition_of


@pytest.mark.parametrize(
    ("text", "signed"),
    [
        # the vectors of Kafka's own UtilsTest.testMurmur2
        (b"21", -973932308),
        (b"foobar", -790332482),
        (b"a-little-bit-long-string", -985981536),
        (b"a-little-bit-longer-string", -1486304829),
        (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
        (b"abc", 479470107),
    ],
)
def test_murmur2_is_kafkas(text: bytes, signed: int) -> None:
    assert murmur2(text) == signed % 2**32


@given(st.binary(max_size=140), st.integers(1, 100))
@settings(deadline=None)
def test_a_key_lies_where_the_client_library_puts_it(key: bytes, partitions: int) -> None:
    everywhere = list(range(partitions))
    assert partition_of(key, partitions) == DefaultPartitioner()(key, everywhere, everywhere)
