# ruff: noqa: E501 - one case a line
"""Policies: what a file may say, what is refused, and where the message says it stands."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import get_args

import pytest

import sqlrisk
from sqlrisk.errors import RequestError
from sqlrisk.policy import KEYS, LATER, Policy, json_schema
from sqlrisk.policy_document import Document

FULL = """\
version: 1
connection: ${SQLRISK_TEST_URL}
release:
  table: analytics.claims_release
  where: "service_year = 2025"
  quasi_identifiers:
    - sex
    - age: {band: 5}
    - zip: {prefix: 3}
    - admitted: {truncate: month}
    - income: {cut: [0, 20000, 50000]}
    - started: weekday
  entity_id: member_id
  nulls: value
population:
  table: analytics.members
  columns: {sex: gender}
  description: all members of the insurer
  source: member register
  as_of: 2025-12-31
attackers:
  prosecutor: {threshold: 1/5, max_share_at_risk: 0.0, max_highest_risk: 1/5}
  journalist: {threshold: 1/11, max_share_at_risk: 0.05}
  marketer:   {max_average_risk: 0.05}
limits: {min_k: 5}
justification: "why this threshold and this attacker, for this recipient"
"""


@pytest.fixture
def read(tmp_path, monkeypatch):
    monkeypatch.delenv("SQLRISK_TEST_UNSET", raising=False)
    monkeypatch.setenv("SQLRISK_TEST_URL", "duckdb:///claims.duckdb")

    def write_and_read(text: str) -> Policy:
        path = tmp_path / "p.yml"
        path.write_text(text, "utf-8")
        return Document.read(path).validate()

    return write_and_read


@pytest.fixture
def refusal(read):
    def of(text: str) -> str:
        with pytest.raises(RequestError) as caught:
            read(text)
        assert caught.value.exit_code == 2
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return of


def test_full_policy(read):
    policy = read(FULL)
    assert policy.connection == "${SQLRISK_TEST_URL}"
    specs = [qi.spec for qi in policy.release.quasi_identifiers]
    assert specs == [
        "sex",
        "age:band=5",
        "zip:prefix=3",
        "admitted:truncate=month",
        "income:cut=0,20000,50000",
        "started:weekday",
    ]
    assert policy.population.as_of == date(2025, 12, 31)
    assert policy.population.columns == {"sex": "gender"}
    assert policy.attackers.named == ["prosecutor", "journalist", "marketer"]
    assert policy.threshold_of("prosecutor").value == Fraction(1, 5)
    assert policy.threshold_of("journalist").value == Fraction(1, 11)
    assert policy.attackers.prosecutor.max_highest_risk == Fraction(1, 5)
    assert policy.attackers.marketer.max_average_risk == Fraction(1, 20)
    assert policy.limits.min_k == 5
    assert policy.has_default_threshold is False


def test_defaults(read):
    policy = read("version: 1")
    assert (policy.release.nulls, policy.release.entity_counting, policy.release.unparseable) == (
        "value",
        "multiset",
        "error",
    )
    assert (policy.guards.max_rows, policy.guards.timeout, policy.guards.max_bytes) == (100_000, None, None)
    assert policy.threshold_of("prosecutor").text == "1/5"
    assert policy.has_default_threshold is True
    assert policy.attackers.named == []


def test_numbers_are_exact(read):
    policy = read("threshold: 0.09\nlimits: {max_sample_uniques: 0.1, max_excluded: 1/3}")
    assert policy.threshold.value == Fraction(9, 100)
    assert policy.limits.max_sample_uniques == Fraction(1, 10)
    assert policy.limits.max_excluded == Fraction(1, 3)


# (text, what the message says, and where)
# fmt: off
REFUSED = [
    ("relaese: {}", "p.yml, line 1: `relaese` is not a key of a policy: did you mean `release`"),
    ("version: 1\n\nrelease:\n  tabel: t", "p.yml, line 4: `release.tabel` is not a key of a policy: did you mean `table`?"),
    ("version: 1\nlimits:\n  min_k: 5\n  min_kk: 5", "p.yml, line 4: `limits.min_kk`"),
    ("attackers:\n  prosecuter: {}", "p.yml, line 2: `attackers.prosecuter` is not a key of a policy: did you mean `prosecutor`?"),
    ("attackers: {prosecutor: {treshold: 1/5}}", "`attackers.prosecutor.treshold` is not a key of a policy: did you mean `threshold`?"),
    ("attackers: {marketer: {max_highest_risk: 1}}", "`attackers.marketer.max_highest_risk` is not a key"),
    ("guards: {time_out: 5}", "did you mean `timeout`?"),
    ("population: {tables: t}", "did you mean `table`?"),
    ("zzz: 1", "`zzz` is not a key of a policy: there is `version`"),
    ("release: {table: a}\nrelease: {table: b}", "p.yml, line 2: `release` stands twice"),
    ("release:\n  table: a\n  table: b", "p.yml, line 3: `table` stands twice"),
    ("attackers:\n  prosecutor: {}\n  prosecutor: {max_highest_risk: 1}", "p.yml, line 3: `prosecutor` stands twice"),
    ("version: 2", "p.yml, line 1: `version`"),
    ("version: '1'", "p.yml, line 1: `version`"),
    ("version:", "p.yml, line 1: `version`"),
    ("", "p.yml is not a policy: begin it with `version: 1`"),
    ("# nothing", "not a policy"),
    ("- a", "not a policy"),
    ("policy", "not a policy"),
    ("5", "not a policy"),
    ("version: 1\n  x: 2", "p.yml, line 2: not valid YAML"),
    ("version: 1\n\tx: 2", "p.yml, line 2: not valid YAML"),
    ("version: [1", "not valid YAML"),
    ("version: 1\n---\nversion: 1", "not valid YAML"),
    ("version: *nothing", "undefined alias"),
    ("a: !!python/object/apply:os.system ['id']", "not valid YAML"),
    ("a: !custom 1", "not valid YAML"),
    ("release: {table: 5}", "p.yml, line 1: `release.table`"),
    ("release: {table: [t]}", "`release.table`"),
    ("release: [t]", "`release`"),
    ("release: t", "`release`"),
    ("release: {quasi_identifiers: age}", "`release.quasi_identifiers`"),
    ("release: {quasi_identifiers: {age: {band: 5}}}", "`release.quasi_identifiers`"),
    ("release:\n  quasi_identifiers:\n    - sex\n    - 5", "p.yml, line 4: `release.quasi_identifiers`: `5` is not read as a column's name"),
    ("release: {quasi_identifiers: [yes]}", "`True` is not read as a column's name: put it in quotes"),
    ("release: {quasi_identifiers: [on: {band: 5}]}", "put it in quotes"),
    ("release: {quasi_identifiers: [null]}", "put it in quotes"),
    ("release:\n  quasi_identifiers:\n    - sex\n    - age: {bnd: 5}", "p.yml, line 4: `release.quasi_identifiers`: `age`: there is no generalisation `bnd`: did you mean `band`?"),
    ("release: {quasi_identifiers: [{age: {band: 5}, sex: }]}", "one column"),
    ("release: {quasi_identifiers: [age: {band: -1}]}", "not above 0"),
    ("release: {quasi_identifiers: [age: {band: five}]}", "`five` is not a number"),
    ("release: {nulls: maybe}", "'value', 'wildcard' or 'exclude'"),
    ("release: {nulls: yes}", "'value', 'wildcard' or 'exclude'"),
    ("release: {entity_counting: people}", "'multiset' or 'distinct'"),
    ("release: {unparseable: drop}", "'error' or 'null'"),
    ("release: {where: 5}", "`release.where`"),
    ("release: {suppressed: 0}", "`release.suppressed`"),
    ("release: {table: t, query: select 1}", "both a table and a query"),
    ("threshold: 0", "outside (0, 1]"),
    ("threshold: 2", "outside (0, 1]"),
    ("threshold: -0.1", "outside (0, 1]"),
    ("threshold: yes", "`True` is not a number"),
    ("threshold: [0.2]", "not a number"),
    ("threshold: 20%", "not a number"),
    ("threshold: .nan", "not a number"),
    ("threshold: .inf", "not a number"),
    ("attackers: [prosecutor]", "`attackers`"),
    ("attackers: prosecutor", "`attackers`"),
    ("attackers: {prosecutor: 5}", "`attackers.prosecutor`"),
    ("attackers: {prosecutor: {max_highest_risk: 2}}", "outside [0, 1]: it is a share"),
    ("attackers: {prosecutor: {max_highest_risk: 5%}}", "not a number"),
    ("attackers: {prosecutor: {max_highest_risk: -1}}", "not a number"),
    ("limits: {min_k: 0}", "greater than or equal to 1 (`0`)"),
    ("limits: {min_k: 5.5}", "`limits.min_k`"),
    ("limits: {min_k: five}", "`limits.min_k`"),
    ("limits: {min_k: [5]}", "`limits.min_k`"),
    ("limits: {max_sample_uniques: 1.5}", "it is a share"),
    ("limits: {max_sample_uniques: 1/0}", "divides by zero"),
    ("limits: 5", "`limits`"),
    ("guards: {timeout: 0}", "greater than 0"),
    ("guards: {timeout: 5m}", "valid number"),
    ("guards: {max_rows: 0}", "greater than or equal to 1"),
    ("population: {columns: {a: b}}", "`columns` describes the population table: give `table` too"),
    ("population: {where: a}", "give `table` too"),
    ("population: {entity_id: a}", "give `table` too"),
    ("population: {table: p, columns: a}", "not a list of columns"),
    ("population: {table: p, columns: [a]}", "`population.columns`"),
    ("population: {table: p, as_of: yesterday}", "`population.as_of`"),
    ("output: {format: pdf}", "'html', 'sdp-json', 'junit' or 'agreement'"),
    ("justification: [1]", "`justification`"),
    ("1: 2", "p.yml, line 1"),
    ("version: 1\nrelease:\n  table: a.${SQLRISK_TEST_UNSET}", "p.yml, line 3: the environment has no variable SQLRISK_TEST_UNSET"),
    ("release:\n  quasi_identifiers:\n    - '${SQLRISK_TEST_UNSET}'", "p.yml, line 3: the environment has no variable"),
]
# fmt: on


@pytest.mark.parametrize(("text", "said"), REFUSED, ids=[case[0][:60] for case in REFUSED])
def test_refused(refusal, text, said):
    assert said in refusal(text)


# What the format has and this version does not measure is refused by name, never ignored.
VALUES = {
    "releases": "[{table: t}]",
    "release.sensitive": "[a]",
    "release.sensitive_nulls": "ignore",
    "release.previous": "[{table: t}]",
    "population.sampling_fraction": "0.5",
    "context": "{a: 1}",
    "agreement": "{a: 1}",
    "measure_only": "true",
    "output.public": "true",
    "limits.min_k_map": "2",
    "limits.max_t": "0.5",
    "limits.max_delta_presence": "0.5",
}


@pytest.mark.parametrize("key", sorted(LATER))
def test_later_keys_are_refused_by_name(refusal, key):
    *sections, last = key.split(".")
    text = f"{last}: {VALUES.get(key, '1')}"
    for section in reversed(sections):
        text = f"{section}: {{{text}}}"
    for wanted in (text, text.replace(": 1", ": '1'")):
        message = refusal(wanted)
        if "is part of the policy format" in message:
            assert f"`{key}`" in message
            assert "p.yml, line 1" in message
            return
    pytest.fail(message)


def test_wildcard_with_several_rows_a_person_is_refused_by_name(refusal):
    assert "wildcard" in refusal("release: {nulls: wildcard, entity_id: person}")


def test_bomb_of_aliases(refusal):
    lines = ['a: &a ["x", "x", "x", "x", "x", "x", "x", "x", "x"]']
    lines += [f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]" for old, new in zip("abcdefgh", "bcdefghi", strict=True)]
    assert "too large for a policy" in refusal("\n".join(lines))


@pytest.mark.parametrize("text", ["a: &a [*a]", "a: &a {b: *a}", "a: &a {<<: *a}", "a: &a\n  - &b [*a]\n  - *b"])
def test_aliases_of_themselves(refusal, text):
    assert "p.yml" in refusal(text)


@pytest.mark.parametrize(
    "text", ["x: " + "[" * 1200, "x: " + "[" * 1200 + "]" * 1200, "x: " + "{a: " * 2000 + "1" + "}" * 2000]
)
def test_deep_nesting(refusal, text):
    assert "p.yml" in refusal(text)


def test_aliases_that_are_no_bomb(read):
    policy = read("attackers:\n  prosecutor: &same {max_highest_risk: 1/5}\n  journalist: *same")
    assert policy.attackers.journalist.max_highest_risk == Fraction(1, 5)


@pytest.mark.parametrize("text", ["? [a]\n: 1", "? {a: b}\n: 1"])
def test_keys_that_are_no_text(refusal, text):
    assert "p.yml, line 1" in refusal(text)


def test_impossible_date_says_where(refusal):
    assert "line 3" in refusal("version: 1\npopulation:\n  as_of: 2025-02-30")


@pytest.mark.parametrize(
    "text", ["limits: {min_k: true}", "version: true", "guards: {max_rows: yes}", "guards: {timeout: yes}"]
)
def test_yes_is_no_number(refusal, text):
    assert refusal(text)


def test_endless_timeout(refusal):
    assert "timeout" in refusal("guards: {timeout: .inf}")


@pytest.mark.parametrize("text", ["limits: {max_sample_uniques: 0.00005}", "threshold: 0.00005"])
def test_small_numbers(read, text):
    policy = read(text)
    assert Fraction(5, 100_000) in {policy.limits.max_sample_uniques, policy.threshold and policy.threshold.value}


def test_file_that_cannot_be_read(tmp_path):
    with pytest.raises(RequestError, match="there is no policy file"):
        Document.read(tmp_path / "nothing.yml")
    with pytest.raises(RequestError, match="cannot be read"):
        Document.read(tmp_path)
    path = tmp_path / "latin.yml"
    path.write_bytes("justification: Größe".encode("latin-1"))
    with pytest.raises(RequestError, match="not UTF-8"):
        Document.read(path)
    path.write_text("#" * 1_000_001)
    with pytest.raises(RequestError, match="larger than a policy"):
        Document.read(path)
    path.write_bytes("\ufeffversion: 1".encode())
    assert Document.read(path).validate().version == 1


def test_control_characters(tmp_path):
    path = tmp_path / "p.yml"
    path.write_bytes(b"version: 1\x00")
    with pytest.raises(RequestError, match="not valid YAML"):
        Document.read(path)


def test_variables_are_taken_from_the_environment(read):
    policy = read("justification: a${SQLRISK_TEST_URL}b\nrelease: {where: 'x = $1 or y = ${not a name}'}")
    assert policy.justification == "aduckdb:///claims.duckdbb"
    assert policy.release.where == "x = $1 or y = ${not a name}"


def test_variables_are_not_read_twice(read, monkeypatch):
    monkeypatch.setenv("SQLRISK_TEST_URL", "${HOME}")
    assert read("justification: ${SQLRISK_TEST_URL}").justification == "${HOME}"


# Options over a policy


def override(text: str, tmp_path, **options) -> Policy:
    path = tmp_path / "p.yml"
    path.write_text(text, "utf-8")
    document = Document.read(path)
    document.override(options, lambda name: "--" + name.replace("_", "-"))
    return document.validate()


def test_options_override(tmp_path):
    policy = override(
        "release: {table: t, quasi_identifiers: [a]}\nlimits: {min_k: 3}",
        tmp_path,
        table="u",
        min_k=5,
        quasi_identifiers=["b"],
        where=None,
    )
    assert (policy.release.table, policy.limits.min_k) == ("u", 5)
    assert [qi.spec for qi in policy.release.quasi_identifiers] == ["b"]


def test_query_and_table_replace_each_other(tmp_path):
    assert override("release: {table: t}", tmp_path, query="select 1").release.table is None
    assert override("release: {query: select 1}", tmp_path, table="t").release.query is None
    with pytest.raises(RequestError, match="both"):
        override("version: 1", tmp_path, table="t", query="select 1")


def test_threshold_of_an_option_is_everybodys(tmp_path):
    policy = override("attackers: {prosecutor: {threshold: 1/3}, journalist: }", tmp_path, threshold="1/11")
    assert policy.threshold_of("prosecutor").text == policy.threshold_of("journalist").text == "1/11"


def test_limits_of_options_go_to_each_attacker_named(tmp_path):
    policy = override("attackers: {prosecutor: }", tmp_path, max_average_risk=0.1)
    assert policy.attackers.prosecutor.max_average_risk == Fraction(1, 10)
    policy = override(
        FULL.replace("${SQLRISK_TEST_URL}", "x"), tmp_path, attackers=["marketer"], max_average_risk="0.2"
    )
    assert policy.attackers.named == ["marketer"]
    assert policy.attackers.marketer.max_average_risk == Fraction(1, 5)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_highest_risk": 0.1}, "--max-highest-risk needs an attacker"),
        ({"attackers": ["marketer"], "max_highest_risk": 0.1}, "does not apply to a marketer"),
        ({"attackers": ["persecutor"]}, "--attackers: there is no attacker `persecutor`: did you mean `prosecutor`?"),
        ({"min_k": "x"}, "--min-k"),
        ({"threshold": "x"}, "--threshold"),
        ({"quasi_identifiers": ["age:bnd=5"]}, "--quasi-identifiers"),
        ({"nulls": "maybe"}, "--nulls"),
        ({"tabel": "t"}, "there is no option `tabel`: did you mean `table`?"),
    ],
)
def test_options_refused_name_the_option(tmp_path, options, said):
    with pytest.raises(RequestError) as caught:
        override("version: 1", tmp_path, **options)
    assert said in str(caught.value)


def test_python_keywords_name_the_keyword():
    with pytest.raises(RequestError, match="there is no option `quasi_identifier`: did you mean `quasi_identifiers`"):
        sqlrisk.assess("x.csv", quasi_identifier=["a"])
    with pytest.raises(RequestError, match="threshold="):
        sqlrisk.assess("x.csv", quasi_identifiers=["a"], threshold="no")


def test_every_option_stands_in_the_format():
    for key in KEYS.values():
        model = Policy
        for part in key.split("."):
            if part == "*":
                model = next(iter(type(Policy().attackers).model_fields.values())).annotation.__args__[0]
                continue
            assert part in model.model_fields, key
            annotation = model.model_fields[part].annotation
            sections = [item for item in (annotation, *get_args(annotation)) if hasattr(item, "model_fields")]
            model = sections[0] if sections else model


def test_journalist_limits_in_a_file_need_the_population_described(tmp_path):
    (tmp_path / "t.csv").write_text("q\na\n")
    path = tmp_path / "p.yml"
    text = (
        "release: {quasi_identifiers: [q]}\npopulation: {table: '%s', description: d, source: s, as_of: 2025-01-01}\n"
    )
    path.write_text(
        text.replace(", as_of: 2025-01-01", "") % (tmp_path / "t.csv")
        + "attackers: {journalist: {max_highest_risk: 1}}"
    )
    with pytest.raises(RequestError, match=r"needs `population.as_of`"):
        sqlrisk.assess(tmp_path / "t.csv", policy=path)
    path.write_text(text % (tmp_path / "t.csv") + "attackers: {journalist: {max_highest_risk: 1}}")
    assert sqlrisk.assess(tmp_path / "t.csv", policy=path).verdict.passed is True


def test_json_schema_takes_the_full_policy():
    import jsonschema
    import yaml

    schema = json_schema()
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    document = yaml.safe_load(FULL)
    document["population"]["as_of"] = "2025-12-31"
    validator.validate(document)
    for broken in ({"relaese": {}}, {"version": 2}, {"release": {"nulls": "maybe"}}, {"limits": {"min_k": 0}}):
        assert list(validator.iter_errors(broken)), broken


def test_the_estimators_are_those_that_there_are():
    from sqlrisk.policy_values import ESTIMATORS
    from sqlrisk.population.selection import NAMES

    assert set(ESTIMATORS) == set(NAMES)


@pytest.mark.parametrize("order", [1, -1])
def test_an_estimator_takes_no_limit_from_its_attacker(order):
    options = {"estimator": "ewens", "attackers": ["journalist"], "max_share_at_risk": 1, "population_size": 9_000}
    document = Document()
    document.override(dict(list(options.items())[::order]))
    journalist = document.validate().attackers.journalist
    assert (journalist.estimator, journalist.max_share_at_risk) == ("ewens", 1)


def test_an_estimator_alone_names_no_attacker():
    document = Document()
    document.override({"estimator": "ewens", "population_size": 9_000})
    policy = document.validate()
    assert (policy.attackers.named, policy.estimator) == ([], "ewens")
    document = Document()
    document.values = {"attackers": {"journalist": {"estimator": "ewens"}}}
    document.override({"attackers": ["prosecutor"], "max_average_risk": "0.1"})
    policy = document.validate()
    assert (policy.attackers.named, policy.estimator) == (["prosecutor"], "ewens")
    assert policy.attackers.journalist.max_average_risk is None


@pytest.mark.parametrize("size", ["20,000", "2e4", "many", "1.5", "\u0665x"])
def test_a_size_is_written_in_digits(size):
    document = Document()
    document.override({"population_size": size})
    with pytest.raises(RequestError, match="is not a whole number"):
        document.validate()
