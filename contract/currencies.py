"""The currencies that money may be in.

A closed list keeps what is kept per currency small, whatever a source sends: a table's statistics stay one record.
"""

from typing import Final

CURRENCIES: Final = frozenset(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BYR BZD
    CAD CDF CHE CHF CHW CLF CLP CNH CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP
    GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW
    KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRO MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
    NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS
    SRD SSP STD STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VEF VES
    VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG ZWL
    """.split()  # noqa: SIM905 - a list of words is easier to read and to mend
)
"""ISO 4217: list one with funds and metals, ``XTS`` (tests), ``XXX`` (none), what has gone since 2016; and ``CNH``.

Source: Unicode CLDR, ``supplementalData/currencyData``, as Babel 2.19 has it. A code that is newer than this list makes
a dead letter, which is replayed once the list has it.
"""


def known_currency(code: str) -> str:
    """The code itself. Raises ValueError, quoting it, where it is none."""
    if code not in CURRENCIES:
        raise ValueError(f"{code!r} is no currency code of ISO 4217 such as EUR")
    return code
