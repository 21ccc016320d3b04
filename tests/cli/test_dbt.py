"""``sqlrisk dbt``: what it prints and how it ends, on a project of the manifest's form and on real ones."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest
import sqlalchemy
import yaml

from tests.engines.starters import EngineMissing, is_required
from tests.engines.starters import dbt as dbt_starter

DOCUMENT = json.loads((Path(__file__).parents[1] / "unit/dbt_manifest.json").read_text("utf-8"))
MODELS = ("against_register", "claims_release", "plain", "too_fine")
TABLES = """
CREATE TABLE claims_release AS
SELECT CASE WHEN n % 2 = 0 THEN 'F' ELSE 'M' END AS sex, 20 + n % 10 AS age, '0213' || n % 2 AS zip FROM range(100) AS r(n);
CREATE TABLE against_register AS FROM claims_release;
CREATE TABLE members AS FROM claims_release UNION ALL FROM claims_release;
CREATE TABLE plain AS FROM claims_release;
CREATE TABLE too_fine AS SELECT sex, age + row_number() OVER () AS age, zip FROM claims_release;
CREATE TABLE sqlrisk_audit (
  invocation_id TEXT, model TEXT, relation TEXT, recorded_at TIMESTAMP, sqlrisk_version TEXT, fingerprint TEXT,
  counted TEXT, size BIGINT, number BIGINT
);
"""


class Made:
    """A dbt project without dbt: its files, a manifest newer than they are, and a DuckDB file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "models/marts").mkdir(parents=True)
        (folder / "dbt_project.yml").write_text("name: claims\nprofile: claims\n")
        (folder / "profiles.yml").write_text(
            "claims: {target: dev, outputs: {dev: {type: duckdb, path: claims.duckdb}, prod: {type: snowflake}}}\n"
        )
        for name in MODELS:
            (folder / f"models/marts/{name}.sql").write_text("select 1")
        self.sql(TABLES)
        self.write()

    def write(self, **declarations: object) -> None:
        """The manifest, with other declarations of some models."""
        document = copy.deepcopy(DOCUMENT)
        document["metadata"]["generated_at"] = datetime.fromtimestamp(time.time() + 1, UTC).isoformat()
        for name, declaration in declarations.items():
            document["nodes"][f"model.claims.{name}"]["config"]["meta"] = {"sqlrisk": declaration}
        (self.folder / "target").mkdir(exist_ok=True)
        (self.folder / "target/manifest.json").write_text(json.dumps(document))

    def sql(self, text: str) -> None:
        with duckdb.connect(str(self.folder / "claims.duckdb")) as connection:
            connection.execute(text)

    def record(self, model: str, sizes: dict[int, int], **columns: str) -> None:
        """Put a histogram on record, as the package's hook does."""
        from sqlrisk.dbt.manifest import Manifest

        document = json.loads((self.folder / "target/manifest.json").read_text())
        found = {item.name: item for item in Manifest.of(document, self.folder).models}[model]
        values = {
            "invocation_id": "run-1",
            "model": found.unique_id,
            "relation": found.relation,
            "recorded_at": "2026-01-05 10:00:00",
            "sqlrisk_version": "0",
            "fingerprint": found.fingerprint,
            "counted": "classes",
            **columns,
        }
        with duckdb.connect(str(self.folder / "claims.duckdb")) as connection:
            for size, number in sizes.items():
                connection.execute(
                    "INSERT INTO sqlrisk_audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [*values.values(), size, number]
                )


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    for name in ("DBT_PROFILES_DIR", "DBT_PROJECT_DIR", "DBT_TARGET_PATH", "DBT_PROFILE", "DBT_TARGET"):
        monkeypatch.delenv(name, raising=False)
    found = Made(tmp_path / "claims")
    monkeypatch.chdir(found.folder)
    return found


class TestTest:
    def test_prints_like_dbt(self, run, made):
        done = run("dbt", "test")
        assert (done.code, done.err) == (1, "")
        lines = [line.replace(".", "") for line in done.out.splitlines()]
        assert [line.partition(" [")[0].rstrip() for line in lines[:6]] == [
            "1 of 3 START against_register",
            "1 of 3 PASS against_register",
            "2 of 3 START claims_release",
            "2 of 3 PASS claims_release",
            "3 of 3 START too_fine",
            "3 of 3 FAIL too_fine",
        ]
        assert "FAILED  Prosecutor: share of records at risk: 100 %, at most 0 %" in done.out
        assert done.out.endswith("\nDone. PASS=2 FAIL=1 ERROR=0 SKIP=0 TOTAL=3\n")
        folder = made.folder / "target/sqlrisk"
        assert {path.name for path in folder.iterdir()} == {
            f"{name}.{ending}" for name in MODELS if name != "plain" for ending in ("json", "html")
        }
        document = json.loads((folder / "claims_release.json").read_text())
        assert document["smallest_class"] == 20 and "duckdb:///" not in json.dumps(document)

    def test_select_exclude_and_quiet(self, run, made):
        done = run("dbt", "test", "--select", "claims_release", "tag:register", "--exclude", "tag:register", "--quiet")
        assert (done.code, done.out, done.err) == (0, "", "")
        assert sorted(path.name for path in (made.folder / "target/sqlrisk").glob("*.json")) == ["claims_release.json"]

    def test_fail_fast_skips(self, run, made):
        made.write(against_register={"quasi_identifiers": ["sex"], "limits": {"min_k": 1000}})
        done = run("dbt", "test", "--fail-fast")
        assert done.code == 1 and done.out.count("START") == 1
        assert "3 of 3 SKIP too_fine " in done.out
        assert "PASS=0 FAIL=1 ERROR=0 SKIP=2 TOTAL=3" in done.out

    def test_jobs_begin_at_once(self, run, made):
        out = run("dbt", "test", "--jobs", "3").out
        assert [line.split()[3] for line in out.splitlines()[:3]] == ["START"] * 3
        assert out.count("START") == 3

    def test_within_the_limits_is_not_always_a_pass(self, run, made):
        made.write(claims_release={"quasi_identifiers": ["sex"], "limits": {"min_k": 2}})
        done = run("dbt", "test", "--select", "claims_release")
        assert done.code == 0
        assert "[within limits, not a pass: no justification in" in done.out
        assert "Done. PASS=0 NO-PASS=1 FAIL=0" in done.out

    def test_one_models_errors_are_its_own(self, run, made):
        limits = {"limits": {"min_k": 2}, "justification": "test"}
        made.write(
            against_register={"quasi_identifiers": ["gone"], **limits},
            too_fine={"quasi_identifiers": ["sex"], "limit": {}},
        )
        made.sql("DROP TABLE claims_release")
        done = run("dbt", "test")
        assert done.code == 2 and "PASS=0 FAIL=0 ERROR=3 SKIP=0 TOTAL=3" in done.out
        for part in (
            "quasi-identifier `gone` is not a column of claims.main.against_register",
            "there is no table or view `claims.main.claims_release`: run `dbt build --select +claims_release`",
            "models/marts/schema.yml, model too_fine: `limit` is not a key of a declaration: did you mean `limits`?",
        ):
            assert part in done.out

    def test_history(self, run, made):
        made.write(claims_release={"quasi_identifiers": ["sex"], "limits": {"max_increase": 0.1}, "justification": "t"})
        arguments = ("dbt", "test", "--select", "claims_release", "--history", "runs.sqlite")
        assert run(*arguments).code == 3
        assert run(*arguments, "--first-run").code == 0
        assert run(*arguments).code == 0
        assert "claims_release" in run("history", "--history", "runs.sqlite").out

    def test_public(self, run, made):
        done = run("dbt", "test", "--public", "--select", "too_fine")
        assert done.code == 1 and "models/marts" not in done.out
        assert [path.name for path in (made.folder / "target/sqlrisk").iterdir()] == ["too_fine.html"]

    @pytest.mark.parametrize(
        ("arguments", "part"),
        [
            (("--select", "plain"), "the model `plain` declares no policy"),
            (("--select", "claims_relase"), "selects no model: did you mean `claims_release`"),
            (("--select", "+too_fine"), "is not read here"),
            (("--select", "state:modified"), "the selector method `state:` is not read here"),
            (("--target", "prod"), "snowflake is not read by this version"),
            (("--target", "none"), "has no target `none`"),
            (("--profile", "none"), "has no profile `none`"),
            (("--profiles-dir", "nowhere"), "there is no profiles.yml in nowhere"),
            (("--project-dir", "models"), "models is no dbt project"),
            (("--from-audit", "--first-run"), "--first-run is about a history"),
            (("--history", ""), "--history is empty"),
        ],
    )
    def test_what_is_refused(self, refused, made, arguments, part):
        assert part in refused(2, "dbt", "test", *arguments)

    def test_no_project_no_manifest_stale_manifest(self, refused, made, monkeypatch, tmp_path):
        later = time.time() + 60
        os.utime(made.folder / "models/marts/plain.sql", (later, later))
        assert "older than models/marts/plain.sql: run `dbt parse`" in refused(2, "dbt", "test")
        (made.folder / "target/manifest.json").unlink()
        assert "there is no manifest" in refused(2, "dbt", "test")
        monkeypatch.chdir(tmp_path)
        assert "this is no dbt project" in refused(2, "dbt", "test")

    def test_from_a_folder_below(self, run, made, monkeypatch):
        monkeypatch.chdir(made.folder / "models/marts")
        assert run("dbt", "test", "--select", "claims_release").code == 0


class TestFromAudit:
    def test_the_newest_record_is_judged(self, run, made):
        made.record("too_fine", {1: 3}, recorded_at="2026-01-04 10:00:00", invocation_id="run-0")
        made.record("too_fine", {10: 4, 20: 1})
        made.sql("DROP TABLE too_fine")  # which is not read
        done = run("dbt", "test", "--from-audit", "--select", "too_fine")
        assert (done.code, done.err) == (0, "")
        document = json.loads((made.folder / "target/sqlrisk/too_fine.json").read_text())
        assert document["class_sizes"] == [[10, 4], [20, 1]]
        assert document["release"]["histogram"].startswith("claims.main.sqlrisk_audit, of 2026-01-05 10:00:00")

    def test_what_needs_the_population_table_does_not_pass(self, run, made):
        made.record("against_register", {10: 4})
        done = run("dbt", "test", "--from-audit", "--select", "against_register")
        assert done.code == 3 and "[ERROR in" in done.out
        assert "the record holds the class sizes of the release alone" in done.out

    def test_an_unknown_population_is_estimated(self, run, made):
        limits = {"journalist": {"threshold": "1/5", "max_share_at_risk": 0.5}}
        about = {"size": 1000, "description": "all", "source": "made up", "as_of": "2025-12-31"}
        made.write(
            too_fine={"quasi_identifiers": ["sex"], "attackers": limits, "population": about, "accept_weak": "a test"}
        )
        made.record("too_fine", {1: 20, 2: 20, 5: 10, 10: 5})
        run("dbt", "test", "--from-audit", "--select", "too_fine")
        document = json.loads((made.folder / "target/sqlrisk/too_fine.json").read_text())
        assert document["attackers"]["journalist"]["share_at_risk"] is not None

    @pytest.mark.parametrize(
        ("columns", "part"),
        [
            (None, "nothing of the model is on record in claims.main.sqlrisk_audit: give it the post-hook"),
            ({"fingerprint": "x"}, "is of another declaration than the model's: run `dbt build --select too_fine`"),
            ({"counted": "records"}, "do not fall into classes: leave out --from-audit"),
        ],
    )
    def test_no_such_record(self, run, made, columns, part):
        if columns is not None:
            made.record("too_fine", {10: 1}, **columns)
        done = run("dbt", "test", "--from-audit", "--select", "too_fine")
        assert done.code == 2 and part in done.out

    def test_no_table(self, run, made):
        made.sql("DROP TABLE sqlrisk_audit")
        done = run("dbt", "test", "--from-audit", "--select", "too_fine")
        assert done.code == 2 and "there is no table claims.main.sqlrisk_audit" in done.out

    @pytest.mark.parametrize(("built", "code"), [("2026-01-05T11:00:00Z", 2), ("2026-01-05T09:00:00Z", 0)])
    def test_a_model_built_after_its_record(self, run, made, built, code):
        made.record("too_fine", {10: 1})
        results = {
            "metadata": {"invocation_id": "run-2"},
            "args": {"which": "build"},
            "results": [
                {"unique_id": "model.claims.too_fine", "status": "success", "timing": [{"completed_at": built}]}
            ],
        }
        (made.folder / "target/run_results.json").write_text(json.dumps(results))
        done = run("dbt", "test", "--from-audit", "--select", "too_fine")
        assert done.code == code
        assert ("the model was built again without it" in done.out) == (code == 2)


class TestInit:
    def test_adds_the_package_once(self, run, made):
        for word in ("added", "there already"):
            done = run("dbt", "init", "--project-dir", made.folder)
            assert done.code == 0 and f"was {word}" in done.out and "dbt deps" in done.out
        listed = yaml.safe_load((made.folder / "packages.yml").read_text())["packages"]
        assert listed == [{"local": run("dbt", "package-path").out.strip()}]

    def test_no_project(self, refused, tmp_path):
        assert "is no dbt project" in refused(2, "dbt", "init", "--project-dir", tmp_path)


# --- with dbt itself ---


def dbt_program() -> str:
    """dbt in an environment of its own: it is never a dependency."""
    try:
        return str(dbt_starter.create_environment() / "bin" / "dbt")
    except EngineMissing as missing:
        if is_required("dbt"):
            pytest.fail(missing.reason)
        pytest.skip(f"dbt: {missing.reason}")


@pytest.fixture
def real(tmp_path: Path, made: Made):
    """Runs dbt in a project with one model and its declaration, on the target given."""
    folder = tmp_path / "real"
    (folder / "models").mkdir(parents=True)
    (folder / "dbt_project.yml").write_text("name: real\nversion: '1.0'\nprofile: real\n")
    (folder / "models/people.sql").write_text(
        "{{ config(materialized='table') }}\n" + " union all ".join(["select 'F' as sex, 1 as n"] * 9)
    )
    declaration = {
        "quasi_identifiers": ["sex"],
        "attackers": {"prosecutor": {"threshold": "1/5", "max_highest_risk": "1/5"}},
        "justification": "a test",
    }
    models = [{"name": "people", "config": {"meta": {"sqlrisk": declaration}}}]
    (folder / "models/schema.yml").write_text(yaml.safe_dump({"models": models}))

    def call(target: dict[str, object]) -> Path:
        outputs = {"real": {"target": "dev", "outputs": {"dev": target}}}
        (folder / "profiles.yml").write_text(yaml.safe_dump(outputs))
        environment = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
        command = [dbt_program(), "build", "--profiles-dir", str(folder), "--project-dir", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return folder

    return call


@pytest.mark.slow
class TestRealProjects:
    def test_duckdb(self, run, refused, real):
        folder = real({"type": "duckdb", "path": "real.duckdb"})
        done = run("dbt", "test", "--project-dir", folder)
        assert done.code == 0 and "1 of 1 PASS people " in done.out
        document = json.loads((folder / "target/sqlrisk/people.json").read_text())
        assert document["class_sizes"] == [[9, 1]]
        later = time.time() + 5
        os.utime(folder / "models/schema.yml", (later, later))
        assert "older than models/schema.yml" in refused(2, "dbt", "test", "--project-dir", folder)

    def test_postgres(self, run, real, pg, monkeypatch):
        url = sqlalchemy.make_url(pg.url)
        monkeypatch.setenv("DBT_ENV_SECRET_PASSWORD", url.password)
        target = {
            "type": "postgres",
            "host": url.host,
            "port": url.port,
            "user": url.username,
            "password": "{{ env_var('DBT_ENV_SECRET_PASSWORD') }}",
            "dbname": url.database,
            "schema": f"{pg.schema}_dbt",
            "threads": 1,
        }
        folder = real(target)
        try:
            done = run("dbt", "test", "--project-dir", folder)
            assert done.code == 0 and "1 of 1 PASS people " in done.out
            text = (folder / "target/sqlrisk/people.json").read_text()
            assert json.loads(text)["class_sizes"] == [[9, 1]]
            assert url.password not in text and url.password not in done.out
            _record_on(pg, f"{pg.schema}_dbt", folder)
            done = run("dbt", "test", "--project-dir", folder, "--from-audit")
            assert done.code == 2 and "the model was built again without it" in done.out
            (folder / "target/run_results.json").unlink()
            assert run("dbt", "test", "--project-dir", folder, "--from-audit").code == 0
            assert json.loads((folder / "target/sqlrisk/people.json").read_text())["class_sizes"] == [[7, 2]]
            monkeypatch.setenv("DBT_ENV_SECRET_PASSWORD", "wrong pass/word")
            done = run("dbt", "test", "--project-dir", folder)
            assert done.code == 3 and "wrong pass" not in done.out + done.err
        finally:
            pg.execute(f"DROP SCHEMA IF EXISTS {pg.schema}_dbt CASCADE")


def _record_on(pg, schema: str, folder: Path) -> None:
    """A record of an earlier run, as the package's hook makes it."""
    from sqlrisk.dbt.manifest import Manifest
    from sqlrisk.dbt.project import Project

    (model,) = Manifest.read(Project.find(folder)).models
    pg.execute(
        f"CREATE TABLE {schema}.sqlrisk_audit AS SELECT 'run-0' AS invocation_id, '{model.unique_id}' AS model, "
        f"TIMESTAMPTZ '2026-01-05 10:00:00.125+02' AS recorded_at, '{model.fingerprint}' AS fingerprint, "
        "'classes' AS counted, CAST(7 AS BIGINT) AS size, CAST(2 AS BIGINT) AS number"
    )


def test_the_reference_has_the_options():
    from sqlrisk.cli.dbt import test
    from tests.test_docs import options_in, options_of, read

    text = read("docs/reference/dbt.md")
    section = text.partition("## `sqlrisk dbt test`")[2]
    table = "\n".join(line.partition(" | ")[0] for line in section.splitlines() if line.startswith("| `-"))
    assert options_in(table) | {"--help"} == options_of(test) - {"-h"}


@pytest.mark.slow
def test_the_guide_line_by_line(tmp_path, made):
    """From a build that fails to one that passes: the commands of the how-to page, on its example project."""
    from tests.test_docs import ROOT, examples, run

    folder = tmp_path / "clinic"
    shutil.copytree(ROOT / "docs/examples/dbt_claims", folder)
    programs = [Path(sys.executable).parent, Path(dbt_program()).parent]
    path = os.pathsep.join([*map(str, programs), os.environ.get("PATH", "")])
    blocks = [example for example in examples("docs/how-to/use-with-dbt.md") if example.engine == "dbt"]
    assert len(blocks) > 5
    for block in blocks:
        run(block, folder, {"PATH": path, "DBT_USE_COLORS": "false", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"})
    with duckdb.connect(str(folder / "clinic.duckdb"), read_only=True) as connection:
        columns = [name for name, *_ in connection.execute("SELECT * FROM claims_release LIMIT 0").description]
        (bands,) = connection.execute("SELECT COUNT(DISTINCT age_band) FROM claims_release").fetchone()
    assert columns == ["sex", "age_band", "zip3", "diagnosis"] and bands == 4
