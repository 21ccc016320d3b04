"""Population models as users write them: what is read, and what is said of each mistake."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlrisk import population_model
from sqlrisk.errors import RequestError
from sqlrisk.population_model import FrequencyTable, PopulationModel, frequency_column, read_model

ZIP_AGE = "zip,age,relative_frequency\n02139,72,0.25\n85942,,1e-4\n"
SEX = "sex;frequency\nf;0.5\nm;.5\n"
LIST = "tables:\n- file: zip_age.csv\n- {file: sex.csv}\n"


@pytest.fixture
def model(tmp_path):
    """Write files, read the first of them."""

    def read(**files: str | bytes) -> PopulationModel:
        for name, text in files.items():
            path = tmp_path / name.replace("__", ".")
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_model(tmp_path / next(iter(files)).replace("__", "."))

    return read


def test_csv(model, tmp_path):
    found = model(zip_age__csv=ZIP_AGE)
    assert found.path == tmp_path / "zip_age.csv"
    (table,) = found.tables
    assert (table.table, table.file, table.name, table.origin) == (None, found.path, "zip_age.csv", "zip_age.csv")
    assert table.columns == {"zip": "zip", "age": "age"}
    assert table.frequency == "relative_frequency"
    assert table.rows == (("02139", "72"), ("85942", None))
    assert table.frequencies == (0.25, 1e-4)


SAME = [
    "a,b,relative_frequency\nx,y,0.5\nx,,0.5\n",
    "a;b;relative_frequency\nx;y;0.5\nx;;0.5\n",
    "a\tb\trelative_frequency\nx\ty\t0.5\nx\t\t0.5\n",
    "a,b,frequency\nx,y,0.5\nx,,0.5\n",
    "a,b,Relative_Frequency\nx,y,0.5\nx,,0.5\n",
    "relative_frequency,a,b\n0.5,x,y\n.5,x,\n",
    "\ufeffa, b ,relative_frequency\nx,y,0.5\nx,,0.5\n",
    '"a","b","relative_frequency"\n"x","y","0.5"\n"x","","0.5"\n',
    "a,b,relative_frequency\r\nx,y,0.5\r\n\r\nx,,+5e-1",
    "a,b,relative_frequency\rx,y, 0.5 \rx,,5E-1\r\r",
]


@pytest.mark.parametrize("text", SAME)
def test_forms_of_a_csv(model, text):
    (table,) = model(m__csv=text).tables
    assert (table.columns, table.rows) == ({"a": "a", "b": "b"}, (("x", "y"), ("x", None)))
    assert table.frequencies == (0.5, 0.5)


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ('"a,b";frequency\nx,y;0.5\n', ["a,b"], (("x,y",),)),
        ('a,frequency\n"x\ny",0.5\n', ["a"], (("x\ny",),)),
        ("a,frequency\n x ,0.5\n", ["a"], ((" x ",),)),
        ("a,b,c;frequency\nx;0.5\n", ["a,b,c"], (("x",),)),
        ("f,relative_frequency\nnan,0\nNULL,1\n", ["f"], (("nan",), ("NULL",))),
    ],
)
def test_values_are_kept(model, text, columns, rows):
    (table,) = model(m__csv=text).tables
    assert (list(table.columns), table.rows) == (columns, rows)


def test_yaml(model, tmp_path):
    found = model(m__yaml=LIST, zip_age__csv=ZIP_AGE, sex__csv=SEX)
    assert found.path == tmp_path / "m.yaml"
    assert [table.name for table in found.tables] == ["zip_age.csv", "sex.csv"]
    assert [table.origin for table in found.tables] == ["m.yaml, line 2", "m.yaml, line 3"]
    assert found.tables[1].frequencies == (0.5, 0.5)


def test_yaml_names(model):
    text = """
tables:
  - file: zip_age.csv
    columns: {years: age, postcode: zip}
  - table: ref.sexes
    columns:
      sex: geschlecht
      no: yes
    frequency: share
  - table: ref.regions
"""
    first, second, third = model(m__yml=text, zip_age__csv=ZIP_AGE).tables
    assert list(first.columns.items()) == [("years", "age"), ("postcode", "zip")]
    assert first.rows == (("72", "02139"), (None, "85942"))
    assert second == FrequencyTable("ref.sexes", None, {"sex": "geschlecht", "no": "yes"}, "share")
    assert third == FrequencyTable("ref.regions", None, {}, None)
    assert (third.name, third.origin, third.rows, third.frequencies) == ("ref.regions", "m.yml, line 10", None, None)


def test_columns_that_are_not_listed_are_not_used(model):
    text = "tables: [{file: m.csv, columns: {zip: zip}, frequency: share}]"
    (table,) = model(m__yaml=text, m__csv="zip,frequency,share\n1,77,0.1\n2,77,0.2\n").tables
    assert (table.columns, table.frequency, table.rows) == ({"zip": "zip"}, "share", (("1",), ("2",)))


def test_frequency_column():
    assert frequency_column(["zip", "FREQUENCY"]) == "FREQUENCY"
    assert frequency_column(["zip", "relative_frequency"]) == "relative_frequency"
    assert frequency_column(["zip"]) is None
    assert frequency_column(["frequency", "relative_frequency"]) is None


def test_frequencies_may_leave_people_out(model):
    assert sum(model(m__csv="a,frequency\nx,0\ny,0.25\n").tables[0].frequencies) == 0.25
    assert model(m__csv="a,frequency\nx,0.5\ny,0.5000009\n")


CSV_MISTAKES = [
    ("", "m.csv: the file is empty"),
    (" \n", "m.csv: the file is empty"),
    ("a,b\nx,0.5\n", "m.csv, line 1: there is no column of frequencies: call it `relative_frequency`"),
    ("frequency\n0.5\n", "m.csv, line 1: there is no column beside the frequency"),
    ("a,frequency,relative_frequency\nx,1,1\n", "m.csv, line 1: two columns can be the frequency: leave one out"),
    ("a,,frequency\nx,y,1\n", "m.csv, line 1: column 2 has no name: name it"),
    ("a,a,frequency\nx,y,1\n", "m.csv, line 1: the header has `a` twice: give each column once"),
    ("a,A,frequency\nx,y,1\n", "m.csv, line 1: the header has `A` twice"),
    ("a,frequency,frequency\nx,1,1\n", "m.csv, line 1: the header has `frequency` twice"),
    ("a,frequency\n", "m.csv: there is no row under the header"),
    (
        "a,b,frequency\nx,y,0.1\n\nx,0.2\n",
        "m.csv, line 4: 2 fields, and the header has 3: give each row all its fields",
    ),
    ("a,frequency\nx,0.1\ny\n", "m.csv, line 3: 1 field, and the header has 2"),
    ("a,frequency\nx,y,0.1\n", "m.csv, line 2: 3 fields, and the header has 2"),
    ('a,frequency\n"x\nz",0.1\n"y\nz",many\n', "m.csv, line 4: `frequency` is not a number: write it as `0.05`"),
    ("a,frequency\nx,\n", "m.csv, line 2: `frequency` is not a number"),
    ("a,frequency\nx,nan\n", "m.csv, line 2: `frequency` is not a number"),
    ("a,frequency\nx,inf\n", "m.csv, line 2: `frequency` is not a number"),
    ("a,frequency\nx,5%\n", "m.csv, line 2: `frequency` is not a number"),
    ("a;frequency\nx;0,5\n", "m.csv, line 2: `frequency` is not a number"),
    ("a,frequency\nx,0_1\n", "m.csv, line 2: `frequency` is not a number"),
    ("a,frequency\nx,٠\n", "m.csv, line 2: `frequency` is not a number"),
    ("a,frequency\nx,-0.1\n", "m.csv, line 2: `frequency` is below 0: give a share of the population"),
    ("a,frequency\nx,1.5\n", "m.csv, line 2: `frequency` is above 1: divide counts by the size of the population"),
    ("a,frequency\nx,1e999\n", "m.csv, line 2: `frequency` is above 1"),
    ("a,frequency\nx,0.7\ny,0.7\n", "m.csv: the frequencies add up to 1.4, and the whole population is 1"),
    ("a,frequency\nx,0.1\n\ny,0.1\nx,0.2\n", "m.csv, line 5: the combination of line 2 stands again: give each once"),
    ('a,frequency\n,0.1\n"",0.2\n', "m.csv, line 3: the combination of line 2 stands again"),
    ('a,frequency\nx,0.1\n"y,0.1\n', "m.csv, line 3: not a well-formed CSV"),
    ('a,frequency\nx,0.1\n"y"z,0.1\n', "m.csv, line 3: not a well-formed CSV"),
    ('"a,frequency\nx,0.1\n', "m.csv, line 1: the header is not well-formed"),
    (b"a,frequency\n\xe4,0.1\n", "m.csv is not UTF-8 text: save it as CSV (or YAML) in UTF-8"),
    ("a,frequency\nx,0.1\n".encode("utf-16-le"), "m.csv is not UTF-8 text"),
]


@pytest.mark.parametrize(("text", "message"), CSV_MISTAKES)
def test_mistakes_in_a_csv(model, text, message):
    check(lambda: model(m__csv=text), message)


YAML_MISTAKES = [
    ("", "m.yaml: the file is empty: write `tables:`"),
    ("# nothing\n", "m.yaml: the file is empty"),
    ("- file: a.csv\n", "m.yaml, line 1: this is not a population model: write `tables:`"),
    ("tables:\n", "m.yaml, line 1: the population model has no tables: write `tables:`"),
    ("tables: []\n", "m.yaml, line 1: the population model has no tables"),
    ("{}", "m.yaml: the population model has no tables"),
    ("tables: {file: sex.csv}\n", "m.yaml, line 1: the population model has no tables"),
    (
        "\ntable:\n- file: sex.csv\n",
        "m.yaml, line 2: `table` is not a key of a population model: did you mean `tables`?",
    ),
    ("tables:\n- sex.csv\n", "m.yaml, line 2: this is not a table of a population model"),
    (
        "tables:\n- file: sex.csv\n  colums: {sex: sex}\n",
        "m.yaml, line 3: `colums` is not a key of a table of a population model: did you mean `columns`?",
    ),
    ("tables:\n- file: sex.csv\n  file: sex.csv\n", "m.yaml, line 3: `file` stands twice"),
    ("tables:\n- frequency: f\n", "m.yaml, line 2: neither a file nor a table: give `file: zip_age.csv` or"),
    ("tables:\n- file: sex.csv\n  table: t\n", "m.yaml, line 2: both a file and a table"),
    ("tables:\n- file:\n", "m.yaml, line 2: `file` is not a name"),
    ("tables:\n- table: [a]\n", "m.yaml, line 2: `table` is not a name: write `table: name`"),
    ("tables:\n- table: t\n  frequency: ~\n", "m.yaml, line 3: `frequency` is not a name"),
    ("tables:\n- table: t\n  columns: [a]\n", "m.yaml, line 3: this is not a list of columns: write `columns: {"),
    ("tables:\n- table: t\n  columns: {}\n", "m.yaml, line 3: `columns` is empty"),
    ("tables:\n- table: t\n  columns: {a: }\n", "m.yaml, line 3: `a` is not a name"),
    ("tables:\n- table: t\n  columns: {[a]: b}\n", "m.yaml, line 3: a key is not a text"),
    ("tables:\n- table: t\n  columns:\n    a: x\n    b: x\n", "m.yaml, line 4: the column `x` is given twice"),
    ("tables:\n- table: t\n  columns:\n    a: x\n    A: y\n", "m.yaml, line 4: the column `A` is given twice"),
    (
        "tables:\n- table: t\n  columns: {a: x}\n  frequency: x\n",
        "m.yaml, line 3: `x` holds the frequency and is a column too: leave it out of `columns`",
    ),
    (
        "tables:\n- file: sex.csv\n- {table: t, columns: {Sex: s}}\n",
        "m.yaml, line 3: the column `Sex` is in the model's table 1 already: tables are taken as independent",
    ),
    (
        "tables: [{file: sex.csv}, {file: sex.csv}]",
        "m.yaml, line 1: the column `sex` is in the model's table 1 already",
    ),
    ("tables: [&a {table: t}, *a]", "m.yaml, line 1: the table `t` is in the model's table 1 already"),
    ("tables: &a [*a]", "m.yaml, line 1: this is not a table of a population model"),
    (
        "tables:\n- file: sex.csv\n  frequency: frequenzy\n",
        "sex.csv, line 1: there is no column `frequenzy`: did you mean",
    ),
    (
        "tables:\n- file: sex.csv\n  columns: {sex: sexx}\n",
        "sex.csv, line 1: there is no column `sexx`: did you mean `sex`?",
    ),
    (
        "tables:\n- file: sex.csv\n  columns: {sex: frequency}\n",
        "sex.csv, line 1: `frequency` holds the frequency and is",
    ),
    ("tables:\n-\n  file: other.csv\n", "m.yaml, line 3: there is no file "),
    ('tables:\n- file: "a\\0.csv"\n', "m.yaml, line 2: "),
    ("tables:\n- file: .\n", "m.yaml, line 2: "),
    ("tables:\n- file: [\n", "m.yaml, line 3: not valid YAML"),
    ("tables: *a\n", "m.yaml, line 1: not valid YAML"),
    ("tables: []\n---\ntables: []\n", "m.yaml, line 2: not valid YAML"),
    ("tables: \x07\n", "m.yaml: not valid YAML"),
    ("[" * 5000, "m.yaml"),
    (b"tables: \xff", "m.yaml is not UTF-8 text"),
    ("# " + "x" * 100_000, "m.yaml is larger than 100 kB: give a list of files and tables"),
]


@pytest.mark.parametrize(("text", "message"), YAML_MISTAKES)
def test_mistakes_in_a_list(model, text, message):
    check(lambda: model(m__yaml=text, sex__csv=SEX), message)


def check(read, message: str) -> None:
    with pytest.raises(RequestError) as caught:
        read()
    assert str(caught.value).startswith(message), str(caught.value)
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_a_missing_file(tmp_path):
    check(lambda: read_model(tmp_path / "m.csv"), f"there is no file {tmp_path / 'm.csv'}: check the path")
    check(lambda: read_model(tmp_path / "m.yaml"), f"there is no file {tmp_path / 'm.yaml'}: check the path")
    check(lambda: read_model(tmp_path), f"{tmp_path} cannot be read (Is a directory)")


def test_too_many_rows(model, monkeypatch):
    monkeypatch.setattr(population_model, "MOST_ROWS", 3)
    files = {"zip_age__csv": ZIP_AGE, "sex__csv": SEX}
    assert model(m__csv="a,frequency\nx,.1\ny,.1\nz,.1\n")
    message = "more than 3 rows: load it into a table and name that"
    check(
        lambda: model(m__csv="a,frequency\nx,.1\ny,.1\nz,.1\nw,.1\n"),
        "m.csv, line 5: the population model's files have " + message,
    )
    check(lambda: model(m__yaml=LIST, **files), "sex.csv, line 3: the population model's files have " + message)


def test_too_large_a_file(model, monkeypatch):
    monkeypatch.setattr(population_model, "LARGEST_FILE", 2000)
    check(lambda: model(m__csv=ZIP_AGE + "\n" * 2000), "m.csv is larger than 2 kB: load it into a table and name that")
    message = "m.yaml, line 1: m.csv is larger than 2 kB"
    check(lambda: model(m__yaml="tables: [{file: m.csv}]", m__csv=ZIP_AGE + "\n" * 2000), message)


def test_a_header_of_many_names_is_read_quickly(model):
    names = ",".join(f"c{i}" for i in range(100_000))
    check(lambda: model(m__csv=f"{names}\n"), "m.csv, line 1: there is no column of frequencies")


def test_columns_looked_up_later_are_checked_too(model):
    found = model(m__yaml="tables: [{file: sex.csv}, {table: t}]", sex__csv=SEX)
    first, second = found.tables
    assert replace(found, tables=(first, replace(second, columns={"age": "age"}))).tables[1].columns == {"age": "age"}
    message = "m.yaml, line 1: the column `sex` is in the model's table 1 already"
    check(lambda: replace(found, tables=(first, replace(second, columns={"sex": "gender"}))), message)


def test_no_value_is_told(model):
    with pytest.raises(RequestError) as caught:
        model(m__csv="a,frequency\n1,Miller\n")
    assert "Miller" not in str(caught.value)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
ROWS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8, unique=True)


@given(rows=ROWS, delimiter=st.sampled_from(",;\t"))
def test_what_csv_writes_is_read_back(tmp_path_factory, rows, delimiter):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerow(["relative_frequency", "a", "b"])
    writer.writerows([0.1, *row] for row in rows)
    path = tmp_path_factory.mktemp("model") / "m.csv"
    path.write_bytes(text.getvalue().encode())
    assert read_model(path).tables[0].rows == tuple(tuple(value or None for value in row) for row in rows)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_model_or_an_error(tmp_path_factory, raw):
    folder = tmp_path_factory.mktemp("model")
    for name, start in (("m.csv", b"a,frequency\n"), ("m.yaml", b"tables:\n- ")):
        for text in (raw, start + raw):
            (folder / name).write_bytes(text)
            try:
                read_model(folder / name)
            except RequestError as problem:
                assert "\n" not in str(problem)
