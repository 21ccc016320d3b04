"""The documentation against the product: nothing undocumented, nothing documented that is not there, examples that run.

``python tests/test_docs.py --write`` rewrites what is made from the code: docs/reference/sql.md and policy.schema.json.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "sql_templates"
SQL_REFERENCE = ROOT / "docs" / "reference" / "sql.md"
POLICY_SCHEMA = ROOT / "sqlrisk" / "policy.schema.json"
GUIDES = (
    "README.md",
    "docs/tutorial.md",
    "docs/how-to/attach-to-an-agreement.md",
    "docs/how-to/check-on-a-schedule.md",
    "docs/how-to/coming-from.md",
    "docs/how-to/find-the-quasi-identifiers.md",
    "docs/how-to/follow-a-release.md",
    "docs/how-to/k-map-and-presence.md",
    "docs/how-to/longitudinal-data.md",
    "docs/how-to/missing-values.md",
    "docs/how-to/population-model-from-census.md",
    "docs/how-to/publish-a-report.md",
    "docs/how-to/publish-commuting-data.md",
    "docs/how-to/quote-an-estimate.md",
    "docs/how-to/release-competition-data.md",
    "docs/how-to/sensitive-attributes.md",
    "docs/how-to/several-releases.md",
    "docs/how-to/share-a-trial.md",
    "docs/how-to/simulate-an-attack.md",
    "docs/how-to/survey-weights.md",
    "docs/how-to/what-the-attacker-knows.md",
    "docs/reference/policy.md",
    "docs/reference/python.md",
    "docs/explanation/date-shifting-and-tokens.md",
    "docs/explanation/estimators.md",
    "docs/explanation/special-uniques.md",
)
# Options of other programs, in commands that the documentation shows.
FOREIGN_OPTIONS = {"--write", "--check", "--vars"}


def read(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


@cache
def documents() -> list[Path]:
    tops = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
    return [*tops, *sorted((ROOT / "docs").rglob("*.md"))]


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def first_cells(text: str) -> dict[str, str]:
    """The rows of tables whose first cell is code: that code, and the row."""
    rows = re.findall(r"^\| `([^`]+)` \|(.*)\|$", text, re.MULTILINE)
    assert len(rows) == len(dict(rows)), "a key stands twice"
    return dict(rows)


# --- the command line ---


def commands() -> dict[str, Any]:
    import click

    from sqlrisk.cli import cli

    context = click.Context(cli)
    members = {f"sqlrisk {name}": cli.get_command(context, name) for name in cli.list_commands(context)}
    return {"sqlrisk": cli, **members}


def options_of(command: Any) -> set[str]:
    import click

    context = click.Context(command)
    return {
        name
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option)
        for name in [*parameter.opts, *parameter.secondary_opts]
    } - ({"-h"} if context.help_option_names == ["--help"] else set())


def options_in(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w/-])(--[a-z][a-z0-9-]*[a-z0-9]|-[a-zA-Z](?![\w-]))", text))


@cache
def command_sections() -> dict[str, str]:
    parts = re.split(r"^## `(sqlrisk[ a-z]*)`$", read("docs/reference/commands.md"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_command_has_a_section_and_every_section_a_command():
    assert set(command_sections()) == set(commands())
    assert set(first_cells(command_sections()["sqlrisk"])) >= set(commands()) - {"sqlrisk"}


NAMES = (
    "",
    " assess",
    " attack",
    " check",
    " columns",
    " dbt",
    " demo",
    " estimate",
    " history",
    " report",
    " sql",
    " sweep",
)


@pytest.mark.parametrize("name", [f"sqlrisk{name}" for name in NAMES])
def test_options_of_a_command_are_those_of_its_section(name):
    # -h is the group's own spelling of --help, which its commands inherit.
    assert options_in(command_sections()[name]) - {"-h"} == options_of(commands()[name]) - {"-h"}


def test_no_command_escapes_the_test_above():
    assert set(commands()) == {f"sqlrisk{name}" for name in NAMES}


def test_the_documentation_names_no_option_that_is_not_there():
    # The options of `sqlrisk dbt …` are held against docs/reference/dbt.md by its own tests.
    every = [*commands().values(), *commands()["sqlrisk dbt"].commands.values()]
    known = set().union(*map(options_of, every)) | FOREIGN_OPTIONS
    for path in documents():
        stray = {name for name in options_in(path.read_text("utf-8")) if name.startswith("--")} - known
        assert not stray, path.name


# --- the policy ---


def model_of(annotation: Any) -> type[BaseModel] | None:
    candidates = [annotation, *get_args(annotation)]
    return next((item for item in candidates if isinstance(item, type) and issubclass(item, BaseModel)), None)


def policy_paths(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, bool]]:
    """Every dotted key of the model, and whether it is a section."""
    for name, item in model.model_fields.items():
        inner = model_of(item.annotation)
        yield prefix + name, inner is not None
        if inner is not None:
            yield from policy_paths(inner, f"{prefix}{name}.")


def test_every_key_of_a_policy_is_documented_and_no_other():
    from sqlrisk.policy import LATER, Policy
    from sqlrisk.profiles import PROFILES

    paths = dict(policy_paths(Policy))
    # Precedents have rows of their own, and `releases` is read before there is a policy.
    rows = first_cells(read("docs/reference/policy.md"))
    assert set(PROFILES) | {"releases"} <= set(rows)
    rows = {path: row for path, row in rows.items() if path not in PROFILES and path != "releases"}
    assert {path for path, is_section in paths.items() if not is_section} <= set(rows) <= set(paths)
    assert {path for path, row in rows.items() if "Not measured by this version." in row} == set(LATER)


def test_every_option_of_assess_has_its_key_and_every_key_its_place():
    import click

    from sqlrisk.cli.options import spell
    from sqlrisk.policy import KEYS, Policy

    names = {item.name for item in commands()["sqlrisk assess"].params if isinstance(item, click.Parameter)}
    assert names - {"source", "policy", "release"} == set(KEYS)
    paths = dict(policy_paths(Policy))
    rows = first_cells(read("docs/reference/policy.md"))
    for name, key in KEYS.items():
        places = [path for path in paths if re.fullmatch(re.escape(key).replace(r"\*", "[a-z]+"), path)]
        assert places, key
        for place in places:
            assert spell(name) in rows[place] or "`-q`" in rows[place], place


def test_the_policy_in_the_reference_is_valid(tmp_path, monkeypatch):
    from sqlrisk.api import build_policy

    monkeypatch.setenv("WAREHOUSE_URL", "duckdb:///x.duckdb")
    (example,) = re.findall(r"^```yaml\n(.*?)^```", read("docs/reference/policy.md"), re.DOTALL | re.MULTILINE)
    file = tmp_path / "policy.yml"
    file.write_text(example, "utf-8")
    policy, _ = build_policy(file, {})
    assert policy.attackers.named == ["prosecutor", "journalist", "marketer"]


def policy_schema() -> str:
    from sqlrisk.policy import json_schema

    return json.dumps(json_schema(), indent=2) + "\n"


def test_the_shipped_schema_is_the_models():
    assert POLICY_SCHEMA.read_text("utf-8") == policy_schema(), "run: python tests/test_docs.py --write"


# --- the result ---


def schema_paths(node: dict[str, Any], definitions: dict[str, Any], prefix: str = "") -> Iterator[str]:
    if "$ref" in node:
        yield from schema_paths(definitions[node["$ref"].rsplit("/", 1)[1]], definitions, prefix)
    for option in node.get("anyOf", ()):
        yield from schema_paths(option, definitions, prefix)
    if isinstance(node.get("items"), dict):
        yield from schema_paths(node["items"], definitions, prefix + "[]")
    for name, value in node.get("properties", {}).items():
        path = f"{prefix}.{name}" if prefix else name
        yield path
        yield from schema_paths(value, definitions, path)


def test_every_key_of_the_result_is_documented_and_no_other():
    from sqlrisk.result import Assessment

    schema = Assessment.model_json_schema(mode="serialization")
    # Histograms are classes in Python and lists of pairs in the document.
    paths = {path for path in schema_paths(schema, schema["$defs"]) if not path.endswith("_sizes.pairs")}
    # At several fractions, the parts are those that one fraction has.
    paths = {path for path in paths if not re.match(r"fractions\[\]\.(journalist|marketer|population)\.", path)}
    assert set(first_cells(read("docs/reference/result.md"))) == paths


def test_every_key_of_a_sensitive_column_is_documented_and_no_other():
    from sqlrisk.result import SensitiveColumn

    section = read("docs/reference/result.md").split("\n## `sensitive`\n")[1].split("\n## ")[0]
    keys = [
        key for cell in re.findall(r"^\| … ([^|]+) \|", section, re.MULTILINE) for key in re.findall(r"`(\w+)`", cell)
    ]
    assert sorted(keys) == sorted(SensitiveColumn.model_json_schema(mode="serialization")["properties"])


# --- generalisations, exit codes, Python ---


def test_every_generalisation_is_documented_and_no_other():
    from sqlrisk import _HOMES
    from sqlrisk.generalisations import _BUILDERS

    text = read("docs/reference/generalisations.md")
    assert set(first_cells(text)) == set(_BUILDERS) == set(re.findall(r"^## `(\w+)`$", text, re.MULTILINE))
    functions = {name for name, home in _HOMES.items() if home == "sqlrisk.generalisations" and name.islower()}
    assert set(re.findall(r"`sqlrisk\.(\w+)\(", text)) == functions


def test_examples_of_generalisations_are_read():
    from sqlrisk.generalisations import QuasiIdentifier

    for row in first_cells(read("docs/reference/generalisations.md")).values():
        example = re.findall(r"`([^`]+)`", row)[0]
        if ":map=" not in example:
            assert QuasiIdentifier.parse(example).spec == example


def test_the_conversion_rule_is_the_products():
    from sqlrisk.sql.quasi_identifier import NUMBER

    assert f"`{NUMBER % 15}`" in read("docs/reference/generalisations.md")


def test_every_exit_code_is_documented_and_no_other():
    from sqlrisk import errors

    kinds = [item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, errors.SqlriskError)]
    known = {0, 1} | {kind.exit_code for kind in kinds}
    rows = re.findall(r"^\| (\d+) \|", read("docs/reference/exit-codes.md"), re.MULTILINE)
    assert sorted(map(int, rows)) == sorted(known)
    for code in known:
        assert re.search(rf"\b{code}\b", read("README.md").split("Exit codes:")[1].split("\n\n")[0])


def test_every_public_name_is_in_the_python_reference():
    import sqlrisk

    text = read("docs/reference/python.md") + read("docs/reference/exit-codes.md")
    absent = [name for name in sqlrisk.__all__ if not re.search(rf"\b{re.escape(name)}\b", text)]
    assert not absent


def test_every_keyword_of_python_is_in_the_python_reference():
    from sqlrisk.policy import KEYS

    text = read("docs/reference/python.md")
    assert not [name for name in KEYS if f"`{name}`" not in text]


def test_the_dialects_are_documented():
    from sqlrisk.sql.dialect import DIALECTS

    row = first_cells(command_sections()["sqlrisk sql"])["--dialect NAME"]
    assert {name for name in DIALECTS if f"`{name}`" in row} == set(DIALECTS)


# --- links and files ---


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", without_code(path.read_text("utf-8")), re.MULTILINE)
    cleaned = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return {re.sub(r"[\s]+", "-", heading) for heading in cleaned}


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text("utf-8"))):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        found = (path.parent / name).resolve() if name else path
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), target


def test_the_navigation_has_every_page():
    listed = set(re.findall(r"[\w/-]+\.md", read("mkdocs.yml")))
    assert listed == {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}


def test_no_path_of_a_machine():
    for path in [*documents(), POLICY_SCHEMA]:
        assert not re.search(r"(?<![\w.:}])/(tmp|work|root|home|Users)/", path.read_text("utf-8")), path.name


def test_the_readme_fits_a_screen():
    assert len(read("README.md").splitlines()) <= 75


# --- the reference of the templates ---

SECTIONS = [
    ("Rows", "The first step of every statement, once for the release and once for a population table.", ["release"]),
    ("Records", "The main job: no entity id, no population table.", ["classes", "class_sizes"]),
    ("Records, with a population table", "", ["everyone", "joint_classes", "joint_sizes"]),
    ("A population table with several rows a person", "", ["population_people", "population_size"]),
    (
        "Values as numbers",
        "For questions that compare values more than once: every value gets a number, and so does every tuple.",
        ["dictionary", "coded", "both", "half_tuples", "numbered"],
    ),
    (
        "People by all of their rows",
        "With an entity id, `multiset`.",
        ["tuples", "people_multiset", "classes_of_people", "class_sizes_of_people"],
    ),
    (
        "People by all of their rows, with a population table",
        "",
        ["everyone_multiset", "joint_classes_of_people", "joint_sizes_of_people"],
    ),
    (
        "People by their distinct tuples",
        "With an entity id, `distinct`. A tuple is one combination of the quasi-identifiers' values.",
        ["pairs", "pair_sizes", "people_distinct", "record_sizes"],
    ),
    (
        "People by their distinct tuples, with a population table",
        "",
        ["everyone_distinct", "joint_pair_sizes", "joint_people_distinct", "joint_record_sizes"],
    ),
    (
        "Sensitive columns",
        "The steps of each column; with an entity id, those of people stand before them.",
        [
            "sensitive_rows",
            "person_numbers",
            "people_classes",
            "sensitive_rows_of_people",
            "sensitive_classes",
            "mixed_values",
            "mixed_values_of_people",
            "sensitive_pairs",
            "sensitive_totals",
            "sensitive_values",
            "categorical_shares",
            "value_groups",
            "hierarchical_shares",
            "ordered_shares",
            "ordered_crossings",
            "ordered_distances",
            "ranked_shares",
            "class_measures",
            "measures_by_l",
            "l_histogram",
            "sensitive",
            "sensitive_whole",
        ],
    ),
    (
        "A missing value that matches anything",
        "With `--nulls wildcard`, from the classes on.",
        [
            "wild_classes",
            "patterns",
            "all_patterns",
            "gap_groups",
            "meetings",
            "gap_sizes",
            "whole_sizes",
            "own_groups",
            "matches",
            "wild_sizes",
            "wild_size",
            "wild_rows",
            "gap_members",
            "wild_values",
            "gap_values",
            "whole_values",
            "matched_values",
            "matched_pairs",
        ],
    ),
    (
        "A population model",
        "With `--population-model`, once for each of its tables. The values are numbered first, so that missing values meet.",
        ["model", "model_rows", "model_sums", "model_matches", "modelled"],
    ),
    (
        "Survey weights",
        "With a weight. The steps above then read `weighted` in the place of `release`.",
        ["weighted", "record_risks", "survey"],
    ),
    (
        "Households",
        "With a weight and a household id. `record_risks` is used again, over the members (the second: under wildcard).",
        ["household_members", "matched_members", "household_risks", "households"],
    ),
    (
        "Single columns",
        "With `sqlrisk columns`, once for each column.",
        ["column_values", "column_figures"],
    ),
    (
        "Subsets of the quasi-identifiers",
        "With `sqlrisk sweep`; the last three for each set that others are rolled up from.",
        ["subset_classes", "subset_parent", "subset_groups", "subset_sums"],
    ),
    (
        "Minimal sample uniques",
        "With `sqlrisk sweep --minimal-uniques`, after `subset_classes`.",
        [
            "msu_numbered",
            "msu_unique",
            "msu_bits",
            "msu_marked",
            "msu_minimal",
            "msu_subsets",
            "msu_records",
            "msu_vectors",
        ],
    ),
    (
        "A simulated attack",
        "With `sqlrisk attack`. `attack_outcomes_itself` stands in the place of `attack_right` and `attack_outcomes` where "
        "nothing says who a record is.",
        [
            "measured_rows",
            "attack_targets",
            "attack_noisy",
            "attack_drawn",
            "attack_knowing",
            "attack_known",
            "attack_masks",
            "attack_classes",
            "attack_candidates",
            "attack_matches",
            "attack_right",
            "attack_outcomes",
            "attack_outcomes_itself",
            "attack",
            "attack_pool",
        ],
    ),
    (
        "Longitudinal data",
        "With `sqlrisk attack --points`. The worst points are found in a statement of their own.",
        [
            "point_events",
            "point_people",
            "point_targets",
            "point_known",
            "point_sizes",
            "point_drawn",
            "point_held",
            "point_fits_first",
            "point_fits",
            "point_matches",
            "unicity",
            "unicity_of_one",
            "point_counts",
            "point_events_counts",
            "point_rarest",
            "point_best_of_one",
            "point_open",
            "point_beside",
            "point_near",
            "point_left",
            "point_shared",
            "point_cost",
            "point_compared",
            "point_choices_of_two",
            "point_choices_of_three",
            "point_best",
            "point_best_of_two",
            "point_cost_counts",
            "point_worst",
        ],
    ),
    (
        "Several releases",
        "With `--previous`. Release 0 is this one.",
        [
            "composition_classes",
            "composition_members",
            "composition_link",
            "composition_linked",
            "composition_joint",
            "composition_sizes",
            "composition_candidates",
            "composition_compatible",
            "composition_releases",
            "composition_values",
            "composition_counts",
            "composition_signatures",
            "composition_left",
            "composition_number_left",
            "composition_state",
            "composition_changed",
            "composition_sensitive",
            "composition_invariance",
        ],
    ),
    ("The audit table of dbt", "Read by `sqlrisk dbt test --from-audit`.", ["audit"]),
    ("The demo", "Run in the embedded DuckDB alone.", ["demo/member_register", "demo/claims_release"]),
]
INTRODUCTION = """\
# SQL

This page is made from the headers of the templates (`python tests/test_docs.py --write`).

A statement is a chain of steps (CTEs), and arms joined by UNION ALL that each return a small histogram. Each step is a
template: plain SQL in DuckDB's dialect. A name between double underscores is a slot. It stands for a relation, or for
any number of columns. A template reads the step before it by its name. `sqlrisk sql` prints the whole statement, slots
filled, for your table and your dialect.

A *tally* is a count that is summed from the rows to the answer: values that did not convert, rows without an entity id.
"""


@dataclass
class Header:
    """The comment that leads a template."""

    text: list[str] = field(default_factory=list)
    slots: list[tuple[str, str]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    how: list[str] = field(default_factory=list)
    body: str = ""


def read_header(path: Path) -> Header:
    content = path.read_text("utf-8")
    if content.startswith("/*"):
        comment, _, body = content.removeprefix("/*").partition("*/")
        lines = comment.strip("\n").splitlines()
    else:
        every = content.splitlines()
        end = next(number for number, line in enumerate(every) if not line.startswith("--"))
        lines, body = [line[2:].removeprefix(" ") for line in every[:end]], "\n".join(every[end:])
    header = Header(body=body.strip())
    part = header.text
    for line in lines:
        heading = re.fullmatch(r"(Slots|Columns|How)(?:|:(.*))", line)
        if heading:
            part = {"Slots": header.slots, "Columns": header.columns, "How": header.how}[heading[1]]
        rest = (heading[2] or "") if heading else line
        if part is not header.slots:
            part.append(rest)
        elif slot := re.match(r"\s+(__\w+__)\s+(.*)", rest):
            header.slots.append((slot[1], slot[2]))
        elif rest.strip():
            name, meaning = header.slots[-1]
            header.slots[-1] = (name, f"{meaning} {rest.strip()}")
    return header


def sql_reference() -> str:
    pages = [INTRODUCTION]
    for title, introduction, names in SECTIONS:
        pages.append(f"## {title}\n")
        if introduction:
            pages.append(f"{introduction}\n")
        for name in names:
            pages.append(_describe(name, read_header(TEMPLATES / f"{name}.sql")))
    return "\n".join(pages)


def _describe(name: str, header: Header) -> str:
    demo = name.startswith("demo/")
    parts = [f"### `{name}.sql`", _prose(header.text)]
    if header.slots:
        rows = [f"| `{slot}` | {_escaped(meaning)} |" for slot, meaning in header.slots]
        parts.append("\n".join(["| slot | |", "| --- | --- |", *rows]))
    if demo:
        columns = [re.match(r"\s+(\w+)\s+(.*)", line) for line in header.columns if line.strip()]
        rows = [f"| `{column[1]}` | {_escaped(column[2])} |" for column in columns if column]
        parts.append("\n".join(["| column | |", "| --- | --- |", *rows]))
        parts += [_prose(header.how)] if header.how else []
    else:
        parts += [f"Columns: {_prose(header.columns)}", f"```sql\n{header.body}\n```"]
    return "\n\n".join(parts) + "\n"


def _prose(lines: list[str]) -> str:
    paragraphs = "\n".join(line.strip() for line in lines).strip().split("\n\n")
    return "\n\n".join(_escaped(" ".join(paragraph.split())) for paragraph in paragraphs)


def _escaped(text: str) -> str:
    return re.sub(r"([*<|_])", r"\\\1", text)


def test_the_sql_reference_is_that_of_the_templates():
    assert SQL_REFERENCE.read_text("utf-8") == sql_reference(), "run: python tests/test_docs.py --write"


def test_every_template_has_a_place_in_the_sql_reference():
    listed = [name for _, _, names in SECTIONS for name in names]
    found = {str(path.relative_to(TEMPLATES).with_suffix("")) for path in TEMPLATES.rglob("*.sql")}
    assert sorted(listed) == sorted(found)


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.sql")), ids=lambda path: path.stem)
def test_a_templates_header_names_its_slots_and_columns(path):
    header = read_header(path)
    assert _prose(header.text)
    assert header.columns
    assert {name for name, _ in header.slots} == set(re.findall(r"\b__\w+__\b", header.body))


# --- examples that run ---


@dataclass
class Example:
    """A code block that is marked to run, and the lines that its output must have."""

    language: str
    engine: str
    code: str
    expected: list[str] = field(default_factory=list)


@cache
def examples(document: str) -> list[Example]:
    """Blocks after ``<!-- run -->`` or ``<!-- run: ENGINE -->``; outputs follow, each after ``<!-- output -->``."""
    pattern = r"^<!-- (run|output)(?:: (\w+))? -->\n```(\w+)\n(.*?)^```"
    found: list[Example] = []
    for kind, engine, language, code in re.findall(pattern, read(document), re.DOTALL | re.MULTILINE):
        if kind == "run":
            found.append(Example(language, engine or "file", code))
        else:
            found[-1].expected += code.splitlines()
    return found


def run(example: Example, folder: Path, environment: dict[str, str], preamble: str = "") -> None:
    """Run one example in ``folder``; it must end well and print its lines, in their order."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in {"SQLRISK_URL", "SQLRISK_HISTORY", "BIGQUERY_EMULATOR_HOST"}
    }
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    if example.language == "python":
        command = [sys.executable, "-c", preamble + example.code]
    else:
        # A block that prints an exit code itself goes on after a command that failed.
        command = ["bash", *([] if "$?" in example.code else ["-e"]), "-c", example.code]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**clean, "PATH": path, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{example.code}\n{done.stderr[-2000:]}"
    printed = [" ".join(line.split()) for line in done.stdout.splitlines()]
    position = 0
    for line in example.expected:
        wanted = " ".join(line.split())
        # A line ends with … where the rest of it is another one each time.
        at = next((n for n in range(position, len(printed)) if _is_printed(wanted, printed[n])), None)
        assert at is not None, f"{wanted!r} is not printed (in this order):\n{done.stdout}"
        position = at + 1


def _is_printed(wanted: str, printed: str) -> bool:
    return printed.startswith(wanted[:-1]) if wanted.endswith("…") else printed == wanted


@cache
def _played(document: str, folder: Path) -> None:
    for example in examples(document):
        if example.engine == "file":
            run(example, folder, {})


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    """A folder for each guide."""
    if shutil.which("bash") is None:
        pytest.skip("there is no bash, which the examples are written for")
    if shutil.which("sqlrisk", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("sqlrisk is not installed beside this Python, so the examples cannot call it")
    return {document: tmp_path_factory.mktemp("guide") for document in GUIDES}


@pytest.mark.parametrize("document", GUIDES)
def test_examples_with_files_run(document, folders):
    assert examples(document)
    _played(document, folders[document])


def play(engine: str, folders: dict[str, Path], environment: dict[str, str], preamble: str = "") -> None:
    document = "docs/tutorial.md"
    _played(document, folders[document])
    own = [example for example in examples(document) if example.engine == engine]
    assert own
    for example in own:
        run(example, folders[document], environment, preamble)


def start(engine: str, starter: Any) -> Any:
    """The engine, or a skip that says why not (a failure where the engine is required)."""
    from tests.engines.starters import EngineMissing, is_required

    try:
        return starter.start()
    except EngineMissing as problem:
        if is_required(engine):
            pytest.fail(f"{engine} is required: {problem.reason}")
        pytest.skip(f"the tutorial's part on {engine} was not run: {problem.reason}")


def test_examples_with_postgres_run(folders):
    from tests.engines.starters import postgres

    server = start("postgres", postgres)
    try:
        play("postgres", folders, {"SQLRISK_URL": server.url})
    finally:
        server.stop()


def test_examples_with_bigquery_run(folders):
    from tests.engines.starters import bigquery_emulator

    emulator = start("bigquery", bigquery_emulator)
    # The tutorial's client takes the reader's credentials; here it is sent to the emulator, which wants none.
    preamble = (
        "import functools, google.auth.credentials, google.cloud.bigquery as b\n"
        "b.Client = functools.partial(b.Client, credentials=google.auth.credentials.AnonymousCredentials(), "
        f"client_options={{'api_endpoint': {emulator.host!r}}})\n"
    )
    try:
        play("bigquery", folders, {"PROJECT": "my-project", "BIGQUERY_EMULATOR_HOST": emulator.host}, preamble)
    finally:
        emulator.stop()


def test_every_marked_block_belongs_to_an_engine_that_is_run():
    for document in GUIDES:
        engines = {example.engine for example in examples(document)}
        assert engines <= ({"file", "postgres", "bigquery"} if document == "docs/tutorial.md" else {"file"})
        assert len(re.findall(r"^<!-- (?:run|output)", read(document), re.MULTILINE)) == sum(
            1 for _ in re.finditer(r"^<!-- (?:run|output)(?:: \w+)? -->\n```\w+\n", read(document), re.MULTILINE)
        )


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/test_docs.py --write")
    SQL_REFERENCE.write_text(sql_reference(), "utf-8")
    POLICY_SCHEMA.write_text(policy_schema(), "utf-8")
    print(f"written: {SQL_REFERENCE.relative_to(ROOT)}, {POLICY_SCHEMA.relative_to(ROOT)}")
