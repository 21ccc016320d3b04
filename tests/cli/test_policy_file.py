"""A policy file gives the same result as the options; options override it; what is wrong in it is named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import sqlrisk
from sqlrisk.policy import KEYS, LATER, Policy, json_schema
from tests.cli.conftest import Run, Sources, stable

POPULATION = {"description": "all members", "source": "member register", "as_of": "2025-12-31"}


def policy_of(options: dict[str, Any]) -> dict[str, Any]:
    """The policy that says what Python's keywords (the command line's options) say."""
    policy: dict[str, Any] = {"version": 1}
    for name in options.get("attackers", ()):
        policy.setdefault("attackers", {})[name] = {}
    if "previous" in options:
        pairs = [{"table": table, "link_id": options["link_id"]} for table in options["previous"]]
        policy.setdefault("release", {})["previous"] = pairs
    for name, value in options.items():
        if name in ("attackers", "previous", "link_id"):
            continue
        for attacker in options["attackers"] if "*" in KEYS[name] else [""]:
            *parents, last = KEYS[name].replace("*", attacker).split(".")
            section = policy
            for key in parents:
                section = section.setdefault(key, {})
            section[last] = value
    return policy


def arguments_of(options: dict[str, Any]) -> list[str]:
    """The same as arguments of the command line."""
    spelled = {"quasi_identifiers": "--quasi-identifier", "attackers": "--attacker"}
    arguments: list[str] = []
    for name, value in options.items():
        option = spelled.get(name, "--" + name.replace("_", "-"))
        if isinstance(value, dict) and name in ("context", "agreement"):
            for key, text in value.items():
                arguments += [option, f"{key}={text}"]
        elif isinstance(value, dict):
            arguments += [option, ",".join(f"{ours}={theirs}" for ours, theirs in value.items())]
        else:
            for item in value if isinstance(value, list) else [value]:
                arguments += [option, str(item)]
    return arguments


# Options of a run, by their names in Python.
SETS: dict[str, dict[str, Any]] = {
    "sensitive columns": {
        "quasi_identifiers": ["sex"],
        "sensitive": ["paid:numeric", "code"],
        "sensitive_nulls": "ignore",
        "min_l": 2,
        "min_entropy_l": 1.5,
        "max_recursive_c": 4,
        "recursive_l": 3,
        "max_t": 0.5,
        "max_alpha": 0.5,
        "max_beta": 2,
        "max_delta_disclosure": 1.5,
    },
    "presence": {
        "quasi_identifiers": ["sex"],
        "population_table": "register",
        "min_k_map": 2,
        "max_delta_presence": 0.5,
    },
    "a model": {
        "quasi_identifiers": ["sex"],
        "population_model": str(Path(__file__).with_name("model.csv")),
        "population_size": 5_000,
        "min_k_map": 2,
    },
    "plain": {"quasi_identifiers": ["sex", "age"]},
    "generalised": {"quasi_identifiers": ["sex", "age:band=5", "zip:prefix=3", "admitted:truncate=month"]},
    "every kind": {
        "quasi_identifiers": ["age:cut=22,25", "paid:round=-2", "admitted:weekday", "code:normalise=trim+casefold"]
    },
    "where": {"quasi_identifiers": ["age"], "where": "sex = 'F' AND age > 20"},
    "query": {"query": "SELECT * FROM claims WHERE age > 22", "quasi_identifiers": ["sex"]},
    "missing": {"quasi_identifiers": ["sex", "zip"], "nulls": "exclude", "suppressed": "*", "max_excluded": "0.5"},
    "unparseable": {"quasi_identifiers": ["code:band=2"], "unparseable": "null", "min_k": 2},
    "multiset": {"quasi_identifiers": ["sex", "age"], "entity_id": "member_id"},
    "distinct": {"quasi_identifiers": ["sex", "age"], "entity_id": "member_id", "entity_counting": "distinct"},
    "population": {
        "quasi_identifiers": ["sex", "age"],
        "population_table": "register",
        "population_columns": {"sex": "sex", "age": "age"},
        "population_where": "member_id < 200",
        "population_entity_id": "member_id",
    },
    "estimated": {
        "quasi_identifiers": ["sex", "age"],
        "population_size": 5_000,
        "estimator": "pitman_yor",
        "seed": 7,
        "attackers": ["marketer"],
        "max_average_risk": "0.9",
        "max_population_uniques": "0.5",
        "accept_weak": "a test",
    },
    "estimator without an attacker": {
        "quasi_identifiers": ["sex", "age"],
        "sampling_fraction": "0.05",
        "estimator": "ewens",
        "attackers": ["prosecutor"],
        "max_average_risk": 1,
    },
    "a precedent": {"quasi_identifiers": ["sex"], "profile": "k5", "attackers": ["prosecutor", "marketer"]},
    "on the record": {
        "quasi_identifiers": ["sex", "age"],
        "context": {"deliberate": 0.3, "prevalence": "1/100", "public": True, "justification": "a test"},
        "agreement": {"recipient": "the university", "valid_until": "2099-12-31"},
    },
    "fractions": {"quasi_identifiers": ["sex", "age"], "sampling_fraction": "0.01,0.5"},
    "survey": {"quasi_identifiers": ["sex"], "weight": "member_id", "household": "age"},
    "earlier releases": {"quasi_identifiers": ["sex"], "previous": ["claims_view", "register"], "link_id": "member_id"},
    "limits": {
        "quasi_identifiers": ["sex", "age"],
        "attackers": ["prosecutor"],
        "threshold": "1/11",
        "max_highest_risk": "1/3",
        "max_average_risk": 0.2,
        "max_share_at_risk": 0,
        "min_k": 3,
        "max_sample_uniques": "0.01",
        "justification": "researchers under a contract: they know who is in it",
    },
    "marketer": {
        "quasi_identifiers": ["sex"],
        "population_table": "register",
        "attackers": ["prosecutor", "marketer"],
        "max_average_risk": "0.05",
        "threshold": "k=5",
    },
    "guards": {"quasi_identifiers": ["sex"], "timeout": 20, "max_rows": 50},
    "odd texts": {
        "quasi_identifiers": ["sex"],
        "where": "zip <> '${' OR zip IS NULL",
        "justification": "a: b # c\n'd'",
    },
}


def _with_table(options: dict[str, Any]) -> dict[str, Any]:
    return options if "query" in options else {"table": "claims", **options}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Any], Path]:
    """Write a policy."""

    def call(policy: Any) -> Path:
        file = tmp_path / "policy.yaml"
        text = policy if isinstance(policy, str) else yaml.safe_dump(policy, sort_keys=False)
        file.write_text(text, "utf-8")
        return file

    return call


@pytest.fixture
def document(run: Callable[..., Run]) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Exit code and document of a run."""

    def call(*arguments: object) -> tuple[int, dict[str, Any]]:
        done = run("assess", *arguments, "--format", "json")
        assert done.err == "", done
        return done.code, stable(json.loads(done.out))

    return call


class TestSame:
    def test_every_option_is_in_some_set(self):
        output = {"format", "output", "save", "public", "histogram", "quiet", "progress", "max_bytes"}
        assert {name for options in SETS.values() for name in _with_table(options)} | output == set(KEYS)

    @pytest.mark.parametrize("name", SETS)
    def test_policy_options_and_python(self, document, write, sources: Sources, name: str):
        options = _with_table(SETS[name])
        by_options = document(sources.database, *arguments_of(options))
        by_policy = document("--policy", write({**policy_of(options), "connection": str(sources.database)}))
        by_python = sqlrisk.assess(sources.database, **options)
        assert by_policy == by_options
        assert by_options == (by_python.exit_code, stable(by_python.to_dict()))

    @pytest.mark.parametrize("name", SETS)
    def test_policies_of_python(self, write, sources: Sources, name: str):
        options = _with_table(SETS[name])
        by_policy = sqlrisk.assess(sources.database, policy=write(policy_of(options)))
        assert stable(by_policy.to_dict()) == stable(sqlrisk.assess(sources.database, **options).to_dict())

    @pytest.mark.parametrize("name", SETS)
    def test_the_policy_is_valid_by_the_schema(self, name: str):
        import jsonschema

        jsonschema.validate(policy_of(_with_table(SETS[name])), json_schema())

    def test_mappings_are_the_other_way_to_write_a_generalisation(self, document, write, sources: Sources):
        policy = """
            version: 1
            release:
              table: claims
              quasi_identifiers:
                - sex
                - age: {band: 5}
                - zip: {prefix: 3}
                - admitted: {truncate: month}
                - paid: {cut: [500, 1000]}
                - code: {normalise: [trim, casefold]}
        """
        texts = ["sex", "age:band=5", "zip:prefix=3", "admitted:truncate=month", "paid:cut=500,1000"]
        options = {"table": "claims", "quasi_identifiers": [*texts, "code:normalise=trim+casefold"]}
        assert document(sources.database, "--policy", write(policy)) == document(
            sources.database, *arguments_of(options)
        )

    def test_outputs_are_in_the_policy_too(self, run, write, sources: Sources, tmp_path: Path):
        output, histogram = tmp_path / "risk.md", tmp_path / "sizes.csv"
        policy = {
            **policy_of({"table": "claims", "quasi_identifiers": ["sex"]}),
            "output": {"format": "markdown", "file": str(output), "histogram": str(histogram), "quiet": True},
        }
        assert run("assess", sources.database, "--policy", write(policy)) == Run(0, "", "")
        assert output.read_text().lstrip().startswith(("#", ">", "*"))
        assert histogram.read_text() == "class_size,classes\n20,1\n39,1\n"

    def test_maps_are_beside_the_policy(self, document, write, sources: Sources, tmp_path: Path, monkeypatch):
        (tmp_path / "map.csv").write_text("value,group\nF,x\nM,y\n")
        policy = write(policy_of({"table": "claims", "quasi_identifiers": ["sex:map=map.csv"]}))
        monkeypatch.chdir(sources.folder)
        assert document(sources.database, "--policy", policy)[1]["class_sizes"] == [[20, 1], [39, 1]]

    def test_variables_come_from_the_environment(self, document, write, sources: Sources, monkeypatch):
        monkeypatch.setenv("THE_FOLDER", str(sources.folder))
        monkeypatch.setenv("THE_SEX", "F")
        policy = policy_of({"table": "claims", "quasi_identifiers": ["sex"], "where": "sex = '${THE_SEX}'"})
        policy["connection"] = "${THE_FOLDER}/warehouse.duckdb"
        assert document("--policy", write(policy))[1]["class_sizes"] == [[20, 1]]

    def test_the_policy_is_named_in_the_statement(self, write, sources: Sources):
        policy = write(policy_of({"table": "claims", "quasi_identifiers": ["sex"]}))
        sql = sqlrisk.assess(sources.database, policy=policy).queries[-1].sql
        assert sql.startswith(f"/* sqlrisk {sqlrisk.__version__}: measuring the release policy.yaml */\n")

    def test_the_name_of_a_policy_cannot_end_the_comment(self, document, sources: Sources, tmp_path: Path):
        file = tmp_path / "x*" / "DROP TABLE claims; --.yaml"
        file.parent.mkdir()
        file = tmp_path / "a */ DROP TABLE claims; --.yaml".replace("/", "\N{FRACTION SLASH}")
        file.write_text(yaml.safe_dump(policy_of({"table": "claims", "quasi_identifiers": ["sex"]})))
        assert document(sources.database, "--policy", file)[0] == 0

    def test_a_population_is_described(self, document, write, sources: Sources):
        policy = policy_of(
            {
                "table": "claims",
                "quasi_identifiers": ["sex"],
                "population_table": "register",
                "attackers": ["journalist"],
                "max_share_at_risk": "0",
            }
        )
        policy["population"].update(POPULATION)
        code, measured = document(sources.database, "--policy", write(policy))
        assert code == 0
        assert {key: measured["population"][key] for key in POPULATION} == POPULATION


class TestOverride:
    """An option wins over the policy, whatever stands there."""

    POLICY: dict[str, Any] = {
        "table": "register",
        "quasi_identifiers": ["zip"],
        "where": "age > 25",
        "nulls": "exclude",
        "suppressed": "*",
        "population_table": "claims",
        "population_where": "age > 1",
        "attackers": ["prosecutor"],
        "threshold": "1/3",
        "max_highest_risk": "1/4",
        "min_k": 7,
        "max_sample_uniques": "0.5",
        "max_excluded": "0.9",
        "justification": "policy",
        "max_rows": 1000,
    }
    OVERRIDES: dict[str, Any] = {
        "table": "claims",
        "query": "SELECT * FROM claims WHERE age > 22",
        "quasi_identifiers": ["sex"],
        "where": "age > 1",
        "nulls": "value",
        "suppressed": "-",
        "population_table": "register",
        "population_columns": {"zip": "sex"},
        "population_where": "age > 2",
        "population_entity_id": "member_id",
        "threshold": "1/2",
        "max_highest_risk": "0.9",
        "max_average_risk": "0.8",
        "max_share_at_risk": "0.7",
        "min_k": 2,
        "max_sample_uniques": "0.4",
        "max_excluded": "0.2",
        "justification": "option",
        "max_rows": 500,
        "unparseable": "null",
        "entity_id": "member_id",
    }

    @pytest.mark.parametrize("name", OVERRIDES)
    def test_each(self, document, write, sources: Sources, name: str):
        option = {name: self.OVERRIDES[name]}
        merged = {key: value for key, value in self.POLICY.items() if not (name == "query" and key == "table")}
        if name == "entity_id":  # people of the register, too
            option["population_entity_id"] = merged["population_entity_id"] = "member_id"
        expected = document(sources.database, *arguments_of({**merged, **option}))
        policy = write(policy_of(self.POLICY))
        assert document(sources.database, "--policy", policy, *arguments_of(option)) == expected

    def test_attackers(self, document, write, sources: Sources):
        """Naming attackers leaves out the policy's others, and keeps the limits of those it names."""
        policy = write(policy_of({**self.POLICY, "attackers": ["prosecutor"], "max_average_risk": "0.3"}))
        _, measured = document(sources.database, "--policy", policy, "--attacker", "marketer")
        assert not [check for check in measured["verdict"]["checks"] if "prosecutor" in check["measure"]]
        _, measured = document(
            sources.database, "--policy", policy, "--attacker", "prosecutor", "--attacker", "marketer"
        )
        measures = [check["measure"] for check in measured["verdict"]["checks"] if "attackers" in check["measure"]]
        assert measures == ["attackers.prosecutor.highest_risk", "attackers.prosecutor.average_risk"]

    def test_a_threshold_replaces_those_of_the_attackers(self, document, write, sources: Sources):
        policy = policy_of({"table": "claims", "quasi_identifiers": ["sex"], "attackers": ["prosecutor"]})
        policy["attackers"]["prosecutor"]["threshold"] = "1/3"
        file = write(policy)
        assert document(sources.database, "--policy", file)[1]["attackers"]["prosecutor"]["threshold"] == "1/3"
        _, measured = document(sources.database, "--policy", file, "--threshold", "1/4")
        assert measured["attackers"]["prosecutor"]["threshold"] == "1/4"

    def test_output(self, run, write, sources: Sources, tmp_path: Path):
        policy = policy_of({"table": "claims", "quasi_identifiers": ["sex"]})
        policy["output"] = {"format": "markdown", "file": str(tmp_path / "a"), "histogram": str(tmp_path / "b")}
        arguments = ["--format", "json", "--output", tmp_path / "c", "--histogram", tmp_path / "d", "--quiet"]
        assert run("assess", sources.database, "--policy", write(policy), *arguments).code == 0
        assert json.loads((tmp_path / "c").read_text())["schema_version"] == 1
        assert (tmp_path / "d").exists() and not (tmp_path / "a").exists() and not (tmp_path / "b").exists()

    def test_source(self, document, write, sources: Sources):
        policy = policy_of({"table": "claims", "quasi_identifiers": ["sex"]})
        policy["connection"] = "postgresql://nobody@127.0.0.1:1/nothing"
        assert document(sources.database, "--policy", write(policy))[0] == 0

    def test_a_source_leaves_the_connection_s_variables_alone(self, document, write, sources: Sources):
        """Who names another source need not have the policy's password."""
        policy = policy_of({"table": "claims", "quasi_identifiers": ["sex"]})
        policy["connection"] = "${SQLRISK_NO_SUCH}"
        assert document(sources.database, "--policy", write(policy))[0] == 0


class TestWrong:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("verson: 1\n", ["line 1", "`verson`", "did you mean `version`"]),
            ("version: 2\n", ["line 1", "`version`"]),
            ("version: 1\n\nrelease:\n  tabel: claims\n", ["line 4", "`release.tabel`", "did you mean `table`"]),
            (
                "release:\n  quasi_identifiers:\n    - sex\n    - age: {bnd: 5}\n",
                ["line 4", "`age`", "did you mean `band`"],
            ),
            ("release:\n  quasi_identifiers:\n    - 5\n", ["line 3", "`5`"]),
            ("release:\n  quasi_identifiers: [yes]\n", ["line 2", "quotes"]),
            ("release:\n  quasi_identifiers: sex\n", ["line 2", "`release.quasi_identifiers`"]),
            ("release:\n  nulls: maybe\n", ["line 2", "`release.nulls`"]),
            ("release: {table: a, query: b}\n", ["line 1", "table", "query"]),
            ("limits:\n  min_k: many\n", ["line 2", "`limits.min_k`"]),
            ("limits:\n  max_share_at_risk: 1\n", ["line 2", "max_share_at_risk"]),
            ("attackers:\n  prosecutor:\n    threshold: 2\n", ["line 3", "(0, 1]"]),
            ("attackers:\n  neighbour: {}\n", ["line 2", "`attackers.neighbour`"]),
            ("attackers:\n  marketer: {max_highest_risk: 1}\n", ["line 2", "max_highest_risk", "max_average_risk"]),
            ("attackers: prosecutor\n", ["line 1", "`attackers`"]),
            ("population:\n  where: a > 1\n", ["line 2", "`where`", "`table`"]),
            ("guards:\n  timeout: -1\n", ["line 2", "`guards.timeout`"]),
            ("release:\n  where: \"a = '${SQLRISK_NO_SUCH}'\"\n", ["line 2", "SQLRISK_NO_SUCH"]),
            ("version: 1\nversion: 1\n", ["line 2", "`version`", "twice"]),
            ("release:\n  table: a\n  table: b\n", ["line 3", "twice"]),
            ("release: [\n", ["line", "YAML"]),
            ("release:\n\ttable: a\n", ["line 2", "YAML"]),
            ("a: !!python/object/apply:os.system ['true']\n", ["YAML"]),
            ("- a\n- b\n", ["not a policy"]),
            ("just text\n", ["not a policy"]),
            ("", ["not a policy"]),
            ("a: &a [x, x, x, x]\nb: &b [*a, *a, *a]\n" * 1, ["`a`"]),
            ("version: 1\n---\nversion: 1\n", ["YAML"]),
            ("? [a, b]\n: c\n", ["policy.yaml"]),
            ("1: 2\n", ["`1`"]),
            ("release: *unknown\n", ["YAML"]),
            ("release: &self\n  query: *self\n", ["policy.yaml"]),
            ("version: 2026-01-01\n", ["line 1", "`version`"]),
            ("population:\n  table: r\n  as_of: soon\n", ["line 3", "`population.as_of`"]),
        ],
    )
    def test_it_is_named(self, refused, write, sources: Sources, text: str, said: list[str]):
        line = refused(2, "assess", sources.csv, "--policy", write(text))
        assert "policy.yaml" in line
        for part in said:
            assert part in line

    def test_many_aliases(self, refused, write, sources: Sources):
        """A short file that unfolds to billions of nodes."""
        levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
        levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
        assert "policy.yaml" in refused(2, "assess", sources.csv, "-q", "sex", "--policy", write("\n".join(levels)))

    def test_deep_nesting(self, refused, write, sources: Sources):
        refused(2, "assess", sources.csv, "-q", "sex", "--policy", write("a: " + "[" * 5000 + "]" * 5000))

    def test_no_such_file(self, refused, sources: Sources, tmp_path: Path):
        assert "nowhere.yaml" in refused(2, "assess", sources.csv, "--policy", tmp_path / "nowhere.yaml")

    def test_a_folder(self, refused, sources: Sources, tmp_path: Path):
        assert str(tmp_path) in refused(2, "assess", sources.csv, "--policy", tmp_path)

    def test_no_text(self, refused, sources: Sources, tmp_path: Path):
        (tmp_path / "policy.yaml").write_bytes(b"\xff\xfe\x00")
        assert "UTF-8" in refused(2, "assess", sources.csv, "--policy", tmp_path / "policy.yaml")

    def test_too_large(self, refused, sources: Sources, tmp_path: Path):
        (tmp_path / "policy.yaml").write_text("#" * 1_000_001)
        assert "larger" in refused(2, "assess", sources.csv, "--policy", tmp_path / "policy.yaml")

    @pytest.mark.parametrize("key", LATER)
    def test_what_comes_later_is_refused_by_name(self, refused, write, sources: Sources, key: str):
        policy = policy_of({"table": "claims", "quasi_identifiers": ["sex"]})
        *parents, last = key.split(".")
        section = policy
        for parent in parents:
            section = section.setdefault(parent, {})
        section[last] = _example(key)
        line = refused(2, "assess", sources.database, "--policy", write(policy))
        assert f"`{key}`" in line and "policy.yaml, line " in line and "does not measure it yet" in line

    def test_a_journalist_s_verdict_needs_a_population_described(self, refused, write, sources: Sources):
        policy = policy_of(
            {
                "table": "claims",
                "quasi_identifiers": ["sex"],
                "population_table": "register",
                "attackers": ["journalist"],
                "max_share_at_risk": "0",
            }
        )
        for absent in POPULATION:
            policy["population"].update({key: value for key, value in POPULATION.items() if key != absent})
            policy["population"].pop(absent, None)
            assert f"`population.{absent}`" in refused(2, "assess", sources.database, "--policy", write(policy))

    def test_options_name_themselves(self, refused, write, sources: Sources):
        policy = write(policy_of({"table": "claims", "quasi_identifiers": ["sex"], "min_k": 2}))
        line = refused(2, "assess", sources.database, "--policy", policy, "--min-k", "x")
        assert line.startswith("--min-k: ") and "policy.yaml" not in line


def _example(key: str) -> Any:
    field: Any = Policy
    for part in key.split("."):
        model = next(
            item
            for item in [field, *getattr(field, "__args__", ())]
            if isinstance(item, type) and hasattr(item, "model_fields")
        )
        field = model.model_fields[part].annotation
    text = str(field)
    values = {"list": ["x"], "dict": {"x": 1}, "Literal": "ignore", "int": 7, "float": 0.5, "bool": True}
    if key == "output.public" or "measure_only" in key:
        return True
    if "Fraction" in text:
        return 0.5
    return next((value for name, value in values.items() if re.search(name, text)), "text")
