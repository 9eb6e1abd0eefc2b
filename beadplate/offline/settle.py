"""``beadplate settle``: rounds with slips in, what every slip is worth out, one JSON object a line."""

from typing import BinaryIO, TextIO

import msgspec
from msgspec import Struct

from baccarat.paytables import Paytable, load
from baccarat.rounds import Facts, ImpossibleRound, Outcome, judge
from baccarat.settlement import Result, Settler
from beadplate.offline.lines import BadLine, answer_lines, as_json
from contract.scalars import Identifier, Instant, Stake, canonical_instant


class Slip(Struct, kw_only=True):
    """A slip as one writes it by hand: ``placed_at`` may be left out, and is then never late."""

    slip_id: Identifier
    bettor: Identifier
    bet: Identifier
    stake: Stake
    placed_at: Instant | None = None

    def __post_init__(self) -> None:
        """Bring the time into its canonical form."""
        if self.placed_at is not None:
            self.placed_at = canonical_instant(self.placed_at)


class Line(Struct, kw_only=True):
    """A round, by its cards or from a keypad, with its slips. Other fields are ignored, as in every record."""

    player: tuple[str, ...] | None = None
    banker: tuple[str, ...] | None = None
    outcome: Outcome | None = None
    player_total: int | None = None
    banker_total: int | None = None
    player_natural: bool | None = None
    banker_natural: bool | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    betting_closed_at: Instant | None = None
    free_hand: bool = False
    slips: tuple[Slip, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a slip_id that stands twice, and bring the time into its canonical form."""
        if self.betting_closed_at is not None:
            self.betting_closed_at = canonical_instant(self.betting_closed_at)
        seen: set[str] = set()
        for slip in self.slips:
            if slip.slip_id in seen:
                raise ValueError(f"slip_id {slip.slip_id!r} stands twice in the line")
            seen.add(slip.slip_id)


class Settlement(Struct, kw_only=True, omit_defaults=True):
    """One slip settled; ``reason`` only when it was refused or voided."""

    slip_id: str
    bet: str
    stake: int
    result: Result
    payout: int
    net: int
    reason: str | None = None


class Settled(Struct, kw_only=True, omit_defaults=True):
    """The facts of the round, the unknown ones left out, and its settlements in the order of the slips."""

    outcome: Outcome
    player_total: int | None = None
    banker_total: int | None = None
    player_natural: bool | None = None
    banker_natural: bool | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    settlements: tuple[Settlement, ...]


def run(*, paytable: str = "classic@1", stdin: BinaryIO, stdout: TextIO) -> int:
    """Settle each line of ``stdin`` and return the exit status. Raises ValueError for an unknown pay table."""
    pays = load(paytable)
    return answer_lines(lambda line: as_json(settle(read(line), pays)), stdin=stdin, stdout=stdout)


def settle(line: Line, paytable: Paytable) -> Settled:
    """Settle the slips of one line. Raises `BadLine` when the round is impossible."""
    facts = _facts(line)
    settler = Settler(facts, paytable, betting_closed_at=line.betting_closed_at, free_hand=line.free_hand)
    return Settled(
        outcome=facts.outcome,
        player_total=facts.player_total,
        banker_total=facts.banker_total,
        player_natural=facts.player_natural,
        banker_natural=facts.banker_natural,
        player_pair=facts.player_pair,
        banker_pair=facts.banker_pair,
        settlements=tuple(
            Settlement(
                slip_id=slip.slip_id,
                bet=slip.bet,
                stake=slip.stake,
                result=ruling.result,
                payout=ruling.payout,
                net=ruling.payout - slip.stake,
                reason=ruling.reason,
            )
            for slip, ruling in zip(line.slips, settler.rule(line.slips), strict=True)
        ),
    )


def read(line: str) -> Line:
    """Read one line. Raises `BadLine`: ``undecodable`` if it is no JSON object, ``invalid`` if its fields are wrong."""
    try:
        return _decoder.decode(line)
    except msgspec.ValidationError as error:
        raise _judged(line, error) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadLine("undecodable", str(error)) from error


def _judged(line: str, error: msgspec.ValidationError) -> BadLine:
    """Tell wrong fields from a line that is no JSON object, of which only a part had been read when one was met."""
    try:
        if isinstance(msgspec.json.decode(line), dict):
            return BadLine("invalid", str(error))
    except msgspec.ValidationError:  # a number that no program reads
        return BadLine("invalid", str(error))
    except (msgspec.DecodeError, RecursionError) as worse:
        return BadLine("undecodable", str(worse))
    return BadLine("undecodable", str(error))


def _facts(line: Line) -> Facts:
    try:
        return judge(
            player=line.player,
            banker=line.banker,
            outcome=line.outcome,
            player_total=line.player_total,
            banker_total=line.banker_total,
            player_pair=line.player_pair,
            banker_pair=line.banker_pair,
            player_natural=line.player_natural,
            banker_natural=line.banker_natural,
        )
    except ImpossibleRound as error:
        raise BadLine("impossible_round", str(error)) from error


_decoder = msgspec.json.Decoder(Line)
