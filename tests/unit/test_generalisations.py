"""How users write quasi-identifiers, and how they are read back."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.errors import RequestError
from sqlrisk.generalisations import (
    Band,
    Cut,
    MapTo,
    MinCount,
    Normalise,
    Prefix,
    QuasiIdentifier,
    Round,
    TimeOfDay,
    Truncate,
    Weekday,
)

parse = QuasiIdentifier.parse
from_mapping = QuasiIdentifier.from_mapping

PARSED = [
    ("age", "age", None),
    (" age ", "age", None),
    ("odd name", "odd name", None),
    ('"a:b"', "a:b", None),
    ('"a""b"', 'a"b', None),
    ('"a:b":band=5', "a:b", Band(Decimal(5))),
    ("age:band=5", "age", Band(Decimal(5))),
    ("age:band= 5", "age", Band(Decimal(5))),
    ("age: band =5", "age", Band(Decimal(5))),
    ("bmi:band=0.5", "bmi", Band(Decimal("0.5"))),
    ("bmi:band=2.50", "bmi", Band(Decimal("2.5"))),
    ("pay:band=1000", "pay", Band(Decimal(1000))),
    ("income:cut=0,20000,50000", "income", Cut((Decimal(0), Decimal(20000), Decimal(50000)))),
    ("t:cut=-5.5,0", "t", Cut((Decimal("-5.5"), Decimal(0)))),
    ("t:cut=7", "t", Cut((Decimal(7),))),
    ("x:round=2", "x", Round(2)),
    ("x:round=-3", "x", Round(-3)),
    ("x:round=0", "x", Round(0)),
    ("zip:prefix=3", "zip", Prefix(3)),
    ("d:truncate=month", "d", Truncate("month")),
    ("d:truncate=week@Europe/Berlin", "d", Truncate("week", "Europe/Berlin")),
    ("d:truncate=day@UTC", "d", Truncate("day", "UTC")),
    ("d:truncate=day@America/Argentina/Buenos_Aires", "d", Truncate("day", "America/Argentina/Buenos_Aires")),
    ("d:time=hour", "d", TimeOfDay("hour")),
    ("d:time=minute@Asia/Tokyo", "d", TimeOfDay("minute", "Asia/Tokyo")),
    ("d:weekday", "d", Weekday()),
    ("d:weekday@Europe/Berlin", "d", Weekday("Europe/Berlin")),
    ("district:min_count=100", "district", MinCount(100)),
    ("name:normalise=trim+casefold", "name", Normalise(("trim", "casefold"))),
    ("name:normalise=nfc", "name", Normalise(("nfc",))),
]


@pytest.mark.parametrize(("text", "column", "generalisation"), PARSED)
def test_parse(text, column, generalisation):
    qi = parse(text)
    assert (qi.column, qi.generalisation) == (column, generalisation)
    assert parse(qi.spec) == qi


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a quasi-identifier"),
        (":band=5", "not a quasi-identifier"),
        ('"":band=5', "names no column"),
        ('"a', "not a quasi-identifier"),
        ('"a"b', "not a quasi-identifier"),
        ("age:", "no generalisation"),
        ("age:bnd=5", "did you mean `band`"),
        ("age:band", "band needs a value"),
        ("age:band=", "not a number"),
        ("age:band=x", "not a number"),
        ("age:band=0", "not above 0"),
        ("age:band=-5", "not above 0"),
        ("age:band=nan", "not a usable number"),
        ("age:band=inf", "not a usable number"),
        ("age:band=1e20", "not a usable number"),
        ("age:band=0.0000001", "more than 6 decimals"),
        ("age:cut=", "not a number"),
        ("age:cut=3,2", "must rise"),
        ("age:cut=2,2", "must rise"),
        ("age:cut=1,x", "not a number"),
        ("age:cut=1,,3", "not a number"),
        ("age:round=1.5", "not a whole number"),
        ("age:round=99", "not a whole number"),
        ("age:prefix=0", "not a whole number"),
        ("age:prefix=-1", "not a whole number"),
        ("age:prefix=x", "not a whole number"),
        ("d:truncate=decade", "no unit `decade`"),
        ("d:truncate=", "no unit"),
        ("d:truncate=day@Mars/Base", "no time zone `Mars/Base`"),
        ("d:truncate=day@x'; drop table t", "no time zone"),
        ("d:time=day", "no unit `day`"),
        ("d:weekday@Nowhere", "no time zone"),
        ("d:map=/nowhere/map.csv", "cannot be read"),
        ("d:min_count=0", "not a whole number"),
        ("d:normalise=upper", "no step `upper`"),
        ("d:normalise=", "no step"),
        ("d:band@UTC=5", "no generalisation|takes no"),
    ],
)
def test_parse_refuses(text, said):
    with pytest.raises(RequestError, match=said) as caught:
        parse(text)
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("mapping", "column", "generalisation"),
    [
        ({"age": None}, "age", None),
        ({"age": {"band": 5}}, "age", Band(Decimal(5))),
        ({"age": {"band": "5"}}, "age", Band(Decimal(5))),
        ({"bmi": {"band": 0.1}}, "bmi", Band(Decimal("0.1"))),
        ({"age": "band=5"}, "age", Band(Decimal(5))),
        ({"a:b": "band=5"}, "a:b", Band(Decimal(5))),
        ({'a"b': "weekday"}, 'a"b', Weekday()),
        ({"d": "weekday"}, "d", Weekday()),
        ({"d": {"weekday": None}}, "d", Weekday()),
        ({"d": {"weekday": None, "zone": "Europe/Berlin"}}, "d", Weekday("Europe/Berlin")),
        ({"income": {"cut": [0, 20000, 50000]}}, "income", Cut((Decimal(0), Decimal(20000), Decimal(50000)))),
        ({"income": {"cut": "0,1.5"}}, "income", Cut((Decimal(0), Decimal("1.5")))),
        ({"d": {"truncate": "month", "zone": "Asia/Tokyo"}}, "d", Truncate("month", "Asia/Tokyo")),
        ({"d": {"truncate": "month@Asia/Tokyo"}}, "d", Truncate("month", "Asia/Tokyo")),
        ({"n": {"normalise": ["trim", "casefold"]}}, "n", Normalise(("trim", "casefold"))),
        ({"n": {"normalise": "trim+nfc"}}, "n", Normalise(("trim", "nfc"))),
        ({"z": {"prefix": 3}}, "z", Prefix(3)),
        ({"x": {"round": -2}}, "x", Round(-2)),
        ({"c": {"map": {"a": "x", 1: "y"}}}, "c", MapTo((("a", "x"), ("1", "y")))),
        ({"c": {"map": {"a": "x"}, "else": "Other"}}, "c", MapTo((("a", "x"),), "Other")),
    ],
)
def test_from_mapping(mapping, column, generalisation):
    assert from_mapping(mapping) == QuasiIdentifier(column, generalisation)


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ({}, "one column"),
        ({"a": None, "b": None}, "one column"),
        ({1: None}, "put it in quotes"),
        ({True: {"band": 5}}, "put it in quotes"),
        ({"a": {}}, "exactly one"),
        ({"a": {"band": 5, "round": 2}}, "exactly one"),
        ({"a": 5}, "not a generalisation"),
        ({"a": ["band"]}, "not a generalisation"),
        ({"a": {"band": [1, 2]}}, "not a number"),
        ({"a": {"band": None}}, "needs a value"),
        ({"a": {"band": 5, "zone": "UTC"}}, "takes no `zone`"),
        ({"a": {"prefix": 3, "else": "x"}}, "takes no `else`"),
        ({"a": {"prefix": 2.5}}, "not a whole number"),
        ({"a": {"cut": []}}, "must rise"),
        ({"a": {"cut": 5, "band": 1}}, "exactly one"),
        ({"a": {"truncate": 3}}, "no unit `3`"),
        ({"a": "bnd=5"}, "did you mean `band`"),
    ],
)
def test_from_mapping_refuses(mapping, said):
    with pytest.raises(RequestError, match=said):
        from_mapping(mapping)


def test_from_mapping_of_an_empty_map():
    with pytest.raises(RequestError):
        from_mapping({"c": {"map": {}}})


def test_python_helpers_say_what_the_command_line_says():
    assert sqlrisk.band("age", 5) == parse("age:band=5")
    assert sqlrisk.cut("x", [0, 1.5]) == parse("x:cut=0,1.5")
    assert sqlrisk.rounded("x", 2) == parse("x:round=2")
    assert sqlrisk.prefix("zip", 3) == parse("zip:prefix=3")
    assert sqlrisk.truncate("d", "week", "Europe/Berlin") == parse("d:truncate=week@Europe/Berlin")
    assert sqlrisk.truncate("d", "month") == parse("d:truncate=month")
    assert sqlrisk.time_of_day("d", "minute", "Asia/Tokyo") == parse("d:time=minute@Asia/Tokyo")
    assert sqlrisk.weekday("d") == parse("d:weekday")
    assert sqlrisk.weekday("d", "UTC") == parse("d:weekday@UTC")
    assert sqlrisk.normalised("n", "trim", "casefold") == parse("n:normalise=trim+casefold")
    assert sqlrisk.mapped("c", {"a": "x"}, "o").generalisation == MapTo((("a", "x"),), "o")


@pytest.mark.parametrize(
    "call", [lambda: sqlrisk.band("a", 0), lambda: sqlrisk.truncate("a", "eon"), lambda: sqlrisk.cut("a", [])]
)
def test_python_helpers_refuse(call):
    with pytest.raises(RequestError, match="`a`"):
        call()


@settings(max_examples=80, deadline=None)
@given(
    st.text(min_size=1, max_size=12).filter(lambda name: name == name.strip() and name[0] != '"'), st.integers(1, 10**6)
)
def test_any_column_name_comes_back(name, width):
    qi = QuasiIdentifier(name, Band(Decimal(width)))
    assert parse(qi.spec) == qi
    assert parse(QuasiIdentifier(name).spec) == QuasiIdentifier(name)


@settings(max_examples=80, deadline=None)
@given(st.decimals(min_value="0.000001", max_value="1000000", places=6, allow_nan=False))
def test_any_width_comes_back(width):
    qi = sqlrisk.band("x", width)
    assert qi.generalisation.width == width
    assert parse(qi.spec) == qi


def write(folder, text: str, name: str = "map.csv", encoding: str = "utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def test_map_file(tmp_path):
    write(tmp_path, 'value,group\nA,one\n"B, C","two ""2"""\n"D\nE",three\nÄ,vier\n\nA,one\n')
    qi = parse("icd:map=map.csv", tmp_path)
    expected = (("A", "one"), ("B, C", 'two "2"'), ("D\nE", "three"), ("Ä", "vier"))
    assert qi.generalisation == MapTo(expected, None, "map.csv")
    assert qi.spec == "icd:map=map.csv"
    other = parse("icd:map=map.csv:else=Other: the rest", tmp_path)
    assert other.generalisation.other == "Other: the rest"
    assert parse(other.spec, tmp_path) == other
    assert sqlrisk.mapped("icd", tmp_path / "map.csv").generalisation.pairs == expected


def test_map_file_with_byte_order_mark_and_semicolons(tmp_path):
    write(tmp_path, "\ufeffvalue;group\r\nA;one\r\nB;one, or two\r\n")
    assert parse("c:map=map.csv", tmp_path).generalisation.pairs == (("A", "one"), ("B", "one, or two"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "header"),
        ("a,b\nA,one\n", "header"),
        ("value,group\n", "0 values"),
        ("value,group\nA\n", "1 fields"),
        ("value,group\nA,one,more\n", "3 fields"),
        ("value,group\nA,one\nA,two\n", "two groups"),
    ],
)
def test_map_file_refused(tmp_path, text, said):
    write(tmp_path, text)
    with pytest.raises(RequestError, match=said):
        parse("c:map=map.csv", tmp_path)


def test_map_file_refused_by_encoding_and_size(tmp_path):
    write(tmp_path, "value,group\nÄ,x\n", encoding="latin-1")
    with pytest.raises(RequestError, match="not UTF-8"):
        parse("c:map=map.csv", tmp_path)
    write(tmp_path, "value,group\n" + "".join(f"{n},x\n" for n in range(100_001)))
    with pytest.raises(RequestError, match="100001 values"):
        parse("c:map=map.csv", tmp_path)
    with pytest.raises(RequestError, match="cannot be read"):
        parse("c:map=.", tmp_path)


def test_map_file_with_a_field_beyond_csv_limits(tmp_path):
    write(tmp_path, "value,group\n" + "x" * 200_000 + ",y\n")
    with pytest.raises(RequestError):
        parse("c:map=map.csv", tmp_path)
