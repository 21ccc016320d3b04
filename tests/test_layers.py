"""Imports run downwards only, as in the architecture, and SQL is made on the syntax tree, never of text."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "sqlrisk"
MODULES = {
    ".".join(["sqlrisk", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if "package" not in path.relative_to(PACKAGE).parts
}

# What a layer may import of sqlrisk beside itself; the longest matching name is a module's layer.
ARROWS = {
    "sqlrisk": set(),
    "sqlrisk.errors": set(),
    "sqlrisk.threshold": {"errors"},
    "sqlrisk.generalisations": {"errors"},
    "sqlrisk.sensitive": {"generalisations", "errors"},
    "sqlrisk.population_model": {"errors"},
    "sqlrisk.class_sizes": {"threshold", "errors"},
    "sqlrisk.profiles": {"errors"},
    "sqlrisk.policy_values": {"generalisations", "population_model", "profiles", "sensitive", "threshold", "errors"},
    "sqlrisk.policy_commands": {"policy_values"},
    "sqlrisk.policy": {"policy_commands", "policy_values", "threshold"},
    "sqlrisk.policy_profile": {"policy", "profiles", "threshold", "errors"},
    "sqlrisk.policy_document": {"policy", "policy_commands", "policy_profile", "errors"},
    "sqlrisk.risk": {"class_sizes", "threshold", "errors"},
    "sqlrisk.population": {"class_sizes", "threshold", "errors"},
    "sqlrisk.record": {"errors"},
    "sqlrisk.hints": set(),
    "sqlrisk.parts": {"record", "errors"},
    "sqlrisk.result": {"class_sizes", "parts", "record", "errors"},
    "sqlrisk.outcome": {"result"},
    "sqlrisk.limits": {"result", "errors"},
    "sqlrisk.sql": {"policy", "generalisations", "sensitive", "threshold", "errors"},
    "sqlrisk.warehouse": {"sql.relation", "errors", ""},
    "sqlrisk.report": {"result", "parts", "record", "outcome", "history", "errors", ""},
    "sqlrisk.history": {"result", "record", "errors", ""},
    "sqlrisk.assessment": {
        "sql",
        "warehouse",
        "risk",
        "population",
        "limits",
        "history",
        "result",
        "parts",
        "hints",
        "record",
        "outcome",
        "policy",
        "policy_commands",
        "policy_profile",
        "policy_document",
        "population_model",
        "generalisations",
        "sensitive",
        "class_sizes",
        "threshold",
        "errors",
        "",
    },
    "sqlrisk.dbt": {
        "policy",
        "policy_document",
        "assessment",
        "warehouse",
        "sql",
        "generalisations",
        "sensitive",
        "class_sizes",
        "outcome",
        "result",
        "errors",
    },
    "sqlrisk.api": {"assessment", "policy", "policy_document", "history", "result", "errors"},
    "sqlrisk.cli": {"assessment", "policy", "report", "history", "dbt", "api", "outcome", "result", "errors", ""},
    "sqlrisk.__main__": {"cli"},
}

# Imports that are made when a method is called, so that a value can offer what stands above it.
DEFERRED = {
    ("sqlrisk.result", "report"),  # Assessment.to_html and its like
    ("sqlrisk.class_sizes", "population"),  # facades of the estimators
    ("sqlrisk.class_sizes", "risk"),
}

# Libraries that only these may know.
LIBRARIES = {
    "sqlglot": ("sqlrisk.sql", "sqlrisk.warehouse", "sqlrisk.assessment", "sqlrisk.dbt.generate"),
    "sqlalchemy": ("sqlrisk.warehouse", "sqlrisk.history", "sqlrisk.dbt.profile"),
    "matplotlib": ("sqlrisk.report",),
    "duckdb": ("sqlrisk.warehouse", "sqlrisk.assessment.demo"),
    "google": ("sqlrisk.warehouse",),
    "psycopg": ("sqlrisk.warehouse",),
    "click": ("sqlrisk.cli",),
    "rich": ("sqlrisk.cli", "sqlrisk.report"),
    "jinja2": ("sqlrisk.report", "sqlrisk.dbt.profile"),
}


def imports(path: Path, module: str) -> list[tuple[str, bool, int]]:
    """(imported module, whether only when a function runs, line), type-checking imports left out."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for node in ast.walk(block)
    }
    deferred = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found = []
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            found += [(alias.name, id(node) in deferred, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, *([node.module] if node.module else [])])
            # `from sqlrisk.risk import attackers` imports the module sqlrisk.risk.attackers.
            names = [f"{base}.{alias.name}" if f"{base}.{alias.name}" in MODULES else base for alias in node.names]
            found += [(name, id(node) in deferred, node.lineno) for name in dict.fromkeys(names)]
    return found


def layer(module: str) -> str:
    return max((name for name in ARROWS if module == name or module.startswith(name + ".")), key=len)


def within(module: str, allowed: str) -> bool:
    whole = f"sqlrisk.{allowed}" if allowed else "sqlrisk"
    return module == whole or (allowed != "" and module.startswith(whole + "."))


def test_every_module_has_a_layer():
    strangers = [module for module in MODULES if module != "sqlrisk" and layer(module) == "sqlrisk"]
    assert strangers == []


@pytest.mark.parametrize("module", MODULES)
def test_imports_run_downwards(module):
    own = layer(module)
    wrong = []
    for imported, is_deferred, line in imports(MODULES[module], module):
        if imported.partition(".")[0] != "sqlrisk" or within(imported, own.removeprefix("sqlrisk").removeprefix(".")):
            continue
        if any(within(imported, allowed) for allowed in ARROWS[own]):
            continue
        if is_deferred and any(module == name and within(imported, what) for name, what in DEFERRED):
            continue
        wrong.append(f"line {line}: {imported}")
    assert wrong == []


@pytest.mark.parametrize("module", MODULES)
def test_libraries_stay_where_they_belong(module):
    wrong = [
        f"line {line}: {imported}"
        for imported, _, line in imports(MODULES[module], module)
        if (library := imported.partition(".")[0]) in LIBRARIES
        and not any(module == home or module.startswith(home + ".") for home in LIBRARIES[library])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "module", [name for name in MODULES if layer(name) in {"sqlrisk.risk", "sqlrisk.population", "sqlrisk.class_sizes"}]
)
def test_the_maths_knows_no_sql(module):
    known = {imported.partition(".")[0] for imported, _, _ in imports(MODULES[module], module)}
    assert not known & {"sqlglot", "sqlalchemy", "duckdb", "jinja2", "click"}


def test_no_circles():
    """Module by module, as they are imported at the start."""
    graph = {
        module: {name for name, is_deferred, _ in imports(path, module) if not is_deferred and name in MODULES}
        - {module}
        for module, path in MODULES.items()
    }
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path, module))
        if module not in done:
            for other in graph[module]:
                visit(other, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def test_help_imports_nothing_heavy():
    """What `import sqlrisk` brings: names are looked up when they are used."""
    import subprocess
    import sys

    heavy = "'pandas', 'sqlalchemy', 'duckdb', 'sqlglot', 'pydantic', 'scipy', 'matplotlib', 'google', 'yaml'"
    code = f"import sys, sqlrisk; print(sorted({{{heavy}}} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


SQL = re.compile(r"\b(SELECT|FROM|WHERE|GROUP BY|ORDER BY|UNION|INSERT|CREATE)\b")


def texts_made(tree: ast.AST) -> list[tuple[int, str]]:
    """(line, constant part) of texts put together: f-strings, `+`, `%`, `.format`, `.join`."""
    found = []
    for node in ast.walk(tree):
        parts: list[ast.AST] = []
        if isinstance(node, ast.JoinedStr):
            parts = [part for part in node.values if isinstance(part, ast.Constant)]
            if all(isinstance(part, ast.Constant) for part in node.values):
                parts = []
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            parts = [side for side in (node.left, node.right) if isinstance(side, ast.Constant)]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in {"format", "join", "replace"}
        ):
            parts = [part for part in (node.func.value, *node.args) if isinstance(part, ast.Constant)]
        found += [(node.lineno, str(part.value)) for part in parts if isinstance(part.value, str)]
    return found


# Texts that look like SQL and go to no engine as they are: each is parsed, its tree checked, its literals bound.
PARSED = {  # the user's condition, wrapped so that it parses as one
}


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith(("sqlrisk.sql", "sqlrisk.assessment"))])
def test_no_sql_is_made_of_text(module):
    """The catalogue look-ups and EXPLAIN of the warehouses are the exemption; nothing of a user's goes into them."""
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    raised = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    messages = {part.lineno for part in ast.walk(tree) if id(part) in raised and hasattr(part, "lineno")}
    made = [f"line {line}: {text}" for line, text in texts_made(tree) if SQL.search(text) and line not in messages]
    assert len(made) == PARSED.get(module, 0), made


def test_the_heuristic_sees_sql_made_of_text():
    for code in (
        'f"SELECT {a} FROM t"',
        '"SELECT " + a',
        '"SELECT %s" % a',
        '"SELECT {}".format(a)',
        '" UNION ALL ".join(a)',
    ):
        assert any(SQL.search(text) for _, text in texts_made(ast.parse(code))), code
    assert not texts_made(ast.parse('f"SELECT 1"'))


CATALOGUES = re.compile(
    r"\b(information_schema|pg_class|pg_type|pg_settings|pg_proc|duckdb_functions|duckdb_tables|parquet_schema|EXPLAIN|INFORMATION_SCHEMA)\b"
)


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("sqlrisk.warehouse")])
def test_warehouses_make_look_ups_alone(module):
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    statements = [
        text
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr)
        and SQL.match(text := ast.unparse(node).lstrip("frb").strip("'\""))
    ]
    strangers = [text for text in statements if not CATALOGUES.search(text)]
    assert [text for text in strangers if not text.startswith(("SELECT set_config(", "SELECT * FROM "))] == []
