"""The wheel holds what it needs, works in an environment of its own, and starts at once."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
# What takes long to import. `--help` and `--version` must wait for none of it.
HEAVY = (
    "pandas",
    "numpy",
    "sqlalchemy",
    "pydantic",
    "duckdb",
    "sqlglot",
    "rich",
    "yaml",
    "jinja2",
    "matplotlib",
    "psycopg",
    "google",
)


def run(*command: object, folder: Path, **options: object) -> str:
    """What a program says; it must end well."""
    # Only what was installed may be found, not this checkout.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SQLRISK_"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **options,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy: a build leaves things behind."""
    if importlib.util.find_spec("build") is None:
        pytest.skip("PyPI `build` is not installed")
    tree = tmp_path_factory.mktemp("source") / "sqlrisk"
    unwanted = shutil.ignore_patterns(".git", ".ci", "__pycache__", ".*_cache", ".venv", "venv", "dist", "build")
    # The dbt package has a folder `tests` of its own.
    shutil.copytree(
        REPOSITORY,
        tree,
        ignore=lambda folder, names: unwanted(folder, names) | ({"tests"} if Path(folder) == REPOSITORY else set()),
    )
    made = tmp_path_factory.mktemp("dist")
    # Isolated, as pip builds it, unless the build backend is here anyway: then it needs no network.
    here = ["--no-isolation"] if importlib.util.find_spec("hatchling") else []
    run(sys.executable, "-m", "build", "--wheel", *here, "--outdir", made, tree, folder=made, timeout=300)
    (file,) = made.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The programs' folder of an environment that has the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "--quiet", wheel, folder=folder, timeout=600)
    yield programs
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow
class TestWheel:
    def test_it_holds_the_templates(self, wheel: Path):
        with zipfile.ZipFile(wheel) as archive:
            held = {name for name in archive.namelist() if name.startswith("sqlrisk/sql_templates/")}
            folder = REPOSITORY / "sql_templates"
            assert held == {f"sqlrisk/sql_templates/{file.relative_to(folder)}" for file in folder.rglob("*.sql")}
            assert "sqlrisk/sql_templates/classes.sql" in held

    def test_it_holds_the_schema_of_policies(self, wheel: Path):
        from sqlrisk.policy import json_schema

        with zipfile.ZipFile(wheel) as archive:
            assert json.loads(archive.read("sqlrisk/policy.schema.json")) == json_schema()

    def test_it_holds_the_files_of_the_package_and_no_others(self, wheel: Path):
        package = REPOSITORY / "sqlrisk"
        there = {
            str(file.relative_to(REPOSITORY))
            for file in package.rglob("*")
            if file.is_file() and "__pycache__" not in file.parts
        }
        with zipfile.ZipFile(wheel) as archive:
            held = {name for name in archive.namelist() if ".dist-info/" not in name}
        assert {name for name in held if not name.startswith("sqlrisk/sql_templates/")} == there

    def test_it_says_whose_it_is_and_what_it_needs(self, wheel: Path):
        project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            (metadata,) = (archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
            assert any("licenses/LICENSE" in name for name in names)
        assert f"Version: {project['version']}" in metadata
        assert metadata.count("Requires-Dist: ") >= len(project["dependencies"])
        assert "Provides-Extra: postgres" in metadata and "Provides-Extra: bigquery" in metadata
        # A table of contents that PyPI shows.
        assert len(metadata.partition("\n\n")[2]) > 500


@pytest.mark.slow
class TestInstalled:
    def test_version(self, installed: Path, tmp_path: Path):
        import sqlrisk

        assert run(installed / "sqlrisk", "--version", folder=tmp_path).strip().endswith(sqlrisk.__version__)

    def test_it_is_the_installed_one(self, installed: Path, tmp_path: Path):
        where = run(installed / "python", "-c", "import sqlrisk; print(sqlrisk.__file__)", folder=tmp_path)
        assert Path(where.strip()).is_relative_to(installed.parent)

    def test_the_dbt_package_is_where_it_says(self, installed: Path, tmp_path: Path):
        where = Path(run(installed / "sqlrisk", "dbt", "package-path", folder=tmp_path).strip())
        assert where.is_relative_to(installed.parent)
        assert (where / "dbt_project.yml").is_file() and (where / "macros/generated/postgres.sql").is_file()

    def test_the_demo(self, installed: Path, tmp_path: Path):
        out = run(installed / "sqlrisk", "demo", folder=tmp_path, timeout=120)
        assert "FAIL" in out and "PASS" in out
        assert os.listdir(tmp_path) == ["sqlrisk-demo.html"]
        assert (tmp_path / "sqlrisk-demo.html").stat().st_size > 1000

    def test_a_file_is_assessed_without_any_extra(self, installed: Path, tmp_path: Path):
        (tmp_path / "claims.csv").write_text("sex,age\nf,34\nm,35\nf,34\nm,35\n")
        arguments = ["assess", "claims.csv", "-q", "sex", "-q", "age:band=5", "--min-k", "2", "--format"]
        for format in ("text", "markdown", "html"):
            assert "PASS" in run(installed / "sqlrisk", *arguments, format, folder=tmp_path)
        assert json.loads(run(installed / "sqlrisk", *arguments, "json", folder=tmp_path))["verdict"]["passed"] is True

    def test_a_missing_driver_names_its_extra(self, installed: Path, tmp_path: Path):
        for source, extra in (("postgresql://host/db", "postgres"), ("bigquery://project/dataset", "bigquery")):
            done = subprocess.run(
                [installed / "sqlrisk", "assess", source, "--table", "t", "-q", "a"],
                cwd=tmp_path, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith("sqlrisk: ") and f"sqlrisk[{extra}]" in done.stderr
            assert done.stderr.count("\n") == 1

    def test_python_s_types_are_there(self, installed: Path, tmp_path: Path):
        program = (
            "import pandas, sqlrisk; frame = pandas.DataFrame({'a': ['x', 'x', 'y']}); "
            "r = sqlrisk.assess(frame, quasi_identifiers=['a']); "
            "print(r.class_sizes.to_frame().to_csv(index=False), r.prosecutor.highest_risk)"
        )
        assert run(installed / "python", "-W", "error", "-c", program, folder=tmp_path).split()[-1] == "1.0"

    def test_what_it_needs_agrees(self, installed: Path, tmp_path: Path):
        run(installed / "python", "-m", "pip", "check", folder=tmp_path)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["assess", "--help"], ["sql", "--help"], ["demo", "--help"]], ids=" ".join
)
def test_help_waits_for_nothing(arguments: list[str], tmp_path: Path):
    program = (
        "import json, sys\n"
        "from sqlrisk.cli import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "except SystemExit as stop:\n    code = stop.code\n"
        "print(json.dumps([code, sorted({name.partition('.')[0] for name in sys.modules})]), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0 and len(done.stdout) > 10
    assert not set(modules) & set(HEAVY)


def test_class_sizes_wait_for_no_estimator(tmp_path: Path):
    """numpy and scipy take as long to load as everything else together."""
    (tmp_path / "release.csv").write_text("sex\nF\nF\n")
    program = (
        "import sys, sqlrisk; sqlrisk.assess('release.csv', quasi_identifiers=['sex'], max_sample_uniques=1).to_text(); "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {"numpy", "scipy", "pandas"}


def test_importing_the_package_waits_for_nothing(tmp_path: Path):
    program = "import sys, sqlrisk; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & set(HEAVY)


def test_the_shipped_schema_is_the_code_s():
    from sqlrisk.policy import json_schema

    assert json.loads((REPOSITORY / "sqlrisk" / "policy.schema.json").read_text("utf-8")) == json_schema()
