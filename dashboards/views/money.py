"""Amounts for people. The wire carries integers of minor units; how many make a unit is the currency's business."""

from decimal import Decimal
from typing import Final

from dashboards.views.numbers import decimal
from dashboards.words import Words

_NO_DIGITS: Final = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THREE_DIGITS: Final = "BHD IQD JOD KWD LYD OMR TND"
_FOUR_DIGITS: Final = "CLF UYW"
EXPONENTS: Final[dict[str, int]] = {
    currency: digits
    for digits, currencies in ((0, _NO_DIGITS), (3, _THREE_DIGITS), (4, _FOUR_DIGITS))
    for currency in currencies.split()
}
"""Digits of the minor unit by ISO 4217 (list one); two where a currency is not named here."""


def amount(minor: int, currency: str | None, words: Words) -> str:
    """``1,234.50`` with all digits of the currency's minor unit."""
    digits = EXPONENTS.get(currency or "", 2)
    return decimal(Decimal(minor).scaleb(-digits), digits, words)


def major(minor: float, currency: str | None) -> str:
    """The amount in units of the currency as a plain decimal, exact, by which tables are sorted."""
    return f"{Decimal(minor).scaleb(-EXPONENTS.get(currency or '', 2)):f}"


def whole_amount(minor: int, currency: str | None, words: Words) -> str:
    """Like ``amount``, without the fraction where there is none: a limit of ``5,000``."""
    digits = EXPONENTS.get(currency or "", 2)
    return amount(minor, currency, words) if minor % 10**digits else decimal(minor // 10**digits, 0, words)
