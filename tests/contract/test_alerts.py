"""The list of alerts is whole, and stands in the documents."""

from typing import get_args

from contract.alerts import KINDS, AlertKind
from contract.tables import topics_page


def test_every_kind_of_alert_is_in_the_list_and_in_the_documents() -> None:
    assert set(KINDS) == set(get_args(AlertKind))
    page = topics_page()
    for name, kind in KINDS.items():
        assert f"| `{name}` | {' | '.join(kind)} |" in page


def test_what_is_cleared_is_what_lasts() -> None:
    happened = {name for name, kind in KINDS.items() if not kind.cleared}
    assert happened == {"conflict", "too_old", "shoe_jump", "late_slips", "limit", "retention_lost"}
