"""``sqlrisk columns`` on the command line: every kind of source, formats, errors in one line, exit codes."""

from __future__ import annotations

import json

import pytest


def by_name(document: dict) -> dict[str, dict]:
    return {item["column"]: item for item in document["columns"]}


def test_every_kind_of_source(run, place):
    done = run("columns", *place.arguments, "--safe-harbor", "--format", "json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    found = by_name(document)
    assert list(found) == ["member_id", "sex", "age", "zip", "admitted", "paid", "code"]
    assert document["verdict"] == {"passed": None, "checks": [], "justification": None, "profile": None}
    assert found["member_id"]["hint"]["kind"] == "direct identifier"
    assert found["sex"]["records"] == 59 and found["sex"]["distinct"] == 2
    assert found["zip"]["missing"] > 0
    assert found["zip"]["hint"] == {
        "kind": "likely quasi-identifier",
        "reason": "`zip` in its name stands for what others can know of a person",
        "by": "name",
    }
    findings = {item["identifier"]: item for item in document["safe_harbor"]["findings"]}
    assert findings["ZIP codes"]["columns"] == ["zip"] and findings["ZIP codes"]["status"] == "found"
    assert findings["dates"]["columns"] == ["admitted"]
    assert document["safe_harbor"]["is_a_risk_measure"] is False
    # One statement, and only counts: a row for each column.
    (query,) = [query for query in document["queries"] if not query["look_up"]]
    assert query["rows"] == 7


def test_text(run, sources):
    done = run("columns", sources.csv, "--safe-harbor")
    assert done.code == 0
    assert "NO VERDICT" in done.out
    assert "`member_id`: direct identifier, because" in done.out
    assert "a check of columns, not a measure of risk" in done.out
    assert "free text it" in done.out
    assert "HIPAA" not in run("columns", sources.csv).out


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_other_formats(run, sources, tmp_path, form):
    target = tmp_path / "report"
    assert run("columns", sources.csv, "--safe-harbor", "--format", form, "--output", target).code == 0
    assert "not a measure of risk" in target.read_text("utf-8")


def test_a_saved_result_is_rendered_again(run, sources, tmp_path):
    saved = tmp_path / "columns.json"
    first = run("columns", sources.csv, "--safe-harbor", "--save", saved)
    assert run("report", saved).out == first.out


def test_columns_that_are_asked_for(run, sources):
    done = run(
        "columns", sources.csv, "-q", "age:band=5", "-q", "zip:prefix=3", "--suppressed", "*", "--format", "json"
    )
    found = by_name(json.loads(done.out))
    assert list(found) == ["age", "zip"]
    assert (found["age"]["generalisation"], found["age"]["distinct"]) == ("band=5", 3)
    assert found["zip"]["distinct"] == 1  # 021, and the token is missing


def test_values_that_do_not_convert(run, refused, sources):
    said = refused(3, "columns", sources.csv, "-q", "code:band=2")
    assert said.startswith("2 values of `code` in the release not convertible for band=2")
    done = run("columns", sources.csv, "-q", "code:band=2", "--unparseable", "null", "--format", "json")
    assert done.code == 0
    assert json.loads(done.out)["release"]["unparseable"] == {"code": 2}


def test_odd_types(run, sources):
    done = run("columns", sources.database, "--table", "odd", "--format", "json")
    assert done.code == 0
    found = by_name(json.loads(done.out))
    for column in ("address", "list", "document", "tags"):
        assert found[column]["distinct"] is None and "cannot be grouped" in found[column]["reason"]
    assert found["weight"]["records"] == 1
    assert (found["weight"]["separation"], found["weight"]["reason"]) == (
        None,
        "one record has nothing to be separated from",
    )


def test_what_is_refused(refused, sources, tmp_path):
    assert "`nope` is not a column" in refused(2, "columns", sources.csv, "-q", "nope")
    assert "--safe-harbor" in refused(2, "columns", sources.csv, "--zip3", sources.csv)
    assert "cannot be read" in refused(2, "columns", sources.csv, "--safe-harbor", "--zip3", tmp_path / "none.csv")
    assert "zip3,people" in refused(2, "columns", sources.csv, "--safe-harbor", "--zip3", sources.csv)
    assert "release is empty" in refused(3, "columns", sources.csv, "--where", "sex = 'X'")
    assert "there is no file" in refused(2, "columns", tmp_path / "none.csv")
    assert "--table" in refused(2, "columns", sources.database)
    assert "rows" in refused(3, "columns", sources.csv, "--max-rows", "3")


def test_policy_file(run, refused, sources, tmp_path):
    (tmp_path / "areas.csv").write_text("zip3,people\n021,900000\n")
    policy = tmp_path / "policy.yml"
    policy.write_text(
        f"version: 1\nconnection: {sources.csv}\n"
        "release: {quasi_identifiers: [{zip: {prefix: 3}}], where: \"zip <> '*'\"}\n"
        "columns: {safe_harbor: true, zip3: areas.csv}\n"
    )
    # The file is beside the policy, wherever the command is run.
    done = run("columns", "--policy", policy, "--format", "json")
    assert done.code == 0, done.err
    findings = {item["identifier"]: item for item in json.loads(done.out)["safe_harbor"]["findings"]}
    assert findings["ZIP codes"]["status"] == "not found"
    policy.write_text(f"version: 1\nconnection: {sources.csv}\ncolumns: {{safe_harbour: true}}\n")
    assert "safe_harbor" in refused(2, "columns", "--policy", policy)
