"""On a careless floor, too, the auditor decides as the folds do, by rules of its own."""

from collections import Counter

import pytest

from contract.topics import BETS, SETTLEMENTS
from processors.effects import Out
from tests.audit.auditing import audit, outputs, shelf_of
from tests.audit.careless import deal
from tests.faults.floor import Event, Sent, sent


@pytest.mark.parametrize("seed", range(12))
def test_folds_and_auditor_agree_on_careless_sources_through_crashes(seed: int) -> None:
    records = deal(seed)
    said = audit(shelf_of(records, outputs(records, seed=seed, crashes=0.03)))
    assert [found for found in said.found if found.kind != "unsettled"] == []
    assert not any("stands last" in why for why, _ in said.notes)


def test_the_careless_floor_has_what_it_is_there_for() -> None:
    counts, kinds, notes = Counter[str](), Counter[str](), set[str]()
    for seed in range(12):
        records = deal(seed)
        said = audit(shelf_of(records, outputs(records, seed=seed, crashes=0)))
        counts, kinds = counts + said.counts, kinds + said.kinds
        notes |= {why for why, _ in said.notes}
    assert {code for code in counts if code.startswith("refused_")} == {
        "refused_conflict", "refused_shoe_jump", "refused_too_old",
    }  # fmt: skip
    assert min(counts["repeats"], kinds["unsettled settlement"]) > 20
    assert "batch ids are used twice, wallets take one for the other" in notes


AGAIN = "again"
HANDS = {"player": ["7H", "9H"], "banker": ["8H", "4H", "KC"]}


def four_shoes() -> list[Sent]:
    """A round and a batch in each of four shoes; the batches of the first and the last bear one id."""
    records = []
    for shoe_no in (1, 2, 3, 4):
        base: Event = {"table_id": "X1", "occurred_at": "2026-11-30T18:00:00.000Z", "shoe_no": shoe_no, "round_no": 1}
        slip = {"slip_id": "a", "bettor": "1", "bet": "banker", "stake": 100 * shoe_no}
        slips = [slip | {"placed_at": base["occurred_at"]}]
        batch_id = AGAIN if shoe_no in (1, 4) else str(shoe_no)
        records.append(sent(base | {"type": "bets_placed", "batch_id": batch_id, "currency": "EUR", "slips": slips}))
        records.append(sent(base | HANDS | {"type": "round_dealt", "revision": 0, "paytable": "classic@1"}))
    return records


def settlements(records: list[Sent]) -> set[Out]:
    return {out._replace(headers=None) for out in outputs(records, crashes=0) if out.topic is SETTLEMENTS}


def test_settlements_of_an_id_that_was_used_twice_are_told_apart_by_their_shoes() -> None:
    records = four_shoes()
    batches = [record for record in records if record.topic == BETS.name]
    # as by a processor that had forgotten the first shoe when it read the last
    made = settlements([record for record in records if record is not batches[0]])
    made |= settlements([record for record in records if record is not batches[-1]])
    said = audit(shelf_of(records, made))
    assert [found for found in said.found if found.what in ("settlement", "sums")] == []
    assert said.notes == [("batch ids are used twice, wallets take one for the other", "1 of them")]
