"""Liveness is slow to fail, readiness is fast, and the numbers are what they say."""

import pytest

from dashboards.source import LOST_AFTER_MS, STUCK_AFTER_MS
from tests.dashboards.tables import NOON_MS, example, record, site
from tests.dashboards.web import asking


@pytest.mark.asyncio
async def test_a_page_that_has_caught_up_is_ready() -> None:
    async with asking(site()) as client:
        assert (await client.get("/readyz")).status_code == 200
        assert (await client.get("/livez")).status_code == 200


@pytest.mark.asyncio
async def test_a_page_that_has_lost_kafka_is_alive_but_not_ready() -> None:
    served = site([example("scoreboard")])
    served.source.contact_ms = NOON_MS - LOST_AFTER_MS - 1
    async with asking(served) as client:
        assert (await client.get("/readyz")).status_code == 503
        assert (await client.get("/livez")).status_code == 200
        assert (await client.get("/tables/B07")).status_code == 200


@pytest.mark.asyncio
async def test_a_page_whose_reader_does_not_turn_is_not_alive() -> None:
    served = site()
    served.source.turn_ms = NOON_MS - STUCK_AFTER_MS - 1
    async with asking(served) as client:
        assert (await client.get("/livez")).status_code == 503


@pytest.mark.asyncio
async def test_a_page_that_ends_is_not_ready() -> None:
    served = site()
    served.hub.close()
    async with asking(served) as client:
        assert (await client.get("/readyz")).status_code == 503


@pytest.mark.asyncio
async def test_the_metrics_are_in_the_prometheus_format() -> None:
    served = site([example("scoreboard"), example("shoe_record")])
    served.take(record(example("scoreboard"))._replace(value=b"{"))
    async with asking(served) as client:
        answer = await client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert values["beadplate_page_tables"] == "1"
    assert values["beadplate_page_shoes"] == "1"
    assert values["beadplate_page_viewers"] == "0"
    assert values["beadplate_page_ready"] == "1"
    assert values['beadplate_page_records_total{topic="baccarat.scoreboards.v1"}'] == "2"
    assert values['beadplate_page_records_skipped_total{topic="baccarat.scoreboards.v1"}'] == "1"
    assert float(values["beadplate_page_kafka_age_seconds"]) == 0
    named = {line.split(" ")[2] for line in lines if line.startswith("# TYPE")}
    assert {name.partition("{")[0] for name in values} == named


@pytest.mark.asyncio
async def test_before_the_first_word_from_kafka_its_age_is_not_a_number() -> None:
    served = site()
    served.source.contact_ms = 0
    async with asking(served) as client:
        assert "beadplate_page_kafka_age_seconds NaN" in (await client.get("/metrics")).text
