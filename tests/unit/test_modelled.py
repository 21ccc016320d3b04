"""A population model: relative frequencies in the place of a register, against the slow version and the design's values."""

from __future__ import annotations

import csv
import datetime as dt
import math
from pathlib import Path

import duckdb
import pandas
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlrisk
from tests.modelled_reference import Frequency, measure, records

POPULATION = 400
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
A, B, C = ["x", "y", "z", None], [1, 2, 7, 12, None], [True, False, None]
KINDS = {"a": "string", "b": "Int64", "c": "boolean"}


def frame(rows: list[dict]) -> pandas.DataFrame:
    return pandas.DataFrame({name: pandas.array([row[name] for row in rows], dtype=KINDS[name]) for name in KINDS})


def write(folder: Path, tables: list[Frequency]) -> Path:
    """The tables as files, and the file that lists them."""
    names = []
    for number, table in enumerate(tables):
        file = folder / f"model_{number}.csv"
        with file.open("w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow([*table.columns, "relative_frequency"])
            for values, share in table.rows:
                writer.writerow(["" if value is None else str(value).lower() for value in values] + [repr(share)])
        names.append(f"- file: {file.name}\n")
    listed = folder / "model.yaml"
    listed.write_text("tables:\n" + "".join(names))
    return listed


@st.composite
def models(draw, nulls):
    domains = {"a": A, "b": B, "c": C}
    split = draw(st.sampled_from([[("a", "b", "c")], [("a", "c"), ("b",)], [("b",), ("c",), ("a",)]]))
    tables = []
    for columns in split:
        combination = st.tuples(
            *(st.sampled_from([v for v in domains[name] if v is not None or nulls != "wildcard"]) for name in columns)
        )
        keys = draw(st.lists(combination, min_size=1, max_size=6, unique=True))
        shares = [draw(st.integers(0, 100)) / (100 * len(keys)) for _ in keys]
        tables.append(Frequency(columns, tuple(zip(keys, shares, strict=True))))
    return tables


ROWS = st.lists(
    st.fixed_dictionaries({"a": st.sampled_from(A), "b": st.sampled_from(B), "c": st.sampled_from(C)}),
    min_size=1,
    max_size=12,
)


def check(found: sqlrisk.Assessment, expected, n: int, partition: bool = True, rel: float = 2e-6) -> None:
    """Every figure that the model gives, by the slow version's."""
    population, journalist = found.population, found.journalist
    assert population.size == POPULATION
    assert journalist.average_risk == pytest.approx(expected.average_risk, rel=rel)
    assert found.marketer.average_risk == journalist.average_risk
    assert journalist.share_at_risk == pytest.approx(expected.share_at_risk, rel=rel, abs=1e-12)
    assert journalist.highest_risk == 1 / expected.smallest
    assert population.k_map.smallest == expected.smallest
    assert population.k_map.smallest_expected == pytest.approx(expected.smallest_expected, rel=1e-12)
    assert population.delta_presence.highest == pytest.approx(
        min(1, max(expected.highest_delta, n / POPULATION)), rel=rel
    )
    assert population.delta_presence.highest_expected == pytest.approx(expected.highest_delta_expected, rel=1e-12)
    assert population.uniques.release_records == pytest.approx(expected.uniques, rel=rel, abs=1e-12)
    assert population.not_in_population.records == expected.absent
    buckets = {low: records for low, _, records in population.k_map.histogram}
    for low in buckets.keys() | expected.k_map.keys():
        assert buckets.get(low, 0.0) == pytest.approx(expected.k_map.get(low, 0.0), rel=rel, abs=1e-6)
    tenths = [records for *_, records in population.delta_presence.histogram]
    assert tenths == pytest.approx(expected.delta, rel=rel, abs=1e-6)
    assert journalist.basis == population.uniques.estimator == "population model"
    assert (journalist.classes_at_risk is None) == (not partition)


@pytest.mark.parametrize("nulls", ["value", "exclude", "wildcard"])
def test_small_tables(nulls, tmp_path):
    @SETTINGS
    @given(ROWS, models(nulls), st.booleans())
    def tried(rows, tables, banded):
        spec, general = ("b:band=5", {"b": lambda b: b // 5 * 5}) if banded else ("b", {})
        expected = records(rows, "abc", tables, nulls, general)
        options = {
            "quasi_identifiers": ["a", spec, "c"],
            "nulls": nulls,
            "population_model": write(tmp_path, tables),
            "population_size": POPULATION,
        }
        if not expected:
            with pytest.raises(sqlrisk.MeasurementError, match="empty"):
                sqlrisk.assess(frame(rows), **options)
            return
        found = sqlrisk.assess(frame(rows), **options)
        check(found, measure(expected, POPULATION), len(expected), nulls != "wildcard")
        assert found.journalist.reliability == ("adequate" if len(tables) == 1 else "model-driven")
        sizes = [record.size for record in expected]
        assert found.prosecutor.average_risk == pytest.approx(math.fsum(1 / size for size in sizes) / len(sizes))

    tried()


def assess(tmp_path: Path, rows: list[dict], model: str, **options) -> sqlrisk.Assessment:
    file = tmp_path / "m.csv"
    file.write_text(model)
    options = {"quasi_identifiers": list(rows[0]), "population_size": 1000, "population_model": file, **options}
    return sqlrisk.assess(pandas.DataFrame(rows), **options)


PLACES = "zip,age,relative_frequency\n85942,72,0.002\n85942,40,0.078\n62083,53,0.005\n62083,20,0.1\n"
PEOPLE = [{"zip": 85942, "age": 72}, {"zip": 85942, "age": 72}, {"zip": 62083, "age": 53}]


def test_check_values(tmp_path):
    """ZIP 85942 and age 72: 2 rows, 2 people; without the age 2 of 80. ZIP 62083 and age 53: 1 of 5."""
    assert assess(tmp_path, PEOPLE, PLACES).population.delta_presence.highest_expected == 1
    both = assess(tmp_path, PEOPLE[:2], PLACES, quasi_identifiers=["zip"])
    assert both.population.delta_presence.highest_expected == pytest.approx(2 / 80)
    one = assess(tmp_path, PEOPLE[2:], PLACES)
    assert one.population.delta_presence.highest_expected == pytest.approx(1 / 5)
    assert one.population.k_map.smallest_expected == pytest.approx(5)


def test_an_expected_six(tmp_path):
    """Beside the one record 5 people are expected: P(F < 5) = .265."""
    found = assess(tmp_path, [{"q": "x"}], "q,frequency\nx,0.05\ny,0.95\n", population_size=101)
    assert found.journalist.share_at_risk == pytest.approx(0.2650259, abs=1e-7)
    lacking = assess(tmp_path, [{"q": "x"}, {"q": "z"}], "q,frequency\nx,0.05\ny,0.95\n", population_size=101)
    assert (lacking.population.not_in_population.classes, lacking.population.not_in_population.records) == (1, 1)
    assert lacking.population.delta_presence.highest == lacking.journalist.highest_risk == 1
    assert any("1 record of the release not in the population model" in text for text in lacking.warnings)


def test_a_size_or_one_fraction(tmp_path):
    by_size = assess(tmp_path, PEOPLE, PLACES, population_size=1500)
    by_fraction = assess(tmp_path, PEOPLE, PLACES, population_size=None, sampling_fraction="0.002")
    assert by_fraction.population == by_size.population


KINDS_OF_VALUES = {
    "date": (dt.date(2024, 2, 29), "2024-02-29", dt.date(2024, 3, 1)),
    "float": (0.5, "5e-1", 0.1),
    "integer": (7, "+07", 8),
    "boolean": (True, "TRUE", False),
    "timestamp": (dt.datetime(2024, 1, 1, 10), "2024-01-01T10:00", dt.datetime(2024, 1, 2)),
    "text": (" x", " x", "x"),
}


@pytest.mark.parametrize("kind", KINDS_OF_VALUES)
def test_texts_are_read_as_the_type_of_the_release(tmp_path, kind):
    value, text, other = KINDS_OF_VALUES[kind]
    found = assess(tmp_path, [{"q": value}, {"q": other}], f"q,frequency\n{text},0.05\n")
    assert found.population.not_in_population.records == 1
    assert found.population.k_map.smallest_expected == 1


def test_decimals_and_a_suppressed_token(tmp_path):
    (tmp_path / "m.csv").write_text("q,frequency\n1.50,0.05\n*,0.2\n")
    source = duckdb.sql("SELECT CAST(1.5 AS DECIMAL(5, 2)) AS q UNION ALL SELECT NULL")
    with duckdb.connect(":memory:") as connection:
        connection.register("released", source.arrow())
        options = {"population_model": tmp_path / "m.csv", "population_size": 1000, "suppressed": "*"}
        found = sqlrisk.assess(connection, table="released", quasi_identifiers=["q"], **options)
    assert found.population.not_in_population.records == 0
    assert found.population.k_map.smallest_expected == pytest.approx(50)


def with_a_table(tmp_path: Path, rows: list[tuple], listed: str, **options) -> sqlrisk.Assessment:
    (tmp_path / "m.yaml").write_text(listed)
    with duckdb.connect(":memory:") as connection:
        connection.execute("CREATE TABLE released AS SELECT 1 AS age, 'f' AS sex UNION ALL SELECT 2, 'm'")
        connection.execute("CREATE TABLE ages (years INTEGER, share DOUBLE, region TEXT)")
        if rows:
            connection.executemany("INSERT INTO ages VALUES (?, ?, ?)", rows)
        options = {"quasi_identifiers": ["age"], "population_size": 100, **options}
        return sqlrisk.assess(connection, table="released", population_model=tmp_path / "m.yaml", **options)


AGES = "tables:\n- table: ages\n  columns: {age: years}\n  frequency: share\n"


def test_a_table_of_the_warehouse(tmp_path):
    rows = [(1, 0.1, "n"), (1, 0.2, "s"), (2, 0.5, "n")]
    found = with_a_table(tmp_path, rows, AGES)
    assert found.population.k_map.smallest_expected == pytest.approx(30)
    assert found.population.model == ["ages"]
    assert any("add up to 0.8" in text for text in found.warnings)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "ages, of the population model, holds no row"),
        ([(1, None, "n")], "1 frequency of ages missing or outside"),
        ([(1, -0.5, "n"), (2, 1.5, "n")], "2 frequencies of ages missing or outside"),
        ([(1, float("nan"), "n")], "1 frequency of ages missing or outside"),
        ([(1, 0.6, "n"), (2, 0.6, "n")], "the frequencies of ages add up to 1.2"),
    ],
)
def test_tables_that_are_no_model(tmp_path, rows, message):
    with pytest.raises(sqlrisk.MeasurementError, match=message):
        with_a_table(tmp_path, rows, AGES)


def test_a_missing_value_of_the_model_under_wildcard(tmp_path):
    rows = [(1, 0.1, "n"), (None, 0.2, "n")]
    assert with_a_table(tmp_path, rows, AGES).population.not_in_population.records == 1
    with pytest.raises(sqlrisk.MeasurementError, match="1 row with a missing value, which would match anything"):
        with_a_table(tmp_path, rows, AGES, nulls="wildcard")


@pytest.mark.parametrize(
    ("listed", "options", "message"),
    [
        (AGES.replace("share", "shar"), {}, "frequency `shar` is not a column of ages"),
        (AGES.replace("share", "region"), {}, "the frequency `region` has the type VARCHAR"),
        (AGES.replace("years", "year"), {}, "quasi-identifier `year` is not a column of ages"),
        (AGES.replace("ages", "age"), {}, "there is no table or view `age`"),
        ("tables:\n- table: ages\n  columns: {age: years}\n", {}, "nothing says which column of ages holds"),
        (AGES, {"quasi_identifiers": ["age", "sex"]}, "the population model has no frequency of `sex`"),
        (AGES, {"quasi_identifiers": ["sex"]}, "the population model has no frequency of `sex`"),
        (AGES.replace("age:", "sex:"), {"quasi_identifiers": ["sex"]}, "`sex` is text in the release, and `years` is"),
        (AGES, {"population_size": None}, "multiplied by the size"),
        (AGES, {"population_size": None, "sampling_fraction": [0.1, 0.2]}, "multiplied by the size"),
        (
            AGES,
            {"population_size": None, "population_table": "ages"},
            "a population model and a population table are given",
        ),
    ],
)
def test_requests_that_do_not_fit(tmp_path, listed, options, message):
    with pytest.raises(sqlrisk.RequestError, match=message):
        with_a_table(tmp_path, [(1, 1.0, "n")], listed, **options)


def test_a_population_smaller_than_the_release(tmp_path):
    with pytest.raises(sqlrisk.MeasurementError, match=r"the population \(1\) is smaller than the release"):
        with_a_table(tmp_path, [(1, 1.0, "n")], AGES, population_size=1)


def test_a_field_that_is_not_of_the_type(tmp_path):
    with pytest.raises(
        sqlrisk.RequestError,
        match=r"m.csv, row 2: `age` is not a whole number of at most 18 digits, and in the release",
    ):
        assess(tmp_path, PEOPLE, PLACES.replace("40", "4o"))


def test_values_that_do_not_convert(tmp_path):
    model = "code,frequency\n12,0.1\nx,0.2\n"
    rows = [{"code": "12"}, {"code": "13"}]
    with pytest.raises(sqlrisk.MeasurementError, match="1 value of `code` in m.csv, of the population model"):
        assess(tmp_path, rows, model, quasi_identifiers=["code:band=5"])
    found = assess(tmp_path, rows, model, quasi_identifiers=["code:band=5"], unparseable="null")
    assert any("in the population model not convertible" in text for text in found.warnings)


def test_several_rows_a_person(tmp_path):
    rows = [{"zip": 85942, "age": 72, "who": 1}, {"zip": 62083, "age": 53, "who": 1}]
    options = {"quasi_identifiers": ["zip", "age"], "entity_id": "who", "min_k_map": 1}
    found = assess(tmp_path, rows, PLACES, **options)
    assert (found.population, found.journalist.highest_risk, found.exit_code) == (None, None, 3)
    assert "not those of a person with several rows" in found.journalist.reason
    assert "several rows" in found.verdict.checks[0].reason


def test_beside_sensitive_columns_and_weights(tmp_path):
    rows = [{"q": "x", "s": "flu", "w": 2.5}, {"q": "x", "s": "hiv", "w": 2.5}, {"q": None, "s": "flu", "w": 4.0}]
    model = "q,frequency\nx,0.5\n,0.2\n"
    options = {"quasi_identifiers": ["q"], "sensitive": ["s"]}
    for more in ({"weight": "w"}, {}, {"nulls": "exclude"}):
        found = assess(tmp_path, rows, model, **options, **more)
        alone = sqlrisk.assess(pandas.DataFrame(rows), **options, **more)
        assert found.sensitive == alone.sensitive
        assert found.survey == alone.survey
        assert found.class_sizes == alone.class_sizes
        assert found.population.not_in_population.records == 0


def test_thousands_of_classes_come_back_in_bins(tmp_path):
    """Classes of nearly the same frequency share a row; the figures are those of each by itself to 1e-5."""
    rows = [{"q": number} for number in range(3000)]
    shares = [(1 + number % 997) / 2e6 for number in range(3000)]
    model = "q,frequency\n" + "".join(f"{q},{share!r}\n" for q, share in enumerate(shares))
    found = assess(tmp_path, rows, model, population_size=20_000)
    (query,) = [query for query in found.queries if not query.look_up]
    assert query.rows < 800
    means = [17_000 * share for share in shares]
    exact = math.fsum(-math.expm1(-mean) / mean for mean in means) / 3000
    assert found.journalist.average_risk == pytest.approx(exact, rel=1e-5)
    assert found.population.k_map.smallest_expected == 1
    assert found.population.uniques.release_records == pytest.approx(
        math.fsum(map(math.exp, (-m for m in means))), rel=1e-5
    )


def test_a_model_driven_estimate_passes_only_when_accepted(tmp_path):
    (tmp_path / "sex.csv").write_text("sex,frequency\nf,0.5\nm,0.5\n")
    (tmp_path / "age.csv").write_text("age,frequency\n1,0.5\n2,0.5\n")
    listed = "tables: [{file: sex.csv}, {file: age.csv}]"
    options = {"quasi_identifiers": ["age", "sex"], "population_size": 1000, "min_k_map": 2, "max_delta_presence": 0.9}
    assert with_a_table(tmp_path, [], listed, **options).exit_code == 1
    assert with_a_table(tmp_path, [], listed, **options, accept_weak="sex and age are independent here").exit_code == 0


def test_tables_without_a_quasi_identifier_have_no_effect_and_say_so(tmp_path):
    (tmp_path / "zips.csv").write_text("zip,frequency\n02139,1\n")
    found = with_a_table(tmp_path, [(1, 1.0, "n")], f"{AGES}- file: zips.csv\n")
    assert found.population.model == ["ages"]
    assert found.journalist.reliability == "adequate"
    assert "zips.csv has no effect: it has no quasi-identifier" in found.warnings


def test_sql_without_a_connection_takes_the_names_as_they_are(tmp_path):
    (tmp_path / "m.yaml").write_text(AGES)
    options = {"table": "claims", "quasi_identifiers": ["age:band=5"], "population_model": tmp_path / "m.yaml"}
    assert '"source"."years"' in sqlrisk.statement(dialect="postgres", **options)
    (tmp_path / "m.yaml").write_text("tables: [{table: ages}]")
    with pytest.raises(sqlrisk.RequestError, match="the columns of ages are not looked up here"):
        sqlrisk.statement(dialect="postgres", **options)


def test_a_model_of_the_command_line_takes_the_place_of_the_policy_s_population(tmp_path):
    (tmp_path / "m.csv").write_text(PLACES)
    policy = tmp_path / "p.yaml"
    for section in ("{sampling_fraction: 0.1}", "{size: 7, model: gone.csv}", "{table: register, where: a > 1}"):
        policy.write_text(f"version: 1\nrelease: {{quasi_identifiers: [zip, age]}}\npopulation: {section}\n")
        options = {"population_model": tmp_path / "m.csv", "population_size": 1000}
        found = sqlrisk.assess(pandas.DataFrame(PEOPLE), policy=policy, **options)
        assert (found.population.size, found.population.model) == (1000, ["m.csv"])
    policy.write_text("version: 1\nrelease: {quasi_identifiers: [zip, age]}\npopulation: {size: 7, model: m.csv}\n")
    assert sqlrisk.assess(pandas.DataFrame(PEOPLE), policy=policy, population_size=70).population.size == 70
    assert sqlrisk.assess(pandas.DataFrame(PEOPLE), policy=policy, population_table=None).population.size == 7


def test_under_wildcard_the_average_of_a_model_without_the_records_is_the_prosecutor_s(tmp_path):
    """Sizes 2, 2 and 3, and F = s: 4/9, which no rounding of the number of classes may cut."""
    rows = [{"a": 1, "b": "1"}, {"a": 1, "b": "2"}, {"a": 1, "b": None}]
    options = {"nulls": "wildcard", "attackers": ["journalist"], "max_average_risk": 0.4}
    found = assess(tmp_path, rows, "a,b,frequency\n9,9,1\n", **options)
    assert found.journalist.average_risk == found.prosecutor.average_risk == pytest.approx(4 / 9)
    assert found.marketer.expected_matches == pytest.approx(4 / 3)
    assert found.exit_code == 1


def test_the_highest_delta_presence_is_that_of_the_class_and_not_of_its_bin(tmp_path):
    """One class of 50 with 448.3 people expected, and 99 with 452.8 in its bin."""
    rows = [{"q": q} for q in range(100) for _ in range(50)]
    shares = [448.3e-6, *[452.8e-6] * 99]
    model = "q,frequency\n" + "".join(f"{q},{share}\n" for q, share in enumerate(shares))
    found = assess(tmp_path, rows, model, population_size=1_000_000)
    mean = 0.995 * 448.3
    law = [(50 / (50 + x), math.exp(-mean + x * math.log(mean) - math.lgamma(x + 1))) for x in range(1000)]
    expected = math.fsum(share * chance for share, chance in law)
    assert found.population.delta_presence.highest == pytest.approx(expected, rel=1e-9)
    assert found.journalist.highest_expected_risk == pytest.approx(expected / 50, rel=1e-9)


def test_columns_that_are_not_used_are_summed_over(tmp_path):
    (tmp_path / "zs.csv").write_text("zip,sex,frequency\n85942,f,0.02\n85942,m,0.03\n62083,f,0.1\n")
    for columns in ("", ", columns: {zip: zip}"):
        (tmp_path / "m.yaml").write_text(f"tables: [{{file: zs.csv{columns}}}]")
        options = {"population_model": tmp_path / "m.yaml", "population_size": 1000}
        found = sqlrisk.assess(pandas.DataFrame(PEOPLE), quasi_identifiers=["zip"], **options)
        assert found.population.k_map.smallest_expected == pytest.approx(50)


def test_four_byte_numbers_meet_what_the_file_says(tmp_path):
    (tmp_path / "m.csv").write_text("q,frequency\n0.1,0.25\n0.2,0.5\n")
    with duckdb.connect(":memory:") as connection:
        connection.execute("CREATE TABLE released AS SELECT CAST(v AS FLOAT) AS q FROM (VALUES (0.1), (0.2)) AS t(v)")
        options = {"population_model": tmp_path / "m.csv", "population_size": 1000}
        found = sqlrisk.assess(connection, table="released", quasi_identifiers=["q"], **options)
    assert found.population.not_in_population.records == 0


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("TIMESTAMPTZ", "9999-12-31 23:59-10:00", "is not a time stamp"),
        ("TIMESTAMPTZ", "0001-01-01 00:00+10:00", "is not a time stamp"),
        ("TIME", "10:00+02:00", "is not a time without a zone"),
        ("DECIMAL(20, 2)", "1e-1", "without an exponent"),
        ("BIGINT", "18446744073709551615", "at most 18 digits"),
    ],
)
def test_fields_beyond_their_type(tmp_path, kind, text, message):
    (tmp_path / "m.csv").write_text(f"q,frequency\n{text},0.25\n")
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"CREATE TABLE released (q {kind})")
        options = {"population_model": tmp_path / "m.csv", "population_size": 1000}
        with pytest.raises(sqlrisk.RequestError, match=message):
            sqlrisk.assess(connection, table="released", quasi_identifiers=["q"], **options)


def test_a_population_beyond_what_is_computed(tmp_path):
    for size in (10**15 + 1, 10**400):
        with pytest.raises(sqlrisk.MeasurementError, match="beyond what is computed"):
            assess(tmp_path, PEOPLE, PLACES, population_size=size)
