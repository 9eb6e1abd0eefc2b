from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.scalars import canonical_instant, later, parse_instant, render_instant


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2026-11-30T18:00:00.000Z", "2026-11-30T18:00:00.000Z"),
        ("2026-11-30T18:00:00Z", "2026-11-30T18:00:00.000Z"),
        ("2026-11-30T18:00:00.5Z", "2026-11-30T18:00:00.500Z"),
        ("2026-11-30t18:00:00.5z", "2026-11-30T18:00:00.500Z"),
        ("2026-11-30 18:00:00Z", "2026-11-30T18:00:00.000Z"),
        ("2026-11-30T18:00:00+00:00", "2026-11-30T18:00:00.000Z"),
        ("2026-11-30T18:00:00-00:00", "2026-11-30T18:00:00.000Z"),
        ("2026-12-01T02:00:00.125+08:00", "2026-11-30T18:00:00.125Z"),
        ("2026-11-30T14:15:00-03:45", "2026-11-30T18:00:00.000Z"),
        ("2026-11-30T18:00:00.000400Z", "2026-11-30T18:00:00.000400Z"),
        ("2026-11-30T18:00:00.123000Z", "2026-11-30T18:00:00.123Z"),
        ("2026-11-30T18:00:00.1234569Z", "2026-11-30T18:00:00.123456Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"),
    ],
)
def test_an_rfc_3339_time_has_one_canonical_form(text: str, canonical: str) -> None:
    assert canonical_instant(text) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-11-30",
        "2026-11-30T18:00:00",
        "2026-11-30T18:00:00.000",
        "2026-11-30T18:00Z",
        "2026-11-30T18Z",
        "20261130T180000Z",
        "2026-W49-1T18:00:00Z",
        "2026-W49-1T18:00:00.000Z",
        "2026-11-30T18:00:00,500Z",
        "2026-11-30T18:00:00.Z",
        "2026-11-30T18:00:00+0000",
        "2026-11-30T18:00:00+00:00:30",
        "2026-11-30T18:00:00+24:00",
        "2026-02-29T18:00:00.000Z",
        "2026-13-01T18:00:00.000Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T24:00:00.000Z",
        "2026-11-30T23:59:60Z",
        "2026-11-30T23:59:60.000Z",
        "0000-01-01T00:00:00.000Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        " 2026-11-30T18:00:00.000Z",
        "2026-11-30T18:00:00.000Z\n",
        "2026-11-30T18:00:00.00\N{ARABIC-INDIC DIGIT THREE}Z",
        "2026-11-30T18:00:00.000\ud800",
    ],
)
def test_what_is_no_rfc_3339_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"RFC 3339|outside the calendar"):
        canonical_instant(text)


def test_the_refusal_quotes_the_text() -> None:
    with pytest.raises(ValueError, match="'half past six'"):
        canonical_instant("half past six")


MOMENTS = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1))  # noqa: DTZ001 - zones are added
ZONES = st.integers(-24 * 60 + 1, 24 * 60 - 1).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(MOMENTS, ZONES)
@settings(deadline=None)
def test_every_zone_names_the_same_instant(moment: datetime, zone: timezone) -> None:
    aware = moment.replace(tzinfo=UTC)
    assert canonical_instant(aware.astimezone(zone).isoformat()) == canonical_instant(aware.isoformat())
    assert parse_instant(canonical_instant(aware.isoformat())) == aware
    assert canonical_instant(render_instant(aware)) == render_instant(aware)


@given(MOMENTS, MOMENTS)
@settings(deadline=None)
def test_later_compares_instants_and_not_texts(one: datetime, other: datetime) -> None:
    texts = [render_instant(moment.replace(tzinfo=UTC)) for moment in (one, other)]
    assert later(*texts) == texts[0 if one >= other else 1]


def test_later_sees_microseconds_beside_milliseconds() -> None:
    assert later("2026-11-30T18:00:00.000Z", "2026-11-30T18:00:00.000400Z") == "2026-11-30T18:00:00.000400Z"
    assert later("2026-11-30T18:00:00.001Z", "2026-11-30T18:00:00.000400Z") == "2026-11-30T18:00:00.001Z"
