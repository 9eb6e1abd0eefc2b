"""A dealt round: what is known of it, and whether it can have happened at all.

A round comes either with its cards, and then everything about it is computed, or from a keypad with what the dealer
pressed, and then what is not said stays unknown. Fields that the cards, the tableau or each other forbid are refused.
"""

import functools
import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Final, Literal, NoReturn, TypeAlias

from baccarat.cards import CARDS, VALUES
from baccarat.quoting import quote
from baccarat.tableau import NATURALS, banker_draws, player_draws

Outcome: TypeAlias = Literal["player", "banker", "tie"]

_LETTERS: Final[dict[Outcome, str]] = {"player": "P", "banker": "B", "tie": "T"}
_WORTH: Final = {text: card.value for text, card in CARDS.items()}
_WORTHS: Final = tuple(sorted(set(VALUES.values())))
_TOTALS: Final = range(10)


class ImpossibleRound(ValueError):
    """A round that cannot have happened: a hand the tableau forbids, or fields that contradict each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of one round. None is "not known", never "no"; totals are 0 to 9, cards as on the wire.

    A natural is a total of 8 or 9 on the first two cards, on either side, whoever wins; a pair is two first cards of
    one rank.
    """

    outcome: Outcome
    player_total: int | None = None
    banker_total: int | None = None
    player_natural: bool | None = None
    banker_natural: bool | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    player: tuple[str, ...] | None = None
    banker: tuple[str, ...] | None = None

    @property
    def suited(self) -> bool:
        """Whether the suits of all four first cards are known."""
        cards = (*(self.player or ("",))[:2], *(self.banker or ("",))[:2])
        return all(len(card) == len("4H") for card in cards)


def letter(outcome: Outcome) -> str:
    """Return the letter of an outcome on the roads: P, B or T."""
    return _LETTERS[outcome]


def judge(
    *,
    player: Sequence[str] | None = None,
    banker: Sequence[str] | None = None,
    outcome: Outcome | None = None,
    player_total: int | None = None,
    banker_total: int | None = None,
    player_pair: bool | None = None,
    banker_pair: bool | None = None,
    player_natural: bool | None = None,
    banker_natural: bool | None = None,
) -> Facts:
    """Return the facts of a round from its cards, in the order dealt, or from what was keyed.

    With cards everything is computed, and what was keyed besides must agree. Without cards the outcome is needed, and
    some round must exist that has all that was keyed. Raises `ImpossibleRound`, naming the fault, and nothing else.
    """
    keyed = _Keyed(outcome, player_total, banker_total, player_natural, banker_natural, player_pair, banker_pair)
    if player is None and banker is None:
        return _from_keypad(keyed)
    if player is None or banker is None:
        absent, present = ("Player", "Banker") if player is None else ("Banker", "Player")
        raise ImpossibleRound(f"{present}'s cards came without {absent}'s: send both hands or neither")
    facts = _from_cards(tuple(player), tuple(banker))
    if keyed != _NOTHING_KEYED:
        _check_agreement(keyed, facts)
    return facts


@dataclass(frozen=True, slots=True)
class _Keyed:
    """The fields that a keypad may send; also, with none of them None, the end of a round that can happen."""

    outcome: Outcome | None
    player_total: int | None
    banker_total: int | None
    player_natural: bool | None
    banker_natural: bool | None
    player_pair: bool | None
    banker_pair: bool | None


_NOTHING_KEYED: Final = _Keyed(None, None, None, None, None, None, None)
KEYED: Final = tuple(_Keyed.__slots__)
"""Fields of `Facts` that a keypad may send."""


# From the cards.


def _from_cards(player: tuple[str, ...], banker: tuple[str, ...]) -> Facts:
    player_two, player_total, player_third = _count("Player", player)
    banker_two, banker_total, banker_third = _count("Banker", banker)
    player_natural = player_two in NATURALS
    banker_natural = banker_two in NATURALS
    if player_natural or banker_natural:
        if player_third is not None or banker_third is not None:
            _refuse_card_after_natural(player, banker, player_natural=player_natural)
    else:
        if player_draws(player_two) is (player_third is None):
            _refuse_draw("Player", player, player_two)
        if banker_draws(banker_two, player_third) is (banker_third is None):
            _refuse_draw("Banker", banker, banker_two, player_third)
    return Facts(
        outcome=compare(player_total, banker_total),
        player_total=player_total,
        banker_total=banker_total,
        player_natural=player_natural,
        banker_natural=banker_natural,
        player_pair=player[0][0] == player[1][0],
        banker_pair=banker[0][0] == banker[1][0],
        player=player,
        banker=banker,
    )


def _count(side: str, hand: tuple[str, ...]) -> tuple[int, int, int | None]:
    """Return the total of the first two cards, the total of all, and what the third one is worth (None: no card)."""
    try:
        worth = [_WORTH[text] for text in hand]
    except KeyError:
        bad = next(text for text in hand if text not in _WORTH)
        raise ImpossibleRound(f"{side} holds {quote(bad)}, which is no card (A 2-9 T J Q K, then C D H S)") from None
    match worth:
        case [first, second]:
            total = (first + second) % 10
            return total, total, None
        case [first, second, third]:
            return (first + second) % 10, (first + second + third) % 10, third
        case _:
            raise ImpossibleRound(f"{side} holds {len(worth)} cards: a hand has two or three")


def compare(player_total: int, banker_total: int) -> Outcome:
    """Return who is nearer to nine."""
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"


def _refuse_card_after_natural(player: Sequence[str], banker: Sequence[str], *, player_natural: bool) -> NoReturn:
    drawer, hand = ("Player", player) if len(player) > len(banker) else ("Banker", banker)
    holder, natural = ("Player", player) if player_natural else ("Banker", banker)
    raise ImpossibleRound(
        f"{drawer} drew after {holder}'s natural {' '.join(natural[:2])}, which ends the round: {' '.join(hand)}"
    )


def _refuse_draw(side: str, hand: Sequence[str], total: int, player_third: int | None = None) -> NoReturn:
    did = "stood" if len(hand) == len(("first", "second")) else "drew"
    against = "" if player_third is None or total not in range(3, 7) else f" against a third card of {player_third}"
    raise ImpossibleRound(f"{side} {did} on {total}{against}: {' '.join(hand)}")


def _check_agreement(keyed: _Keyed, facts: Facts) -> None:
    for field in KEYED:
        said, is_so = getattr(keyed, field), getattr(facts, field)
        if said is not None and said != is_so:
            raise ImpossibleRound(
                f"{_say(field, said)} was keyed, but the cards give {_say(field, is_so)}: "
                f"{' '.join(facts.player or ())} against {' '.join(facts.banker or ())}"
            )


# From the keypad.


def _from_keypad(keyed: _Keyed) -> Facts:
    if keyed.outcome is None:
        raise ImpossibleRound("A round without cards needs its outcome: player, banker or tie")
    if keyed.outcome not in _LETTERS:
        raise ImpossibleRound(f"{quote(keyed.outcome)} is no outcome: write player, banker or tie")
    for side, total in (("Player", keyed.player_total), ("Banker", keyed.banker_total)):
        if total is not None and total not in _TOTALS:
            raise ImpossibleRound(f"{side}'s total is out of range: a total is 0 to 9")
    fault = _contradiction(keyed)
    if fault:
        raise ImpossibleRound(fault)
    return Facts(
        outcome=keyed.outcome,
        player_total=keyed.player_total,
        banker_total=keyed.banker_total,
        player_natural=keyed.player_natural,
        banker_natural=keyed.banker_natural,
        player_pair=keyed.player_pair,
        banker_pair=keyed.banker_pair,
    )


@functools.cache  # keyed fields are few and small: under thirty thousand combinations, some dozens in use
def _contradiction(keyed: _Keyed) -> str:
    """Say which fewest of the keyed fields no round can have together; empty if some round has them all."""
    said = [(index, value) for index, value in enumerate(astuple(keyed)) if value is not None]
    if _some_round_has(said):
        return ""
    subsets = itertools.chain.from_iterable(itertools.combinations(said, size) for size in range(1, len(said) + 1))
    fewest = next(subset for subset in subsets if not _some_round_has(subset))
    first, *others = (_say(KEYED[index], value) for index, value in fewest)
    return f"No round can have {first}" + (" with " if others else "") + " and ".join(others)


def _some_round_has(said: Sequence[tuple[int, object]]) -> bool:
    return any(all(end[index] == value for index, value in said) for end in _ends())


def _say(field: str, value: object) -> str:
    match value:
        case bool():
            return f"{field} {str(value).lower()}"
        case int() if value not in _TOTALS:  # never written out: it may have any number of digits
            return f"{field} out of range"
        case _:
            return f"{field} {value}"


def keypads(fields: Collection[str]) -> frozenset[Facts]:
    """Return what a keypad may send of every round that can be dealt, where it sends these fields and no others."""
    return frozenset(
        Facts(**{field: said for field, said in zip(KEYED, end, strict=True) if field in fields})  # type: ignore[arg-type]
        for end in _ends()
    )


@functools.cache
def _ends() -> frozenset[tuple[object, ...]]:
    """Return how rounds can end: every combination of the keypad's fields that the tableau allows.

    A pair doubles one value, so its two cards make an even total; every total can also be made without a pair.
    """
    starts = [(total, pair) for total in range(10) for pair in ((False, True) if total % 2 == 0 else (False,))]
    return frozenset(
        (compare(player, banker), player, banker, player_two in NATURALS, banker_two in NATURALS, pp, bp)
        for (player_two, pp), (banker_two, bp) in itertools.product(starts, repeat=2)
        for player, banker in _totals(player_two, banker_two)
    )


def _totals(player_two: int, banker_two: int) -> Iterator[tuple[int, int]]:
    """Yield the final totals that can follow two totals of two cards."""
    if player_two in NATURALS or banker_two in NATURALS:
        yield player_two, banker_two
        return
    for player_third in _WORTHS if player_draws(player_two) else (None,):
        for banker_third in _WORTHS if banker_draws(banker_two, player_third) else (None,):
            yield (player_two + (player_third or 0)) % 10, (banker_two + (banker_third or 0)) % 10
