"""Files that the embedded DuckDB reads in place, as relations."""

from __future__ import annotations

import codecs
import contextlib
import csv
import gzip
import io
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import sqlglot
from sqlglot import exp

from sqlrisk.errors import MeasurementError, MissingTableError, RequestError
from sqlrisk.sql.relation import CSV_ENDINGS, Relation

_SAMPLE = 1 << 20
_COMPRESSED = {".gz"}
_DATABASES = {".duckdb", ".ddb", ".db"}
_DELIMITERS = ",;\t|"


def file_kind(path: Path) -> str:
    """``csv``, ``parquet`` or ``duckdb``, by its ending, else by its first bytes; :class:`RequestError` for others."""
    endings = [suffix.lower() for suffix in path.suffixes[-2:]]
    if endings and endings[-1] in _DATABASES:
        # Not opened here: closing it would give up the lock of a connection that this process has to it (POSIX).
        return "duckdb"
    head = _head(path, 16)
    if head[:4] == b"PAR1":
        return "parquet"
    if endings and (endings[-1] in CSV_ENDINGS or (endings[-1] in _COMPRESSED and endings[0] in CSV_ENDINGS)):
        return "csv"
    if head[8:12] == b"DUCK":
        return "duckdb"
    if endings and endings[-1] == ".parquet":
        raise MeasurementError(f"{path} is damaged, or not what its ending says", "check the file")
    raise RequestError(f"{path} is neither a CSV, a Parquet nor a DuckDB file", "name it .csv, .parquet or .duckdb")


@dataclass(frozen=True)
class DataFile:
    """A CSV or Parquet file as a relation. ``names`` are a CSV's own names of its columns; Parquet's are inside."""

    path: Path
    relation: Relation
    names: tuple[str, ...] | None = None
    warnings: tuple[str, ...] = ()


def data_file(path: Path) -> DataFile:
    """Look at a file and say how it is to be read.

    CSV fields stay text: sniffing would turn the ZIP code 02139 into 2139 and the ICD code 1E5 into a number. The first
    line is the header, whatever DuckDB's own sniffer would skip to find a table.
    """
    kind = file_kind(path)
    if kind == "duckdb":
        raise RequestError(f"{path.name} is a DuckDB file, where a CSV or Parquet file is needed", "give it as SOURCE")
    if kind == "parquet":
        return DataFile(path, Relation(_call("read_parquet('')", path), path.name))
    sample = _uncompressed_head(path)
    if not sample.strip():
        raise MeasurementError(f"{path} is empty", "give a CSV file with a header")
    encoding = _encoding(sample) if path.suffix.lower() in _COMPRESSED else _encoding_of_file(path)
    text = sample.decode("utf-8-sig" if encoding == "utf-8" else encoding, errors="ignore")
    # Excel writes its separator into a line of its own.
    skip = 1 if re.match(r"sep=.\r?\n", text) else 0
    delimiter = text[4] if skip else _delimiter(text)
    header = [*_first_rows(text, delimiter, 1 + skip), []][skip]
    options = {"delim": delimiter, "quote": '"', "escape": '"', "skip": skip, "comment": ""}
    if encoding != "utf-8":
        options["encoding"] = encoding
    source = _call("read_csv('', all_varchar = true, header = true, null_padding = false)", path, options)
    warning = (f"{path.name} is not UTF-8; it was read as {encoding}",) if encoding == "latin-1" else ()
    return DataFile(path, Relation(source, path.name), tuple(header), warning)


def check_names(own: Sequence[str], read: Sequence[str], what: str) -> None:
    """Refuse a file some of whose columns DuckDB calls otherwise: it does not tell names apart that differ by case alone.

    ``own`` are the file's names in their order, ``read`` DuckDB's. Which column is meant would be a guess.
    """
    for name, given in zip(own, read, strict=False):
        if name.strip() and name.strip() != given.strip():
            raise RequestError(
                f"{what}: the column `{name}` has a name that another one has too (case does not count)", "rename it"
            )


def _delimiter(text: str) -> str:
    """The separator by which most of the first rows have as many fields as the header, and the header most fields."""

    def agreement(delimiter: str) -> tuple[int, int]:
        rows = _first_rows(text, delimiter, 50)
        width = len(rows[0]) if rows else 1
        return (sum(len(row) == width for row in rows) if width > 1 else 0, width)

    return max(_DELIMITERS, key=agreement)


def _first_rows(text: str, delimiter: str, most: int) -> list[list[str]]:
    """The first rows that are not blank; fewer where Python's reader gives up (a field of over 128 KiB)."""
    rows: list[list[str]] = []
    with contextlib.suppress(csv.Error):
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if len(rows) == most:
                break
            if row:
                rows.append(row)
    return rows


def _call(template: str, path: Path, options: dict[str, str | int] | None = None) -> exp.Expression:
    table = sqlglot.parse_one(f"SELECT * FROM {template}", read="duckdb").find(exp.Table).copy()
    literal = next(item for item in table.find_all(exp.Literal) if item.this == "")
    # DuckDB expands * ? [ in paths; a file that is there is meant literally.
    literal.replace(exp.Literal.string("".join(f"[{c}]" if c in "*?[" else c for c in str(path))))
    for name, value in (options or {}).items():
        literal = exp.Literal.string(value) if isinstance(value, str) else exp.Literal.number(value)
        table.this.append("expressions", exp.EQ(this=exp.column(name), expression=literal))
    return table


def _encoding(sample: bytes) -> str:
    """UTF-8 if the sample is, UTF-16 by its mark, else Latin-1, in which every byte means something."""
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _encoding_of_file(path: Path) -> str:
    """The encoding by the whole file: the first letter that is no ASCII can stand far down."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as file:
            encoding = _encoding(file.read(_SAMPLE))
            file.seek(0)
            while encoding == "utf-8" and (block := file.read(_SAMPLE)):
                decoder.decode(block)
    except UnicodeDecodeError:
        return "latin-1"
    return encoding


def _uncompressed_head(path: Path) -> bytes:
    if path.suffix.lower() != ".gz":
        return _head(path, _SAMPLE)
    _head(path, 1)
    try:
        with gzip.open(path) as file:
            return file.read(_SAMPLE)
    except (OSError, EOFError, zlib.error):
        raise MeasurementError(f"{path} is not a gzip file, or damaged", "check the file") from None


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
