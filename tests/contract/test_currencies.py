import pytest

from contract.currencies import CURRENCIES, known_currency


@pytest.mark.parametrize("code", ["EUR", "USD", "HKD", "MOP", "PHP", "KRW", "CNY", "KHR", "XXX", "XTS", "BGN", "ZWG"])
def test_what_a_casino_pays_in_is_known(code: str) -> None:
    assert known_currency(code) == code


@pytest.mark.parametrize("code", ["QQQ", "eur", "EURO", "", "€", "DEM"])
def test_what_is_no_currency_is_refused_and_quoted(code: str) -> None:
    with pytest.raises(ValueError, match=f"^'{code}' is no currency code"):
        known_currency(code)


def test_the_list_is_one_of_codes() -> None:
    assert all(len(code) == 3 and code.isascii() and code.isupper() for code in CURRENCIES)
    assert 150 < len(CURRENCIES) < 200
