"""Cuts the Chinese characters that the pages use out of Noto Sans CJK TC, so that a display needs no Chinese font.

Run by hand when a catalogue or the list below has new characters, with Debian's ``fonts-noto-cjk`` at hand::

    uv run --no-project --with fonttools,brotli scripts/font.py /usr/share/fonts/opentype/noto

It writes ``dashboards/static/beadplate-tc-*.woff2`` and the ``unicode-range`` in ``dashboards/static/font.css``. The
font is under the SIL Open Font License 1.1; its text lies beside it. Names of tables and places with other characters
fall back to the fonts of the display.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "dashboards" / "static"
CATALOGUES = ROOT / "dashboards" / "translations"
TRADITIONAL = 3
"""The font's place in Debian's collection: Traditional Chinese of Taiwan."""
NAMES = (
    "百家樂枱桌廳室區號樓層貴賓會廂大中小上下左右前後東南西北一二三四五六七八九十高限"
    "額至尊皇家金銀龍鳳虎翡翠珠寶星月紅藍綠免佣電子快速專場主"
)
"""Characters that names of tables and places have, beside those of the catalogue."""
FROM = 0x2E80
"""Where the characters of Chinese begin; below, the pages' usual fonts have everything."""
FACE = """@font-face {{ font-family: "Beadplate TC"; font-weight: {weights}; font-display: swap;
  src: url("beadplate-tc-{name}.woff2") format("woff2"); unicode-range: {range}; }}
"""


def characters() -> list[int]:
    """Every character to keep."""
    texts = [path.read_text() for path in CATALOGUES.glob("zh*.po")]
    return sorted({ord(char) for char in NAMES + "".join(texts) if ord(char) >= FROM})


def main(folder: Path) -> None:
    """Write both weights and their style sheet."""
    kept = characters()
    unicode_range = ", ".join(f"U+{code:X}" for code in kept)
    faces = []
    for name, weights, source in (
        ("regular", "400 500", "NotoSansCJK-Regular.ttc"),
        ("bold", "600 700", "NotoSansCJK-Bold.ttc"),
    ):
        font = TTFont(folder / source, fontNumber=TRADITIONAL)
        options = subset.Options(flavor="woff2", layout_features=[], hinting=False, name_IDs=[0, 13, 14])
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=kept)
        cutter.subset(font)
        missing = set(kept) - set(font.getBestCmap())
        if missing:
            sys.exit(f"{source} has no {''.join(map(chr, sorted(missing)))}")
        subset.save_font(font, str(STATIC / f"beadplate-tc-{name}.woff2"), options)
        faces.append(FACE.format(weights=weights, name=name, range=unicode_range))
    (STATIC / "font.css").write_text("/* Written by scripts/font.py. */\n" + "".join(faces))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
