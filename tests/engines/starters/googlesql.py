"""Google's own GoogleSQL analyser and reference engine (PyPI `zetasql`, WebAssembly): the judge of BigQuery SQL.

It speaks protobuf to the engine instead of using the wheel's Python classes, which know neither NUMERIC nor DATETIME.
"""

from __future__ import annotations

import ctypes
import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any
from unittest import mock

from . import EngineMissing

# What BigQuery has, and no more: with every feature on, the engine would accept SQL that BigQuery rejects
# (FILTER (WHERE …), LATERAL, LIMIT of an expression, nanoseconds, …). Grouping by STRUCT and ARRAY is left out:
# BigQuery got it late, and we never ask for it.
_FEATURES = """
ADDITIONAL_STRING_FUNCTIONS AGGREGATION_THRESHOLD ALLOW_DASHES_IN_TABLE_NAME ALLOW_REGEXP_EXTRACT_OPTIONALS
ANALYTIC_FUNCTIONS ANNOTATION_FRAMEWORK BIGNUMERIC_TYPE BY_NAME CAST_DIFFERENT_ARRAY_TYPES CBRT_FUNCTIONS
CHAINED_FUNCTION_CALLS CIVIL_TIME COLLATION_SUPPORT CONCAT_MIXED_TYPES CORRESPONDING DATE_ARITHMETICS
DATE_TIME_CONSTRUCTORS DECIMAL_ALIAS DIFFERENTIAL_PRIVACY ENABLE_EDIT_DISTANCE_BYTES ENABLE_FLOAT_DISTANCE_FUNCTIONS
EXTENDED_DATE_TIME_SIGNATURES FORMAT_IN_CAST FOR_SYSTEM_TIME_AS_OF GEOGRAPHY GROUPING_BUILTIN GROUPING_SETS
GROUP_BY_ALL GROUP_BY_ROLLUP HAVING_IN_AGGREGATE INTERVAL_TYPE INVERSE_TRIG_FUNCTIONS
IS_DISTINCT JSON_ARRAY_FUNCTIONS JSON_TYPE JSON_VALUE_EXTRACTION_FUNCTIONS LIKE_ANY_SOME_ALL LIMIT_IN_AGGREGATE
NAMED_ARGUMENTS NULLS_FIRST_LAST_IN_ORDER_BY NULL_HANDLING_MODIFIER_IN_AGGREGATE NULL_HANDLING_MODIFIER_IN_ANALYTIC
NUMERIC_TYPE ORDER_BY_COLLATE ORDER_BY_IN_AGGREGATE PARAMETERIZED_TYPES PIPES PIVOT QUALIFY RANGE_TYPE
ROUND_WITH_ROUNDING_MODE SAFE_FUNCTION_CALL SELECT_STAR_EXCEPT_REPLACE TABLESAMPLE TIME_BUCKET_FUNCTIONS
TYPEOF_FUNCTION UNNEST_AND_FLATTEN_ARRAYS UNPIVOT WEEK_WITH_WEEKDAY WITH_EXPRESSION WITH_ON_SUBQUERY WITH_RECURSIVE
""".split()  # noqa: SIM905

_EPOCH_DATE = dt.date(1970, 1, 1)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class GoogleSQLError(Exception):
    """The engine refused the SQL, or failed while running it."""


class GoogleSQL:
    """One engine with its own tables. Compiling the WebAssembly takes some 15 to 30 s, once a machine (then cached)."""

    def __init__(self) -> None:
        try:
            import wasmtime
            from zetasql.core import wasm_client
            from zetasql.core.exceptions import ZetaSQLError
            from zetasql.wasi._pb2.zetasql.local_service import local_service_pb2
            from zetasql.wasi._pb2.zetasql.proto import options_pb2
            from zetasql.wasi._pb2.zetasql.public import options_pb2 as public_options_pb2
            from zetasql.wasi._pb2.zetasql.public import type_pb2
        except ImportError as error:
            raise EngineMissing(f"PyPI `zetasql` is not installed ({error})") from error
        self._wasmtime, self._wasm_client, self._service = wasmtime, wasm_client, local_service_pb2
        self._refused: type[Exception] = ZetaSQLError
        self._kinds = type_pb2.TypeKind
        self._tables: dict[str, Any] = {}
        self._contents: dict[str, Any] = {}
        self._start()
        self._options = self._call(
            "GetAnalyzerOptions", self._service.AnalyzerOptionsRequest(), options_pb2.AnalyzerOptionsProto
        )
        self._options.ClearField("allowed_hints_and_options")  # they name protobuf types that we would have to send too
        self._options.default_timezone = "UTC"  # as in BigQuery; the engine's own default is Los Angeles
        self._language = self._options.language_options
        self._language.product_mode = public_options_pb2.PRODUCT_EXTERNAL
        self._language.enabled_language_features.extend(
            public_options_pb2.LanguageFeature.Value("FEATURE_" + name) for name in _FEATURES
        )
        self._language.reserved_keywords.append("QUALIFY")  # a reserved word in BigQuery

    def create_table(self, name: str, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]] = ()) -> None:
        """Add a table, or replace the one of this name; the name may have dots, as in `my-project.dataset.table`."""
        table = self._service.PrepareQueryRequest().simple_catalog.table.add(name=name)
        for column, type_name in columns:
            table.column.add(name=column).type.type_kind = self._kind(type_name)
        content = self._service.TableContent()
        content.table_data.SetInParent()
        for row in rows:
            cells = content.table_data.row.add().cell
            for value, (_, type_name) in zip(row, columns, strict=True):
                _encode(cells.add(), type_name, value)
        self._tables[name], self._contents[name] = table, content

    def drop_tables(self) -> None:
        self._tables.clear()
        self._contents.clear()

    def describe(self, sql: str) -> list[tuple[str, str]]:
        """The names and types of the columns of a query. Nothing is run."""
        sql, used = self._flatten_names(sql)
        request = self._service.AnalyzeRequest(sql_statement=sql, options=self._options)
        self._fill_catalog(request.simple_catalog, used)
        statement = self._call("Analyze", request, self._service.AnalyzeResponse).resolved_statement
        columns = statement.resolved_query_stmt_node.output_column_list
        return [(column.name, self._type_name(column.column.type)) for column in columns]

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a query as Python values."""
        sql, used = self._flatten_names(sql)
        request = self._service.PrepareQueryRequest(sql=sql, options=self._options)
        self._fill_catalog(request.simple_catalog, used)
        for name in used:
            request.table_content[name].CopyFrom(self._contents[name])
        prepared = self._call("PrepareQuery", request, self._service.PrepareQueryResponse).prepared.prepared_query_id
        try:
            run = self._service.EvaluateQueryRequest(prepared_query_id=prepared)
            answer = self._call("EvaluateQuery", run, self._service.EvaluateQueryResponse)
        finally:
            if self._alive:
                self._call("UnprepareQuery", self._service.UnprepareQueryRequest(prepared_query_id=prepared))
        return [tuple(_decode(cell) for cell in row.cell) for row in answer.content.table_data.row]

    def _start(self) -> None:
        wasmtime, wasm_client = self._wasmtime, self._wasm_client

        def cached_config() -> Any:
            config = wasmtime.Config()
            config.cache = True
            return config

        class Client(wasm_client.WasmClient):  # type: ignore[name-defined,misc]
            """Copies memory in one go; the wheel's own class does it byte by byte in Python."""

            def _address(self, pointer: int) -> int:
                return ctypes.addressof(self.memory.data_ptr().contents) + pointer

            def write_bytes(self, pointer: int, data: bytes) -> None:
                ctypes.memmove(self._address(pointer), data, len(data))

            def read_bytes(self, pointer: int, size: int) -> bytes:
                return bytes(ctypes.string_at(self._address(pointer), size))

        from zetasql.wasi import get_wasm_path

        with mock.patch.object(wasm_client, "Config", cached_config):
            self._client = Client(str(get_wasm_path()))
        self._alive = True

    def _call(self, function: str, request: Any, answer: Any = None) -> Any:
        if not self._alive:
            self._start()
        arguments = ("ZetaSqlLocalService_" + function, request) + ((answer,) if answer else ())
        try:
            return self._client.call_grpc_func(*arguments)
        except self._refused as error:
            # the wheel keeps only the first line of a message
            message = getattr(error, "raw_error", str(error))
            raise GoogleSQLError(message.partition("Message: ")[2] or message) from error
        except (self._wasmtime.Trap, self._wasmtime.WasmtimeError) as error:
            self._alive = False  # an aborted instance is not to be trusted: the next call starts a new one
            raise GoogleSQLError(f"the reference engine aborted: {error}") from error

    def _fill_catalog(self, catalog: Any, used: set[str]) -> None:
        catalog.name = "catalog"
        catalog.builtin_function_options.language_options.CopyFrom(self._language)
        # only the tables that the query names letter for letter: BigQuery minds the case of table names, the engine not
        catalog.table.extend(self._tables[name] for name in sorted(used))

    def _flatten_names(self, sql: str) -> tuple[str, set[str]]:
        """Write each table name of several parts as one quoted name, and say which tables the query reads.

        The engine takes rows only for tables at the root of its catalog, so `p.d.t` there is one table named "p.d.t".
        Google's parser says where the names stand, so that texts and comments stay as they are.
        """
        parsed = self._call(
            "Parse", self._service.ParseRequest(sql_statement=sql, options=self._language), self._service.ParseResponse
        )
        text, used = sql.encode(), set()
        for start, end, parts, alias in sorted(_table_paths(parsed), reverse=True):
            name = ".".join(parts)
            if name in self._tables:
                used.add(name)
                # BigQuery calls the table by its last part, however it is quoted
                suffix = "" if alias or "." not in name else f" AS {_quote(name.rsplit('.', 1)[1])}"
                text = text[:start] + (_quote(name) + suffix).encode() + text[end:]
        return text.decode(), used

    def _kind(self, type_name: str) -> int:
        return int(self._kinds.Value("TYPE_" + ("DOUBLE" if type_name == "FLOAT64" else type_name)))

    def _type_name(self, type_: Any) -> str:
        name = str(self._kinds.Name(type_.type_kind)).removeprefix("TYPE_")
        if name == "ARRAY":
            return f"ARRAY<{self._type_name(type_.array_type.element_type)}>"
        if name == "STRUCT":
            fields = (f"{f.field_name} {self._type_name(f.field_type)}".strip() for f in type_.struct_type.field)
            return f"STRUCT<{', '.join(fields)}>"
        return "FLOAT64" if name == "DOUBLE" else name


def _quote(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def _table_paths(message: Any) -> Iterator[tuple[int, int, list[str], bool]]:
    """Every table path in a parse tree: its bytes, its parts, whether an alias follows."""
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for child in value if isinstance(value, Sequence) or hasattr(value, "add") else [value]:
            if child.DESCRIPTOR.name == "ASTTablePathExpressionProto" and child.HasField("path_expr"):
                place = child.path_expr.parent.parent.parent.parse_location_range
                yield place.start, place.end, [n.id_string for n in child.path_expr.names], child.HasField("alias")
            yield from _table_paths(child)


def _scaled(value: Any, digits: int) -> bytes:
    sign, figures, exponent = Decimal(value).as_tuple()
    if not isinstance(exponent, int) or exponent < -digits:
        raise ValueError(f"{value} has more than {digits} digits after the point")
    size = int("".join(map(str, figures))) * 10 ** (exponent + digits)
    number = -size if sign else size
    length = max(number, ~number).bit_length() // 8 + 1  # the fewest bytes that leave room for the sign
    return int.to_bytes(number, length, "little", signed=True)


def _unscaled(data: bytes, digits: int) -> Decimal:
    number = int.from_bytes(data, "little", signed=True)
    text = f"{abs(number):0{digits + 1}d}"
    text = f"{text[:-digits]}.{text[-digits:]}".rstrip("0").rstrip(".")
    return Decimal(("-" if number < 0 else "") + text)


def _encode_datetime(cell: Any, value: dt.datetime) -> None:
    if value.tzinfo is not None:
        raise ValueError(f"a DATETIME has no time zone: {value!r}")
    seconds = value.year
    for part, bits in ((value.month, 4), (value.day, 5), (value.hour, 5), (value.minute, 6), (value.second, 6)):
        seconds = seconds << bits | part
    cell.datetime_value.bit_field_datetime_seconds = seconds
    cell.datetime_value.nanos = value.microsecond * 1000


def _encode_timestamp(cell: Any, value: dt.datetime) -> None:
    if value.tzinfo is None:
        raise ValueError(f"a TIMESTAMP needs a time zone: {value!r}")
    since = value - _EPOCH
    cell.timestamp_value.seconds = since.days * 86400 + since.seconds
    cell.timestamp_value.nanos = since.microseconds * 1000


def _encode_time(cell: Any, value: dt.time) -> None:
    cell.time_value = (value.hour << 12 | value.minute << 6 | value.second) << 30 | value.microsecond * 1000


def _setter(field: str, convert: Callable[[Any], Any]) -> Callable[[Any, Any], None]:
    return lambda cell, value: setattr(cell, field, convert(value))


_ENCODERS: dict[str, Callable[[Any, Any], None]] = {
    "INT64": _setter("int64_value", int),
    "FLOAT64": _setter("double_value", float),
    "STRING": _setter("string_value", str),
    "BOOL": _setter("bool_value", bool),
    "BYTES": _setter("bytes_value", bytes),
    "DATE": _setter("date_value", lambda value: (value - _EPOCH_DATE).days),
    "NUMERIC": _setter("numeric_value", lambda value: _scaled(value, 9)),
    "BIGNUMERIC": _setter("bignumeric_value", lambda value: _scaled(value, 38)),
    "DATETIME": _encode_datetime,
    "TIMESTAMP": _encode_timestamp,
    "TIME": _encode_time,
}


def _encode(cell: Any, type_name: str, value: Any) -> None:
    if value is not None:  # NULL is a cell without a value
        _ENCODERS[type_name](cell, value)


def _decode_datetime(value: Any) -> dt.datetime:
    s = value.bit_field_datetime_seconds
    return dt.datetime(s >> 26, s >> 22 & 15, s >> 17 & 31, s >> 12 & 31, s >> 6 & 63, s & 63, value.nanos // 1000)


def _decode_time(value: int) -> dt.time:
    s = value >> 30
    return dt.time(s >> 12 & 31, s >> 6 & 63, s & 63, (value & (1 << 30) - 1) // 1000)


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "date_value": lambda value: _EPOCH_DATE + dt.timedelta(days=value),
    "numeric_value": lambda value: _unscaled(value, 9),
    "bignumeric_value": lambda value: _unscaled(value, 38),
    "datetime_value": _decode_datetime,
    "timestamp_value": lambda value: _EPOCH + dt.timedelta(seconds=value.seconds, microseconds=value.nanos // 1000),
    "time_value": _decode_time,
    "array_value": lambda value: [_decode(element) for element in value.element],
    "struct_value": lambda value: tuple(_decode(field) for field in value.field),
}


def _decode(cell: Any) -> Any:
    field = cell.WhichOneof("value")
    if field is None:
        return None
    return _DECODERS.get(field, lambda value: value)(getattr(cell, field))
