"""What is deployed: docker-compose.yml and Dockerfile against the Compose Specification, the lock and the code."""

import asyncio
import dataclasses
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from jsonschema import Draft201909Validator

from beadplate.cli import COMMANDS, build
from broker.connection import Connection, admin_client
from broker.jars import read_lock
from dashboards.settings import Page
from dashboards.site import Site
from processors.health import application, serve
from processors.progress import Progress
from processors.runner import Pipeline
from processors.scoreboards import Scoreboards
from tests.dashboards.web import asking

ROOT: Final = Path(__file__).parent.parent
COMPOSE: Final = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: Final[dict[str, dict[str, Any]]] = COMPOSE["services"]
OURS: Final = {name: service for name, service in SERVICES.items() if name != "kafka"}
LASTING: Final = {name: service for name, service in OURS.items() if name != "topics"}
PROCESSORS: Final = tuple(COMMANDS["processors"])
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())
DOCKERFILE: Final = (ROOT / "Dockerfile").read_text()
KAFKA_OF_THE_IMAGE: Final = ("KAFKA_HEAP_OPTS",)
"""Names that the image's scripts read, and not the broker."""


def settings(
    name: str, environment: dict[str, str] | None = None, *, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    """The settings that the service's command ends up with, parsed by the command line itself."""
    for variable in [variable for variable in os.environ if variable.startswith("BEADPLATE_")]:
        monkeypatch.delenv(variable)
    for variable, value in (OURS[name].get("environment", {}) if environment is None else environment).items():
        monkeypatch.setenv(variable, value)
    _, bound, ignored = build().parse_args(OURS[name]["command"], exit_on_error=False, print_error=False)
    assert not ignored
    bound.apply_defaults()
    found: dict[str, Any] = {}
    for argument, value in bound.arguments.items():
        found |= dataclasses.asdict(value) if dataclasses.is_dataclass(value) else {argument: value}  # type: ignore[arg-type]
    return found


def health_command(name: str, port: int) -> list[str]:
    """The service's health check, asking another port of this machine."""
    word, program, flag, code = SERVICES[name]["healthcheck"]["test"]
    assert (word, program, flag) == ("CMD", "python", "-c")
    moved, times = re.subn(r'"127\.0\.0\.1", \d+', f'"127.0.0.1", {port}', code)
    assert times == 1
    return [sys.executable, "-c", moved]


def health_address(name: str) -> tuple[int, str]:
    """The port and the path that the service's health check asks."""
    code = SERVICES[name]["healthcheck"]["test"][-1]
    port, path = re.search(r'"127\.0\.0\.1", (\d+)', code), re.search(r'"GET", "([^"]+)"', code)
    assert port is not None
    assert path is not None
    return int(port[1]), path[1]


def test_the_file_keeps_to_the_compose_specification() -> None:
    schema = json.loads((ROOT / "tests" / "data" / "compose" / "compose-spec.json").read_text())
    assert [error.message for error in Draft201909Validator(schema).iter_errors(COMPOSE)] == []


def test_the_services_are_kafka_and_every_part_of_the_house() -> None:
    assert set(SERVICES) == {"kafka", "topics", "producer", *PROCESSORS, "dashboards"}


def test_kafka_is_the_official_image_of_the_locked_version() -> None:
    (version,) = {jar.version for jar in read_lock() if jar.group == "org.apache.kafka"}
    assert SERVICES["kafka"]["image"] == f"apache/kafka:{version}"


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_every_setting_of_kafka_is_one_of_this_version(kafka: str) -> None:
    async with admin_client(Connection(bootstrap_servers=kafka)) as admin:
        (answer,) = await admin.describe_configs([ConfigResource(ConfigResourceType.BROKER, "1")])
    known = {config[0] for resource in answer.resources for config in resource[4]}
    set_here = {
        name.removeprefix("KAFKA_").lower().replace("_", ".")
        for name in SERVICES["kafka"]["environment"]
        if name not in KAFKA_OF_THE_IMAGE
    }
    assert set_here - known == set()


def test_kafka_keeps_its_data_in_a_volume() -> None:
    kafka = SERVICES["kafka"]
    assert kafka["volumes"] == [f"kafka-data:{kafka['environment']['KAFKA_LOG_DIRS']}"]
    assert "kafka-data" in COMPOSE["volumes"]


def test_kafka_says_who_asks_for_it_the_address_that_reaches_it() -> None:
    environment = SERVICES["kafka"]["environment"]
    advertised = dict(each.split("://") for each in environment["KAFKA_ADVERTISED_LISTENERS"].split(","))
    listening = dict(each.split("://") for each in environment["KAFKA_LISTENERS"].split(","))
    protocols = dict(each.split(":") for each in environment["KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"].split(","))
    assert set(protocols) == set(listening) == {*advertised, environment["KAFKA_CONTROLLER_LISTENER_NAMES"]}
    for name, address in advertised.items():
        assert listening[name] == ":" + address.rpartition(":")[2], "each client is sent back to the listener it asked"
    asked = {service["environment"]["BEADPLATE_BOOTSTRAP_SERVERS"] for service in OURS.values()}
    assert asked == {advertised[environment["KAFKA_INTER_BROKER_LISTENER_NAME"]]}
    host = advertised["HOST"]
    assert host == Connection().bootstrap_servers, "where the commands of this machine look without being told"
    assert SERVICES["kafka"]["ports"] == [f"{host}:{host.rpartition(':')[2]}"]


def test_the_health_check_of_kafka_asks_the_broker() -> None:
    _, script, flag, server = SERVICES["kafka"]["healthcheck"]["test"]
    assert script == "/opt/kafka/bin/kafka-broker-api-versions.sh"
    assert (flag, server) == ("--bootstrap-server", OURS["topics"]["environment"]["BEADPLATE_BOOTSTRAP_SERVERS"])


@pytest.mark.parametrize("name", OURS)
def test_a_command_is_one_of_the_command_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {
        "topics": ["topics", "apply"],
        "producer": ["producer", "simulate"],
        "dashboards": ["dashboards", "serve"],
    }
    assert OURS[name]["command"] == expected.get(name, ["processors", name])
    assert settings(name, monkeypatch=monkeypatch)


@pytest.mark.parametrize("name", OURS)
def test_every_name_in_the_environment_is_read_by_the_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = settings(name, monkeypatch=monkeypatch)
    for variable, value in OURS[name]["environment"].items():
        assert str(found[variable.removeprefix("BEADPLATE_").lower()]) == value


@pytest.mark.parametrize("name", OURS)
def test_nothing_is_set_that_is_so_anyway(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = settings(name, {}, monkeypatch=monkeypatch)
    found = settings(name, monkeypatch=monkeypatch)
    differ = {f"BEADPLATE_{setting.upper()}" for setting, value in found.items() if value != usual[setting]}
    assert differ == set(OURS[name]["environment"])


@pytest.mark.parametrize("name", PROCESSORS)
@pytest.mark.asyncio
async def test_the_health_check_of_a_processor_asks_whether_it_is_ready(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, _ = health_address(name)
    assert port == settings(name, monkeypatch=monkeypatch)["health_port"]
    pipeline = Pipeline(None, None, Scoreboards(12), partitions=12)
    health = await serve(application(pipeline, Progress()), "127.0.0.1", 0)
    try:
        check = health_command(name, health.addresses[0][1])
        for ready, code in ((False, 1), (True, 0)):
            pipeline.ready = ready
            process = await asyncio.create_subprocess_exec(*check)
            assert await process.wait() == code
    finally:
        await health.cleanup()


@pytest.mark.asyncio
async def test_the_health_check_of_the_page_asks_whether_it_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    port, path = health_address("dashboards")
    found = settings("dashboards", monkeypatch=monkeypatch)
    assert (found["port"], found["host"]) == (port, "0.0.0.0")

    async with asking(Site(Page())) as client:
        answer = await client.get(path)
    assert (answer.status_code, answer.text) == (503, "reading the tables from Kafka\n")
    assert subprocess.run(health_command("dashboards", 1), capture_output=True, check=False).returncode == 1


def test_the_page_is_published_where_it_listens_and_on_this_machine_alone_unless_told() -> None:
    port, _ = health_address("dashboards")
    assert OURS["dashboards"]["ports"] == [f"${{PAGE_ADDRESS:-127.0.0.1}}:8080:{port}"]
    assert [name for name, service in OURS.items() if "ports" in service] == ["dashboards"]


def test_a_health_check_gives_up_before_the_next_begins() -> None:
    for name in ("kafka", *PROCESSORS, "dashboards"):
        check = SERVICES[name]["healthcheck"]
        assert seconds(check["timeout"]) <= seconds(check["interval"])
        assert check["retries"] * seconds(check["interval"]) + seconds(check["start_period"]) >= 60


def seconds(text: str) -> int:
    assert text.endswith("s")
    return int(text[:-1])


@pytest.mark.parametrize("name", LASTING)
def test_what_lasts_is_restarted_and_may_end_in_order(name: str) -> None:
    assert LASTING[name]["restart"] == "on-failure"
    assert LASTING[name]["stop_grace_period"] == "30s"


def test_the_topics_are_set_up_once_before_anything_uses_them() -> None:
    assert OURS["topics"]["restart"] == "no"
    assert OURS["topics"]["depends_on"] == {"kafka": {"condition": "service_healthy"}}
    for service in LASTING.values():
        assert service["depends_on"] == {
            "kafka": {"condition": "service_healthy"},
            "topics": {"condition": "service_completed_successfully"},
        }


def test_conditions_can_come_true() -> None:
    for service in SERVICES.values():
        for other, wanted in service.get("depends_on", {}).items():
            match wanted["condition"]:
                case "service_healthy":
                    assert "healthcheck" in SERVICES[other]
                case "service_completed_successfully":
                    assert SERVICES[other]["restart"] == "no"
                case condition:
                    pytest.fail(f"{condition} says nothing of {other}")


@pytest.mark.parametrize("name", OURS)
def test_our_services_are_one_image_that_may_do_little(name: str) -> None:
    service = OURS[name]
    assert service["image"] == f"beadplate:{PROJECT['project']['version']}"
    assert service["build"] == "."
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service
    assert "volumes" not in service


def leaves(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Every value of a document with the names that lead to it."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, f"{path}/{name}")
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each, path)
    else:
        yield path, str(value)


def test_there_is_no_secret_in_the_file() -> None:
    names = re.compile(r"password|passwd|secret|token|api_?key|credential|sasl|private", re.IGNORECASE)
    assert [path for path, _ in leaves(COMPOSE) if names.search(path)] == []
    in_addresses = re.compile(r"://[^/\s]*:[^/\s]*@")
    assert [text for _, text in leaves(COMPOSE) if in_addresses.search(text)] == []


def directives(name: str) -> list[str]:
    """The arguments of each use of one of the Dockerfile's words."""
    joined = DOCKERFILE.replace("\\\n", " ")
    return [line.split(maxsplit=1)[1] for line in joined.splitlines() if line.split(maxsplit=1)[:1] == [name]]


def test_the_image_has_the_python_that_the_lock_is_made_for() -> None:
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert f"--python-version {oldest}" in (ROOT / "Makefile").read_text()
    build_stage, image = directives("FROM")
    assert build_stage == f"{image} AS build"
    assert re.fullmatch(rf"python:{re.escape(oldest)}-slim-[a-z]+", image)


def test_the_image_installs_the_hashed_lock_and_then_the_project_alone() -> None:
    _, packages, project = directives("RUN")
    assert "--require-hashes" in packages
    assert "--requirement requirements/run.txt" in packages
    assert project.count("pip install") == 1
    assert "pip install --no-deps" in project


def test_no_tool_that_builds_is_left_in_the_image() -> None:
    removed = re.search(r"pip uninstall --yes ([^&]+)", directives("RUN")[-1])
    assert removed is not None
    lock = (ROOT / "requirements" / "run.txt").read_text()
    entries = re.findall(r"^([\w.-]+)==.*?\n((?:    .*\n)+)", lock, re.MULTILINE)
    tools = {"hatchling", "editables"}
    for _ in entries:  # what is there only for a tool is one, too
        tools |= {
            name
            for name, how in entries
            if (via := set(re.findall(r"#\s+(?:via )?([\w-]+)$", how, re.MULTILINE))) and via <= tools
        }
    assert set(removed[1].split()) == tools | {"pip", "setuptools"}
    assert removed[1].split()[-1] == "pip"


def test_the_image_holds_every_room_and_what_it_copies_is_let_in() -> None:
    *sources, venv = [line.split() for line in directives("COPY")]
    copied = [source for line in sources for source in line[:-1]]
    assert venv == ["--from=build", "/opt/beadplate", "/opt/beadplate"]
    assert set(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) < set(copied)
    assert all((ROOT / source).exists() for source in copied)
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert let_in == set(copied)


def test_the_image_runs_beadplate_as_nobody_in_particular() -> None:
    assert directives("ENTRYPOINT") == ['["beadplate"]']
    assert directives("HEALTHCHECK") == []
    (user,) = directives("USER")
    assert {service["user"] for service in OURS.values()} == {user}
    assert "0" not in user.split(":")
    assert f'org.opencontainers.image.version="{PROJECT["project"]["version"]}"' in DOCKERFILE
    assert f'org.opencontainers.image.licenses="{PROJECT["project"]["license"]}"' in DOCKERFILE
