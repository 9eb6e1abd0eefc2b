"""Numbers as the page's language writes them, by Unicode's CLDR (Babel). What is equal in the API is equal here."""

import copy
import functools
from decimal import Decimal
from typing import Final

from babel.numbers import NumberPattern, format_decimal

from dashboards.words import Words

NONE: Final = "–"
"""What stands where there is no number."""


def integer(value: int, words: Words) -> str:
    """``12,184``"""
    return _decimal(value, 0, words)


def decimal(value: Decimal | float, digits: int, words: Words) -> str:
    """A number with exactly so many decimals, half to even; a float is taken as it is printed."""
    return _decimal(value, digits, words)


def signed(value: float, digits: int, words: Words) -> str:
    """Like ``decimal`` with its sign: ``+1.26``, ``−0.75``."""
    said = decimal(value, digits, words)
    return said if value < 0 else f"+{said}"


def percent(value: Decimal | float, digits: int, words: Words) -> str:
    """A number of percent, 45.86 for ``45.86%``."""
    return _percent(value, digits, words)


def _exact(value: Decimal | float) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(str(value))


@functools.lru_cache(maxsize=8192)
def _decimal(value: Decimal | float, digits: int, words: Words) -> str:
    pattern = _with_digits(words.locale.decimal_formats[None], digits)
    said: str = format_decimal(_exact(value), pattern, words.locale)
    return said.replace("-", "−")


@functools.lru_cache(maxsize=8192)
def _percent(value: Decimal | float, digits: int, words: Words) -> str:
    said: str = _with_digits(words.locale.percent_formats[None], digits).apply(_exact(value) / 100, words.locale)
    return said.replace("-", "−")


def _with_digits(pattern: NumberPattern, digits: int) -> NumberPattern:
    exact = copy.copy(pattern)
    exact.frac_prec = (digits, digits)
    return exact
