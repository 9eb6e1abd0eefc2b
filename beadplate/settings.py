"""Where settings come from: flags, then the environment ``BEADPLATE_…``, then ``beadplate.toml``, then defaults.

``beadplate.toml`` stands in the working directory. A table per command holds its flags, ``[producer.simulate]`` for
example; above the tables stand the settings that commands share: how to reach Kafka, and the logs.
"""

import dataclasses
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cyclopts import App, ArgumentCollection, CycloptsError, Group, Parameter
from cyclopts.config import Dict, Env, Toml

from beadplate import lifeline

FILE: Final = "beadplate.toml"
ENVIRONMENT: Final = "BEADPLATE_"

FLAT: Final = Parameter(name="*")
"""The fields of a dataclass of settings are flags of their own, without the dataclass's name before them."""
KAFKA: Final = Parameter(name="*", group=Group("Kafka", sort_key=1))
LOGS: Final = Parameter(name="*", group=Group("Logs", sort_key=2))


Commands = Mapping[str, Any]
"""Names of commands; below a name that has commands of its own stands a mapping again."""


class SettingsFile(Toml):
    """``beadplate.toml``: for every command what stands above the tables, and the command's own table.

    Faults name the file; a table or a key that nothing reads is one.
    """

    def __init__(self, path: str, commands: Commands) -> None:
        super().__init__(path)
        self._commands = commands

    def _load_config(self, path: Path) -> dict[str, Any]:
        try:
            return tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise CycloptsError(msg=f"{path} is no TOML: {error}.") from error
        except OSError as error:
            raise CycloptsError(msg=f"{path} cannot be read: {error.strerror}.") from error

    def __call__(self, app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        """Give the arguments that nothing before has set the values of this file."""
        shared = {_snake(key): value for key, value in self.config.items() if not isinstance(value, dict)}
        self._refuse_unknown_keys(shared)
        self._refuse_unknown_tables(self.config, self._commands, ())
        if commands and isinstance(self.config.get(commands[0], {}), dict):
            super().__call__(app, commands, arguments)
        # named without the command: a setting may be called as a command is, and "paytables" is
        Dict(shared, source=self.source, allow_unknown=True)(app, (), arguments)

    def _refuse_unknown_keys(self, shared: Mapping[str, object]) -> None:
        known = shared_settings() if shared else ()
        for key in shared:
            if key not in known:
                raise CycloptsError(
                    msg=f'Unknown setting "{key}" from {self.source}: above the tables stand {", ".join(known)}; '
                    "what belongs to one command stands in its table, such as [dashboards.serve]."
                )

    def _refuse_unknown_tables(self, tables: Mapping[str, object], known: Commands, above: tuple[str, ...]) -> None:
        for name, table in tables.items():
            if not isinstance(table, dict):
                continue
            path = (*above, name)
            if name not in known:
                raise CycloptsError(
                    msg=f"Unknown table [{'.'.join(path)}] from {self.source}: no command is called so."
                )
            if isinstance(known[name], Mapping):
                self._refuse_unknown_tables(table, known[name], path)


def shared_settings() -> Sequence[str]:
    """Names of the settings that commands share, as they stand above the tables of the file."""
    from beadplate.good_roads import GoodRoads  # noqa: PLC0415
    from beadplate.logs import Logs  # noqa: PLC0415 - asked only where there is such a file
    from beadplate.paytables import Own  # noqa: PLC0415
    from broker.connection import Connection  # noqa: PLC0415
    from contract.days import GamingDays  # noqa: PLC0415

    return [
        field.name
        for settings in (Connection, Logs, Own, GamingDays, GoodRoads)
        for field in dataclasses.fields(settings)
    ]


def _snake(key: str) -> str:
    return key.replace("-", "_")


def sources(commands: Commands) -> list[Any]:
    """The sources after the flags, the first one that has a setting wins."""
    return [Env(ENVIRONMENT, command=False, source="the environment"), SettingsFile(FILE, commands)]


def given_elsewhere() -> str:
    """A hint at the settings that did not stand on the command line; empty where there are none."""
    names = sorted(name for name in os.environ if name.startswith(ENVIRONMENT) and name != lifeline.VARIABLE)
    files = [str(Path(FILE).absolute())] if Path(FILE).exists() else []
    return f"(Settings were also read from {', '.join([*names, *files])}.)" if names or files else ""
