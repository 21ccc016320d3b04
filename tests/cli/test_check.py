"""``sqlrisk check``: all policies whatever fails, one exit code, history, and nothing lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

import sqlrisk

GOOD = """
version: 1
connection: {database}
release: {{table: claims, quasi_identifiers: [sex]}}
limits: {{min_k: 2}}
justification: for the test
"""
BAD = GOOD.replace("min_k: 2", "min_k: 1000")
WRONG = GOOD.replace("table: claims", "table: clams")
EMPTY = GOOD.replace("table: claims", 'table: claims, where: "age > 900"')
SLOW = GOOD.replace("claims", "slow").replace("[sex]", "[a]")


@pytest.fixture
def policies(tmp_path: Path, sources):
    """Writes policies into a folder of their own: name -> text, in which {database} is the DuckDB file."""

    def make(**texts: str) -> Path:
        folder = tmp_path / "policies"
        folder.mkdir(exist_ok=True)
        for name, text in texts.items():
            (folder / f"{name}.yml").write_text(text.format(database=sources.database))
        return folder

    return make


def words(out: str) -> dict[str, str]:
    """{name: word} of the lines before the details."""
    found = {}
    for line in out.split("\n\n", maxsplit=1)[0].splitlines():
        word, _, rest = line.partition("  ")
        found[rest.split()[0].rstrip(":")] = word
    return found


class TestOutcomes:
    def test_all_run_whatever_fails(self, run, policies):
        folder = policies(a=GOOD, b=BAD, c=WRONG, d=EMPTY, e="version: 1\nrelease: [\n", f=GOOD)
        done = run("check", folder)
        assert done.code == 2 and done.err == ""
        assert words(done.out) == {
            "a": "passed",
            "b": "FAILED",
            "c": "ERROR",
            "d": "NOT MEASURED",
            "e": "ERROR",
            "f": "passed",
        }
        details = done.out.split("\n\n", 1)[1]
        for part in ("1,000", "there is no table or view `clams`", "did you mean `claims`", "empty", "e.yml, line"):
            assert part in details, part
        assert "Traceback" not in done.out

    @pytest.mark.parametrize(
        ("texts", "code"),
        [
            ({"a": GOOD}, 0),
            ({"a": GOOD, "b": BAD}, 1),
            ({"a": BAD, "b": EMPTY}, 3),
            ({"a": BAD, "b": EMPTY, "c": WRONG}, 2),
        ],
    )
    def test_the_exit_code_is_the_worst(self, run, policies, texts, code):
        assert run("check", policies(**texts)).code == code
        assert run("check", policies(**texts), "--quiet") == type(run("check", "--schema"))(code, "", "")

    def test_no_limits(self, run, policies):
        text = GOOD.replace("limits: {{min_k: 2}}\n", "")
        done = run("check", policies(a=text))
        assert done.code == 2 and "measure_only" in done.out
        done = run("check", policies(a=text + "measure_only: true\n"))
        assert done.code == 0 and words(done.out) == {"a": "not judged"}
        done = run("check", policies(a=GOOD + "measure_only: true\n"))
        assert done.code == 2 and "a.yml, line" in done.out

    def test_without_justification_it_is_no_pass(self, run, policies):
        done = run("check", policies(a=GOOD.replace("justification: for the test\n", "")))
        assert done.code == 0
        assert "not a pass" in done.out and "passed " not in done.out

    def test_a_blank_justification_is_none(self, run, policies):
        done = run("check", policies(a=GOOD.replace("for the test", '"  "')))
        assert done.code == 2 and "justification" in done.out

    def test_two_of_one_name(self, run, policies):
        named = GOOD + "name: claims\n"
        done = run("check", policies(a=named, b=named, c=GOOD))
        assert done.code == 2 and "2 policies are called `claims`" in done.out
        assert "passed  " in done.out

    def test_a_file_given_twice_is_run_once(self, run, policies):
        folder = policies(a=GOOD)
        assert list(words(run("check", folder, folder / "a.yml", folder / "." / "a.yml").out)) == ["a"]

    def test_what_is_no_policy_is_passed_over_by_name(self, run, policies):
        folder = policies(a=GOOD)
        (folder / "more").mkdir()
        (folder / "more" / "docker-compose.yaml").write_text("services: {}\n")
        (folder / "more" / "b.yaml").write_text((folder / "a.yml").read_text())
        done = run("check", folder)
        assert done.code == 0 and list(words(done.out)) == ["a", "b"]
        assert "docker-compose.yaml is passed over" in done.err

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ([], "no policy is given"),
            (["nowhere.yml"], "there is no policy file nowhere.yml"),
            (["{folder}", "--select", "x"], "no policy is called `x`"),
            (["{folder}", "--jobs", "0"], "--jobs"),
            (["{folder}", "--format", "html"], "--format"),
            (["{folder}", "--output", "/nowhere/x"], "--output"),
            (["{folder}", "--reports", "/dev/null/x"], "--reports"),
            (["{folder}", "--history", "/nowhere/x.sqlite"], "/nowhere"),
            (["{folder}", "--history", "${SQLRISK_NO_SUCH}"], "SQLRISK_NO_SUCH"),
            (["{folder}", "--public", "--format", "json"], "--public"),
        ],
    )
    def test_bad_requests(self, run, policies, arguments, said):
        folder = policies(a=GOOD)
        done = run("check", *(str(item).replace("{folder}", str(folder)) for item in arguments))
        assert done.code == 2 and said in done.out + done.err
        assert "Traceback" not in done.err

    def test_an_empty_folder(self, refused, tmp_path):
        (tmp_path / "empty").mkdir()
        assert "there is no policy to run" in refused(2, "check", tmp_path / "empty")


class TestNothingIsLost:
    """Outputs never replace what a run reads, or each other."""

    @pytest.fixture
    def place(self, tmp_path: Path, monkeypatch) -> Path:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "data.csv").write_text("sex\n" + "F\n" * 9)
        (tmp_path / "map.csv").write_text("value,group\nF,x\n")
        columns = "quasi_identifiers: ['sex:map=map.csv']"
        text = GOOD.format(database="data.csv").replace("table: claims, quasi_identifiers: [sex]", columns)
        (tmp_path / "p.yml").write_text(text)
        return tmp_path

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--output", "data.csv"],
            ["--output", "map.csv"],
            ["--output", "p.yml"],
            ["--source", "data.csv", "--output", "./data.csv"],
            ["--history", "h.sqlite", "--output", "h.sqlite"],
            ["--history", "sqlite:///h.sqlite", "--output", "h.sqlite"],
            ["--history", "p.json", "--reports", "."],
            ["--reports", "r", "--format", "json", "--output", "r/p.json"],
        ],
    )
    def test_it_is_refused_before_anything_is_read(self, run, place, arguments):
        (place / "r").mkdir()
        before = {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}
        done = run("check", "p.yml", *arguments)
        assert done.code == 2 and "would be overwritten" in done.err, done
        assert {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()} == before

    @pytest.mark.parametrize("option", ["--history", "--output", "--reports", "--source"])
    def test_an_empty_text_is_a_variable_that_was_not_set(self, refused, place, option):
        assert f"{option} is empty" in refused(2, "check", "p.yml", option, "")

    def test_an_empty_policy(self, refused, place):
        assert "a POLICY is empty" in refused(2, "check", "")

    def test_a_file_of_ours_in_the_folder_of_reports_stays(self, run, place):
        (place / "r").mkdir()
        (place / "r" / ".sqlrisk").write_text("mine")
        assert run("check", "p.yml", "--reports", "r").code == 0
        assert (place / "r" / ".sqlrisk").read_text() == "mine"

    @pytest.mark.parametrize(
        "other", [["--output", "x"], ["--reports", "x"], ["--quiet"], ["--format", "json"], ["--format", "x"]]
    )
    def test_a_dry_run_makes_no_outcomes(self, refused, place, other):
        assert "--dry-run" in refused(2, "check", "p.yml", "--dry-run", *other)


class TestFolders:
    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("flow.yml", b"{version: 1, measure_only: true}"),
            ("indented.yml", b"---\n  version: 1\n"),
            ("UP.YML", b"version: 1\n"),
            ("utf16.yml", "version: 1\n".encode("utf-16")),
            ("broken.yml", b"version: 1\nrelease: [\n"),
        ],
    )
    def test_what_means_to_be_a_policy_is_not_passed_over(self, run, tmp_path, name, content):
        (tmp_path / "f").mkdir()
        (tmp_path / "f" / name).write_bytes(content)
        done = run("check", tmp_path / "f")
        assert done.code in (2, 3) and list(words(done.out)) == [Path(name).stem]

    def test_a_link_that_leads_nowhere(self, run, policies):
        folder = policies(a=GOOD)
        (folder / "lost.yml").symlink_to(folder / "nowhere.yml")
        done = run("check", folder)
        assert done.code == 2 and words(done.out) == {"a": "passed", "lost": "ERROR"}

    def test_a_pipe_does_not_hang(self, run, policies):
        folder = policies(a=GOOD)
        os.mkfifo(folder / "pipe.yml")
        assert run("check", folder).code == 0
        assert run("check", "/dev/zero").code == 2

    def test_odd_names_are_errors_of_their_own(self, run, policies, tmp_path):
        folder = policies(a=GOOD)
        for name in (b"caf\xe9.yml", b"caf\xe8.yml"):
            Path(os.fsdecode(bytes(folder) + b"/" + name)).write_bytes((folder / "a.yml").read_bytes())
        done = run("check", folder, "--reports", tmp_path / "r", "--history", tmp_path / "h.sqlite")
        assert done.code == 2 and "passed  a" in done.out and done.out.count("ERROR  caf") == 4
        assert "give it a `name`" in done.out
        done = run("check", "x" * 5000, folder / "a.yml")
        assert done.code == 2 and "passed  a" in done.out and "a mistake" not in done.out + done.err

    def test_a_name_cannot_open_a_comment(self, run, policies):
        assert run("check", policies(a=GOOD + 'name: "a/*b*/c/*"\n')).code == 0

    @pytest.mark.parametrize("name", ["[1, 2]", "{{a: b}}", "true", "3", '"  "'])
    def test_a_name_is_a_text(self, run, policies, name):
        for text in (GOOD + f"name: {name}\n", GOOD + "releases:\n- name: " + name + "\n"):
            done = run("check", policies(a=text))
            assert done.code == 2 and "a.yml, line" in done.out and "name" in done.out, done

    def test_a_name_with_nothing_behind_it_is_the_file_s(self, run, policies):
        assert words(run("check", policies(a=GOOD + "name:\n")).out) == {"a": "passed"}


class TestChoosing:
    def test_select(self, run, policies):
        folder = policies(claims_a=GOOD, claims_b=GOOD, other=BAD)
        done = run("check", folder, "--select", "claims_*")
        assert done.code == 0 and list(words(done.out)) == ["claims_a", "claims_b"]
        assert list(words(run("check", folder, "--select", "other", "--select", "claims_b").out)) == [
            "claims_b",
            "other",
        ]
        assert "`othr`: did you mean `other`" in run("check", folder, "--select", "claims_*", "--select", "othr").err

    def test_fail_fast(self, run, policies):
        done = run("check", policies(a=GOOD, b=BAD, c=GOOD, d=WRONG), "--fail-fast")
        assert done.code == 1
        assert words(done.out) == {"a": "passed", "b": "FAILED", "c": "skipped", "d": "skipped"}

    def test_several_releases(self, run, policies, sources):
        text = GOOD + "releases:\n- name: by sex\n- name: by age\n  quasi_identifiers: [age]\n- table: register\n"
        folder = policies(a=text)
        done = run("check", folder, "--format", "json")
        found = {item["name"]: item["result"] for item in json.loads(done.out)}
        assert list(found) == ["a/by sex", "a/by age", "a/register"]
        assert found["a/by age"]["release"]["quasi_identifiers"][0]["column"] == "age"
        assert found["a/register"]["release"]["records"] == 300
        file = folder / "a.yml"
        line = run("assess", "--policy", file).line
        assert "by sex" in line and "--release" in line
        chosen = json.loads(run("assess", "--policy", file, "--release", "register", "--format", "json").out)
        assert chosen["release"]["records"] == 300
        assert "did you mean `register`" in run("assess", "--policy", file, "--release", "registr").line
        assert "--policy" in run("assess", sources.csv, "-q", "sex", "--release", "x").line
        assert run("sql", "--policy", file, "--release", "by sex").code == 0

    @pytest.mark.parametrize(
        ("items", "said"),
        [
            ("releases: []", "`releases` is not a list"),
            ("releases: {a: 1}", "`releases` is not a list"),
            ("releases: [{tabel: x}]", "did you mean `table`"),
            ("releases: [{name: x}, {name: x}]", "two releases are called"),
            ("releases: [{limits: {min_kk: 3}}]", "did you mean `min_k`"),
        ],
    )
    def test_bad_releases(self, run, policies, items, said):
        done = run("check", policies(a=GOOD + items.replace("{", "{{").replace("}", "}}") + "\n"))
        assert done.code == 2 and said in done.out and "a.yml, line 7" in done.out

    def test_source_takes_the_place_of_the_connection(self, run, policies, sources):
        text = GOOD.replace("{database}", "postgresql://nobody@127.0.0.1:1/x")
        assert run("check", policies(a=text), "--source", sources.database).code == 0


class TestFormats:
    def test_json(self, run, policies):
        done = run("check", policies(a=GOOD, b=WRONG), "--format", "json")
        first, second = json.loads(done.out)
        assert (first["name"], first["exit_code"], first["result"]["verdict"]["passed"]) == ("a", 0, True)
        assert second["result"] is None and "clams" in second["error"]

    def test_junit(self, run, policies, tmp_path):
        file = tmp_path / "outcomes.xml"
        done = run("check", policies(a=GOOD, b=BAD, c=WRONG), "--format", "junit", "--output", file)
        assert done.code == 2 and len(words(done.out)) == 3
        root = ElementTree.parse(file).getroot()
        assert len(root.findall(".//testsuite")) == 3
        assert len(root.findall(".//failure")) == 1 and len(root.findall(".//error")) == 1

    def test_markdown(self, run, policies):
        done = run("check", policies(a=GOOD, b=BAD), "--format", "markdown")
        assert done.out.count("|") > 6 and "FAILED" in done.out

    def test_dry_run_sends_nothing(self, run, policies):
        text = GOOD.replace("{database}", "postgresql://nobody@127.0.0.1:1/x")
        done = run("check", policies(a=text, b=WRONG.replace("min_k", "min_q")), "--dry-run")
        assert done.code == 2
        assert "-- a (" in done.out and "GROUP BY" in done.out and "min_q" in done.out

    def test_schema(self, run):
        import jsonschema

        schema = json.loads(run("check", "--schema").out)
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(yaml.safe_load(GOOD.format(database="x")), schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"version": 1, "limts": {}}, schema)

    def test_reports(self, run, policies, tmp_path):
        text = GOOD + "releases:\n- name: a/b\n- name: a?b\n"
        done = run("check", policies(a=text, b=WRONG), "--reports", tmp_path / "new" / "reports")
        assert done.code == 2
        names = sorted(path.name for path in (tmp_path / "new" / "reports").iterdir())
        assert len(names) == 4 and all(name.startswith("a_a_b-") for name in names)
        saved = next(path for path in (tmp_path / "new" / "reports").iterdir() if path.suffix == ".json")
        assert run("report", saved).code == 0

    def test_public(self, run, policies, tmp_path):
        done = run("check", policies(a=GOOD), "--public", "--reports", tmp_path / "reports")
        assert done.code == 0
        assert [path.name for path in (tmp_path / "reports").iterdir()] == ["a.html"]
        page = (tmp_path / "reports" / "a.html").read_text()
        assert "INTERNAL" not in page and "SELECT" not in page

    def test_a_policy_that_is_public(self, run, policies, tmp_path):
        text = BAD.replace("claims", "claims, where: \"sex <> 'Q'\"") + "output: {{public: true}}\n"
        for format in ("text", "markdown", "junit"):
            done = run("check", policies(a=text), "--format", format)
            assert done.code == 1 and "'Q'" not in done.out and ": 20," not in done.out
        done = run("check", policies(a=text), "--format", "json")
        assert done.code == 2 and "--public" in done.err

    def test_an_unwritable_report_is_that_policy_s_error(self, run, policies, tmp_path):
        reports = tmp_path / "reports"
        (reports / "a.html").mkdir(parents=True)
        done = run("check", policies(a=GOOD, b=GOOD), "--reports", reports)
        assert done.code == 2 and words(done.out) == {"a": "ERROR", "b": "passed"}


class TestJobs:
    def test_the_same_outcomes(self, run, policies):
        texts = {f"p{number:02}": (GOOD, BAD, WRONG, EMPTY)[number % 4] for number in range(24)}
        folder = policies(**texts)
        one, four = (json.loads(run("check", folder, "--format", "json", "--jobs", n).out) for n in (1, 4))
        for first, second in zip(one, four, strict=True):
            assert [first[key] for key in ("name", "exit_code", "error")] == [
                second[key] for key in ("name", "exit_code", "error")
            ]
            assert (first["result"] is None) == (second["result"] is None)
            assert first["result"] is None or first["result"]["class_sizes"] == second["result"]["class_sizes"]

    def test_on_postgres(self, run, policies, pg):
        texts = {f"p{number}": GOOD.replace("{database}", pg.url).replace("claims", pg.table()) for number in range(6)}
        done = run("check", policies(**texts), "--jobs", "4")
        assert done.code == 0 and set(words(done.out).values()) == {"passed"}
        pg.wait_until(running=0)

    @pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
    def test_an_interrupt_cancels_and_keeps_what_had_ended(self, start, policies, tmp_path, sent):
        folder = policies(a=GOOD, b=SLOW, c=SLOW, d=GOOD)
        history = tmp_path / "runs.sqlite"
        process = start("check", folder, "--jobs", "2", "--history", history)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("passed")
        time.sleep(1.0)
        process.send_signal(sent)
        _, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert (
            err
            == "sqlrisk: interrupted: 1 of 4 policies were done: running statements were cancelled on their engines\n"
        )
        assert _on_record(history) == ["a"]

    def test_an_interrupt_cancels_on_postgres(self, start, policies, pg):
        pg.execute(
            f"CREATE OR REPLACE VIEW {pg.schema}.endless AS SELECT pg_sleep(60)::text AS a FROM generate_series(1, 9)"
        )
        text = GOOD.replace("{database}", pg.url).replace("claims", pg.table("endless")).replace("[sex]", "[a]")
        folder = policies(a=text, b=text)
        process = start("check", folder, "--jobs", "2")
        pg.wait_until(running=2)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        assert process.returncode == 130
        pg.wait_until(running=0)


def _on_record(history: Path) -> list[str]:
    from sqlrisk.api import open_history

    with open_history(history, create=False) as kept:
        return [run.policy for run in kept.runs()]


class TestHistory:
    RISE = GOOD.replace("limits: {{min_k: 2}}", "limits: {{min_k: 1, max_increase: 0.01}}")

    def csv(self, tmp_path: Path, *sizes: int) -> Path:
        rows = [f"v{number}\n" * size for number, size in enumerate(sizes)]
        (tmp_path / "claims.csv").write_text("sex\n" + "".join(rows))
        return tmp_path / "claims.csv"

    def check(self, run, folder: Path, tmp_path: Path, *arguments: object):
        history = ["--history", tmp_path / "runs.sqlite"]
        done = run("check", folder, *history, "--source", tmp_path / "claims.csv", "--format", "json", *arguments)
        (outcome,) = json.loads(done.out)
        return outcome

    @pytest.fixture
    def folder(self, policies):
        return policies(a=self.RISE.replace("table: claims, ", ""))

    def test_a_rise_is_found_and_cannot_pass_by_being_run_twice(self, run, folder, tmp_path):
        self.csv(tmp_path, 10, 10)  # average risk 2/20
        first = self.check(run, folder, tmp_path)
        assert first["exit_code"] == 3
        (check,) = [item for item in first["result"]["verdict"]["checks"] if item["measure"].endswith("average_risk")]
        assert check["value"] is None and not check["passed"] and "no earlier run" in check["reason"]
        assert self.check(run, folder, tmp_path)["exit_code"] == 0
        self.csv(tmp_path, 10, 9, 1)  # 3/20, and somebody is alone
        for _ in range(2):
            risen = self.check(run, folder, tmp_path)
            assert risen["exit_code"] == 1
            failed = {
                item["measure"]: item["value"] for item in risen["result"]["verdict"]["checks"] if not item["passed"]
            }
            assert failed == {
                "increase.attackers.prosecutor.highest_risk": pytest.approx(0.9),
                "increase.attackers.prosecutor.average_risk": pytest.approx(0.05),
                "increase.attackers.prosecutor.share_at_risk": pytest.approx(0.05),
            }
        self.csv(tmp_path, 10, 10)
        assert self.check(run, folder, tmp_path)["exit_code"] == 0

    @pytest.mark.slow
    def test_a_rise_cannot_pass_by_being_run_often(self, run, folder, tmp_path):
        self.csv(tmp_path, 10, 10)
        self.check(run, folder, tmp_path, "--first-run")
        self.csv(tmp_path, 10, 9, 1)
        assert {self.check(run, folder, tmp_path, "--first-run")["exit_code"] for _ in range(60)} == {1}
        (tmp_path / "claims.csv").unlink()
        assert {self.check(run, folder, tmp_path)["exit_code"] for _ in range(60)} == {2}
        self.csv(tmp_path, 10, 9, 1)
        assert self.check(run, folder, tmp_path, "--first-run")["exit_code"] == 1

    @pytest.mark.parametrize(
        "document", ["[1]", '{"verdict": null}', '{"schema_version": 1, "verdict": {"checks": [{}, 3]}}']
    )
    def test_a_damaged_run_stops_no_other_policy(self, run, policies, folder, tmp_path, document):
        import sqlite3

        self.csv(tmp_path, 10, 10)
        policies(b=GOOD.replace("table: claims, ", ""))
        arguments = ["check", folder, "--history", tmp_path / "runs.sqlite", "--source", tmp_path / "claims.csv"]
        run(*arguments)
        with sqlite3.connect(tmp_path / "runs.sqlite") as kept:
            for (name,) in kept.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                kept.execute(f'DROP TRIGGER "{name}"')
            kept.execute("UPDATE sqlrisk_runs SET document = ? WHERE policy = 'a'", [document])
        kept.close()
        done = run(*arguments)
        assert "passed  b" in done.out and "a mistake in sqlrisk" not in done.out + done.err
        shown = run("history", "--history", tmp_path / "runs.sqlite")
        assert "b" in shown.out and "a mistake" not in shown.err

    @pytest.mark.parametrize("limit", ["5", "1.5", "-0.1", "true"])
    def test_an_increase_is_a_share(self, run, policies, limit):
        done = run("check", policies(a=self.RISE.replace("max_increase: 0.01", f"max_increase: {limit}")))
        assert done.code == 2 and "max_increase" in done.out

    def test_new_classes_at_risk_are_told(self, run, folder, tmp_path):
        self.csv(tmp_path, 10, 10)
        self.check(run, folder, tmp_path, "--first-run")
        self.csv(tmp_path, 10, 9, 1)
        (compared,) = self.check(run, folder, tmp_path)["result"]["comparisons"]
        change = compared["figures"]["attackers.prosecutor.classes_at_risk"]
        assert (change["before"], change["after"], change["increase"]) == (0, 1, 1)

    def test_first_run(self, run, folder, tmp_path):
        self.csv(tmp_path, 10, 10)
        first = self.check(run, folder, tmp_path, "--first-run")
        assert first["exit_code"] == 0
        assert any("--first-run" in text for text in first["result"]["warnings"])
        assert not any(item["measure"].startswith("increase.") for item in first["result"]["verdict"]["checks"])

    def test_a_changed_definition_is_not_compared(self, run, policies, folder, tmp_path):
        self.csv(tmp_path, 10, 10)
        self.check(run, folder, tmp_path, "--first-run")
        changed = self.RISE.replace("table: claims, ", "where: \"sex <> 'v1'\", ")
        policies(a=changed)
        outcome = self.check(run, folder, tmp_path)
        assert outcome["exit_code"] == 3
        (compared,) = outcome["result"]["comparisons"]
        assert compared["changed"] == ["release.where"]
        assert all(change["increase"] is None for change in compared["figures"].values())
        assert compared["figures"]["release.records"] == {"before": 20, "after": 10, "increase": None}
        assert "release.where" in outcome["result"]["verdict"]["checks"][1]["reason"]
        assert self.check(run, folder, tmp_path)["exit_code"] == 0  # against the run before, of the same definition

    def test_limits_and_words_do_not_change_the_definition(self, run, policies, folder, tmp_path):
        self.csv(tmp_path, 10, 10)
        self.check(run, folder, tmp_path, "--first-run")
        policies(
            a=self.RISE.replace("table: claims, ", "").replace("min_k: 1", "min_k: 3").replace("for the test", "else")
        )
        outcome = self.check(run, folder, tmp_path)
        assert outcome["exit_code"] == 0 and outcome["result"]["comparisons"][0]["changed"] == []

    def test_a_baseline(self, run, folder, tmp_path):
        history = tmp_path / "runs.sqlite"
        self.csv(tmp_path, 50, 50)
        self.check(run, folder, tmp_path, "--first-run")
        from sqlrisk.api import open_history

        with open_history(history) as kept:
            (first,) = kept.runs("a")
            kept.pin(first.id)
        for sizes, code in (((50, 49), 0), ((25, 25, 50), 1)):
            self.csv(tmp_path, *sizes)
            assert self.check(run, folder, tmp_path)["exit_code"] == code
        compared = self.check(run, folder, tmp_path)["result"]["comparisons"]
        assert [item["against"] for item in compared] == ["baseline", "previous run"]
        assert compared[0]["run"] == first.id

    def test_max_increase_needs_a_history(self, run, refused, folder, tmp_path):
        self.csv(tmp_path, 10, 10)
        done = run("check", folder, "--source", tmp_path / "claims.csv")
        assert done.code == 2 and "--history" in done.out
        line = refused(2, "assess", tmp_path / "claims.csv", "--policy", folder / "a.yml")
        assert "sqlrisk check --history" in line

    def test_failures_are_on_record_too(self, run, policies, tmp_path, sources):
        run("check", policies(a=GOOD, b=WRONG, c=EMPTY, d=BAD), "--history", tmp_path / "runs.sqlite")
        from sqlrisk.api import open_history

        with open_history(tmp_path / "runs.sqlite") as kept:
            found = {item.policy: (item.exit_code, item.document is None, item.error) for item in kept.runs()}
        assert found["a"] == (0, False, None) and found["d"] == (1, False, None)
        assert found["b"][:2] == (2, True) and "clams" in found["b"][2]
        assert found["c"][:2] == (3, True)

    def test_a_history_that_is_none(self, run, policies, tmp_path):
        (tmp_path / "runs.sqlite").write_text("not a database, but long enough to be looked at " * 20)
        before = (tmp_path / "runs.sqlite").read_bytes()
        done = run("check", policies(a=GOOD), "--history", tmp_path / "runs.sqlite")
        assert done.code in (2, 3) and done.out == "" and done.err.count("\n") == 1
        assert (tmp_path / "runs.sqlite").read_bytes() == before

    def test_two_checks_at_once(self, policies, tmp_path):
        folder = policies(**{f"p{number}": GOOD for number in range(5)})
        command = [sys.executable, "-m", "sqlrisk", "check", folder, "--history", tmp_path / "runs.sqlite", "--quiet"]
        both = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
        assert [process.wait(timeout=60) for process in both] == [0, 0, 0]
        assert len(_on_record(tmp_path / "runs.sqlite")) == 15

    @pytest.mark.slow
    def test_killed_again_and_again(self, policies, tmp_path):
        folder = policies(**{f"p{number:02}": GOOD for number in range(30)})
        history = tmp_path / "runs.sqlite"
        command = [sys.executable, "-m", "sqlrisk", "check", folder, "--history", history, "--quiet"]
        for round_ in range(12):
            process = subprocess.Popen(command)
            time.sleep(0.9 + 0.13 * round_)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        assert subprocess.run(command, check=False).returncode == 0
        assert len(_on_record(history)) >= 30


class TestPython:
    def test_the_same(self, policies, tmp_path, sources):
        folder = policies(a=GOOD, b=BAD, c=WRONG)
        outcomes = sqlrisk.check(folder, history=tmp_path / "runs.sqlite", jobs=2)
        assert [(item.name, item.exit_code) for item in outcomes] == [("a", 0), ("b", 1), ("c", 2)]
        assert outcomes[0].result.comparisons[0].reason == "no earlier run of this policy is on record"
        (again,) = sqlrisk.check(str(folder / "a.yml"), history=str(tmp_path / "runs.sqlite"))
        assert again.result.comparisons[0].reason is None

    def test_errors(self, policies, tmp_path):
        with pytest.raises(sqlrisk.RequestError, match="no policy is given"):
            sqlrisk.check()
        with pytest.raises(sqlrisk.RequestError, match="jobs"):
            sqlrisk.check(policies(a=GOOD), jobs=0)
        with pytest.raises(sqlrisk.RequestError, match="select"):
            sqlrisk.check(policies(a=GOOD), select="zzz")
        for wrong in ({"select": 1}, {"history": 3}):
            with pytest.raises(sqlrisk.RequestError):
                sqlrisk.check(policies(a=GOOD), **wrong)
        for given in (None, ["p.yml"], 1):
            with pytest.raises(sqlrisk.RequestError):
                sqlrisk.check(given)
        with pytest.raises(sqlrisk.RequestError, match="history"):
            sqlrisk.open_history(tmp_path / "nowhere.sqlite")
        with pytest.raises(sqlrisk.RequestError):
            sqlrisk.open_history(None)
        assert not (tmp_path / "nowhere.sqlite").exists()

    def test_an_open_connection_is_shared(self, policies, sources):
        import duckdb

        with duckdb.connect(str(sources.database), read_only=True) as connection:
            outcomes = sqlrisk.check(policies(a=GOOD, b=GOOD), source=connection)
            assert [item.exit_code for item in outcomes] == [0, 0]
            assert connection.execute("SELECT 1").fetchone() == (1,)
