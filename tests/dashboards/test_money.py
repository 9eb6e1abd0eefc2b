"""Amounts: minor units as people write them."""

import pytest

from dashboards.views.money import amount, whole_amount
from dashboards.words import ENGLISH


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [
        (123456, "EUR", "1,234.56"),
        (5, "EUR", "0.05"),
        (0, "EUR", "0.00"),
        (-9547, "EUR", "−95.47"),
        (123456, "JPY", "123,456"),
        (-7, "JPY", "−7"),
        (1234567, "KWD", "1,234.567"),
        (12345678, "CLF", "1,234.5678"),
        (123, "XXX", "1.23"),
        (123, None, "1.23"),
        (2**53 - 1, "EUR", "90,071,992,547,409.91"),
    ],
)
def test_an_amount_has_all_digits_of_its_currency(minor: int, currency: str | None, text: str) -> None:
    assert amount(minor, currency, ENGLISH) == text


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [(500000, "EUR", "5,000"), (550050, "EUR", "5,500.50"), (0, "EUR", "0"), (5000, "JPY", "5,000")],
)
def test_a_limit_has_a_fraction_only_where_there_is_one(minor: int, currency: str, text: str) -> None:
    assert whole_amount(minor, currency, ENGLISH) == text
