"""``sqlrisk estimate``: files it reads, what it prints, what it refuses; the same from the command line, a policy, Python."""

from __future__ import annotations

import io
import json

import pytest

import sqlrisk
from tests.cli.conftest import stable

PAIRS = [(1, 500), (2, 150), (3, 70), (4, 40), (5, 25), (10, 8), (20, 2)]
CSV = "class_size,classes\n" + "".join(f"{size},{classes}\n" for size, classes in PAIRS)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "sizes.csv"
    path.write_text(CSV, "utf-8")
    return path


@pytest.fixture
def document(run):
    def call(*arguments: object) -> dict:
        done = run("estimate", *arguments, "--format", "json")
        assert (done.code, done.err) == (0, ""), done
        return json.loads(done.out)

    return call


def test_the_check_values(document, file):
    found = document(file, "--population-size", 20_000)
    assert found["release"]["histogram"] == "sizes.csv"
    assert found["dialect"] is None
    assert found["queries"] == []
    assert found["class_sizes"] == [list(pair) for pair in PAIRS]
    population = found["population"]
    assert population["sampling_fraction"] == 0.07075
    assert population["dis"] == pytest.approx(0.1126054, abs=5e-8)
    models = population["estimators"]
    assert models["zayatz"]["population_people"] == pytest.approx(2865.744, abs=5e-4)
    assert models["pitman_yor"]["release_records"] == pytest.approx(67.7540, abs=5e-5)
    assert models["pitman_yor"]["parameters"]["theta"] == pytest.approx(605.820, abs=5e-4)
    assert set(models) == {"dankar", *sqlrisk_models()}
    assert population["k_map"]["test"] == {"k": 5, "sample_threshold": 3, "classes": 650, "records": 800}
    assert found["attackers"]["prosecutor"]["average_risk"] == 795 / 1415
    assert found["attackers"]["journalist"]["average_risk"] == found["attackers"]["marketer"]["average_risk"]


def sqlrisk_models():
    from sqlrisk.population.selection import MODELS

    return MODELS


@pytest.mark.parametrize(
    "text",
    [
        CSV,
        "\ufeff" + CSV.replace(",", ";").replace("\n", "\r\n"),
        CSV.replace(",", "\t") + "\n\n",
        "classes,class_size,note\n" + "".join(f"{count},{size},x\n" for size, count in reversed(PAIRS)),
        json.dumps(PAIRS),
        json.dumps(dict(PAIRS)),
        json.dumps({"schema_version": 1, "class_sizes": PAIRS}),
    ],
    ids=["csv", "excel", "tab", "other columns", "pairs", "mapping", "result"],
)
def test_forms(document, tmp_path, text):
    path = tmp_path / "given"
    path.write_text(text, "utf-8")
    assert document(path)["class_sizes"] == [list(pair) for pair in PAIRS]


def test_what_assess_writes_is_what_estimate_reads(run, document, sources, tmp_path):
    histogram, saved = tmp_path / "h.csv", tmp_path / "result.json"
    arguments = ["-q", "sex", "-q", "age", "--population-size", "5000", "--format", "json"]
    run("assess", sources.csv, *arguments, "--output", saved, "--histogram", histogram)
    result = json.loads(saved.read_text("utf-8"))
    for path in (histogram, saved):
        again = document(path, "--population-size", 5000)
        assert again["population"] == result["population"]
        assert again["attackers"] == result["attackers"]


def test_stdin(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(CSV))
    done = run("estimate", "-", "--sampling-fraction", "0.07075")
    assert (done.code, done.err) == (0, "")
    assert "20,000 people" in done.out


def test_several_fractions(document, file):
    found = document(file, "--sampling-fraction", "0.01,0.05,1")
    assert "population" not in found
    rows = found["fractions"]
    assert [row["sampling_fraction"] for row in rows] == [0.01, 0.05, 1]
    assert [row["population"]["size"] for row in rows] == [141_500, 28_300, 1_415]
    for row in rows[:2]:
        alone = document(file, "--sampling-fraction", row["sampling_fraction"])
        assert (row["population"], row["journalist"]) == (alone["population"], alone["attackers"]["journalist"])
    assert rows[2]["population"]["uniques"]["population_people"] == 500
    assert found["attackers"]["journalist"]["average_risk"] is None
    assert "several sampling fractions" in found["attackers"]["journalist"]["reason"]


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_several_fractions_are_a_table(run, file, form):
    done = run("estimate", file, "--sampling-fraction", "0.01,0.05", "--format", form)
    assert done.code == 0
    for text in ("141,500", "28,300"):
        assert text in done.out


def test_the_same_from_a_policy_and_from_python(document, file, tmp_path):
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "version: 1\npopulation: {sampling_fraction: 0.05}\nattackers: {journalist: {estimator: ewens, threshold: 1/11}}\n"
        "seed: 3\n",
        "utf-8",
    )
    by_options = document(
        file,
        "--sampling-fraction",
        0.05,
        "--estimator",
        "ewens",
        "--seed",
        3,
        "--attacker",
        "journalist",
        "--threshold",
        "1/11",
    )
    by_policy = document(file, "--policy", policy)
    by_python = sqlrisk.estimate(PAIRS, policy=policy).to_dict()
    expected = stable(by_options)["population"]
    assert stable(by_policy)["population"] == expected
    assert by_python["population"]["uniques"]["population_people"] == expected["uniques"]["population_people"]
    assert (
        by_python["attackers"]["journalist"]
        == by_policy["attackers"]["journalist"]
        == by_options["attackers"]["journalist"]
    )


def test_python_takes_values_and_frames(file):
    import pandas

    frame = pandas.DataFrame(PAIRS, columns=["class_size", "classes"])
    for histogram in (dict(PAIRS), PAIRS, frame, sqlrisk.ClassSizes(PAIRS), file, str(file)):
        assert sqlrisk.estimate(histogram).classes == 795


@pytest.mark.parametrize("sizes", [PAIRS, [(1, 50)]])
def test_the_k_map_test_needs_no_model(sizes):
    result = sqlrisk.estimate(sizes, population_size=20_000, estimator="zayatz", threshold="k=5")
    k_map = result.population.k_map
    assert (k_map.smallest, k_map.histogram) == (None, [])
    assert result.reasons["population.k_map.smallest"]
    assert k_map.test.k == 5
    assert k_map.test.classes == sum(count for size, count in sizes if size < k_map.test.sample_threshold)
    assert "k-map test" in result.to_text()
    assert "not estimated" in result.to_text()


def test_what_is_about_a_table_is_refused():
    with pytest.raises(sqlrisk.RequestError, match="`weight` is about a table"):
        sqlrisk.estimate(PAIRS, weight="w")


def test_limits_and_exit_codes(run, file):
    limit = ["--population-size", 20_000, "--max-population-uniques", "0.9"]
    assert run("estimate", file, *limit, "--quiet").code == 1
    accepted = run("estimate", file, *limit, "--accept-weak", "under contract")
    assert accepted.code == 0
    assert "accepted: under contract" in " ".join(accepted.out.split())
    assert run("estimate", file, "--min-k", 2, "--quiet").code == 1
    absent = run("estimate", file, "--attacker", "journalist", "--max-share-at-risk", 1, "--quiet")
    assert absent.code == 3
    assert "the population is not known" in absent.err


def test_output(run, file, tmp_path):
    target = tmp_path / "out.html"
    assert run("estimate", file, "--population-size", 20_000, "--format", "html", "--output", target).code == 0
    assert "Pitman" in target.read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("a,b\n1,2\n", "line 1: the columns class_size and classes are not there"),
        ("class_size,classes\n", "holds no record"),
        ("class_size,classes\n1,0\n", "holds no record"),
        ("class_size,classes\n1,5\n2\n", "line 3: 1 values for 2 columns"),
        ("class_size,classes\n1,2.5\n", "line 2: `2.5` is not a whole number"),
        ("class_size,classes\n1,-5\n", "line 2: `-5` is not a whole number"),
        ("class_size,classes\n0,5\n", "(0, 5) is not a class size"),
        ("class_size,classes\n1,99999999999999999999\n", "is not a whole number"),
        ("class_size,classes\n1,\u0665\n", "is not a whole number"),
        ("[1, 2", "is not valid JSON"),
        ("[1, 2]", "is no histogram"),
        ('{"class_sizes": null}', "do not fall into classes"),
        ('{"class_sizes": {"1": true}}', "is not a whole number"),
        ('[["a\\u001b[31m", 2]]', "is not a whole number"),
        ("[" * 100_000, "is not valid JSON"),
        ('{"class_sizes": 5}', "is no histogram"),
        ('{"1": 5, "1": 6}', "the class size 1 stands twice"),
        ("class_size,classes\n1,5\n2,1\n1,5\n", "line 4: the class size 1 stands twice"),
    ],
)
def test_what_is_no_histogram(refused, tmp_path, text, said):
    path = tmp_path / "bad"
    path.write_text(text, "utf-8")
    line = refused(2, "estimate", path)
    assert said in line
    assert "\x1b" not in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--population-size", "1414"], "the population (1,414) is smaller than the release (1,415 records)"),
        (["--population-size", "0"], "--population-size"),
        (["--population-size", "99999999999999999999999"], "beyond what is computed"),
        (["--sampling-fraction", "k=11"], "is not a number: write it as `0.05` or `1/20`"),
        (["--sampling-fraction", "5%"], "is not a number: write it as `0.05` or `1/20`"),
        (["--population-size", "many"], "--population-size"),
        (["--population-size", "true"], "--population-size"),
        (["--sampling-fraction", "0"], "outside (0, 1]"),
        (["--sampling-fraction", "1.5"], "outside (0, 1]"),
        (["--sampling-fraction", "-0.1"], "--sampling-fraction"),
        (["--sampling-fraction", "nan"], "is not a number"),
        (["--sampling-fraction", "0.1,,0.2"], "--sampling-fraction"),
        (["--sampling-fraction", "0.1,0.1"], "given twice"),
        (["--sampling-fraction", "0.1", "--population-size", "20000"], "the population is given twice"),
        (["--estimator", "pitman-yor", "--population-size", "20000"], "--estimator"),
        (["--estimator", "pitmann"], "there is no estimator `pitmann`: did you mean `pitman`"),
        (["--seed", "-1"], "--seed"),
        (["--accept-weak", " "], "say why"),
        (["--max-population-uniques", "2"], "is outside [0, 1]"),
        (
            ["--sampling-fraction", "0.1,0.2", "--max-population-uniques", "1"],
            "limits are judged at one sampling fraction",
        ),
        (["--max-share-at-risk", "1"], "needs an attacker"),
        (["--output", "/no/such/folder/x"], "--output"),
    ],
)
def test_what_is_refused(refused, file, arguments, said):
    assert said in refused(2, "estimate", file, *arguments)


def test_files_that_cannot_be_read(refused, tmp_path):
    assert "there is no file" in refused(2, "estimate", tmp_path / "none.csv")
    assert "cannot be read" in refused(2, "estimate", tmp_path)
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8" in refused(2, "estimate", binary)
    assert "would be overwritten" in refused(2, "estimate", binary, "--output", binary)


def test_a_population_table_needs_a_table(refused, file):
    policy = file.with_name("p.yaml")
    policy.write_text("version: 1\npopulation: {table: t}\n", "utf-8")
    assert "cannot be compared with a histogram" in refused(2, "estimate", file, "--policy", policy)
    # what the command line says of the population takes the table's place
    sqlrisk.estimate(file, policy=policy, population_size=20_000)


def test_assess_with_too_small_a_population_is_not_measured(run, refused, sources):
    assert "is smaller than the release" in refused(3, "assess", sources.csv, "-q", "sex", "--population-size", "5")


def test_distinct_people_have_no_estimate(run, sources):
    done = run(
        "assess", sources.database, "--table", "claims", "-q", "sex", "-q", "age", "--entity-id", "member_id",
        "--entity-counting", "distinct", "--population-size", "5000", "--format", "json",
    )  # fmt: skip
    found = json.loads(done.out)
    assert found["population"]["uniques"]["population_people"] is None
    assert found["attackers"]["journalist"]["reason"] == found["population"]["uniques"]["reason"]
    assert "do not fall into classes" in found["attackers"]["journalist"]["reason"]


def test_people_are_counted_against_people(run, sources):
    """With an entity id, n is people: 30 of 59 rows."""
    done = run(
        "assess", sources.database, "--table", "claims", "-q", "sex", "-q", "age", "--entity-id", "member_id",
        "--population-size", "60", "--format", "json",
    )  # fmt: skip
    found = json.loads(done.out)
    assert (found["release"]["entities"], found["population"]["sampling_fraction"]) == (30, 0.5)
