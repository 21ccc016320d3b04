"""Templates are plain SQL: they parse as they stand, say what they are, and say nothing but what every engine means."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from sqlrisk.sql import template

FOLDER = template.folder()
NAMES = sorted(str(file.relative_to(FOLDER).with_suffix("")) for file in FOLDER.rglob("*.sql"))
# Those that run on every engine; the demo's generator runs on the embedded DuckDB alone.
PORTABLE = [name for name in NAMES if not name.startswith("demo/")]

# The allow-list of the architecture, by sqlglot's names; the loader's may be shorter, never longer. AND, OR, CASE, IF
# are functions to sqlglot.
ALLOWED = {
    "abs", "and", "case", "cast", "coalesce", "count", "exp", "floor", "groupconcat", "if", "ln", "max", "min", "or",
    "rownumber", "substring", "sum", "timestamptrunc",
}  # fmt: skip


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.sql").read_text("utf-8")


def parsed(name: str) -> exp.Query:
    (tree,) = sqlglot.parse(text_of(name), read="duckdb")
    assert isinstance(tree, exp.Query)
    return tree


def header_of(name: str) -> str:
    """The comment that the file begins with, without its comment signs."""
    text = text_of(name)
    if text.startswith("/*"):
        return text[2 : text.index("*/")]
    lines = text.splitlines()
    comment = lines[: next(number for number, line in enumerate(lines) if not line.startswith("--"))]
    return "\n".join(line.removeprefix("--").removeprefix(" ") for line in comment)


def slots_of(tree: exp.Expression) -> set[str]:
    return {node.name for node in tree.find_all(exp.Identifier) if re.fullmatch(r"__\w+__", node.name)}


def parts_of(name: str) -> tuple[str, str, str]:
    """The header's first paragraph, what it says of slots, and what it says of the result's columns."""
    match = re.fullmatch(r"(.*?)(?:^Slots:?$(.*?))?^Columns(:.*|$.*)", header_of(name), re.DOTALL | re.MULTILINE)
    assert match, "a header says what the step is, then `Slots`, then `Columns`"
    return match[1], match[2] or "", match[3]


def test_there_are_some():
    assert {"release", "classes", "class_sizes", "demo/claims_release", "demo/member_register"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_it_parses_as_it_stands(name: str):
    parsed(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_loader_finds_it(name: str):
    assert template.load(name) == template.load(name)
    assert isinstance(template.load(name), exp.Query)


def test_the_loader_knows_no_other():
    with pytest.raises(FileNotFoundError):
        template.load("nothing")


@pytest.mark.parametrize("name", NAMES)
def test_its_header_says_what_it_is(name: str):
    what, _, _ = parts_of(name)
    assert re.match(r"\s*[A-Z].{20,}\.", what, re.DOTALL)


@pytest.mark.parametrize("name", NAMES)
def test_its_header_names_all_of_its_slots_and_no_other(name: str):
    _, slots, _ = parts_of(name)
    described = re.findall(r"^\s+(__\w+__)\s\s+\S.{5,}", slots, re.MULTILINE)
    assert len(described) == len(set(described))
    assert set(described) == slots_of(parsed(name))


@pytest.mark.parametrize("name", NAMES)
def test_its_header_names_the_columns_of_its_result(name: str):
    _, _, columns = parts_of(name)
    tree = parsed(name)
    named = [column for column in tree.named_selects if not re.fullmatch(r"__\w+__", column)]
    missing = [column for column in named if not re.search(rf"\b{re.escape(column)}\b", columns)]
    assert not missing, f"the header does not name {missing}"
    stated = re.findall(r"\b[a-z]+_[a-z_]+\b", re.sub(r"\([^)]*\)|as in \w+\.sql", "", columns.partition(".\n")[0]))
    slots = {slot.strip("_") for slot in slots_of(tree)}
    assert set(stated) <= {*named, *slots}, "the header names a column that the result does not have"
    for slot in ("quasi_identifiers", "tally_sums", "row_tallies", "tallies"):
        if slot in {column.strip("_") for column in tree.named_selects}:
            assert ("qi_N" if slot == "quasi_identifiers" else "tally") in columns


@pytest.mark.parametrize("name", PORTABLE)
def test_it_uses_only_functions_that_mean_the_same_everywhere(name: str):
    tree = parsed(name)
    assert not list(tree.find_all(exp.Anonymous))
    assert {type(node).__name__.lower() for node in tree.find_all(exp.Func)} <= ALLOWED


def test_the_loader_s_allow_list_is_the_architecture_s():
    assert {function.__name__.lower() for function in template.ALLOWED_FUNCTIONS} <= ALLOWED


@pytest.mark.parametrize("name", NAMES)
def test_slots_stand_only_where_columns_or_relations_do(name: str):
    for identifier in parsed(name).find_all(exp.Identifier):
        if not re.fullmatch(r"__\w+__", identifier.name):
            continue
        node = identifier.parent
        if isinstance(node, exp.Table):
            assert isinstance(node.parent, exp.From | exp.Join), f"{identifier.name} stands in no FROM"
            continue
        if isinstance(node, exp.Join):
            assert identifier.arg_key == "using"
            continue
        assert isinstance(node, exp.Column) and not node.args.get("table"), f"{identifier.name} is qualified"


@pytest.mark.parametrize("name", PORTABLE)
def test_nothing_depends_on_the_order_of_missing_values(name: str):
    for ordered in re.finditer(r"ORDER BY [^)]*", text_of(name)):
        assert "NULLS FIRST" in ordered[0]


@pytest.mark.parametrize("name", PORTABLE)
def test_counts_are_whole_numbers_of_one_type(name: str):
    """SUM of a BIGINT is HUGEINT on DuckDB and numeric on PostgreSQL: what is returned is cast."""
    for column in parsed(name).selects:
        value = column.unalias()
        value = value.this if isinstance(value, exp.Window) else value
        assert not isinstance(value, exp.Sum | exp.Count), f"{column.sql('duckdb')} is not cast"


@pytest.mark.parametrize("name", NAMES)
def test_it_ends_with_a_line_break_and_has_no_tabs(name: str):
    text = text_of(name)
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert "\t" not in text and "\r" not in text
    assert not [line for line in text.splitlines() if line != line.rstrip() or len(line) > 140]


class TestBinding:
    def test_it_leaves_the_shared_tree_alone(self):
        before = template.load("classes").sql("duckdb")
        columns = {
            "quasi_identifiers": [exp.column("qi_1")],
            "missing": [exp.Literal.number(0)],
            "kept": [],
            "tally_sums": [exp.alias_(exp.Sum(this=exp.column("x")), "x")],
        }
        bound = template.bind("classes", columns, {"release": exp.to_table("other")})
        assert template.load("classes").sql("duckdb") == before
        assert not slots_of(bound)
        assert bound.find(exp.Table).name == "other"

    def test_what_is_not_bound_is_an_error(self):
        with pytest.raises(template.TemplateError, match="nothing is bound to __quasi_identifiers__"):
            template.bind("classes", {"missing": [exp.Literal.number(0)], "kept": [], "tally_sums": []})

    def test_what_there_is_no_slot_for_is_an_error(self):
        with pytest.raises(template.TemplateError, match="no slot for other"):
            template.bind("class_sizes", {"bins": [], "tally_sums": [], "other": []})

    def test_a_relation_left_open_is_an_error(self):
        with pytest.raises(template.TemplateError, match="left open"):
            template.bind(
                "release",
                {"quasi_identifiers": [exp.column("a")], "entity": [], "sensitive": [], "survey": [], "tallies": []},
            )

    @pytest.mark.parametrize(
        "text", ["SELECT hash(a) FROM t", "SELECT random() FROM t", "SELECT nothing_known(a) FROM t", "DELETE FROM t"]
    )
    def test_other_functions_are_refused(self, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        (tmp_path / "made_up.sql").write_text(text)
        monkeypatch.setattr(template, "folder", lambda: tmp_path)
        template.load.cache_clear()
        try:
            with pytest.raises(template.TemplateError):
                template.load("made_up")
        finally:
            template.load.cache_clear()

    def test_many_columns_and_none(self):
        columns = {
            "quasi_identifiers": [exp.column("a"), exp.column("b")],
            "entity": [],
            "sensitive": [],
            "survey": [],
            "tallies": [],
        }
        bound = template.bind("release", columns, {"__source__": exp.to_table("t")})
        assert bound.sql("duckdb") == 'SELECT a, b FROM t AS "source"'


def test_every_template_is_used():
    """A file that no step composes would drift unseen."""
    package = Path(template.__file__).parents[1]
    sources = "".join(file.read_text("utf-8") for file in package.rglob("*.py"))
    assert not [name for name in NAMES if f'"{name}"' not in sources and f'"{name.rpartition("/")[2]}"' not in sources]
