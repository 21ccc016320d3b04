"""The population as a model: tables of relative frequencies of combinations of values, as users write them.

A model is a CSV of combinations and their frequencies, or a YAML file that lists such CSVs and tables of the warehouse.
Tables have different columns and are taken as independent: the frequencies of their combinations are multiplied.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from sqlrisk.errors import RequestError, nearest

FREQUENCIES = ("relative_frequency", "frequency")
"""What the column of the frequencies is called where its name is not given."""

LARGEST_LIST = 100_000  # bytes of a YAML file
LARGEST_FILE = 10_000_000  # bytes of a CSV
MOST_ROWS = 20_000
MOST_TOGETHER = 1 + 1e-6

_KEYS = ("file", "table", "columns", "frequency")
_EXAMPLE = "write `tables:` and under it `- file: zip_age.csv` or `- table: schema.name`"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")


@dataclass(frozen=True)
class FrequencyTable:
    """Combinations of values and their relative frequencies: a ``table`` of the warehouse, or a ``file``.

    ``columns`` are the model's columns by those of the release, and ``frequency`` is the column of the frequencies. Of a
    table, ``columns`` is empty and ``frequency`` None where the model does not give them. Of a file, ``rows`` holds one text
    for each model column, in the order of ``columns``, None for an empty field, and ``frequencies`` one number a row.
    ``origin`` says where the table is named, for errors about it.
    """

    table: str | None
    file: Path | None
    columns: Mapping[str, str]
    frequency: str | None
    rows: tuple[tuple[str | None, ...], ...] | None = field(default=None, repr=False)
    frequencies: tuple[float, ...] | None = field(default=None, repr=False)
    origin: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """The table's name, or the file's."""
        return self.file.name if self.file is not None else self.table or ""


@dataclass(frozen=True)
class PopulationModel:
    """Tables, and the file that lists them. :class:`RequestError` where two of them share a column."""

    tables: tuple[FrequencyTable, ...]
    path: Path

    def __post_init__(self) -> None:
        first: dict[str, int] = {}
        for index, table in enumerate(self.tables):
            # A table whose columns are not known yet is told by its name.
            for name in [f"column `{name}`" for name in table.columns] or [f"table `{table.name}`"]:
                before = first.setdefault(name.casefold(), index)  # not every engine tells `Zip` and `zip` apart
                if before != index:
                    raise RequestError(
                        f"{table.origin}: the {name} is in the model's table {before + 1} already",
                        "tables are taken as independent: give each column in one of them",
                    )


def read_model(path: str | Path) -> PopulationModel:
    """Read a CSV or, by its suffix, a YAML file; :class:`RequestError` naming file, line and remedy for any mistake.

    CSV: UTF-8, a header, separated by comma, semicolon or tab; ``relative_frequency`` (or ``frequency``) holds the
    frequency, the other columns are quasi-identifiers by the release's names. YAML: ``tables:``, a list of
    ``{file: zip_age.csv}`` (relative to the YAML file) or ``{table: schema.name}``, each with ``columns: {release: model}``
    and ``frequency: name`` where the names differ. ``columns``, where given, lists all that are used.
    """
    path = Path(path)
    if path.suffix.lower() in {".yaml", ".yml"}:
        return PopulationModel(tuple(_List(path).tables()), path)
    return PopulationModel((_Csv(path).read({}, None, MOST_ROWS),), path)


def frequency_column(names: Sequence[str]) -> str | None:
    """Which of ``names`` holds the frequencies, where the model does not say; None where none or both of them can."""
    found = [name for name in names if name.casefold() in FREQUENCIES]
    return found[0] if len(found) == 1 else None


def _repeated(names: Sequence[str]) -> str | None:
    """The first name that stands before already; not every engine tells `Zip` and `zip` apart."""
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            return name
        seen.add(name.casefold())
    return None


def _read(path: Path, largest: int, remedy: str, origin: str | None = None) -> str:
    """The text of a file; ``origin`` says where it is named, if in another file."""
    where = f"{origin}: " if origin else ""
    try:
        with path.open("rb") as file:
            raw = file.read(largest + 1)
    except FileNotFoundError:
        raise RequestError(f"{where}there is no file {path}", "check the path") from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise RequestError(f"{where}{path} cannot be read ({why})", "check the path and its permissions") from None
    if len(raw) > largest:
        raise RequestError(f"{where}{path.name} is larger than {largest // 1000:,} kB", remedy)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise RequestError(f"{where}{path.name} is not UTF-8 text", "save it as CSV (or YAML) in UTF-8")
    return text


class _List:
    """The YAML file. Its values are read as they are written: `no` is a column's name, and `2019` too."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def tables(self) -> list[FrequencyTable]:
        """The tables, in their order."""
        top = self._mapping(self._document(), ("tables",), "a population model")
        if "tables" not in top or not isinstance(top["tables"], yaml.SequenceNode) or not top["tables"].value:
            raise RequestError(f"{self._at(top.get('tables'))}: the population model has no tables", _EXAMPLE)
        found: list[FrequencyTable] = []
        rows = 0
        for node in top["tables"].value:
            found.append(self._table(node, MOST_ROWS - rows))
            rows += len(found[-1].rows or ())
        return found

    def _document(self) -> yaml.Node:
        text = _read(self._path, LARGEST_LIST, "give a list of files and tables; frequencies are in these")
        try:
            node = yaml.SafeLoader(text).get_single_node()
        except (yaml.YAMLError, ValueError, RecursionError) as problem:
            mark = getattr(problem, "problem_mark", None)
            where = f"{self._path.name}, line {mark.line + 1}" if mark else self._path.name
            raise RequestError(f"{where}: not valid YAML", getattr(problem, "problem", None) or "check it") from None
        if node is None:
            raise RequestError(f"{self._path.name}: the file is empty", _EXAMPLE)
        return node

    def _table(self, node: yaml.Node, most: int) -> FrequencyTable:
        given = self._mapping(node, _KEYS, "a table of a population model")
        if ("file" in given) == ("table" in given):
            both = "both a file and a table" if "file" in given else "neither a file nor a table"
            raise RequestError(f"{self._at(node)}: {both}", "give `file: zip_age.csv` or `table: schema.name`")
        columns = self._columns(given["columns"]) if "columns" in given else {}
        frequency = self._text(given["frequency"], "frequency") if "frequency" in given else None
        if frequency is not None and frequency in columns.values():
            raise RequestError(
                f"{self._at(given['columns'])}: `{frequency}` holds the frequency and is a column too",
                "leave it out of `columns`",
            )
        if "table" in given:
            return FrequencyTable(self._text(given["table"], "table"), None, columns, frequency, origin=self._at(node))
        file = self._path.parent / self._text(given["file"], "file")
        return _Csv(file, self._at(given["file"])).read(columns, frequency, most)

    def _columns(self, node: yaml.Node) -> dict[str, str]:
        items = self._mapping(node, None, "a list of columns")
        columns = {name: self._text(value, name) for name, value in items.items()}
        if not columns:
            raise RequestError(f"{self._at(node)}: `columns` is empty", "leave it out, or list the columns")
        if twice := _repeated(list(columns)) or _repeated(list(columns.values())):
            raise RequestError(f"{self._at(node)}: the column `{twice}` is given twice", "give each column once")
        return columns

    def _mapping(self, node: yaml.Node, known: Sequence[str] | None, what: str) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            example = _EXAMPLE if known else "write `columns: {column of the release: column of the model}`"
            raise RequestError(f"{self._at(node)}: this is not {what}", example)
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode) or not key.value:
                raise RequestError(f"{self._at(key)}: a key is not a text", "write `key: value`")
            if known is not None and key.value not in known:
                raise RequestError(
                    f"{self._at(key)}: `{key.value}` is not a key of {what}", nearest(key.value, list(known))
                )
            if key.value in found:
                raise RequestError(f"{self._at(key)}: `{key.value}` stands twice", "give it once")
            found[key.value] = value
        return found

    def _text(self, node: yaml.Node, key: str) -> str:
        empty = not isinstance(node, yaml.ScalarNode) or node.tag == "tag:yaml.org,2002:null" or not node.value.strip()
        if empty:
            raise RequestError(f"{self._at(node)}: `{key}` is not a name", f"write `{key}: name`")
        return node.value.strip()

    def _at(self, node: yaml.Node | None) -> str:
        return self._path.name if node is None else f"{self._path.name}, line {node.start_mark.line + 1}"


class _Csv:
    """A CSV of combinations and frequencies; ``origin`` says where the file is named, if in another."""

    def __init__(self, path: Path, origin: str | None = None) -> None:
        self._path, self._origin = path, origin or path.name
        self._text = _read(path, LARGEST_FILE, "load it into a table and name that", origin)

    def read(self, columns: Mapping[str, str], frequency: str | None, most: int) -> FrequencyTable:
        """The table; ``most`` rows at most."""
        delimiter, header = self._header(frequency)
        at = self._frequency(header, frequency)
        columns = columns or {name: name for index, name in enumerate(header) if index != at}
        if not columns:
            raise self._wrong(
                1, "there is no column beside the frequency", "give quasi-identifiers and their frequency"
            )
        for name in columns.values():
            if name not in header:
                raise self._wrong(1, f"there is no column `{name}`", nearest(name, header))
        if header[at] in columns.values():
            raise self._wrong(1, f"`{header[at]}` holds the frequency and is a column too", "leave it out of `columns`")
        chosen = [header.index(name) for name in columns.values()]
        lines: dict[tuple[str, ...], int] = {}  # by the whole combination, of which some columns may not be used
        rows: list[tuple[str | None, ...]] = []
        frequencies: list[float] = []
        for line, fields in self._records(delimiter, len(header)):
            if len(frequencies) == most:
                raise self._wrong(
                    line,
                    f"the population model's files have more than {MOST_ROWS:,} rows",
                    "load it into a table and name that",
                )
            whole = (*fields[:at], *fields[at + 1 :])
            if lines.setdefault(whole, line) != line:
                raise self._wrong(
                    line, f"the combination of line {lines[whole]} stands again", "give each once, with the sum of both"
                )
            rows.append(tuple(fields[index] or None for index in chosen))
            frequencies.append(self._number(fields[at], header[at], line))
        if not frequencies:
            raise self._wrong(None, "there is no row under the header", "give each combination and its frequency")
        if (total := math.fsum(frequencies)) > MOST_TOGETHER:
            raise self._wrong(
                None,
                f"the frequencies add up to {total:.7g}, and the whole population is 1",
                "give each as a share of the whole population",
            )
        return FrequencyTable(None, self._path, columns, header[at], tuple(rows), tuple(frequencies), self._origin)

    def _header(self, frequency: str | None) -> tuple[str, list[str]]:
        """The delimiter under which the header has its frequency column, else the one with most columns."""
        if not self._text.strip():
            raise self._wrong(None, "the file is empty", "give a header, and each combination and its frequency")
        known = FREQUENCIES if frequency is None else (frequency.casefold(),)
        best: tuple[tuple[bool, int], str, list[str]] | None = None
        for delimiter in ",;\t":
            try:
                fields = next(csv.reader(io.StringIO(self._text, newline=""), delimiter=delimiter, strict=True), [])
            except csv.Error:
                continue
            names = [name.strip() for name in fields]
            rank = (any(name.casefold() in known for name in names), len(names))
            if best is None or rank > best[0]:
                best = (rank, delimiter, names)
        if best is None:
            raise self._wrong(1, "the header is not well-formed", "separate its names by commas")
        _, delimiter, names = best
        if not any(names):
            raise self._wrong(1, "there is no header", f"name the columns in it, the frequency `{FREQUENCIES[0]}`")
        if not all(names):
            raise self._wrong(1, f"column {names.index('') + 1} has no name", "name it")
        if twice := _repeated(names):
            raise self._wrong(1, f"the header has `{twice}` twice", "give each column once")
        return delimiter, names

    def _frequency(self, header: list[str], given: str | None) -> int:
        if given is not None:
            if given not in header:
                raise self._wrong(1, f"there is no column `{given}`", nearest(given, header))
            return header.index(given)
        if (found := frequency_column(header)) is not None:
            return header.index(found)
        if any(name.casefold() in FREQUENCIES for name in header):
            remedy = "leave one out, or name it with `frequency:` and the others with `columns:` in a YAML file"
            raise self._wrong(1, "two columns can be the frequency", remedy)
        raise self._wrong(1, "there is no column of frequencies", f"call it `{FREQUENCIES[0]}`")

    def _records(self, delimiter: str, width: int) -> Iterator[tuple[int, list[str]]]:
        """(line, fields) of each row; empty lines are passed over."""
        reader = csv.reader(io.StringIO(self._text, newline=""), delimiter=delimiter, strict=True)
        line = 1
        try:
            next(reader)
            line = reader.line_num + 1
            for fields in reader:
                if fields and len(fields) != width:
                    raise self._wrong(
                        line,
                        f"{len(fields)} {'field' if len(fields) == 1 else 'fields'}, and the header has {width}",
                        'give each row all its fields; a value with the separator in it is written "in quotes"',
                    )
                if fields:
                    yield line, fields
                line = reader.line_num + 1
        except csv.Error as problem:
            raise self._wrong(line, f"not a well-formed CSV ({problem})", "check its quotes") from None

    def _number(self, text: str, column: str, line: int) -> float:
        if not _NUMBER.fullmatch(text.strip()):
            raise self._wrong(line, f"`{column}` is not a number", "write it as `0.05`")
        number = float(text)
        if number < 0:
            raise self._wrong(line, f"`{column}` is below 0", "give a share of the population, from 0 to 1")
        if number > 1:
            raise self._wrong(line, f"`{column}` is above 1", "divide counts by the size of the population")
        return number

    def _wrong(self, line: int | None, cause: str, remedy: str) -> RequestError:
        where = self._path.name if line is None else f"{self._path.name}, line {line}"
        return RequestError(f"{where}: {cause}", remedy)
