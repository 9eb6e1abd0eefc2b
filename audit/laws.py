"""Laws that every board and every shoe record obeys by itself, whatever the sources say: also one that still moves.

Counters equal the history, cells equal the results, gaps are what the history lacks.
"""

from collections.abc import Iterator

from contract.scoreboards import Round, Scoreboard, ShoeRecord

_LETTERS = {"player": "P", "banker": "B", "tie": "T"}


def broken(shown: Scoreboard | ShoeRecord) -> Iterator[tuple[str, str, str]]:
    """Each law that does not hold: what it is about, what must be there and what is."""
    counted = [each for each in shown.rounds if not each.voided]
    for name, wanted in _counts(counted, shown.gaps).items():
        if (said := getattr(shown.counts, name)) != wanted:
            yield f"counts.{name}", str(wanted), str(said)
    last = max((each.round_no for each in counted), default=0)
    known = {each.round_no for each in shown.rounds}
    missing = tuple(number for number in range(1, last) if number not in known)
    if shown.gaps != missing:
        yield "gaps", str(missing), str(shown.gaps)
    results = {each.round_no: _LETTERS[each.outcome or ""] for each in counted} | dict.fromkeys(missing, "?")
    letters = "".join(results[number] for number in sorted(results))
    yield from _cells(shown, letters)


def _counts(counted: list[Round], gaps: tuple[int, ...]) -> dict[str, int]:
    outcomes = [each.outcome for each in counted]
    return {
        "rounds": len(counted),
        "missing": len(gaps),
        "banker": outcomes.count("banker"),
        "player": outcomes.count("player"),
        "tie": outcomes.count("tie"),
        "banker_pair": sum(each.banker_pair is True for each in counted),
        "player_pair": sum(each.player_pair is True for each in counted),
        "natural": sum(each.player_natural is True or each.banker_natural is True for each in counted),
    }


def _cells(shown: Scoreboard | ShoeRecord, letters: str) -> Iterator[tuple[str, str, str]]:
    roads = shown.roads
    if roads.rounds != letters:
        yield "roads.rounds", letters, roads.rounds
    beads = "".join(mark for _, _, mark in roads.bead_plate)
    if beads != letters:
        yield "roads.bead_plate", letters, beads
    before_gap = letters.split("?", 1)[0]
    sides = "".join(side for _, _, side, _ in roads.big_road)
    if sides != before_gap.replace("T", ""):
        yield "roads.big_road", before_gap.replace("T", ""), sides
    ties = roads.leading_ties + sum(count for *_, count in roads.big_road)
    if ties != before_gap.count("T"):
        yield "ties on the big road", str(before_gap.count("T")), str(ties)
