"""What is written about displays is true: addresses, panels, words, and the files of a kiosk."""

import re
import subprocess
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from dashboards.assets import address
from dashboards.options import DISPLAY, LOBBY, PANELS, filter_asked, options_asked, refuse_unknown
from dashboards.words import ENGLISH

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "displays.md").read_text()
KIOSK = ROOT / "deploy" / "kiosk"
ADDRESSES = [
    *re.findall(r"`(/(?:tables/\w+)?\?[^`]*)`", GUIDE),
    *re.findall(r"^BOARD=(\S+)", (KIOSK / "pit3-t07.env").read_text(), re.MULTILINE),
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_each_address_is_understood(address: str) -> None:
    query = dict(parse_qsl(urlsplit(address).query, keep_blank_values=True))
    refuse_unknown(query, DISPLAY | LOBBY, ENGLISH)
    options_asked(query)
    filter_asked(query, ENGLISH)


def test_there_are_addresses_to_look_at() -> None:
    assert len(ADDRESSES) >= 5


def test_every_parameter_and_panel_is_explained() -> None:
    rows = re.findall(r"^\| `([a-z]+)` \|", GUIDE, re.MULTILINE)
    assert set(rows) == DISPLAY
    assert all(f"`{panel}`" in GUIDE for panel in PANELS)


@pytest.mark.parametrize(
    "word",
    [
        *(text for key, text in ENGLISH.status.items() if key != "nodata"),
        ENGLISH.lost,
        ENGLISH.source_lost,
        ENGLISH.no_rounds,
        ENGLISH.misasked,
        ENGLISH.starting,
        ENGLISH.stale.partition("{")[0],
        ENGLISH.silent.partition("{")[0],
        ENGLISH.gap.partition("{")[2][1:],
    ],
)
def test_every_state_of_a_wall_is_explained_in_its_own_words(word: str) -> None:
    assert word.strip() in GUIDE


def test_the_kiosks_script_is_one_that_a_shell_understands() -> None:
    assert subprocess.run(["sh", "-n", KIOSK / "kiosk"], check=False).returncode == 0
    unit = (KIOSK / "beadplate-kiosk@.service").read_text()
    for wanted in ("Restart=always", "EnvironmentFile=/etc/beadplate/screens/%i.env", "WantedBy=multi-user.target"):
        assert wanted in unit


@pytest.mark.parametrize(("board", "profile"), [("", "x"), ("http://127.0.0.1:1/tables/T1", "")])
def test_a_kiosk_without_its_settings_says_which_is_missing(board: str, profile: str) -> None:
    ran = subprocess.run(
        ["sh", KIOSK / "kiosk"],
        env={"PATH": "/usr/bin:/bin", "BOARD": board, "PROFILE": profile},
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    assert ran.returncode != 0
    assert ("BOARD" if not board else "PROFILE") in ran.stderr


def test_pages_load_each_font_once_and_keep_it() -> None:
    style = (ROOT / "dashboards" / "static" / "font.css").read_text()
    named = re.findall(r'url\("([^"]+)"\)', style)
    assert len(named) == 4
    assert [f"/static/{each}" for each in named] == [address(each.partition("?")[0]) for each in named]


def test_the_font_has_every_character_of_the_chinese_catalogue() -> None:
    style = (ROOT / "dashboards" / "static" / "font.css").read_text()
    held = {int(code, 16) for code in re.findall(r"U\+([0-9A-F]+)", style)}
    catalogue = (ROOT / "dashboards" / "translations" / "zh-Hant.po").read_text()
    wanted = {ord(char) for char in catalogue if ord(char) >= 0x2E80}
    assert wanted <= held, "cut the font again: scripts/font.py says how"
