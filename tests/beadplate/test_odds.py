"""``beadplate odds``: the exact figures as decimal numbers."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from beadplate.offline import odds

EXACT = json.loads((Path(__file__).parents[1] / "data" / "odds_exact.json").read_text())["8"]


def printed(**options: Any) -> str:
    out = io.StringIO()
    assert odds.run(stdout=out, **options) == 0
    return out.getvalue()


def test_json_has_the_exact_figures_to_the_last_digit() -> None:
    edges = {"player": "edge_player", "banker": "edge_banker_5pct", "tie": "edge_tie9",
             "player_pair": "edge_pair11", "banker_pair": "edge_pair11"}  # fmt: skip
    likely = {"player": "P", "banker": "B", "tie": "T", "player_pair": "pair", "banker_pair": "pair"}
    assert json.loads(printed(format="json")) == {
        "decks": 8,
        "paytable": "classic@1",
        "outcomes": {"banker": EXACT["B"], "player": EXACT["P"], "tie": EXACT["T"]},
        "bets": {bet: {"probability": EXACT[likely[bet]], "house_edge": EXACT[edges[bet]]} for bet in edges},
    }


def test_json_is_one_line() -> None:
    assert printed(format="json").count("\n") == 1


def test_the_pay_table_and_the_decks_are_options() -> None:
    figures = json.loads(printed(format="json", decks=6, paytable="classic-8@1"))
    assert (figures["decks"], figures["paytable"]) == (6, "classic-8@1")
    assert json.loads(printed(format="json", paytable="classic-8@1"))["bets"]["tie"]["house_edge"] == EXACT["edge_tie8"]
    # a pair: the second card is one of the 23 left of its rank among 311
    assert figures["bets"]["player_pair"]["probability"] == 23 / 311


def test_text_is_a_table_in_percent() -> None:
    assert (
        printed()
        == """\
classic@1, 8 decks, exact

outcome         probability
banker             45.8597%
player             44.6247%
tie                 9.5156%

bet             probability   house edge
player             44.6247%      1.2351%
banker             45.8597%      1.0579%
tie                 9.5156%      4.8440%
player_pair         7.4699%     10.3614%
banker_pair         7.4699%     10.3614%
"""
    )


@pytest.mark.parametrize(("decks", "heading"), [(1, "classic@1, 1 deck, exact"), (2, "classic@1, 2 decks, exact")])
def test_text_is_headed_by_pay_table_and_decks(decks: int, heading: str) -> None:
    assert printed(decks=decks).splitlines()[0] == heading


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"decks": 0}, "A shoe holds 1 to 8 decks, not 0"),
        ({"decks": 9}, "A shoe holds 1 to 8 decks, not 9"),
        ({"paytable": "nobody@1"}, "There is no pay table 'nobody@1'; there are classic-8@1, classic@1"),
    ],
)
def test_wrong_use_is_one_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        printed(**options)
