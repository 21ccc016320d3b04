"""The HIPAA column check without a warehouse: years by a regular expression, the file of ZIP areas, what the report says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrisk.assessment.safe_harbor import read_areas
from sqlrisk.errors import RequestError
from sqlrisk.hints import SHAPES, hint
from sqlrisk.sql.columns import years_until


@given(last=st.integers(1000, 9999), year=st.integers(1000, 9999))
def test_years_until(last: int, year: int):
    assert bool(re.fullmatch(years_until(last), f"{year}")) == (year <= last)


@pytest.mark.parametrize("last", [1000, 1899, 1900, 1936, 1999, 2000])
def test_every_year_around(last: int):
    matched = [year for year in range(1000, 3000) if re.fullmatch(years_until(last), f"{year}")]
    assert matched == list(range(1000, last + 1))


@pytest.mark.parametrize(
    ("shape", "value", "expected"),
    [
        ("phone", "+1 617 555 0101", True),
        ("phone", "(617) 555-0101", True),
        ("phone", "617.555.0101", True),
        ("phone", "030/1234567", True),
        ("phone", "020 7946 0958", True),
        ("phone", "01 23 45 67 89", True),
        ("phone", "0171-1234567", True),
        ("phone", "12.345", False),  # a decimal
        ("phone", "42.3601", False),
        ("phone", "10 000", False),
        ("phone", "2019-2020", False),
        ("phone", "02139-1234", False),  # a ZIP code
        ("phone", "0012345678", False),
        ("phone", "2024-01-31", False),
        ("phone", "6175550101", False),
        ("postcode", "02139-1234", True),
        ("postcode", "K1A 0B1", True),
        ("postcode", "1012 AB", True),
        ("postcode", "2139", False),
        ("date", "2024-01-31T09:30:00+01:00", True),
        ("date", "31.01.2024", True),
        ("date", "2024-13-01", False),
        ("email", "a.b@c.example", True),
        ("email", "a@b", False),
        ("ip", "2001:db8::1:2", True),
        ("ip", "09:30:15", False),
    ],
)
def test_shapes(shape: str, value: str, expected: bool):
    assert bool(re.search(SHAPES[shape], value)) is expected


def test_no_shape_hangs_on_the_end_of_a_line():
    """RE2 and PostgreSQL differ on `.`, and a template holds no backslash that a dialect would escape."""
    for pattern in SHAPES.values():
        assert "." not in re.sub(r"\[[^]]*\]", "", pattern)
        assert "\\" not in pattern


def test_one_record_is_no_constant():
    found = hint("sex", records=1, missing=0, distinct=1, shapes={}, countable=True)
    assert found is not None and found.by == "name"


class TestAreas:
    def test_read(self, tmp_path):
        path = tmp_path / "areas.csv"
        path.write_text("\ufeffzip3,people\n036, 15000\n\n021,900000\n", "utf-8")
        assert read_areas(path) == {"036": 15000, "021": 900000}

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("area,people\n036,1\n", "does not begin with the header"),
            ("", "does not begin with the header"),
            ("zip3,people\n", "has no areas"),
            ("zip3,people\n36,1\n", "line 2 of areas.csv is not three digits"),
            ("zip3,people\n036,many\n", "line 2 of areas.csv is not three digits"),
            ("zip3,people\n036,-1\n", "line 2 of areas.csv is not three digits"),
            ("zip3,people\n036,1,2\n", "line 2 of areas.csv is not three digits"),
            ("zip3,people\n036,1\n036,2\n", "line 3 of areas.csv gives an area two numbers"),
        ],
    )
    def test_refused(self, tmp_path, content: str, said: str):
        path = tmp_path / "areas.csv"
        path.write_text(content)
        with pytest.raises(RequestError, match=said):
            read_areas(path)

    def test_no_such_file_and_no_text(self, tmp_path):
        with pytest.raises(RequestError, match="cannot be read"):
            read_areas(tmp_path / "none.csv")
        path = tmp_path / "areas.csv"
        path.write_bytes(b"zip3,people\n\xff\xfe\n")
        with pytest.raises(RequestError, match="UTF-8"):
            read_areas(path)
