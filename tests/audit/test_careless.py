"""On a careless floor, too, the auditor decides as the folds do, by rules of its own."""

from collections import Counter

import pytest

from tests.audit.auditing import audit, outputs, shelf_of
from tests.audit.careless import deal


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
