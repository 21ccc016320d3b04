"""`sqlrisk assess`: exit codes, every option, outputs, and the same figures as Python."""

from __future__ import annotations

import errno
import json
import os
import pty
import re
import stat
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sqlrisk
from sqlrisk.cli.assess import command
from tests.cli.conftest import Place, Run, Server, Sources, check_one_line, stable

QUASI = ["-q", "sex", "-q", "age", "-q", "zip"]


@pytest.fixture
def document(run: Callable[..., Run]) -> Callable[..., dict[str, Any]]:
    """The result document of a run, whatever it decided."""

    def call(*arguments: object) -> dict[str, Any]:
        done = run("assess", *arguments, "--format", "json")
        assert done.code in {0, 1, 3} and done.err == "", done
        return json.loads(done.out)

    return call


class TestExitCodes:
    def test_0_without_limits(self, run, place: Place):
        done = run("assess", *place.arguments, *QUASI, "--format", "json")
        assert (done.code, done.err) == (0, "")
        assert json.loads(done.out)["verdict"] == {"passed": None, "checks": [], "justification": None, "profile": None}

    def test_0_within_every_limit(self, run, place: Place):
        done = run(
            "assess", *place.arguments, "-q", "sex", "--min-k", 2, "--max-sample-uniques", "0", "--format", "json"
        )
        assert (done.code, done.err) == (0, "")
        assert json.loads(done.out)["verdict"]["passed"] is True

    def test_1_when_a_limit_is_exceeded(self, run, place: Place):
        done = run("assess", *place.arguments, *QUASI, "--min-k", 3, "--format", "json")
        assert (done.code, done.err) == (1, "")
        verdict = json.loads(done.out)["verdict"]
        assert verdict["passed"] is False
        assert verdict["checks"][0]["measure"] == "smallest_class"

    def test_2_when_the_request_is_wrong(self, refused, place: Place):
        assert "`zzz`" in refused(2, "assess", *place.arguments, "-q", "zzz")

    def test_3_when_there_is_nothing_to_measure(self, refused, place: Place):
        assert "empty" in refused(3, "assess", *place.arguments, "-q", "sex", "--where", "1 = 0")

    def test_3_when_the_measure_of_a_limit_is_null(self, run, place: Place):
        limit = ["--attacker", "journalist", "--max-highest-risk", "0.5"]
        done = run("assess", *place.arguments, *QUASI, *limit, "--format", "json")
        assert (done.code, done.err) == (3, "")
        (check,) = json.loads(done.out)["verdict"]["checks"]
        assert check["value"] is None and not check["passed"] and "population" in check["reason"]

    def test_1_comes_before_3(self, run, sources: Sources):
        limits = ["--attacker", "journalist", "--max-highest-risk", "0.5", "--min-k", 3]
        assert run("assess", sources.csv, *QUASI, *limits, "--quiet").code == 1

    def test_excluded_records_block_a_pass(self, run, sources: Sources):
        arguments = ["assess", sources.csv, "-q", "zip", "--nulls", "exclude", "--min-k", 1, "--quiet"]
        assert run(*arguments).code == 1
        assert run(*arguments, "--max-excluded", "0.05").code == 1
        assert run(*arguments, "--max-excluded", "0.5").code == 0

    def test_help_and_version(self, run):
        assert run("--help").code == run("assess", "--help").code == run("--version").code == 0
        assert run("--version").out.strip() == f"sqlrisk, version {sqlrisk.__version__}"

    def test_no_command_is_2_and_shows_help(self, run):
        done = run()
        assert done.code == 2
        assert "Commands" in done.out + done.err

    @pytest.mark.parametrize(("limits", "code"), [([], 0), (["--min-k", 3], 1)])
    def test_a_broken_pipe_does_not_change_the_decision(self, sources: Sources, start, limits, code):
        """`sqlrisk assess … | head -1`: the reader goes away, the exit code still says what was decided."""
        reader, writer = os.pipe()
        os.close(reader)
        process = start("assess", sources.csv, *QUASI, *limits, "--format", "json", stdout=writer)
        os.close(writer)
        _, err = process.communicate(timeout=30)
        assert "Traceback" not in err and "Exception" not in err
        assert process.returncode == code


class TestSources:
    def test_every_kind_gives_the_same_document(self, document, sources: Sources, place: Place):
        reference = document(sources.database, "--table", "claims", *QUASI, "--population-table", "register")
        measured = document(*place.arguments, *QUASI, "--population-table", place.register)
        for item in (reference, measured):
            item["release"]["table"] = item["population"]["table"] = None
            item["policy"]["fingerprint"] = None  # names are part of what it decides
            item["policy"]["definition"].pop("release.table", None)
            item["policy"]["definition"].pop("population.table", None)
        assert stable(measured) == stable(reference)

    def test_views(self, document, sources: Sources, pg: Server):
        table = document(sources.database, "--table", "claims", *QUASI)
        assert document(sources.database, "--table", "claims_view", *QUASI)["class_sizes"] == table["class_sizes"]
        assert document(pg.url, "--table", pg.table("claims_view"), *QUASI)["class_sizes"] == table["class_sizes"]

    def test_postgres_names_fold_and_may_be_quoted(self, document, pg: Server):
        folded = document(pg.url, "--table", f"{pg.schema.upper()}.Claims", "-q", "SEX")
        assert folded["release"]["records"] == 59
        quoted = document(pg.url, "--table", f'{pg.schema}."Odd Name"', "-q", "Sex", "-q", "user")
        # `user` unquoted is a function on PostgreSQL, the same for every row.
        assert quoted["class_sizes"] == document(pg.url, "--table", pg.table(), "-q", "sex", "-q", "age")["class_sizes"]

    def test_semicolons(self, document, sources: Sources, tmp_path: Path):
        file = tmp_path / "claims.csv"
        file.write_text(sources.csv.read_text().replace(",", ";"))
        assert document(file, *QUASI)["class_sizes"] == document(sources.csv, *QUASI)["class_sizes"]

    def test_csv_fields_stay_text(self, document, tmp_path: Path):
        file = tmp_path / "codes.csv"
        file.write_text("zip,icd\n02139,1E5\n2139,10E4\n02139,100000\n2139,AB12\n")
        assert document(file, "-q", "zip")["class_sizes"] == [[2, 2]]
        assert document(file, "-q", "icd")["class_sizes"] == [[1, 4]]

    def test_the_url_may_stand_in_the_environment(self, document, sources: Sources, monkeypatch):
        monkeypatch.setenv("SQLRISK_URL", f"duckdb:///{sources.database}")
        assert document("--table", "claims", "-q", "sex")["release"]["records"] == 59

    def test_the_environment_fills_in_the_source(self, document, sources: Sources, monkeypatch):
        monkeypatch.setenv("THE_FOLDER", str(sources.folder))
        assert document("${THE_FOLDER}/claims.csv", "-q", "sex")["release"]["records"] == 59

    def test_a_given_source_comes_before_the_environment(self, document, sources: Sources, monkeypatch):
        monkeypatch.setenv("SQLRISK_URL", "postgresql://nobody@127.0.0.1:1/nothing")
        assert document(sources.csv, "-q", "sex")["release"]["records"] == 59

    def test_one_statement_measures(self, document, place: Place):
        """Of the others, which look columns up, none reads the tables."""
        *others, last = document(*place.arguments, *QUASI, "--population-table", place.register)["queries"]
        assert last["purpose"] == "measuring the release"
        assert last["rows"] > 0 and last["bytes_returned"] > 0
        assert last["sql"].startswith(f"/* sqlrisk {sqlrisk.__version__}: measuring the release */")
        for query in others:
            assert query["purpose"] != last["purpose"]
            assert query["sql"].endswith("LIMIT 0") or "pg_" in query["sql"]


def _json(text: str) -> dict[str, Any]:
    return json.loads(text)


def _with_table(arguments: list[str]) -> list[str]:
    return arguments if {"--table", "--query"} & set(arguments) else ["--table", "claims", *arguments]


def _limits(document: dict[str, Any]) -> list[tuple[str, float, bool]]:
    return [(check["measure"], check["limit"], check["passed"]) for check in document["verdict"]["checks"]]


POPULATION = ["--population-table", "register"]
EARLIER = ["--previous", "claims_view", "--link-id", "member_id"]
SIZE = ["--population-size", "5000"]
WEIGHT = ["--weight", "member_id"]
PAID = ["-s", "paid:numeric"]


def _asked(d: dict[str, Any]) -> list[tuple[str, float]]:
    return [(check["measure"], check["limit"]) for check in d["verdict"]["checks"]]


CODE = ["-q", "code:band=2", "--unparseable", "null"]
# Option -> arguments without it, arguments with it, and what of the document it decides.
DECIDES: dict[str, tuple[list[str], list[str], Callable[[dict[str, Any]], object], object]] = {
    "table": ([], ["--table", "claims_view"], lambda d: d["release"]["table"], "claims_view"),
    "query": (
        [],
        ["--query", "SELECT * FROM claims WHERE sex = 'F'"],
        lambda d: (d["release"]["table"], d["release"]["query"], d["release"]["records"]),
        (None, "SELECT * FROM claims WHERE sex = 'F'", 20),
    ),
    "quasi_identifiers": ([], ["-q", "admitted:truncate=month"], lambda d: len(d["release"]["quasi_identifiers"]), 4),
    "where": (
        [],
        ["--where", "sex = 'F'"],
        lambda d: (d["release"]["where"], d["release"]["records"]),
        ("sex = 'F'", 20),
    ),
    "nulls": (
        [],
        ["--nulls", "exclude"],
        lambda d: (d["release"]["nulls"], d["release"]["records"], d["release"]["excluded_records"]),
        ("exclude", 53, 6),
    ),
    "suppressed": (
        [],
        ["--suppressed", "*"],
        lambda d: (d["release"]["suppressed"], d["release"]["missing_records"]),
        ("*", 8),
    ),
    "unparseable": ([], CODE, lambda d: d["release"]["unparseable"], {"code": 2}),
    "entity_id": (
        [],
        ["--entity-id", "member_id"],
        lambda d: (d["release"]["entity_id"], d["release"]["entities"], d["release"]["entity_counting"]),
        ("member_id", 30, "multiset"),
    ),
    "entity_counting": (
        ["--entity-id", "member_id"],
        ["--entity-id", "member_id", "--entity-counting", "distinct"],
        lambda d: (d["release"]["entity_counting"], d["class_sizes"], sum(n for _, n in d["record_sizes"])),
        ("distinct", None, 30),
    ),
    "population_model": (
        SIZE,
        [*SIZE, "--population-model", str(Path(__file__).with_name("model.csv"))],
        lambda d: (d["population"]["model"], d["attackers"]["journalist"]["basis"]),
        (["model.csv"], "population model"),
    ),
    "population_table": (
        [],
        POPULATION,
        lambda d: (d["population"]["size"], d["attackers"]["journalist"]["basis"]),
        (300, "population table"),
    ),
    "population_columns": (
        POPULATION,
        [*POPULATION, "--population-columns", "zip=sex"],
        lambda d: (d["population"]["columns"], d["population"]["not_in_population"]["records"]),
        ({"zip": "sex"}, 59),
    ),
    "population_where": (
        POPULATION,
        [*POPULATION, "--population-where", "member_id <= 100"],
        lambda d: (d["population"]["where"], d["population"]["size"]),
        ("member_id <= 100", 100),
    ),
    "population_entity_id": (
        POPULATION,
        [*POPULATION, "--population-entity-id", "age"],
        lambda d: (d["population"]["entity_id"], d["population"]["size"]),
        ("age", 11),
    ),
    "population_size": (
        [],
        ["--population-size", "5000"],
        lambda d: (d["population"]["size"], d["attackers"]["journalist"]["basis"]),
        (5000, "estimator auto"),
    ),
    "sampling_fraction": (
        SIZE,
        ["--sampling-fraction", "0.5"],
        lambda d: (d["population"]["size"], d["population"]["sampling_fraction"]),
        (118, 0.5),
    ),
    "estimator": (
        SIZE,
        [*SIZE, "--estimator", "zayatz"],
        lambda d: (d["population"]["uniques"]["estimator"], d["attackers"]["journalist"]["average_risk"]),
        ("zayatz", None),
    ),
    "max_population_uniques": (
        SIZE,
        [*SIZE, "--max-population-uniques", "0"],
        _limits,
        [("population.uniques.release_share", 0.0, False)],
    ),
    "accept_weak": (
        [*SIZE, "--max-population-uniques", "1"],
        [*SIZE, "--max-population-uniques", "1", "--accept-weak", "a test"],
        _limits,
        [("population.uniques.release_share", 1.0, True)],
    ),
    "weight": ([], WEIGHT, lambda d: d["survey"]["weight"], "member_id"),
    "household": (WEIGHT, [*WEIGHT, "--household", "sex"], lambda d: d["survey"]["household"], "sex"),
    "previous": ([], EARLIER, lambda d: [item["table"] for item in d["composition"]["releases"]], ["claims_view"]),
    "link_id": (EARLIER, [*EARLIER[:3], "age"], lambda d: d["composition"]["releases"][0]["link_id"], "age"),
    "attackers": (
        ["--attacker", "prosecutor", "--max-average-risk", "1"],
        ["--attacker", "prosecutor", "--attacker", "marketer", "--max-average-risk", "1"],
        lambda d: [check["measure"] for check in d["verdict"]["checks"]],
        ["attackers.prosecutor.average_risk", "attackers.marketer.average_risk"],
    ),
    "threshold": (
        [],
        ["--threshold", "1/11"],
        lambda d: [
            d["attackers"][name][key]
            for name in ("prosecutor", "journalist")
            for key in ("threshold", "classes_smaller_than")
        ],
        ["1/11", 11, "1/11", 11],
    ),
    "min_k": ([], ["--min-k", "3"], _limits, [("smallest_class", 3.0, False)]),
    "sensitive": ([], PAID, lambda d: list(d.get("sensitive") or {}), ["paid"]),
    "sensitive_nulls": (
        PAID,
        [*PAID, "--sensitive-nulls", "ignore"],
        lambda d: d["sensitive"]["paid"]["nulls"],
        "ignore",
    ),
    "recursive_l": (PAID, [*PAID, "--recursive-l", "3"], lambda d: d["sensitive"]["paid"]["recursive_l"], 3),
    "min_l": (PAID, [*PAID, "--min-l", "3"], _asked, [("sensitive.paid.l_distinct", 3.0)]),
    "min_entropy_l": (PAID, [*PAID, "--min-entropy-l", "1.5"], _asked, [("sensitive.paid.l_entropy", 1.5)]),
    "max_recursive_c": (PAID, [*PAID, "--max-recursive-c", "4"], _asked, [("sensitive.paid.recursive_c", 4.0)]),
    "max_t": (PAID, [*PAID, "--max-t", "0.5"], _asked, [("sensitive.paid.t_closeness", 0.5)]),
    "max_alpha": (PAID, [*PAID, "--max-alpha", "0.5"], _asked, [("sensitive.paid.alpha", 0.5)]),
    "max_beta": (PAID, [*PAID, "--max-beta", "2"], _asked, [("sensitive.paid.basic_beta", 2.0)]),
    "max_delta_disclosure": (
        PAID,
        [*PAID, "--max-delta-disclosure", "1.5"],
        _asked,
        [("sensitive.paid.delta_disclosure", 1.5)],
    ),
    "min_k_map": (
        ["--population-table", "register"],
        ["--population-table", "register", "--min-k-map", "3"],
        _asked,
        [("population.k_map.smallest", 3.0)],
    ),
    "max_delta_presence": (
        ["--population-table", "register"],
        ["--population-table", "register", "--max-delta-presence", "0.5"],
        _asked,
        [("population.delta_presence.highest", 0.5)],
    ),
    "max_sample_uniques": ([], ["--max-sample-uniques", "0.5"], _limits, [("sample_uniques.share", 0.5, True)]),
    "max_excluded": (
        ["--nulls", "exclude"],
        ["--nulls", "exclude", "--max-excluded", "0.2"],
        _limits,
        [("release.excluded_share", 0.2, True)],
    ),
    "justification": ([], ["--justification", "because"], lambda d: d["verdict"]["justification"], "because"),
    "profile": (
        ["--attacker", "prosecutor"],
        ["--attacker", "prosecutor", "--profile", "us-public"],
        lambda d: (d["attackers"]["prosecutor"]["classes_smaller_than"], _limits(d), d["verdict"]["profile"][:9]),
        (11, [("attackers.prosecutor.highest_risk", 1 / 11, False)], "us-public"),
    ),
    "context": (
        [],
        ["--context", "deliberate=1/4", "--context", "justification=a survey"],
        lambda d: [(item["attacker"], item["highest_risk"]) for item in d["context"]["adjusted"]],
        [("prosecutor", 0.25), ("journalist", None), ("marketer", None)],
    ),
    "agreement": ([], ["--agreement", "recipient=Uni"], lambda d: d["policy"]["agreement"]["recipient"], "Uni"),
    **{
        f"max_{name}": (
            ["--attacker", "prosecutor"],
            ["--attacker", "prosecutor", f"--max-{name.replace('_', '-')}", "1/3"],
            _limits,
            [(f"attackers.prosecutor.{name}", 1 / 3, False)],
        )
        for name in ("highest_risk", "average_risk", "share_at_risk")
    },
}
# Options that decide something else than the document; each has a test below or in test_bad_input.py.
ELSEWHERE = {
    "source",
    "policy",
    "release",
    "save",
    "public",
    "timeout",
    "max_bytes",
    "max_rows",
    "format",
    "output",
    "histogram",
    "quiet",
    "progress",
    "seed",
}


class TestOptions:
    def test_each_is_tested(self):
        assert {parameter.name for parameter in command.params} == set(DECIDES) | ELSEWHERE

    @pytest.mark.parametrize("option", DECIDES)
    def test_each_decides_something(self, document, sources: Sources, option: str):
        without, given, decided, expected = DECIDES[option]
        before = document(sources.database, *QUASI, *_with_table(without))
        after = document(sources.database, *QUASI, *_with_table(given))
        assert decided(after) == expected
        assert stable(before) != stable(after)

    def test_a_marketer_has_no_highest_risk(self, document, sources: Sources):
        """A limit goes to the attackers that have it."""
        limits = ["--attacker", "prosecutor", "--attacker", "marketer", "--max-highest-risk", "1"]
        assert _limits(document(sources.csv, *QUASI, *limits)) == [("attackers.prosecutor.highest_risk", 1.0, True)]

    @pytest.mark.parametrize("text", ["1/5", "0.2", "k=5", ".2", " 1 / 5 ", "k = 5", "2/10"])
    def test_thresholds_are_exact_fractions(self, document, sources: Sources, text: str):
        prosecutor = document(sources.csv, *QUASI, "--threshold", text)["attackers"]["prosecutor"]
        assert prosecutor["classes_smaller_than"] == 5

    @pytest.mark.parametrize(
        ("text", "meant"), [("0.09", "1/11"), ("0.33", "1/3"), ("0.333", "1/3"), ("0.0909", "1/11")]
    )
    def test_rounded_thresholds_are_warned_of(self, document, sources: Sources, text: str, meant: str):
        (warning,) = document(sources.csv, *QUASI, "--threshold", text)["warnings"]
        assert f"threshold {text} is not {meant}" in warning

    def test_float_columns_are_warned_of(self, document, sources: Sources):
        (warning,) = document(sources.database, "--table", "odd", "-q", "weight")["warnings"]
        assert "`weight` is a floating-point column" in warning
        assert document(sources.database, "--table", "odd", "-q", "weight:band=10")["warnings"] == []

    def test_guards_that_hold_change_nothing(self, document, sources: Sources):
        guards = ["--timeout", 60, "--max-bytes", 10_000_000, "--max-rows", 1000]
        assert stable(document(sources.csv, *QUASI, *guards)) == stable(document(sources.csv, *QUASI))

    def test_max_bytes_counts_both_files(self, document, refused, sources: Sources):
        size = sources.csv.stat().st_size + sources.register().stat().st_size
        arguments = [sources.csv, *QUASI, "--population-table", sources.register(), "--max-bytes"]
        assert document(*arguments, size)["release"]["records"] == 59
        assert f"{size:,} bytes" in refused(3, "assess", *arguments, size - 1)

    def test_quiet_says_nothing_and_decides(self, run, sources: Sources, tmp_path: Path):
        assert run("assess", sources.csv, *QUASI, "--quiet") == Run(0, "", "")
        assert run("assess", sources.csv, *QUASI, "--quiet", "--min-k", 3) == Run(1, "", "")
        limit = ["--attacker", "journalist", "--max-highest-risk", "0.5"]
        check_one_line(run("assess", sources.csv, *QUASI, "--quiet", *limit), 3)
        output = tmp_path / "risk.json"
        assert run("assess", sources.csv, *QUASI, "--quiet", "--format", "json", "--output", output) == Run(0, "", "")
        assert json.loads(output.read_text())["release"]["records"] == 59

    @pytest.mark.parametrize("quieter", [[], ["--no-progress"], ["--quiet"]])
    def test_progress_stands_on_a_terminal(self, sources: Sources, start, quieter: list[str]):
        ours, theirs = pty.openpty()
        process = start("assess", sources.csv, *QUASI, "--format", "json", *quieter, stderr=theirs)
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError as end:  # the other side was closed
            assert end.errno == errno.EIO
        os.close(ours)
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 0
        assert (b"measuring the release" in shown) == (quieter == [])
        assert quieter == ["--quiet"] or _json(out)["release"]["records"] == 59

    def test_no_progress_off_a_terminal(self, run, sources: Sources):
        assert run("assess", sources.csv, *QUASI, "--format", "json").err == ""


class TestReports:
    @pytest.mark.parametrize("format", ["text", "json", "markdown", "html"])
    def test_each_format_is_python_s(self, run, sources: Sources, format: str):
        done = run("assess", sources.csv, *QUASI, "--format", format)
        assert (done.code, done.err) == (0, "")
        if format == "json":
            return
        result = sqlrisk.assess(sources.csv, quasi_identifiers=["sex", "age", "zip"])
        python = getattr(result, f"to_{format}")()
        assert len(done.out) > 500
        # The default threshold is named as such; only the command line knows that it was not given.
        assert set(_words(python)) - set(_words(done.out)) <= {"seconds", "rows"} or format == "html"

    @pytest.mark.parametrize("format", ["text", "markdown", "html"])
    def test_verdicts_are_words(self, run, sources: Sources, format: str):
        none = run("assess", sources.csv, *QUASI, "--format", format).out
        assert "NO VERDICT" in none and "Not a pass" in none
        assert "sqlrisk's default, not a recommendation" in none.replace("&#39;", "'").replace("\n", " ")
        named = run("assess", sources.csv, *QUASI, "--format", format, "--threshold", "1/5").out
        assert "not a recommendation" not in named.replace("\n", " ")
        assert "classes smaller than 5" in named.replace("\n", " ")

    def test_json_is_python_s_document(self, document, place: Place):
        options: dict[str, Any] = {} if place.kind in {"csv", "parquet"} else {"table": place.arguments[-1]}
        measured = sqlrisk.assess(
            place.arguments[0],
            **options,
            quasi_identifiers=["sex", sqlrisk.band("age", 5)],
            population_table=place.register,
            attackers=["prosecutor", "journalist"],
            threshold="1/11",
            max_share_at_risk="0.05",
        )
        written = document(
            *place.arguments, "-q", "sex", "-q", "age:band=5", "--population-table", place.register, "--attacker",
            "prosecutor", "--attacker", "journalist", "--threshold", "1/11", "--max-share-at-risk", "0.05",
        )  # fmt: skip
        assert stable(written) == stable(measured.to_dict())
        assert list(written) == list(measured.to_dict())
        assert sqlrisk.Assessment.from_dict(written).exit_code == measured.exit_code == 1

    def test_histogram(self, run, document, sources: Sources, tmp_path: Path):
        file = tmp_path / "sizes.csv"
        assert run("assess", sources.csv, "-q", "sex", "-q", "age", "--histogram", file, "--quiet") == Run(0, "", "")
        pairs = document(sources.csv, "-q", "sex", "-q", "age")["class_sizes"]
        assert file.read_bytes().decode() == "class_size,classes\n" + "".join(f"{s},{c}\n" for s, c in pairs)
        assert sum(s * c for s, c in pairs) == 59 and pairs == sorted(pairs)

    def test_no_histogram_of_people_by_their_distinct_rows(self, refused, sources: Sources, tmp_path: Path):
        file = tmp_path / "sizes.csv"
        people = ["--entity-id", "member_id", "--entity-counting", "distinct"]
        assert "--histogram" in refused(2, "assess", sources.csv, *QUASI, *people, "--histogram", file)
        assert not file.exists()

    def test_output(self, run, sources: Sources, tmp_path: Path):
        file = tmp_path / "risk.json"
        file.write_text("old")
        done = run("assess", sources.csv, *QUASI, "--format", "json", "--output", file)
        assert done.code == 0 and "schema_version" not in done.out
        assert json.loads(file.read_text())["release"]["records"] == 59
        assert os.listdir(tmp_path) == ["risk.json"]

    def test_output_has_the_rights_of_a_new_file(self, run, sources: Sources, tmp_path: Path):
        before = os.umask(0o027)
        try:
            run("assess", sources.csv, *QUASI, "--format", "json", "--output", tmp_path / "risk.json")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "risk.json").stat().st_mode) == 0o640

    def test_output_through_a_link(self, run, sources: Sources, tmp_path: Path):
        (tmp_path / "real").mkdir()
        target, link = tmp_path / "real" / "risk.json", tmp_path / "risk.json"
        link.symlink_to(target)
        assert run("assess", sources.csv, *QUASI, "--format", "json", "--output", link).code == 0
        assert link.is_symlink() and json.loads(target.read_text())["release"]["records"] == 59

    def test_output_to_a_pipe(self, start, sources: Sources, tmp_path: Path):
        """/dev/stdout, /dev/null and pipes are written to; another file must not take their place."""
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        process = start("assess", sources.csv, *QUASI, "--format", "json", "--output", pipe)
        process.communicate(timeout=30)
        got = os.read(reader, 100)
        os.close(reader)
        assert stat.S_ISFIFO(pipe.stat().st_mode), "the pipe was replaced by a file"
        assert process.returncode == 2 or got.startswith(b"{")

    @pytest.mark.parametrize("option", ["--output", "--histogram"])
    def test_a_full_disk_leaves_the_old_file_and_nothing_else(self, refused, sources, tmp_path, monkeypatch, option):
        file = tmp_path / "risk.json"
        file.write_text("old")
        real = tempfile.NamedTemporaryFile

        def full(*arguments: Any, **options: Any) -> Any:
            made = real(*arguments, **options)

            def write(_: str) -> int:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            made.write = write
            return made

        monkeypatch.setattr(tempfile, "NamedTemporaryFile", full)
        line = refused(2, "assess", sources.csv, *QUASI, "--format", "json", option, file)
        assert str(file) in line and "No space left" in line
        assert file.read_text() == "old"
        assert os.listdir(tmp_path) == ["risk.json"]

    def test_a_run_that_fails_leaves_the_old_file(self, refused, sources: Sources, tmp_path: Path):
        file = tmp_path / "risk.json"
        file.write_text("old")
        refused(
            3,
            "assess",
            sources.csv,
            "-q",
            "sex",
            "--where",
            "1 = 0",
            "--output",
            file,
            "--histogram",
            tmp_path / "h.csv",
        )
        assert file.read_text() == "old"
        assert os.listdir(tmp_path) == ["risk.json"]


def _words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z]{4,}", text)


class TestAsAProcess:
    def test_module_and_exit_code(self, start, sources: Sources):
        process = start("assess", sources.csv, *QUASI, "--min-k", 3, "--format", "json")
        out, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (1, "")
        assert json.loads(out)["verdict"]["passed"] is False

    def test_errors_are_one_line(self, start, tmp_path: Path):
        process = start("assess", tmp_path / "nothing.csv", "-q", "a")
        out, err = process.communicate(timeout=30)
        check_one_line(Run(process.returncode, out, err), 2)

    def test_postgres(self, start, pg: Server):
        environment = {**os.environ, "WAREHOUSE": pg.url}
        process = start("assess", "${WAREHOUSE}", "--table", pg.table(), *QUASI, "--format", "json", env=environment)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (0, "")
        assert json.loads(out)["release"]["records"] == 59

    def test_the_console_script(self, sources: Sources):
        import shutil
        import sys

        script = shutil.which("sqlrisk", path=str(Path(sys.executable).parent))
        if script is None:
            pytest.skip("sqlrisk is not installed beside this interpreter")
        done = subprocess.run([script, "assess", sources.csv, "-q", "zzz"], capture_output=True, text=True, check=False)
        check_one_line(Run(done.returncode, done.stdout, done.stderr), 2)


@pytest.mark.parametrize("option", ["-q", "-s"])
def test_an_output_does_not_replace_a_map(refused, sources: Sources, tmp_path: Path, option: str):
    groups = tmp_path / "groups.csv"
    groups.write_text("value,group\nF,x\nM,y\n")
    arguments = [sources.csv, "-q", "age", option, f"sex:map={groups}", "--output", groups]
    assert "would be overwritten" in refused(2, "assess", *arguments)
    assert groups.read_text() == "value,group\nF,x\nM,y\n"


def test_an_output_does_not_replace_a_model(refused, sources: Sources, tmp_path: Path):
    (tmp_path / "m.csv").write_text("sex,frequency\nF,0.5\n")
    (tmp_path / "m.yaml").write_text("tables: [{file: m.csv}]")
    for name in ("m.csv", "m.yaml"):
        model = ["--population-model", tmp_path / "m.yaml", "--population-size", "5000"]
        message = refused(2, "assess", sources.csv, "-q", "sex", *model, "--output", tmp_path / name)
        assert "would be overwritten" in message
