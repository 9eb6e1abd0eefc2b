"""The OpenAPI document is valid, and every route stands in it."""

import json

import jsonschema
import pytest
from openapi_spec_validator import validate
from starlette.routing import Route

from dashboards.api import Api
from dashboards.documents import Documents
from dashboards.health import Health
from dashboards.openapi import OPERATIONS, document, schemas_named
from dashboards.pages import Pages
from dashboards.site import Site
from tests.dashboards.dom import parse
from tests.dashboards.tables import example, site
from tests.dashboards.web import BODIES, asking


def whole() -> Site:
    return site([example("scoreboard"), example("bet_statistics"), example("shoe_record")])


def routes() -> set[str]:
    made = whole()
    listed: list[Route] = [
        *Pages(made, BODIES).routes(),
        *Documents(made, BODIES).routes(),
        *Api(made, BODIES).routes(),
        *Health(made).routes(),
    ]
    return {route.path for route in listed} | {"/stream", "/openapi.json"}


def test_the_document_is_valid() -> None:
    validate(json.loads(json.dumps(document())))


def test_every_route_stands_in_the_document_and_no_other() -> None:
    assert set(document()["paths"]) == routes()


def test_operations_have_names_of_their_own() -> None:
    names = [operation.name for operation in OPERATIONS]
    assert len(names) == len(set(names))


@pytest.mark.asyncio
async def test_answers_keep_to_their_schemas() -> None:
    api = document()
    async with asking(whole()) as client:
        for path, operation in api["paths"].items():
            if not path.startswith("/api/"):
                continue
            answer = await client.get(path.format(table_id="B07", shoe_no=412))
            schema = operation["get"]["responses"]["200"]["content"]["application/json"]["schema"]
            jsonschema.validate(answer.json(), {**schema, "components": api["components"]})


@pytest.mark.asyncio
async def test_what_is_served_is_the_document() -> None:
    async with asking(site()) as client:
        assert (await client.get("/openapi.json")).json() == json.loads(json.dumps(document()))


@pytest.mark.asyncio
async def test_the_page_for_people_has_every_operation_and_schema() -> None:
    async with asking(site()) as client:
        root = parse((await client.get("/docs")).text)
    assert {heading.text for heading in root.all("h2")} >= {f"GET {path}" for path in document()["paths"]}
    anchors = {heading.attributes["id"] for heading in root.all("h3")}
    assert anchors == set(document()["components"]["schemas"])
    links = {link.attributes["href"] for link in root.all("a") if link.attributes["href"].startswith("#")}
    assert {link.removeprefix("#") for link in links} <= anchors


def test_references_are_named_once() -> None:
    body = {"a": {"$ref": "#/components/schemas/One"}, "b": [{"$ref": "#/components/schemas/One"}, 3]}
    assert schemas_named(body) == ["One"]
