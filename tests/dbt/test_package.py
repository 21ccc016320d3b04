"""The dbt package, run for real: tests, the gate, the record."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

import sqlrisk
from sqlrisk.policy_document import Document
from tests.dbt.projects import PACKAGE, Project, Ran, duckdb_output, postgres_output
from tests.engines import contract

SCHEMA = "shop_test"
QUASI = ["sex", {"age": {"band": 10}}, "zip:prefix=2"]
REGISTER = {
    "table": "register",
    "columns": {"sex": "gender"},
    "description": "all",
    "source": "made up",
    "as_of": "2025-12-31",
}
OF_PEOPLE = {**REGISTER, "entity_id": "id"}
SENSITIVE = ["stage", {"paid": "numeric"}]
EVERY_LIMIT = {
    "min_k": 1000,
    "max_sample_uniques": 0,
    "min_k_map": 1000,
    "max_delta_presence": 0,
    "max_population_uniques": 0,
}
OF_SENSITIVE = {
    "min_l": 50,
    "min_entropy_l": 50,
    "max_t": 0,
    "max_alpha": 0,
    "max_beta": 0,
    "max_recursive_c": 0,
    "max_delta_disclosure": 0,
}
EVERY_ATTACKER = {
    "prosecutor": {"threshold": "1/3", "max_highest_risk": 0, "max_average_risk": 0, "max_share_at_risk": 0},
    "journalist": {"threshold": "0.3", "max_highest_risk": 0, "max_average_risk": 0, "max_share_at_risk": 0},
    "marketer": {"max_average_risk": 0},
}
# Everything that can be judged at once, with limits that nothing holds: the gate names every figure.
FIGURES: dict[str, dict[str, Any]] = {
    "records": {"population": REGISTER, "limits": {**EVERY_LIMIT, **OF_SENSITIVE}, "sensitive": SENSITIVE},
    "excluded": {
        "population": OF_PEOPLE,
        "limits": {**EVERY_LIMIT, **OF_SENSITIVE},
        "sensitive": SENSITIVE,
        "nulls": "exclude",
    },
    "suppressed": {
        "population": REGISTER,
        "limits": EVERY_LIMIT,
        "suppressed": "*",
        "where": "age > 20 or age is null",
    },
    "multiset": {
        "limits": {"min_k": 1000, **OF_SENSITIVE},
        "sensitive": SENSITIVE,
        "entity_id": "id",
        "attackers": ["prosecutor"],
    },
    "multiset_population": {
        "where": "id % 10 > 0 AND id < 70 AND id <> 9",
        "population": OF_PEOPLE,
        "limits": EVERY_LIMIT,
        "entity_id": "id",
        "nulls": "exclude",
    },
    "distinct": {
        "population": REGISTER,
        "limits": {"min_k": 1000, "min_k_map": 1000, "max_sample_uniques": 0},
        "entity_id": "id",
        "entity_counting": "distinct",
        "nulls": "exclude",
        "suppressed": "*",
    },
}
# What is refused, by the model that asks for it, and a part of what is said.
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no_limit": ({}, "has the gate and declares no limit"),
    "typo": ({"limits": {"min_kk": 2}}, "`limits.min_kk` is not a key of a policy: did you mean `min_k`?"),
    "unknown_key": (
        {"limit": {"min_k": 2}},
        "`limit` is not a key of the declaration of unknown_key: did you mean `limits`?",
    ),
    "estimated": (
        {"attackers": {"journalist": {"max_highest_risk": 0.2}}, "population": {"size": 5000}},
        "`sqlrisk dbt test`",
    ),
    "profiled": ({"profile": "k5"}, "`profile` is not judged by the gate"),
    "increase": ({"limits": {"max_increase": 0.1}}, "`limits.max_increase` is about the run before"),
    "wild": ({"nulls": "wildcard", "limits": {"min_k": 2}}, "`nulls: wildcard` is not measured in dbt"),
    "weighted": ({"weight": "age", "limits": {"min_k": 2}}, "`weight` is not measured in dbt: run `sqlrisk dbt test`"),
    "vanished": (
        {"quasi_identifiers": ["sexx"], "limits": {"min_k": 2}},
        "quasi-identifier `sexx` is not a column of vanished: did you mean `sex`?",
    ),
    "zoned": (
        {"quasi_identifiers": ["age:truncate=day@Europe/Berlin"], "limits": {"min_k": 2}},
        "time zones are not read in dbt",
    ),
    "wrong_kind": (
        {"quasi_identifiers": ["age:truncate=year"], "limits": {"min_k": 2}},
        "cannot be generalised by truncate",
    ),
    "unidentified": ({"entity_id": "stage", "limits": {"min_k": 1}}, "rows without an entity id: "),
    "unconverted": ({"quasi_identifiers": ["zip:band=10"], "limits": {"min_k": 1}}, "values that do not convert: "),
    "empty": ({"where": "age > 1000", "limits": {"min_k": 1}}, "`empty` is empty"),
    "left_out": (
        {"nulls": "exclude", "limits": {"min_k": 1}},
        "the share of records left out for missing values is 0.",
    ),
    "other_people": (
        {"entity_id": "id", "population": OF_PEOPLE, "limits": {"min_k_map": 1}},
        "people with other rows than the population table has: ",
    ),
    "listed": ({"attackers": ["prosecutor"]}, "`attackers` is no mapping"),
    "odd_population": ({"population": {"tabel": "x"}, "limits": {"min_k": 1}}, "did you mean `table`?"),
    "text": ({"quasi_identifiers": "sex", "limits": {"min_k": 1}}, "`quasi_identifiers` of text is not a list"),
    "no_map": (
        {"quasi_identifiers": ["zip:map=groups.csv"], "limits": {"min_k": 1}},
        "a map from a file is not read in dbt",
    ),
    "no_register": (
        {"population": {**REGISTER, "table": "nowhere"}, "limits": {"min_k_map": 1}},
        "there is no table or view `nowhere`",
    ),
}

# dbt starts for each of them: half a second a run, and many runs.
pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Built:
    """A project on one engine after its first run of `dbt build`."""

    project: Project
    url: str
    query: Callable[[str], list[tuple]]
    ran: Ran


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, dbt_command: list[str]) -> Built:
    folder = tmp_path_factory.mktemp(request.param) / "project"
    if request.param == "duckdb":
        output = {**duckdb_output(folder), "schema": SCHEMA, "threads": 4}
        url, query = f"duckdb:///{folder / 'shop.duckdb'}", _on_duckdb(folder / "shop.duckdb")
    else:
        server = contract.start("postgres").server
        output, url, query = {**postgres_output(server.url, SCHEMA), "threads": 4}, server.url, _on_postgres(server.url)
        query(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        query(f"DROP SCHEMA IF EXISTS {SCHEMA}_dbt_test__audit CASCADE")
    project = Project(folder, dbt_command, output)
    _write_models(project)
    project.install()
    ran = project.run("build", "--no-use-colors")
    assert ran.results, ran.output
    return Built(project, url, query, ran)


def _on_duckdb(file: Path) -> Callable[[str], list[tuple]]:
    def query(sql: str) -> list[tuple]:
        with duckdb.connect(str(file)) as connection:
            return connection.execute(sql).fetchall()

    return query


def _on_postgres(url: str) -> Callable[[str], list[tuple]]:
    import psycopg

    def query(sql: str) -> list[tuple]:
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    return query


def _rows() -> tuple[list[tuple], list[tuple]]:
    """People of a release, some with two rows, and the register that they are from."""
    choose = random.Random(7)
    register = [
        (n, choose.choice("FM"), choose.randrange(20, 60), choose.choice(["02139", "03139", "03140"]))
        for n in range(160)
    ]
    release = []
    for n, sex, age, zip_code in register[:70]:
        for _ in range(1 if n % 10 else 2):
            stage, paid = choose.choice(["I", "II", "III", None]), choose.choice([10, 20, 50, None])
            shown = (n, None if n == 3 else sex, None if n in {5, 6} else age, "*" if n == 9 else zip_code, stage, paid)
            release.append(shown)
    release.append((70, "*", None, "*", "I", 10))
    return release, register


def _select(rows: list[tuple], columns: dict[str, str]) -> str:
    literal = {None: "null"}
    lines = [
        "select "
        + ", ".join(
            f"cast({literal.get(value, repr(value))} as {kind}) as {name}"
            for value, (name, kind) in zip(row, columns.items(), strict=True)
        )
        for row in rows
    ]
    return "\nunion all\n".join(lines)


def _write_models(project: Project) -> None:
    release, register = _rows()
    people = {
        "id": "integer",
        "sex": "varchar(5)",
        "age": "integer",
        "zip": "varchar(5)",
        "stage": "varchar(5)",
        "paid": "integer",
    }
    project.write("models/raw.sql", _table(_select(release, people)))
    project.write(
        "models/register.sql",
        _table(_select(register, {"id": "integer", "gender": "varchar(5)", "age": "integer", "zip": "varchar(5)"})),
    )
    kept = {"quasi_identifiers": ["sex", "age:band=10"], "limits": {"min_k": 2}}
    models = [_visits(), _tested(), _gated("as_view", kept), _gated("added_to", kept)]
    for model in models[2:]:
        model["config"]["post_hook"].append("{{ sqlrisk.record_histogram() }}")
    of_people = {"quasi_identifiers": QUASI, "entity_id": "id", "entity_counting": "distinct"}
    hooks = ["{{ sqlrisk.record_histogram() }}"]
    models.append({"name": "of_people", "config": {"meta": {"sqlrisk": of_people}, "post_hook": hooks}})
    risky = "{% if var('risky', false) %} union all select 'X', 99 {% endif %}"
    values = " union all ".join(f"select '{sex}' as sex, {age} as age" for sex in "FM" for age in (20, 21, 30, 31))
    project.write("models/visits.sql", _table(f"{values} {risky}"))
    # Data of tables that are made anew, of views and of added rows: each with its own version to keep.
    project.write("models/as_view.sql", "{{ config(materialized='view') }}\n" + f"{values} {risky}")
    project.write("models/added_to.sql", "{{ config(materialized='incremental') }}\n" + f"{values} {risky}")
    project.write("models/after_visits.sql", _table("select count(*) as n from {{ ref('visits') }}"))
    project.write("models/tested.sql", _table("select * from {{ ref('raw') }}"))
    for name, declaration in FIGURES.items():
        models.append(_gated(f"figures_{name}", _declaration(declaration)))
    for name, (declaration, _) in REFUSED.items():
        models.append(_gated(name, {"quasi_identifiers": ["sex"], **declaration}))
    for model in models[4:]:
        project.write(
            f"models/{model['name']}.sql",
            _table("-- depends_on: {{ ref('register') }}\nselect * from {{ ref('raw') }}"),
        )
    project.write("models/schema.yml", {"models": copy.deepcopy(models)})


def _table(sql: str) -> str:
    return "{{ config(materialized='table') }}\n" + sql


def _declaration(declaration: dict[str, Any]) -> dict[str, Any]:
    attackers = declaration.get("attackers") or list(EVERY_ATTACKER)
    return {"quasi_identifiers": QUASI, **declaration, "attackers": {name: EVERY_ATTACKER[name] for name in attackers}}


def _gated(name: str, declaration: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "config": {"meta": {"sqlrisk": declaration}, "post_hook": ["{{ sqlrisk.gate() }}"]}}


def _visits() -> dict[str, Any]:
    hooks = ["{{ sqlrisk.gate() }}", "{{ sqlrisk.record_histogram() }}"]
    declaration = {
        "quasi_identifiers": ["sex", "age:band=10"],
        "attackers": {"prosecutor": {"threshold": "k=2", "max_share_at_risk": 0}},
        "limits": {"min_k": 2},
    }
    tests = [
        _test("k_anonymity", k=2),
        _test("max_record_risk", max_risk="1/2"),
        _test("average_record_risk", max_risk=0.5),
        _test("share_at_risk", threshold="1/2", max_share=0),
    ]
    return {"name": "visits", "config": {"meta": {"sqlrisk": declaration}, "post_hook": hooks}, "data_tests": tests}


def _tested() -> dict[str, Any]:
    """A model every test of which fails, and stores what it found."""
    one = {"quasi_identifiers": QUASI}
    tests = [
        _test("k_anonymity", "fails_k", k=5, **one),
        _test("max_record_risk", "fails_risk", max_risk=0.2, **one),
        _test("average_record_risk", "fails_average", max_risk=0.01, **one),
        _test("share_at_risk", "fails_share", max_share=0.01, **one),
        _test("k_map", "fails_k_map", k=20, population=REGISTER, **one),
        _test("delta_presence", "fails_delta", max_delta=0.1, population=REGISTER, **one),
        _test(
            "average_record_risk", "fails_journalist", max_risk=0.01, attacker="journalist", population=REGISTER, **one
        ),
        _test("l_diversity", "fails_l", column="stage", l=4, **one),
        _test("l_diversity", "fails_entropy", column="stage", l=3.5, kind="entropy", **one),
        _test("t_closeness", "fails_t", column="paid", max_t=0.01, sensitive="numeric", **one),
        _test("k_anonymity", "fails_excluded", k=1, nulls="exclude", **one),
        _test("k_anonymity", "passes_with_allowance", k=1, nulls="exclude", max_excluded=0.5, **one),
        _test("k_anonymity", "passes_people", k=1, entity_id="id", **one),
        {**_test("k_anonymity", "passes_where", k=1, **one), "config": {"where": "age > 30"}},
        {**_test("k_anonymity", "fails_where", k=1, **one), "config": {"where": "age > 1000", "store_failures": True}},
        {**_test("k_anonymity", "warns", k=5, **one), "config": {"severity": "warn"}},
    ]
    flat = []
    for test in tests:
        ((name, body),) = ((key, value) for key, value in test.items() if key != "config")
        config = test.get("config", {"store_failures": True})
        flat.append({name: {**body, "config": config}})
    return {"name": "tested", "data_tests": flat}


def _test(generic: str, name: str | None = None, /, **arguments: Any) -> dict[str, Any]:
    return {f"sqlrisk.{generic}": {**({"name": name} if name else {}), "arguments": arguments}}


def test_version() -> None:
    """The package has the version of the sqlrisk that it ships with."""
    described = yaml.safe_load((PACKAGE / "dbt_project.yml").read_text("utf-8"))
    assert described["version"] == sqlrisk.__version__
    assert f"return('{sqlrisk.__version__}')" in (
        PACKAGE / "macros" / "internal" / "audit" / "package_version.sql"
    ).read_text("utf-8")


def test_visits_pass(built: Built) -> None:
    """A model within its limits is built, and its tests pass."""
    own = {name: item["status"] for name, item in built.ran.results.items() if "visits" in name}
    assert len(own) == 6
    assert set(own.values()) == {"success", "pass"}, built.ran.output


def test_tests_fail_and_store_no_value(built: Built) -> None:
    """What a test finds is sizes and counts alone, also where dbt stores it."""
    for name, item in built.ran.results.items():
        expected = {"fails": "fail", "passe": "pass", "warns": "warn"}.get(name[:5])
        assert expected is None or item["status"] == expected, (name, item["message"])
    columns = {"finding", "class_size", "population_size", "classes", "records", "value"}
    for name in [name for name in built.ran.results if name.startswith("fails_")]:
        table = f"{SCHEMA}_dbt_test__audit.{name}"
        assert set(_columns(built, name)) == columns
        for finding, *figures in built.query(f"select * from {table}"):
            assert re.fullmatch(r"[a-z0-9./ -]+", finding, re.IGNORECASE)
            assert all(figure is None or float(figure) >= 0 for figure in figures)


def _columns(built: Built, name: str) -> list[str]:
    rows = built.query(f"select column_name from information_schema.columns where table_name = '{name}'")
    return [name for (name,) in rows]


def test_findings_are_those_of_the_measurement(built: Built) -> None:
    """The classes that the test of k finds are those that sqlrisk counts."""
    result = _measured(built, {"quasi_identifiers": QUASI}).to_dict()
    rows = built.query(f"select class_size, classes from {SCHEMA}_dbt_test__audit.fails_k")
    assert sorted((int(size), int(classes)) for size, classes in rows) == [
        tuple(pair) for pair in result["class_sizes"] if pair[0] < 5
    ]


@pytest.mark.parametrize("name", FIGURES)
def test_gate_measures_what_sqlrisk_measures(name: str, built: Built) -> None:
    """Each figure that the gate names is the one of `sqlrisk assess`, and each limit that fails there is named."""
    message = built.ran.results[f"figures_{name}"]["message"]
    declaration = _declaration(FIGURES[name])
    result = _measured(built, declaration)
    named = re.findall(
        r"(?:^|: |; )([^;:]+?) is ([0-9.e+-]+|infinite), (above|below) the limit \S+ \((\S+?)\)", message
    )
    found = sorted((path, float("inf") if value == "infinite" else float(value)) for _, value, _, path in named)
    expected = sorted(
        (_path(check.measure, declaration), float(check.value)) for check in result.verdict.checks if not check.passed
    )
    assert [path for path, _ in found] == [path for path, _ in expected], message
    for (path, ours), (_, theirs) in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-5), path


_PATHS = {
    "smallest_class": "limits.min_k",
    "sample_uniques.share": "limits.max_sample_uniques",
    "population.uniques.release_share": "limits.max_population_uniques",
    "population.k_map.smallest": "limits.min_k_map",
    "population.delta_presence.highest": "limits.max_delta_presence",
    "release.excluded_share": "limits.max_excluded",
    "l_distinct": "limits.min_l",
    "l_entropy": "limits.min_entropy_l",
    "t_closeness": "limits.max_t",
    "alpha": "limits.max_alpha",
    "basic_beta": "limits.max_beta",
    "recursive_c": "limits.max_recursive_c",
    "delta_disclosure": "limits.max_delta_disclosure",
}


def _path(measure: str, declaration: dict[str, Any]) -> str:
    """The key of the limit on a measure of the result."""
    if measure.startswith("attackers."):
        _, attacker, risk = measure.split(".")
        return f"attackers.{attacker}.max_{risk}"
    return _PATHS.get(measure) or _PATHS[measure.rsplit(".", 1)[1]]


def _measured(built: Built, declaration: dict[str, Any]) -> sqlrisk.Assessment:
    from sqlrisk.assessment.assess import assess
    from sqlrisk.policy import Release

    values = json.loads(json.dumps(declaration))
    release = {key: value for key, value in values.items() if key in Release.model_fields}
    document = Document()
    document.values = {key: value for key, value in values.items() if key not in release}
    document.values["release"] = {**release, "table": f"{SCHEMA}.raw"}
    if "population" in values:
        values["population"]["table"] = f"{SCHEMA}.register"
    return assess(document.validate(), built.url)


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_what_to_do(name: str, built: Built) -> None:
    """One clear line, and the model is not there."""
    item = built.ran.results[name]
    assert item["status"] == "error"
    assert "sqlrisk: " in item["message"]
    assert REFUSED[name][1] in item["message"]
    assert built.query(f"select count(*) from information_schema.tables where table_name = '{name}'") == [(0,)]


def test_record(built: Built) -> None:
    """The histogram is on record, with the run and the declaration that it is of."""
    columns = "relation, counted, unit, size, number, sqlrisk_version, fingerprint"
    rows = built.query(f"select {columns} from {SCHEMA}.sqlrisk_audit where model = 'model.shop.visits'")
    ((relation, *rest, fingerprint),) = rows
    assert rest == ["classes", "records", 2, 4, sqlrisk.__version__]
    assert relation.endswith(f'"{SCHEMA}"."visits"')
    from sqlrisk.dbt.manifest import Manifest

    file = built.project.folder / "target" / "manifest.json"
    manifest = Manifest.of(json.loads(file.read_text()), file)
    assert fingerprint == next(item.fingerprint for item in manifest.models if item.name == "visits")


def test_record_of_people(built: Built) -> None:
    """Of people compared by their distinct rows, how many have each size is on record: they do not fall into classes."""
    rows = built.query(
        f"select counted, unit, size, number from {SCHEMA}.sqlrisk_audit where model = 'model.shop.of_people' order by size"
    )
    found = _measured(built, {"quasi_identifiers": QUASI, "entity_id": "id", "entity_counting": "distinct"}).to_dict()
    assert {row[:2] for row in rows} == {("records", "people")}
    assert [tuple(row[2:]) for row in rows] == [tuple(pair) for pair in found["record_sizes"]]


def test_gate_keeps_the_version_before(built: Built) -> None:
    """A model that exceeds a limit fails; what was published stays, nothing is on record, and nothing downstream is built."""
    before = built.query(f"select count(*) from {SCHEMA}.visits")
    on_record = built.query(f"select count(*) from {SCHEMA}.sqlrisk_audit")
    ran = built.project.run(
        "build", "--no-use-colors", "--select", "visits+", "as_view", "added_to", "--vars", "{risky: true}"
    )
    assert ran.code == 1
    message = ran.results["visits"]["message"]
    assert "sqlrisk: the model `visits` may not go out, the version before it stays: " in message
    assert "k is 1, below the limit 2 (limits.min_k)" in message
    assert ran.results["after_visits"]["status"] == "skipped"
    for name in ("as_view", "added_to"):
        assert ran.results[name]["status"] == "error"
        assert built.query(f"select count(*) from {SCHEMA}.{name}") == [(8,)]
    assert built.query(f"select count(*) from {SCHEMA}.visits") == before == [(8,)]
    assert built.query(f"select count(*) from {SCHEMA}.visits where sex = 'X'") == [(0,)]
    assert built.query(f"select count(*) from {SCHEMA}.sqlrisk_audit") == on_record
