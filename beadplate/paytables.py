"""Pay tables of a casino's own, and ``beadplate paytables``: what there is, and whether a file is right.

Every command that needs pay tables has ``--paytables DIR`` (or ``BEADPLATE_PAYTABLES``, or ``paytables`` above the
tables of ``beadplate.toml``, which then has no table ``[paytables.check]``): all files ``id@version.toml`` of that
directory are added to those of the package.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from baccarat import paytables
from baccarat.odds import MOST_DECKS, edges, ends
from baccarat.paytables import PUSH, BadPaytable, Paytable
from beadplate.endings import CHECK_FAILED, DONE, Misuse

_ENDING: Final = ".toml"


@dataclass(frozen=True, kw_only=True)
class Own:
    """Settings of the pay tables that a casino brings itself."""

    paytables: Path | None = None
    "Directory with pay tables of your own, id@version.toml each; they are added to those of the package."

    def bring(self) -> None:
        """Add them, in this process. Raises ``Misuse`` that names every file which is wrong, and what is."""
        if self.paytables is None:
            return
        if not self.paytables.is_dir():
            raise Misuse(f"--paytables names a directory, and {self.paytables} is none.")
        faults = []
        for file in sorted(self.paytables.glob(f"*{_ENDING}")):
            try:
                paytables.add(read(file))
            except BadPaytable as error:
                faults.append(f"{file}: {'; '.join(error.problems)}")
        if faults:
            raise Misuse("\n".join(faults))


OWN: Final = Parameter(name="*")


def read(file: Path) -> Paytable:
    """The pay table of a file. Raises ``BadPaytable`` with all that is wrong, also where it cannot be read."""
    name = file.name.removesuffix(_ENDING)
    if file.suffix != _ENDING:
        raise BadPaytable(name, [f"the file is called id@version{_ENDING}"])
    try:
        text = file.read_text(encoding="utf-8-sig")  # some editors put a mark before the first letter
    except OSError as error:
        raise BadPaytable(name, [f"cannot be read: {error.strerror}"]) from error
    except UnicodeDecodeError as error:
        raise BadPaytable(name, [f"is not UTF-8: {error.reason} at byte {error.start}"]) from error
    return paytables.parse(name, text)


def list_paytables(*, own: Annotated[Own, OWN] = Own()) -> int:
    """List the pay tables there are, with their bets."""
    own.bring()
    for name in paytables.available():
        said = paytables.load(name)
        print(f"{name}  {said.digest}  {' '.join(said.pays)}")
    return DONE


def check(
    *files: Path,
    decks: Annotated[int, Parameter(validator=Number(gte=1, lte=MOST_DECKS))] = 8,
    form: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
) -> int:
    """Check files of pay tables: what is wrong with each, or what its bets pay and what the house keeps of them.

    Exit code 1 where a file is wrong.

    Parameters
    ----------
    files
        Files, each called id@version.toml.
    decks
        Decks of the shoe for which edges are computed, 1 to 8.
    form
        Tables to read, or one JSON object a file.
    """
    if not files:
        raise Misuse("Name the files to check: beadplate paytables check my-table@1.toml")
    code = DONE
    for file in files:
        try:
            paytable = read(file)
            paytables.add(paytable)
        except BadPaytable as error:
            code = CHECK_FAILED
            print(*_wrong(file, error, form), sep="\n", file=sys.stdout if form == "json" else sys.stderr)
        else:
            print(*_right(paytable, decks, form), sep="\n")
    return code


def _wrong(file: Path, error: BadPaytable, form: Literal["text", "json"]) -> Iterable[str]:
    if form == "json":
        return [_json({"file": str(file), "problems": error.problems})]
    return [f"{file}: {problem}" for problem in error.problems]


def _json(said: Any) -> str:
    return msgspec.json.encode(said).decode()


def pay_text(pay: Any) -> str:
    """A pay as people write it: ``12:1``, or ``push``."""
    return "push" if pay == PUSH else f"{pay.numerator}:{pay.denominator}"


def _right(paytable: Paytable, decks: int, form: Literal["text", "json"]) -> Iterable[str]:
    kept = edges(paytable, decks)
    if form == "json":
        bets = {
            bet: {"pays": {end: pay_text(pay) for end, pay in pays.items()}, "house_edge": float(kept[bet])}
            for bet, pays in paytable.pays.items()
        }
        said = {
            "paytable": paytable.name, "digest": paytable.digest, "rounding": paytable.rounding,
            "opposite_bets": paytable.opposite_bets, "side_bets": paytable.side_bets, "decks": decks, "bets": bets,
        }  # fmt: skip
        return [_json(said)]
    return _table(paytable, decks)


def _table(paytable: Paytable, decks: int) -> Iterator[str]:
    yield (
        f"{paytable.name}, {decks} {'deck' if decks == 1 else 'decks'}, exact; fractions of a minor unit: "
        f"{paytable.rounding}; opposite bets: {paytable.opposite_bets}; side bets: {paytable.side_bets}"
    )
    yield f"{'bet':<22}{'class':<14}{'pays':>8}{'probability':>13}{'house edge':>13}"
    kept = edges(paytable, decks)
    for bet, pays in paytable.pays.items():
        likely = ends(bet, decks)
        for place, (end, pay) in enumerate(pays.items()):
            first = place == 0
            edge = f"{float(kept[bet]):>13.4%}" if first else ""
            yield f"{bet if first else '':<22}{end:<14}{pay_text(pay):>8}{float(likely[end]):>13.4%}{edge}"
