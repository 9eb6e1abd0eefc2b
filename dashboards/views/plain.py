"""Free text of events, as a page may show it."""

import re
from typing import Final

CONTROLS: Final = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Unicode's embeddings, overrides and isolates of direction: one that is left open turns round what follows it."""
_NONE: Final = dict.fromkeys(map(ord, CONTROLS))


_LINES: Final = re.compile(r"\r\n?|\n")


def one_line(text: str) -> str:
    """The text, ``plain``, on one line: a form sends the ends of lines in its own way."""
    return _LINES.sub(" ", plain(text))


def plain(text: str) -> str:
    """The text without ``CONTROLS``; the elements of the page say where a direction begins and ends."""
    return text.translate(_NONE)
