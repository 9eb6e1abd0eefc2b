"""The application asked over ASGI, without a server."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import httpx

from broker.connection import BrokerAway
from contract.periods import Part
from dashboards.app import build
from dashboards.archive import Gone
from dashboards.asked import Bodies, StatisticsParts
from dashboards.days import Found
from dashboards.site import Site
from tests.dashboards.tables import example


async def shoe_body(table_id: str, shoe_no: int) -> bytes:
    """Shoe 412 is in Kafka, 400 was dropped there, and for 404 Kafka is away."""
    match shoe_no:
        case 412:
            return example("shoe_record")
        case 404:
            raise BrokerAway("Kafka does not answer at 127.0.0.1:9092")
        case _:
            raise Gone(f"{table_id}/{shoe_no}")


async def no_parts(places: Iterable[Found]) -> tuple[Part, ...]:
    """No shoe has statistics."""
    return ()


BODIES = Bodies(shoe_body, no_parts)


@asynccontextmanager
async def asking(site: Site, parts: StatisticsParts = no_parts) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the site's application; ``parts`` reads the statistics of shoes."""
    transport = httpx.ASGITransport(build(site, Bodies(shoe_body, parts)), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://page") as client:
        yield client
