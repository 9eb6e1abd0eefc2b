"""Cuts the fonts of the pages, so that every display draws them alike, whatever fonts it has.

Run by hand when a catalogue or a list below has new characters, with the fonts of Debian's ``fonts-liberation2`` and
``fonts-noto-cjk`` at hand, as the folder below which they lie::

    uv run --no-project --with fonttools,brotli scripts/font.py /usr/share/fonts

It writes ``dashboards/static/beadplate-*.woff2`` and ``dashboards/static/font.css``. Both fonts are under the SIL Open
Font License 1.1; their texts lie beside them. Names of tables and places with other characters fall back to the fonts
of the display.
"""

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from fontTools import subset
from fontTools.ttLib import TTFont

ROOT: Final = Path(__file__).resolve().parent.parent
STATIC: Final = ROOT / "dashboards" / "static"
CATALOGUES: Final = ROOT / "dashboards" / "translations"
TRADITIONAL: Final = 3
"""The font's place in Debian's collection: Traditional Chinese of Taiwan."""
NAMES: Final = (
    "百家樂枱桌廳室區號樓層貴賓會廂大中小上下左右前後東南西北一二三四五六七八九十高限"
    "額至尊皇家金銀龍鳳虎翡翠珠寶星月紅藍綠免佣電子快速專場主"
)
"""Characters that names of tables and places have, beside those of the catalogue."""
FROM: Final = 0x2E80
"""Where the characters of Chinese begin."""
ALPHABETS: Final = (
    *(range(0x20, 0x250), range(0x300, 0x370), range(0x370, 0x400), range(0x400, 0x530), range(0x590, 0x600)),
    *(range(0x1E00, 0x1F00), range(0x2000, 0x2070), range(0x20A0, 0x20D0), range(0x2100, 0x2200)),
    *(range(0x2200, 0x2300), range(0x2500, 0x2670)),
)
"""Latin with Vietnamese, Greek, Cyrillic, Hebrew; signs, arrows and the suits of cards."""
FACE: Final = """@font-face {{ font-family: "{family}"; font-weight: {weights}; font-display: {display};
  src: url("{file}?v={hash}") format("woff2"){range}; }}
"""


class Cut(NamedTuple):
    """A font to cut: ``sources`` are its regular and its bold file."""

    family: str
    name: str
    sources: tuple[str, str]
    kept: Sequence[int]
    features: list[str]
    named: bool
    """Whether the style sheet names the characters, so that a page without them does not load it."""


def cuts() -> tuple[Cut, Cut]:
    """The font of the pages, and that of Chinese."""
    texts = [path.read_text() for path in CATALOGUES.glob("zh*.po")]
    chinese = sorted({ord(char) for char in NAMES + "".join(texts) if ord(char) >= FROM})
    alphabets = [code for part in ALPHABETS for code in part]
    sans = ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf")
    noto = ("NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc")
    return (
        Cut("Beadplate", "beadplate", sans, alphabets, ["kern", "mark", "mkmk", "ccmp"], named=False),
        Cut("Beadplate TC", "beadplate-tc", noto, chinese, [], named=True),
    )


def main(folder: Path) -> None:
    """Write every weight and the style sheet."""
    faces = []
    for cut in cuts():
        for weight, weights, source in zip(("regular", "bold"), ("300 500", "600 700"), cut.sources, strict=True):
            file = f"{cut.name}-{weight}.woff2"
            write(cut, next(folder.rglob(source)), STATIC / file)
            digest = hashlib.sha256((STATIC / file).read_bytes()).hexdigest()[:12]
            named = f"; unicode-range: {', '.join(f'U+{code:X}' for code in cut.kept)}" if cut.named else ""
            display = "swap" if cut.named else "block"
            values = {"family": cut.family, "weights": weights, "display": display, "file": file, "hash": digest}
            faces.append(FACE.format(**values, range=named))
    (STATIC / "font.css").write_text("/* Written by scripts/font.py. */\n" + "".join(faces))


def write(cut: Cut, source: Path, target: Path) -> None:
    """Write one weight. Ends the program where a character is missing that the style sheet would name."""
    font = TTFont(source, fontNumber=TRADITIONAL if source.suffix == ".ttc" else -1)
    options = subset.Options(flavor="woff2", layout_features=cut.features, hinting=False, name_IDs=[0, 13, 14])
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=cut.kept)
    cutter.subset(font)
    missing = set(cut.kept) - set(font.getBestCmap())
    if missing and cut.named:
        sys.exit(f"{source.name} has no {''.join(map(chr, sorted(missing)))}")
    subset.save_font(font, str(target), options)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
