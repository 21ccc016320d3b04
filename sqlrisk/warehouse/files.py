"""Files that the embedded DuckDB reads in place, as relations."""

from __future__ import annotations

import codecs
from pathlib import Path

import sqlglot
from sqlglot import exp

from sqlrisk.errors import MeasurementError, MissingTableError, RequestError
from sqlrisk.sql.relation import Relation

_SAMPLE = 1 << 20
_CSV = {".csv", ".tsv", ".txt", ".psv"}
_DATABASES = {".duckdb", ".ddb", ".db"}


def file_kind(path: Path) -> str:
    """``csv``, ``parquet`` or ``duckdb``, by the first bytes and the ending; :class:`RequestError` for anything else."""
    head = _head(path, 16)
    if head[:4] == b"PAR1":
        return "parquet"
    if head[8:12] == b"DUCK":
        return "duckdb"
    endings = {suffix.lower() for suffix in path.suffixes[-2:]}
    if endings & _CSV:
        return "csv"
    if endings & (_DATABASES | {".parquet"}):
        raise MeasurementError(f"{path} is damaged, or not what its ending says", "check the file")
    raise RequestError(f"{path} is neither a CSV, a Parquet nor a DuckDB file", "name it .csv, .parquet or .duckdb")


def csv_relation(path: Path) -> tuple[Relation, list[str]]:
    """A CSV or Parquet file as a relation, and warnings about how it is read.

    CSV fields stay text: sniffing would turn the ZIP code 02139 into 2139 and the ICD code 1E5 into a number.
    """
    if file_kind(path) == "parquet":
        return Relation(_call("read_parquet('')", path), path.name), []
    encoding = _encoding(path)
    options = f", encoding = '{encoding}'" if encoding != "utf-8" else ""
    source = _call(f"read_csv('', all_varchar = true, header = true{options})", path)
    warning = f"{path.name} is not UTF-8; it was read as {encoding}" if encoding == "latin-1" else ""
    return Relation(source, path.name), [warning] if warning else []


def _call(template: str, path: Path) -> exp.Expression:
    table = sqlglot.parse_one(f"SELECT * FROM {template}", read="duckdb").find(exp.Table)
    literal = next(item for item in table.find_all(exp.Literal) if item.this == "")
    # DuckDB expands * ? [ in paths; a file that is there is meant literally.
    name = "".join(f"[{c}]" if c in "*?[" else c for c in str(path))
    literal.replace(exp.Literal.string(name))
    return table.copy()


def _encoding(path: Path) -> str:
    """UTF-8 if the sample is, UTF-16 by its mark, else Latin-1, in which every byte means something."""
    compressed = path.suffix.lower() in {".gz", ".zst"}
    sample = b"" if compressed else _head(path, _SAMPLE)
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _head(path: Path, size: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(size)
    except FileNotFoundError:
        raise MissingTableError(f"there is no file {path}", "check the path") from None
    except IsADirectoryError:
        raise RequestError(f"{path} is a folder", "give one CSV, Parquet or DuckDB file") from None
    except OSError as problem:
        raise MeasurementError(f"{path} cannot be read ({problem.strerror})", "check its permissions") from None
