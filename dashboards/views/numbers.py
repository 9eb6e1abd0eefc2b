"""Numbers as the page's language writes them, by Unicode's CLDR (Babel). What is equal in the API is equal here."""

import copy
import functools
from decimal import Decimal
from typing import Final

from babel import Locale
from babel.numbers import NumberPattern, format_decimal

from dashboards.words import Words

NONE: Final = "–"
"""What stands where there is no number."""


def integer(value: int, words: Words) -> str:
    """``12,184``"""
    return _decimal(Decimal(value), 0, words.lang, words.locale)


def decimal(value: Decimal | float, digits: int, words: Words) -> str:
    """A number with exactly so many decimals, half to even; a float is taken as it is printed."""
    return _decimal(_exact(value), digits, words.lang, words.locale)


def signed(value: float, digits: int, words: Words) -> str:
    """Like ``decimal`` with its sign: ``+1.26``, ``−0.75``."""
    said = decimal(value, digits, words)
    return said if value < 0 else f"+{said}"


def percent(value: Decimal | float, digits: int, words: Words) -> str:
    """A number of percent, 45.86 for ``45.86%``."""
    return _percent(_exact(value), digits, words.lang, words.locale)


def _exact(value: Decimal | float) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(str(value))


@functools.lru_cache(maxsize=8192)
def _decimal(value: Decimal, digits: int, _lang: str, locale: Locale) -> str:
    said: str = format_decimal(value, _with_digits(locale.decimal_formats[None], digits), locale)
    return said.replace("-", "−")


@functools.lru_cache(maxsize=8192)
def _percent(value: Decimal, digits: int, _lang: str, locale: Locale) -> str:
    said: str = _with_digits(locale.percent_formats[None], digits).apply(value / 100, locale)
    return said.replace("-", "−")


def _with_digits(pattern: NumberPattern, digits: int) -> NumberPattern:
    exact = copy.copy(pattern)
    exact.frac_prec = (digits, digits)
    return exact
