"""What is read of a dbt project: its manifest, its profile, selectors, declarations, packages.yml."""

from __future__ import annotations

import copy
import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy
import yaml

from sqlrisk.class_sizes import ClassSizes
from sqlrisk.dbt.audit import _Recorded, _result, audit_relation, refuse_unrecorded
from sqlrisk.dbt.install import add_package
from sqlrisk.dbt.manifest import Manifest
from sqlrisk.dbt.profile import Target, read_target
from sqlrisk.dbt.project import Project
from sqlrisk.dbt.selection import Selected, select
from sqlrisk.dbt.tasks import declared, explained
from sqlrisk.errors import RequestError
from sqlrisk.outcome import Outcome
from sqlrisk.sql.audit import newest_histogram
from sqlrisk.sql.relation import write

# Written by dbt-core 1.11, and cut down to what is read.
DOCUMENT = json.loads((Path(__file__).parent / "dbt_manifest.json").read_text("utf-8"))
RELEASE = "model.claims.claims_release"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DBT_PROFILES_DIR", "DBT_TARGET_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The manifest's project, with its files, a profile and a database file."""
    folder = tmp_path / "claims"
    (folder / "models/marts").mkdir(parents=True)
    (folder / "dbt_project.yml").write_text("name: claims\nprofile: claims\n")
    (folder / "profiles.yml").write_text(
        "claims: {target: dev, outputs: {dev: {type: duckdb, path: claims.duckdb, schema: main}}}\n"
    )
    (folder / "claims.duckdb").touch()
    for name in ("against_register", "claims_release", "plain", "too_fine"):
        (folder / f"models/marts/{name}.sql").write_text("select 1")
    (folder / "models/marts/schema.yml").write_text("models: []")
    return Project.find(folder)


def manifest(change=None) -> Manifest:
    document = copy.deepcopy(DOCUMENT)
    if change:
        change(document)
    return Manifest.of(document, Path("manifest.json"))


def declaring(declaration: object, **others: object) -> Manifest:
    """The manifest with another declaration of `claims_release`."""

    def change(document: dict) -> None:
        document["nodes"][RELEASE]["config"]["meta"]["sqlrisk"] = declaration
        document["nodes"][RELEASE].update(others)

    return manifest(change)


def task_of(found: Manifest, project: Project, name: str = "claims_release"):
    selected = select(found.models, project, [name])
    (item,), _ = declared(found, read_target(project), project, selected)
    return item.task


def profile(project: Project, settings: dict[str, object]) -> Target:
    text = yaml.safe_dump({"claims": {"target": "dev", "outputs": {"dev": settings}}})
    (project.folder / "profiles.yml").write_text(text)
    return read_target(project)


def refused(call, *arguments: object, **options: object) -> str:
    with pytest.raises(RequestError) as problem:
        call(*arguments, **options)
    assert str(problem.value).isprintable()
    return str(problem.value)


class TestManifest:
    def test_models_in_the_order_of_their_ids(self):
        found = manifest()
        assert [model.name for model in found.models] == ["against_register", "claims_release", "plain", "too_fine"]
        release = found.models[1]
        assert (release.relation, release.tags) == ('"claims"."main"."claims_release"', ("release",))
        assert release.declared_in == "models/marts/schema.yml"
        assert found.models[2].declaration is None

    def test_the_fingerprint_is_that_of_the_macro(self):
        # What `local_md5(tojson(model.config.meta.sqlrisk, sort_keys=True))` gave within dbt.
        declaration = {
            "quasi_identifiers": ["sex", "age:band=5", {"zip": {"prefix": 3}}],
            "limits": {"min_k": 2},
            "population": {"table": "members", "as_of": "2025-12-31", "source": "Gehälter <é>"},
            "threshold": "1/5",
            "justification": "test",
        }
        assert declaring(declaration).models[1].fingerprint == "44a56872e09330963f3e4c655bed1fd1"

    @pytest.mark.parametrize("version", ["v11", "v20"])
    def test_another_schema_version(self, version):
        def change(document: dict) -> None:
            document["metadata"]["dbt_schema_version"] = f"https://schemas.getdbt.com/dbt/manifest/{version}.json"

        assert f"the schema version {version}" in refused(manifest, change)

    @pytest.mark.parametrize("document", [{}, [], {"metadata": {}}, {"metadata": 1}])
    def test_no_manifest_at_all(self, document):
        assert "is not a manifest of dbt: run `dbt parse`" in refused(Manifest.of, document, Path("manifest.json"))

    def test_absent_and_broken(self, project):
        assert "there is no manifest" in refused(Manifest.read, project)
        project.target.mkdir()
        (project.target / "manifest.json").write_text("{")
        assert "not valid JSON: run `dbt parse`" in refused(Manifest.read, project)

    @pytest.mark.parametrize("file", ["dbt_project.yml", "models/marts/schema.yml", "models/marts/plain.sql"])
    def test_stale(self, project, file):
        written(project)
        Manifest.read(project)
        later = time.time() + 60
        os.utime(project.folder / file, (later, later))
        assert refused(Manifest.read, project) == f"target/manifest.json is older than {file}: run `dbt parse`"

    def test_a_model_that_is_gone(self, project):
        written(project)
        (project.folder / "models/marts/plain.sql").unlink()
        assert "it has the model `plain`, and models/marts/plain.sql is gone" in refused(Manifest.read, project)


def written(project: Project) -> None:
    document = copy.deepcopy(DOCUMENT)
    document["metadata"]["generated_at"] = datetime.fromtimestamp(time.time() + 1, UTC).isoformat()
    project.target.mkdir(exist_ok=True)
    (project.target / "manifest.json").write_text(json.dumps(document))


class TestSelection:
    @pytest.mark.parametrize(
        ("selectors", "exclude", "names"),
        [
            ([], [], "against_register claims_release plain too_fine"),
            (["plain"], [], "plain"),
            (["claims.marts.plain"], [], "plain"),
            (["marts.plain"], [], "plain"),
            (["fqn:marts.*"], [], "against_register claims_release plain too_fine"),
            (["*_release"], [], "claims_release"),
            (["marts"], ["plain"], "against_register claims_release too_fine"),
            (["tag:release"], [], "against_register claims_release"),
            (["tag:reg*"], [], "against_register"),
            (["tag:release,too_fine plain"], [], None),
            (["tag:release,claims_release plain"], [], "claims_release plain"),
            (["tag:release", "plain"], ["tag:register"], "claims_release plain"),
            (["path:models/marts"], ["tag:release"], "plain too_fine"),
            (["models/marts/plain.sql"], [], "plain"),
            (["path:models/marts/*_fine.sql"], [], "too_fine"),
            (["plain.sql"], [], "plain"),
            (["file:plain"], [], "plain"),
            (["package:this"], [], "against_register claims_release plain too_fine"),
            (["package:other"], [], None),
            (["Plain"], [], None),
            (["path:models/elsewhere"], [], None),
            (["plain"], ["nothing"], "plain"),
        ],
    )
    def test_means(self, project, selectors, exclude, names):
        if names is None:
            assert "selects no model" in refused(select, manifest().models, project, selectors, exclude)
            return
        found = select(manifest().models, project, selectors, exclude)
        assert " ".join(model.name for model in found.models) == names

    @pytest.mark.parametrize("text", ["+plain", "plain+", "2+plain", "plain+1", "@plain", "tag:release+"])
    def test_graph_operators_are_refused_by_name(self, project, text):
        told = refused(select, manifest().models, project, [text])
        assert told.startswith(f"--select: `{text}` asks for what is before or after") and "dbt ls" in told

    @pytest.mark.parametrize(
        ("text", "part"),
        [
            ("config.materialized:table", "the selector method `config.materialized:` is not read here"),
            ("tags:release", "did you mean `tag`"),
            ("tag:", "`tag:` names nothing"),
            ("plain,", "names nothing"),
            ("path:/etc", "is no path within the project"),
        ],
    )
    def test_other_selectors(self, project, text, part):
        assert part in refused(select, manifest().models, project, [text])

    def test_named_one_by_one(self, project):
        models = manifest().models
        assert select(models, project, ["tag:release"]).named == frozenset()
        assert select(models, project, ["marts.*"]).named == frozenset()
        assert select(models, project, ["tag:release plain"]).named == {"model.claims.plain"}

    def test_versions(self, project):
        def change(document: dict) -> None:
            node = document["nodes"][RELEASE]
            node.update(version=2, fqn=["claims", "marts", "claims_release", "v2"])

        models = manifest(change).models
        assert models[1].label == "claims_release.v2"
        for text in ("claims_release", "claims_release.v2", "claims_release_v2"):
            assert [model.label for model in select(models, project, [text]).models] == ["claims_release.v2"]


class TestProfile:
    def test_duckdb(self, project):
        target = read_target(project)
        assert (target.adapter, target.database, target.schema) == ("duckdb", "claims", "main")
        assert sqlalchemy.make_url(target.url).database == str(project.folder / "claims.duckdb")

    @pytest.mark.parametrize(
        ("settings", "part"),
        [
            ({"type": "duckdb"}, "a database in memory"),
            ({"type": "duckdb", "path": "md:cloud"}, "its `path` is no file"),
            ({"type": "duckdb", "path": "none.duckdb"}, "none.duckdb: run `dbt build`"),
            ({"type": "snowflake", "password": "hunter2"}, "snowflake is not read by this version"),
            ({"type": "redshift"}, "redshift is not read by this version"),
            ({"type": "databricks"}, "databricks is not read by this version"),
            ({"type": "postgress"}, "`postgress` is not a known adapter: did you mean `postgres`"),
            ({}, "it has no `type`"),
            ({"type": "postgres", "user": "a", "password": "hunter2", "dbname": "d"}, "it has no `host`"),
            ({"type": "postgres", "host": "h", "user": "a", "port": "x", "dbname": "d"}, "its `port` is no number"),
            ({"type": "bigquery", "method": "oauth", "project": "p"}, "no project or no dataset"),
            ({"type": "bigquery", "method": "service-account-json"}, "this `method` is not read"),
            (
                {"type": "bigquery", "method": "oauth", "impersonate_service_account": "a@b"},
                "`impersonate_service_account`",
            ),
            ({"type": "postgres", "host": "h", "user": "a", "dbname": "{{ var('d') }}"}, "`dbname`: its Jinja"),
            ({"type": "postgres", "host": "h", "user": "{{ env_var('NOT_SET') }}"}, "has no variable NOT_SET"),
            ({"type": "postgres", "host": "h", "user": "{{ env_var.__globals__ }}"}, "its Jinja is not read here"),
            ({"type": "postgres", "host": "h", "user": "{{ ''.__class__.__mro__ }}"}, "its Jinja is not read here"),
            ({"type": "postgres", "host": "h", "user": "{{ 1 / 0 }}"}, "does not give a value"),
            ({"type": "postgres", "host": "h", "user": "{% for"}, "its Jinja is not read here"),
        ],
    )
    def test_what_is_refused(self, project, settings, part):
        told = refused(profile, project, settings)
        assert part in told and "hunter2" not in told

    def test_postgres(self, project, monkeypatch):
        monkeypatch.setenv("PG_PASSWORD", "p@ss/w:rd ${HOME}?")
        settings = {
            "type": "postgres",
            "host": "db.example",
            "user": "o'user",
            "password": "{{ env_var('PG_PASSWORD') }}",
            "port": "{{ env_var('PG_PORT', '6432') | as_number }}",
            "dbname": "clinic",
            "schema": "analytics",
            "sslmode": "require",
            "role": "read only",
            "threads": 4,
        }
        target = profile(project, settings)
        url = sqlalchemy.make_url(target.url)
        assert (url.username, url.password, url.host, url.port) == ("o'user", "p@ss/w:rd ${HOME}?", "db.example", 6432)
        assert (url.database, dict(url.query)) == ("clinic", {"sslmode": "require", "options": "-c role=read\\ only"})
        assert "p%40ss" in target.url and "p%40ss" not in repr(target)
        assert "${" not in target.url

    def test_bigquery(self, project):
        settings = {
            "type": "bigquery",
            "method": "service-account",
            "project": "data-project",
            "execution_project": "billed-project",
            "dataset": "claims",
            "keyfile": "/keys/a b.json",
            "location": "EU",
            "maximum_bytes_billed": 1000,
        }
        target = profile(project, settings)
        url = sqlalchemy.make_url(target.url)
        assert (url.host, url.database, target.database, target.max_bytes) == (
            "billed-project",
            "claims",
            "data-project",
            1000,
        )
        assert dict(url.query) == {"location": "EU", "credentials_path": "/keys/a b.json"}

    def test_where_it_is_looked_for(self, project, tmp_path, monkeypatch):
        def put(folder: Path, name: str) -> Path:
            folder.mkdir(parents=True, exist_ok=True)
            outputs = {name: {"type": "duckdb", "path": "claims.duckdb"}}
            (folder / "profiles.yml").write_text(yaml.safe_dump({"claims": {"target": name, "outputs": outputs}}))
            return folder

        given, named, home = (
            put(tmp_path / "a", "given"),
            put(tmp_path / "b", "named"),
            put(tmp_path / "home/.dbt", "home"),
        )
        monkeypatch.setenv("DBT_PROFILES_DIR", str(named))
        assert read_target(project, given).name == "given"
        assert read_target(project).name == "named"
        monkeypatch.delenv("DBT_PROFILES_DIR")
        assert read_target(project).name == "dev"
        (project.folder / "profiles.yml").unlink()
        assert read_target(project).name == "home"
        (home / "profiles.yml").unlink()
        assert "there is no profiles.yml in" in refused(read_target, project)

    def test_absent_names(self, project):
        assert "has no profile `clams`: did you mean `claims`?" in refused(read_target, project, profile="clams")
        assert "has no target `prod`: there is `dev`" in refused(read_target, project, target="prod")

    def test_what_is_broken_is_not_repeated(self, project):
        (project.folder / "profiles.yml").write_text("claims:\n  password: hunter2\n bad: [\n")
        told = refused(read_target, project)
        assert "profiles.yml, line 3: not valid YAML" in told and "hunter2" not in told


class TestDeclarations:
    def test_a_policy(self, project):
        task = task_of(manifest(), project)
        assert (task.name, task.file, task.problem) == ("claims_release", "models/marts/claims_release.sql", None)
        assert task.policy.release.table == '"claims"."main"."claims_release"'
        assert [item.spec for item in task.policy.release.quasi_identifiers] == ["sex", "age:band=5", "zip:prefix=3"]
        assert (task.policy.limits.min_k, task.policy.justification) == (2, "für die Forschung")
        assert task.policy.connection.startswith("duckdb:///")

    def test_a_population_that_the_project_makes(self, project):
        population = task_of(manifest(), project, "against_register").policy.population
        assert population.table == '"claims"."main"."members"'
        elsewhere = declaring(
            {"quasi_identifiers": ["sex"], "limits": {"min_k_map": 2}, "population": {"table": "a.b"}}
        )
        assert task_of(elsewhere, project).policy.population.table == "a.b"

    def test_a_name_and_what_looks_like_a_variable(self, project):
        task = task_of(declaring({"name": "q1", "limits": {"min_k": 2}, "where": "sex <> '${HOME}'"}), project)
        assert (task.name, task.policy.release.where) == ("q1", "sex <> '${HOME}'")

    @pytest.mark.parametrize(
        ("declaration", "part"),
        [
            ("sex", "`config.meta.sqlrisk` is no mapping"),
            ({"table": "t"}, "`table` is not a key of a declaration: the release is the model's own relation"),
            ({"connection": "c"}, "the connection is the profile's"),
            ({"guards": {}}, "what a statement may cost is the profile's"),
            ({"quasi_identifier": []}, "did you mean `quasi_identifiers`"),
            ({"limits": {"min_kk": 2}}, "`limits.min_kk` is not a key of a policy: did you mean `min_k`"),
            ({"quasi_identifiers": ["sex"]}, "there is no limit to judge by"),
            ({"quasi_identifiers": ["age:bend=5"], "limits": {"min_k": 2}}, "bend"),
            ({"attackers": {"journalist": {"max_average_risk": 0.1}}}, "needs `population.description`"),
        ],
    )
    def test_what_is_wrong_with_one_is_its_own_problem(self, project, declaration, part):
        task = task_of(declaring(declaration), project)
        assert task.policy is None
        assert part in str(task.problem) and "models/marts/schema.yml, model claims_release: " in str(task.problem)

    def test_no_relation(self, project):
        task = task_of(declaring({"limits": {"min_k": 2}}, relation_name=None), project)
        assert "dbt makes no relation for it" in str(task.problem)

    def test_without_a_declaration(self, project):
        found, target = manifest(), read_target(project)

        def call(*selectors: str):
            return declared(found, target, project, select(found.models, project, selectors))

        assert "the model `plain` declares no policy" in refused(call, "plain")
        assert "no model that was selected declares a policy" in refused(call, "file:plain")
        items, notes = call("marts")
        assert notes == ["the model `plain` is passed over: it declares no policy"]
        assert [item.task.name for item in items] == ["against_register", "claims_release", "too_fine"]
        assert call()[1] == []

    def test_two_of_one_name(self, project):
        found = declaring({"name": "too_fine", "limits": {"min_k": 2}})
        selected = Selected(list(found.models), frozenset())
        told = refused(declared, found, read_target(project), project, selected)
        assert told.startswith("2 models are called `too_fine`")

    def test_a_manifest_of_another_target(self, project):
        def call(found: Manifest):
            return declared(found, read_target(project), project, select(found.models, project, ["claims_release"]))

        def to_postgres(document: dict) -> None:
            document["metadata"]["adapter_type"] = "postgres"

        assert "the manifest was written for postgres" in refused(call, manifest(to_postgres))
        same = {"limits": {"min_k": 2}}
        assert "is in the database `prod`" in refused(call, declaring(same, database="prod"))
        (note,) = call(declaring(same, schema="prod"))[1]
        assert "measured in the schema `prod`" in note and "dbt parse --target dev" in note

    def test_a_relation_that_is_not_there(self):
        (model,) = [model for model in manifest().models if model.name == "too_fine"]
        outcome = Outcome("too_fine", "f", error="there is no table or view `a.b`: did you mean `c`?", exit_code=2)
        told = "there is no table or view `a.b`: run `dbt build --select +too_fine`"
        assert explained(outcome, model).error == told
        assert explained(Outcome("x", "f", error="another"), model).error == "another"


class TestRecorded:
    def test_the_statement(self, project):
        relation = audit_relation(manifest().models[1], project, "duckdb")
        assert relation.label == "claims.main.sqlrisk_audit"
        sql = write(newest_histogram(relation, "model.o'hara.x"), "postgres")
        assert sql.count("""\"model" = 'model.o''hara.x'""") == 2
        assert '"claims"."main"."sqlrisk_audit"' in sql and "__" not in sql

    @pytest.mark.parametrize(
        ("variables", "label"),
        [
            ("{sqlrisk_audit_table: trail}", "claims.main.trail"),
            ("{claims: {sqlrisk_audit_table: audit.trail}}", "claims.audit.trail"),
            ("{sqlrisk: {sqlrisk_audit_table: x.audit.trail}, sqlrisk_audit_table: no}", "x.audit.trail"),
        ],
    )
    def test_the_table_that_a_variable_names(self, project, variables, label):
        (project.folder / "dbt_project.yml").write_text(f"name: claims\nprofile: claims\nvars: {variables}\n")
        found = Project.find(project.folder)
        assert audit_relation(manifest().models[1], found, "duckdb").label == label

    def test_limits_that_need_the_table_do_not_pass(self, project):
        item = next(model for model in manifest().models if model.name == "against_register")
        policy = task_of(manifest(), project, "against_register").policy
        result = _result(policy, item, _Recorded(ClassSizes({5: 10}), "audit"))
        (check,) = result.verdict.checks
        assert (check.passed, check.value, result.exit_code) == (False, None, 3)
        assert "the record holds the class sizes of the release alone" in check.reason

    @pytest.mark.parametrize(
        "part",
        [
            {"nulls": "exclude"},
            {"nulls": "wildcard"},
            {"limits": {"min_k": 2, "max_excluded": 0.1}},
            {"limits": {"max_increase": 0.1}},
        ],
    )
    def test_what_no_record_holds(self, project, part):
        declaration = {"quasi_identifiers": ["sex"], "limits": {"min_k": 2}, **part}
        policy = task_of(declaring(declaration), project).policy
        assert refused(refuse_unrecorded, policy).endswith("leave out --from-audit")


PACKAGE = Path("/env/lib/sqlrisk/dbt/package")


class TestPackages:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (None, "packages:\n  - local: /env/lib/sqlrisk/dbt/package\n"),
            ("# none yet\n", "# none yet\npackages:\n  - local: /env/lib/sqlrisk/dbt/package\n"),
            ("packages: []\n", "packages:\n  - local: /env/lib/sqlrisk/dbt/package\n"),
            ("packages:\n", "packages:\n  - local: /env/lib/sqlrisk/dbt/package\n"),
            (
                "packages:\n  # ours\n  - package: dbt-labs/dbt_utils # pinned\n    version: 1.3.0\n",
                "packages:\n  # ours\n  - local: /env/lib/sqlrisk/dbt/package\n"
                "  - package: dbt-labs/dbt_utils # pinned\n    version: 1.3.0\n",
            ),
            ("packages:\n- git: g\n", "packages:\n- local: /env/lib/sqlrisk/dbt/package\n- git: g\n"),
            (
                "packages:\n  - local: '/old/sqlrisk/dbt/package' # of last year\n  - git: g\n",
                "packages:\n  - local: /env/lib/sqlrisk/dbt/package # of last year\n  - git: g\n",
            ),
        ],
    )
    def test_the_rest_of_the_file_stays(self, project, before, after):
        file = project.folder / "packages.yml"
        if before is not None:
            file.write_text(before)
        assert add_package(project, PACKAGE) == (file, True)
        assert file.read_text() == after
        assert add_package(project, PACKAGE) == (file, False)
        assert file.read_text() == after

    def test_where_packages_stand_in_dependencies(self, project):
        (project.folder / "dependencies.yml").write_text("projects: []\npackages:\n  - git: g\n")
        file, changed = add_package(project, PACKAGE)
        assert (file.name, changed) == ("dependencies.yml", True)
        assert not (project.folder / "packages.yml").exists()

    @pytest.mark.parametrize("text", ["packages: [{git: g}]\n", "packages: {git: g}\n", '"packages":\n  - git: g\n'])
    def test_another_form_is_left_as_it_is(self, project, text):
        file = project.folder / "packages.yml"
        file.write_text(text)
        assert "by hand" in refused(add_package, project, PACKAGE)
        assert file.read_text() == text

    def test_an_odd_path(self, project):
        odd = Path("/my env: #1/sqlrisk/dbt/package")
        add_package(project, odd)
        assert yaml.safe_load((project.folder / "packages.yml").read_text()) == {"packages": [{"local": str(odd)}]}
