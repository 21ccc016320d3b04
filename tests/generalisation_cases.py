"""What each generalisation does to literal values, worked out by hand: one list for every engine.

A case is a column of texts that are cast to the engine's type of a kind, a generalisation as a user writes it, and the
groups of indices that must come out with one key. Indices in no group have no key: the missing values, and those
``unconverted``, which count as values that do not convert.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from sqlrisk.generalisations import MapTo, QuasiIdentifier

TYPES = {
    "duckdb": {
        "integer": "BIGINT",
        "decimal": "DECIMAL(38, 9)",
        "float": "DOUBLE",
        "text": "VARCHAR",
        "boolean": "BOOLEAN",
        "date": "DATE",
        "timestamp": "TIMESTAMP",
        "timestamptz": "TIMESTAMP WITH TIME ZONE",
        "time": "TIME",
    },
    "postgres": {
        "integer": "bigint",
        "decimal": "numeric",
        "float": "double precision",
        "text": "text",
        "boolean": "boolean",
        "date": "date",
        "timestamp": "timestamp",
        "timestamptz": "timestamptz",
        "time": "time",
    },
    "bigquery": {
        "integer": "INT64",
        "decimal": "NUMERIC",
        "float": "FLOAT64",
        "text": "STRING",
        "boolean": "BOOL",
        "date": "DATE",
        "timestamp": "DATETIME",
        "timestamptz": "TIMESTAMP",
        "time": "TIME",
    },
}


@dataclass(frozen=True)
class Case:
    """``values`` of one ``kind`` (a key of :data:`TYPES`) under ``spec``, what follows the column's name on the command line."""

    name: str
    kind: str
    spec: str
    values: tuple[str | None, ...]
    groups: tuple[tuple[int, ...], ...]
    unconverted: tuple[int, ...] = ()
    mapping: MapTo | None = field(default=None)

    def __post_init__(self) -> None:
        """Every index stands in exactly one place."""
        placed = [index for group in self.groups for index in group] + list(self.unconverted)
        placed += [index for index, value in enumerate(self.values) if value is None]
        if sorted(placed) != list(range(len(self.values))):
            raise ValueError(f"{self.name}: {sorted(placed)} are not the indices of {len(self.values)} values")

    @property
    def quasi_identifier(self) -> QuasiIdentifier:
        """The case's generalisation of the column ``x``."""
        if self.mapping is not None:
            return QuasiIdentifier("x", self.mapping)
        return QuasiIdentifier.parse(f"x:{self.spec}" if self.spec else "x")

    @property
    def sizes(self) -> dict[int, int]:
        """Size -> classes, where what did not convert counts as missing and a missing value is a value."""
        sizes = [len(group) for group in self.groups]
        missing = len(self.values) - sum(sizes)
        sizes += [missing] if missing else []
        return {size: sizes.count(size) for size in sizes}

    def rows_sql(self, dialect: str) -> str:
        """``SELECT`` of the columns ``i`` (the index) and ``x`` (the value) in a dialect of :data:`TYPES`."""
        type_ = TYPES[dialect][self.kind]
        rows = []
        for index, value in enumerate(self.values):
            literal = "NULL" if value is None else exp.Literal.string(value).sql(dialect)
            rows.append(f"SELECT {index} AS i, CAST({literal} AS {type_}) AS x")
        return " UNION ALL ".join(rows)


def case(name, kind, spec, *groups, unconverted=(), missing=0, mapping=None) -> Case:
    """A case from groups of values instead of indices; values are numbered in the order written."""
    values: list[str | None] = []
    placed = []
    for group in groups:
        placed.append(tuple(range(len(values), len(values) + len(group))))
        values += group
    lost = tuple(range(len(values), len(values) + len(unconverted)))
    values += [*unconverted, *[None] * missing]
    return Case(name, kind, spec, tuple(values), tuple(placed), lost, mapping)


MAP = MapTo(
    (
        ("A", "first"),
        ("B", "first"),
        ("it's", "odd"),
        ('say "x"', "odd"),
        ("two\nlines", "odd"),
        ("back\\slash", "it's"),
        ("Ü", "'; DROP TABLE t; --"),
        ("100%", "%s"),
        ("", "empty"),
    )
)
MAP_WITH_REST = MapTo(MAP.pairs, "Other")

# One case a line.
# ruff: noqa: E501
# fmt: off
CASES = [
    # Plain columns
    case("plain_integer", "integer", "", ["1", "1"], ["-1"], ["0"], missing=2),
    case("plain_text", "text", "", ["a", "a"], ["A"], ["a "], [" a"], [""], ["N"], ["NULL"], missing=2),
    case("plain_float", "float", "", ["0", "-0.0", "0.0"], ["NaN", "NaN"], ["Infinity"], ["-Infinity"], ["1.5"], missing=1),
    case("plain_decimal", "decimal", "", ["1", "1.0", "1.000000000"], ["1.000000001"], missing=1),
    case("plain_boolean", "boolean", "", ["true", "true"], ["false"], missing=1),
    case("plain_date", "date", "", ["2024-02-29", "2024-02-29"], ["2024-03-01"], missing=1),
    # band: [a, b) from 0
    case("band_integer", "integer", "band=5", ["-10", "-6"], ["-5", "-1"], ["0", "4"], ["5", "9"], ["10"], missing=2),
    case("band_integer_1", "integer", "band=1", ["-1"], ["0"], ["1", "1"], missing=1),
    case("band_integer_large", "integer", "band=5", ["9223372036854775804"], ["9223372036854775805", "9223372036854775807"]),
    case("band_integer_exact", "integer", "band=2", ["9007199254740992", "9007199254740993"], ["9007199254740994"]),
    case("band_integer_half", "integer", "band=0.5", ["-1"], ["0"], ["1"], ["2", "2"]),
    case("band_integer_fraction", "integer", "band=2.5", ["-3"], ["-2", "-1"], ["0", "1", "2"], ["3", "4"], ["5", "7"], ["8"]),
    case("band_float", "float", "band=5", ["-5.5"], ["-5", "-0.001"], ["-0.0", "0", "4.999999999"], ["5", "9.99"], ["10"], missing=1),
    case("band_float_half", "float", "band=0.5", ["-0.75"], ["-0.5", "-0.25"], ["-0.0", "0", "0.25", "0.499"], ["0.5", "0.75"], ["1"]),
    case("band_float_odd", "float", "band=5", ["1", "2"], unconverted=["NaN", "Infinity", "-Infinity", "1e300", "-1e17"], missing=1),
    case("band_decimal", "decimal", "band=5", ["-5.000000001"], ["-5", "-0.000000001"], ["0", "4.999999999"], ["5"], missing=1),
    case("band_decimal_hundredth", "decimal", "band=0.01", ["0.56", "0.569999999"], ["0.57", "0.57"], ["0.58"], ["-0.01"], ["-0.011"]),
    case("band_decimal_large", "decimal", "band=10", ["12345678901", "12345678909.999"], ["12345678910"]),
    case(
        "band_text",
        "text",
        "band=5",
        ["-1", "-0.5", "-5"],
        ["0", "4", "4.9", "-0", "+0", ".5", "00004", "0.", " 4 ", "1e-1", "1E-2"],
        ["5", "5.0", "+5", "9.999999999"],
        ["999999999999999"],
        unconverted=["", " ", "abc", "1e5", "1E5", "NaN", "Infinity", "1,5", "1.2.3", "0x1F", "1_000", "--1", "4a", "5\n", "1 2", "½"]
        + ["9999999999999999", "-", ".", "+.", "e-1", "٣"],
        missing=2,
    ),
    case("band_text_hundredth", "text", "band=0.01", ["0.57", "0.570", "0.5799"], ["0.58"], ["-0.005"], unconverted=["x"]),
    # cut: an interval below the first bound, and one from the last
    case("cut_integer", "integer", "cut=0,20000,50000", ["-1", "-999999"], ["0", "19999"], ["20000", "49999"], ["50000", "999999"], missing=1),
    case("cut_one_bound", "integer", "cut=7", ["-7", "6"], ["7", "8"]),
    case("cut_negative", "integer", "cut=-10,-5", ["-11"], ["-10", "-6"], ["-5", "0"]),
    case("cut_float", "float", "cut=0.1,0.2", ["-1e300", "0.0999"], ["0.1", "0.1999"], ["0.2", "1e300"], unconverted=["NaN", "NaN"], missing=1),
    case("cut_decimal", "decimal", "cut=0.1,0.2", ["0.099999999"], ["0.1", "0.199999999"], ["0.2"], missing=1),
    case("cut_integer_between", "integer", "cut=1.5,2.5", ["1"], ["2", "2"], ["3"]),
    case("cut_text", "text", "cut=18,65", ["17", "-3", " 17.999 "], ["18", "64.9"], ["65", "100"], unconverted=["", "old", "6x"], missing=1),
    # round: half away from zero
    case("round_decimal", "decimal", "round=1", ["0.25", "0.3", "0.349999999"], ["0.24", "0.15"], ["-0.25"], ["-0.24", "-0.15"], ["0.04", "-0.04"], missing=1),
    case("round_decimal_0", "decimal", "round=0", ["0.5", "1.49"], ["1.5", "2.4"], ["2.5"], ["-0.5"], ["-1.5", "-2.4"], ["0.49", "-0.49"]),
    case("round_float", "float", "round=0", ["0.5", "1.49"], ["1.5", "2.4"], ["2.5"], ["-0.5", "-1.4"], ["0.4", "-0.4", "-0.0"]),
    case("round_float_2", "float", "round=2", ["2.675", "2.68"], ["2.67"], ["1.005", "1"], ["1.01"], ["0.1"], ["-0.125", "-0.13"], unconverted=["NaN", "Infinity", "-Infinity", "1e16"], missing=1),
    case("round_tens", "integer", "round=-1", ["14", "5", "10"], ["15", "24"], ["25"], ["-15", "-24"], ["4", "-4", "0"], missing=1),
    case("round_thousands", "integer", "round=-3", ["1499", "500"], ["1500"], ["499", "-499"], ["-500"]),
    case("round_text", "text", "round=1", ["0.25", "0.3", ".3", "3e-1"], ["1"], unconverted=["x", "1e3"], missing=1),
    # prefix: characters, not bytes
    case("prefix_text", "text", "prefix=3", ["abcd", "abc", "abcé"], ["ab"], ["ABC"], [""], [" ab", " abc"], missing=1),
    case("prefix_unicode", "text", "prefix=2", ["äöü", "äö"], ["äu"], ["日本語", "日本"], ["🙂🙂🙂", "🙂🙂"], ["🙂x"]),
    case("prefix_combining", "text", "prefix=1", ["é"], ["e\u0301", "e", "ex"]),
    case("prefix_zip", "text", "prefix=3", ["02139", "02138", "021"], ["2139"]),
    case("prefix_integer", "integer", "prefix=2", ["21", "213", "2139"], ["2"], ["-2", "-21"], missing=1),
    # truncate
    case("truncate_year", "date", "truncate=year", ["2024-01-01", "2024-12-31"], ["2023-12-31"], ["1969-12-31"], ["0001-01-01", "0001-12-31"], missing=1),
    case("truncate_quarter", "date", "truncate=quarter", ["2024-01-01", "2024-03-31"], ["2024-04-01", "2024-06-30"], ["2024-12-31", "2024-10-01"], ["2023-12-31"]),
    case("truncate_month", "date", "truncate=month", ["2024-01-01", "2024-01-31"], ["2024-02-01", "2024-02-29"], ["2023-02-28"], missing=1),
    case("truncate_week", "date", "truncate=week", ["2023-12-25", "2023-12-31"], ["2024-01-01", "2024-01-07"], ["2024-01-08"], ["2024-12-30", "2025-01-05"], ["1969-12-29", "1970-01-04"]),
    case("truncate_day_of_date", "date", "truncate=day", ["2024-02-29", "2024-02-29"], ["2024-03-01"]),
    case("truncate_day", "timestamp", "truncate=day", ["2024-02-29 00:00:00", "2024-02-29 23:59:59.999999"], ["2024-03-01 00:00:00"], missing=1),
    case("truncate_week_of_timestamp", "timestamp", "truncate=week", ["2024-01-01 00:00:00", "2024-01-07 23:59:59"], ["2023-12-31 23:59:59"]),
    case("truncate_hour", "timestamp", "truncate=hour", ["2024-01-01 10:00:00", "2024-01-01 10:59:59.999999"], ["2024-01-01 11:00:00"], ["2024-01-02 10:00:00"], missing=1),
    case(
        "truncate_text",
        "text",
        "truncate=month",
        ["2024-02-01", "2024-02-29", "2024-02-29T23:59:59", "2024-02-29 23:59", "2024-02-29T23:59:59.123456789Z", "2024-02-01T00:30:00+05:30", "2024-02-01 00:30:00-0800"],
        ["0001-01-31"],
        ["9999-12-31"],
        unconverted=["2023-02-29", "2025-02-30", "1900-02-29", "2024-04-31", "2024-13-01", "2024-00-10", "2024-01-00", "2024-01-32"]
        + ["2024-2-1", "20240201", "01.02.2024", "2024/02/01", " 2024-02-01", "2024-02-01 ", "2024-02-01T24:00", "2024-02-01T10:60"]
        + ["2024-02-01T", "2024-02-01x", "0000-01-01", "24-02-01", "12024-02-01", "", "February", "2024-02-01\n", "2024-02-01T10"],
        missing=2,
    ),
    case("truncate_text_leap_days", "text", "truncate=day", ["2000-02-29"], ["1600-02-29"], ["2400-02-29"], ["0400-02-29"], ["2004-02-29"], ["1996-02-29"], unconverted=["1900-02-29", "2100-02-29", "1000-02-29", "0100-02-29", "0000-02-29", "2001-02-29"]),
    case("truncate_text_week", "text", "truncate=week", ["2024-12-30", "2025-01-05"], ["2025-01-06"], unconverted=["2025-W01"]),
    case(
        "truncate_text_hour",
        "text",
        "truncate=hour",
        ["2024-01-01T10:15", "2024-01-01 10:59:59", "2024-01-01T10:00:00.5Z"],
        ["2024-01-01T11:00Z"],
        unconverted=["2024-01-01", "10:15", "2024-01-01T10", "2023-02-29T10:00"],
        missing=1,
    ),
    # Instants: UTC unless a zone is given; Berlin changed its clocks on 31 March and 27 October 2024
    case("truncate_instant_utc", "timestamptz", "truncate=day", ["2023-12-31 00:00:00+00:00", "2024-01-01 00:30:00+01:00"], ["2024-01-01 00:00:00+00:00", "2023-12-31 23:30:00-01:00"], missing=1),
    case(
        "truncate_instant_spring",
        "timestamptz",
        "truncate=day@Europe/Berlin",
        ["2024-03-30 22:59:59+00:00"],
        ["2024-03-30 23:00:00+00:00", "2024-03-31 00:59:59+00:00", "2024-03-31 01:00:00+00:00", "2024-03-31 21:59:59+00:00"],
        ["2024-03-31 22:00:00+00:00"],
    ),
    case(
        "truncate_instant_autumn",
        "timestamptz",
        "truncate=day@Europe/Berlin",
        ["2024-10-26 21:59:59+00:00"],
        ["2024-10-26 22:00:00+00:00", "2024-10-27 00:30:00+00:00", "2024-10-27 01:30:00+00:00", "2024-10-27 22:59:59+00:00"],
        ["2024-10-27 23:00:00+00:00"],
    ),
    case("truncate_instant_hour", "timestamptz", "truncate=hour", ["2024-10-27 00:30:00+00:00", "2024-10-27 02:59:59+02:00"], ["2024-10-27 01:30:00+00:00"], missing=1),
    # 02:30 in Berlin came twice that night: one hour of the clock.
    case("truncate_instant_hour_twice", "timestamptz", "truncate=hour@Europe/Berlin", ["2024-10-27 00:30:00+00:00", "2024-10-27 01:30:00+00:00"], ["2024-10-27 02:30:00+00:00"]),
    case("truncate_instant_month", "timestamptz", "truncate=month@America/New_York", ["2024-02-01 04:59:59+00:00", "2024-01-15 00:00:00+00:00"], ["2024-02-01 05:00:00+00:00"]),
    case("truncate_instant_half_hour_zone", "timestamptz", "truncate=hour@Asia/Kolkata", ["2024-01-01 00:30:00+00:00", "2024-01-01 01:29:59+00:00"], ["2024-01-01 00:29:59+00:00"]),
    # weekday
    case("weekday_date", "date", "weekday", ["2024-01-01", "2024-01-08", "1969-12-29"], ["2024-01-07", "2023-12-31", "2000-01-02"], ["2024-01-06"], ["2024-02-29"], missing=1),
    case("weekday_timestamp", "timestamp", "weekday", ["2024-01-01 00:00:00", "2024-01-08 23:59:59"], ["2024-01-07 23:59:59"]),
    case("weekday_instant", "timestamptz", "weekday@Asia/Tokyo", ["2024-01-01 14:59:59+00:00", "2023-12-31 15:00:00+00:00"], ["2024-01-01 15:00:00+00:00"], missing=1),
    case("weekday_text", "text", "weekday", ["2024-01-01", "2024-01-08T10:00"], ["2024-02-29"], unconverted=["2023-02-29", "Monday", "1"], missing=1),
    # time of day
    case("time_hour", "time", "time=hour", ["00:00:00", "00:59:59"], ["01:00:00"], ["23:59:59", "23:00:00"], missing=1),
    case("time_minute", "time", "time=minute", ["10:15:00", "10:15:59"], ["10:16:00"], ["15:10:00"], ["00:00:00"]),
    case("time_of_timestamp", "timestamp", "time=hour", ["2024-01-01 10:00:00", "2025-06-30 10:59:59"], ["2024-01-01 11:00:00"]),
    case("time_of_instant", "timestamptz", "time=hour@Europe/Berlin", ["2024-01-01 11:00:00+00:00", "2024-07-01 10:00:00+00:00"], ["2024-07-01 11:00:00+00:00"], missing=1),
    case("time_of_instant_utc", "timestamptz", "time=minute", ["2024-01-01 11:05:00+00:00", "2024-07-01 13:05:59+02:00"], ["2024-01-01 05:11:00+00:00"]),
    case(
        "time_text",
        "text",
        "time=hour",
        ["09:15", "09:59:59", "2024-01-01T09:00", "2024-02-29 09:00:00.5Z"],
        ["19:15"],
        unconverted=["9:15", "24:00", "09:60", "2024-01-01", "2023-02-29T09:00", "09", "", "09:15 AM"],
        missing=1,
    ),
    case("time_text_minute", "text", "time=minute", ["09:15", "2024-01-01T09:15:59"], ["09:16"], ["00:00"], unconverted=["noon"]),
    # map
    case("map_text", "text", "", ["A", "B", "A"], ["it's", 'say "x"', "two\nlines"], ["back\\slash"], ["Ü"], ["100%"], [""], unconverted=["C", "a", "A ", "first", "two lines"], missing=2, mapping=MAP),
    case("map_text_with_rest", "text", "", ["A", "B"], ["it's"], ["back\\slash"], ["C", "a", "first", "Other"], [""], missing=2, mapping=MAP_WITH_REST),
    case("map_integer", "integer", "", ["1", "2"], ["-3"], unconverted=["4"], missing=1, mapping=MapTo((("1", "low"), ("2", "low"), ("-3", "below")))),
    case("map_boolean", "boolean", "", ["true", "true"], ["false"], missing=1, mapping=MapTo((("true", "yes"), ("false", "no")))),
    case("map_date", "date", "", ["2024-02-29"], ["2024-03-01", "2024-03-02"], mapping=MapTo((("2024-02-29", "leap"),), "other")),
    # normalise
    case("normalise_trim", "text", "normalise=trim", ["Anna", " Anna ", "\tAnna\r\n"], ["anna"], ["An na"], ["", "   "], missing=1),
    case("normalise_casefold", "text", "normalise=casefold", ["Anna", "ANNA", "anna"], [" anna"], missing=1),
    case("normalise_trim_casefold", "text", "normalise=trim+casefold", [" Anna", "ANNA ", "anna"], ["an na"], ["bob"], missing=1),
    case("normalise_nfc", "text", "normalise=nfc", ["é", "e\u0301"], ["e"], ["É"], ["Å", "A\u030a", "\u212b"], missing=1),
    case("normalise_all", "text", "normalise=trim+nfc+casefold", ["É", "e\u0301 ", " E\u0301"], ["e"], missing=1),
]
# fmt: on
