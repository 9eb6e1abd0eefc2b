"""The embedded node's settings."""

from broker.node import new_cluster_id, server_properties


def settings(broker: int = 9092, controller: int = 9093) -> dict[str, str]:
    return dict(line.split("=", 1) for line in server_properties(broker, controller).splitlines())


def test_every_address_is_the_loopback() -> None:
    found = settings(19092, 19093)
    assert found["listeners"] == "PLAINTEXT://127.0.0.1:19092,CONTROLLER://127.0.0.1:19093"
    assert found["advertised.listeners"] == "PLAINTEXT://127.0.0.1:19092"
    assert found["controller.quorum.voters"] == "1@127.0.0.1:19093"


def test_clients_are_sent_to_the_advertised_port_where_something_stands_between() -> None:
    found = dict(line.split("=", 1) for line in server_properties(19092, 19093, 19099).splitlines())
    assert found["listeners"].startswith("PLAINTEXT://127.0.0.1:19092,")
    assert found["advertised.listeners"] == "PLAINTEXT://127.0.0.1:19099"


def test_nothing_is_deleted_that_a_topic_does_not_delete_itself() -> None:
    assert settings()["log.retention.ms"] == "-1"


def test_a_group_that_rests_longer_than_the_topics_keep_is_not_forgotten() -> None:
    assert int(settings()["offsets.retention.minutes"]) > 400 * 24 * 60


def test_a_misspelt_topic_is_an_error() -> None:
    assert settings()["auto.create.topics.enable"] == "false"


def test_a_cluster_id_is_never_taken_for_an_option() -> None:
    drawn = [new_cluster_id() for _ in range(1000)]
    assert len(set(drawn)) == len(drawn)
    assert {len(cluster_id) for cluster_id in drawn} == {22}
    assert not [cluster_id for cluster_id in drawn if cluster_id.startswith("-")]
