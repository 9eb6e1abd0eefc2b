"""The command ``beadplate``: which commands there are, and what their endings mean.

A command's module is imported when it is called, so that ``beadplate roads`` waits for no Kafka client.
"""

import difflib
import functools
import importlib.metadata
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

from cyclopts import App, CycloptsError, UnknownCommandError

from beadplate import lifeline
from beadplate.endings import DONE, TROUBLE, WRONG_USE, Misuse, Trouble
from beadplate.settings import given_elsewhere, sources

COMMANDS: Final = {
    "demo": ("beadplate.demo:demo", "Run the whole system on this machine."),
    "kafka": ("beadplate.kafka:kafka", "Run the embedded Kafka alone."),
    "topics": {
        "apply": ("beadplate.topics:apply_topics", "Create the topics, correct their settings, wait for leaders."),
        "check": (
            "beadplate.topics:check_topics",
            "Compare the topics with the catalogue; exit code 1 on a difference.",
        ),
        "list": ("beadplate.topics:list_topics", "List the topics of the catalogue."),
    },
    "producer": {
        "simulate": ("beadplate.producer:simulate", "Deal on a simulated floor and publish."),
        "replay": ("beadplate.producer:replay", "Publish recorded shoes."),
        "correct": ("beadplate.amending:correct", "Correct a round, or bring a voided one back."),
        "void": ("beadplate.amending:void", "Void a round, or a number that never came."),
        "deal": ("beadplate.amending:deal", "Publish one round as dealt."),
        "open-table": ("beadplate.announcing:open_table", "Open a table, or change its settings."),
        "close-table": ("beadplate.announcing:close_table", "Close a table."),
        "open-shoe": ("beadplate.announcing:open_shoe", "Put a shoe on a table."),
        "end-shoe": ("beadplate.announcing:end_shoe", "End a shoe."),
        "open-betting": ("beadplate.announcing:open_betting", "Open the betting on a round."),
        "close-betting": ("beadplate.announcing:close_betting", "Close the betting on a round."),
    },
    "processors": {
        "scoreboards": ("beadplate.processors:scoreboards", "Draw the scoreboards of the tables."),
        "settlements": ("beadplate.processors:settlements", "Settle the bets."),
        "statistics": ("beadplate.processors:statistics", "Keep the statistics of the bets."),
    },
    "dead-letters": {
        "list": ("beadplate.dead_letters:list_letters", "List what could not be taken, and count it by code."),
        "show": ("beadplate.dead_letters:show_letter", "Show a dead letter whole."),
        "replay": ("beadplate.dead_letters:replay_letters", "Publish dead letters again after a fix."),
    },
    "dashboards": {"serve": ("beadplate.dashboards:serve", "Serve the page.")},
    "roads": ("beadplate.roads:roads", "Draw the roads of a shoe; needs no Kafka."),
    "settle": ("beadplate.settle:settle", "Settle rounds with their slips; needs no Kafka."),
    "paytables": {
        "list": ("beadplate.paytables:list_paytables", "List the pay tables there are."),
        "check": ("beadplate.paytables:check", "Check pay tables of your own, and compute their edges."),
    },
    "odds": ("beadplate.odds:odds", "Exact probabilities and house edges; needs no Kafka."),
    "show": ("beadplate.show:show", "Show what is in a topic, one JSON object a line."),
    "stats": ("beadplate.stats:stats", "Show statistics of the bets: of a shoe, a gaming day, a table's life."),
    "replay": ("beadplate.replay:replay", "Make a processor's state anew from the beginning of its sources."),
    "verify": ("beadplate.verify:verify", "Recompute every output from the sources and compare."),
    "doctor": ("beadplate.doctor:doctor", "Probe Kafka and the topics, say what holds and what to do."),
}
_GROUPS: Final = {
    "topics": "The catalogue of topics on a Kafka.",
    "producer": "Put rounds and bets on Kafka.",
    "processors": "Run one stream processor; any number of each may run.",
    "dead-letters": "Records that could not be taken.",
    "dashboards": "The live page.",
    "paytables": "What the bets pay; needs no Kafka.",
}


def build() -> App:
    """The command line, with nothing of it imported yet."""
    app = App(
        name="beadplate",
        help="Streaming baccarat results: settlements, bet statistics, roadmaps, and a live page.",
        help_epilogue=(
            "Every flag may also stand in the environment (--bootstrap-servers as BEADPLATE_BOOTSTRAP_SERVERS) or in "
            "beadplate.toml. Exit codes: 0 done, also after Ctrl-C; 1 a check failed; 2 wrong use; 3 a fault that a "
            "restart may cure."
        ),
        help_format="plaintext",
        version=_version,
        config=sources(COMMANDS),
    )
    for name, command in COMMANDS.items():
        if isinstance(command, dict):
            group = App(name=name, help=_GROUPS[name])
            for subname, (path, about) in command.items():
                group.command(path, name=subname, help=about)
            app.command(group)
        else:
            path, about = command
            app.command(path, name=name, help=about)
    return app


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line; the exit code. What is said of errors goes to standard error, one sentence each."""
    try:
        command = _parsed(arguments)
        code = command()
    except Misuse as error:
        return _failed(error, WRONG_USE)
    except Trouble as error:
        return _failed(error, TROUBLE)
    except KeyboardInterrupt:
        return DONE
    except BrokenPipeError:  # who read us has gone, as in `beadplate show … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains once more at its end
        return DONE
    return code if isinstance(code, int) else DONE


def _parsed(arguments: Sequence[str]) -> Callable[[], object]:
    """The command with its settings. Raises ``Misuse``."""
    try:
        command, bound, _ = build().parse_args(arguments, exit_on_error=False, print_error=False)
    except UnknownCommandError as error:  # its own words would import every command
        raise Misuse(_unknown_command(arguments)) from error
    except CycloptsError as error:
        error.verbose = False
        raise Misuse(f"{error} See {_help_for(arguments)}.") from error
    except ValueError as error:  # a dataclass of settings refuses what cannot be right, in words made for people
        raise Misuse(f"{error} {given_elsewhere()}".rstrip()) from error
    return functools.partial(command, *bound.args, **bound.kwargs)


def _failed(error: Exception, code: int) -> int:
    print(f"beadplate: {error}", file=sys.stderr)
    return code


def _understood(arguments: Sequence[str]) -> tuple[list[str], object]:
    """The words that are commands, as far as they go, and what there is below them."""
    known: object = COMMANDS
    words: list[str] = []
    for word in arguments:
        if not isinstance(known, dict) or word not in known:
            break
        words.append(word)
        known = known[word]
    return words, known


def _help_for(arguments: Sequence[str]) -> str:
    return " ".join(["beadplate", *_understood(arguments)[0], "--help"])


def _unknown_command(arguments: Sequence[str]) -> str:
    words, known = _understood(arguments)
    names = list(known) if isinstance(known, dict) else []
    word = next((word for word in arguments[len(words) :] if not word.startswith("-")), "")
    near = difflib.get_close_matches(word, names, n=1)
    meant = f", did you mean {near[0]}?" if near else f"; there are {', '.join(names)}."
    return f"{' '.join(['beadplate', *words])} has no command {word!r}{meant} See {_help_for(arguments)}."


def _version() -> str:
    try:
        return f"beadplate {importlib.metadata.version('beadplate')}"
    except importlib.metadata.PackageNotFoundError:
        return "beadplate, run from its source without being installed"


def main() -> NoReturn:
    """The console script."""
    signal.signal(signal.SIGTERM, _interrupt)
    lifeline.follow()
    try:
        sys.exit(run(sys.argv[1:]))
    except Exception:  # noqa: BLE001 - the last line of defence, and it ends the process
        sys.excepthook(*sys.exc_info())  # a fault of ours: told whole, and not as a failed check
        sys.exit(TROUBLE)


def _interrupt(*_: object) -> NoReturn:
    """SIGTERM is Ctrl-C, for the commands that have no handler of their own."""
    raise KeyboardInterrupt
