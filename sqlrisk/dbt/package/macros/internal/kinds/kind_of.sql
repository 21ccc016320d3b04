{% macro kind_of(data_type) -%}
{#- What a column can be used for, by what the adapter calls its type: as in sqlrisk/warehouse/*.py. -#}
{%- set text = (data_type | string) | lower | trim -%}
{%- if text[-2:] == '[]' or text[:6] in ['struct', 'array<', 'record'] or text[:4] in ['map(', 'map<', 'list', 'unio'] or text == 'array' -%}
{{ return('ungroupable') }}
{%- endif -%}
{%- set name = text.split('(')[0] | trim -%}
{%- set zoned = 'with time zone' in text or 'with local time zone' in text -%}
{{ return(adapter.dispatch('sqlrisk_kind', 'sqlrisk')(name, zoned, text)) }}
{%- endmacro %}

{% macro default__sqlrisk_kind(name, zoned, text) -%}
{%- set kinds = {
  'tinyint': 'integer', 'smallint': 'integer', 'integer': 'integer', 'int': 'integer', 'bigint': 'integer', 'utinyint': 'integer',
  'usmallint': 'integer', 'uinteger': 'integer', 'ubigint': 'integer', 'hugeint': 'integer', 'uhugeint': 'integer',
  'int2': 'integer', 'int4': 'integer', 'int8': 'integer', 'oid': 'integer',
  'decimal': 'decimal', 'numeric': 'decimal',
  'float': 'float', 'double': 'float', 'double precision': 'float', 'real': 'float', 'float4': 'float', 'float8': 'float',
  'varchar': 'text', 'character varying': 'text', 'text': 'text', 'character': 'text', 'bpchar': 'text', 'name': 'text', 'string': 'text',
  'boolean': 'boolean', 'bool': 'boolean', 'date': 'date',
  'timestamp': 'timestamp', 'timestamp without time zone': 'timestamp', 'timestamp_s': 'timestamp', 'timestamp_ms': 'timestamp',
  'timestamp_ns': 'timestamp', 'timestamptz': 'timestamp with time zone', 'timestamp with time zone': 'timestamp with time zone',
  'time': 'time', 'time without time zone': 'time',
  'json': 'ungroupable', 'jsonb': 'ungroupable', 'xml': 'ungroupable', 'point': 'ungroupable', 'line': 'ungroupable',
  'lseg': 'ungroupable', 'box': 'ungroupable', 'path': 'ungroupable', 'polygon': 'ungroupable', 'circle': 'ungroupable'
} -%}
{%- set kind = kinds[name] if name in kinds else 'other' -%}
{%- if zoned and kind == 'timestamp' -%}{{ return('timestamp with time zone') }}{%- endif -%}
{%- if zoned and kind == 'time' -%}{{ return('other') }}{%- endif -%}
{{ return(kind) }}
{%- endmacro %}

{% macro duckdb__sqlrisk_kind(name, zoned, text) -%}
{%- set kind = sqlrisk.default__sqlrisk_kind(name, zoned, text) -%}
{%- set grouped = ['uuid', 'enum', 'blob', 'bit', 'interval', 'time', 'time with time zone'] -%}
{{ return('ungroupable' if kind == 'other' and name not in grouped else kind) }}
{%- endmacro %}

{% macro bigquery__sqlrisk_kind(name, zoned, text) -%}
{%- set kinds = {
  'integer': 'integer', 'int64': 'integer', 'numeric': 'decimal', 'bignumeric': 'decimal', 'decimal': 'decimal', 'bigdecimal': 'decimal',
  'float': 'float', 'float64': 'float', 'string': 'text', 'boolean': 'boolean', 'bool': 'boolean', 'date': 'date',
  'datetime': 'timestamp', 'timestamp': 'timestamp with time zone', 'time': 'time', 'bytes': 'other'
} -%}
{{ return(kinds[name] if name in kinds else 'ungroupable') }}
{%- endmacro %}

{% macro snowflake__sqlrisk_kind(name, zoned, text) -%}
{%- if name in ['number', 'decimal', 'numeric'] -%}
{{ return('integer' if text.endswith(',0)') or text.endswith(', 0)') else 'decimal') }}
{%- endif -%}
{%- set kinds = {
  'int': 'integer', 'integer': 'integer', 'bigint': 'integer', 'smallint': 'integer', 'fixed': 'decimal',
  'float': 'float', 'double': 'float', 'real': 'float', 'varchar': 'text', 'text': 'text', 'string': 'text', 'char': 'text',
  'character varying': 'text', 'boolean': 'boolean', 'date': 'date', 'timestamp_ntz': 'timestamp', 'datetime': 'timestamp',
  'timestamp_tz': 'timestamp with time zone', 'timestamp_ltz': 'timestamp with time zone', 'time': 'time', 'binary': 'other'
} -%}
{{ return(kinds[name] if name in kinds else 'ungroupable') }}
{%- endmacro %}

{% macro databricks__sqlrisk_kind(name, zoned, text) -%}
{%- set kinds = {
  'tinyint': 'integer', 'smallint': 'integer', 'int': 'integer', 'bigint': 'integer', 'decimal': 'decimal', 'float': 'float',
  'double': 'float', 'string': 'text', 'varchar': 'text', 'char': 'text', 'boolean': 'boolean', 'date': 'date',
  'timestamp_ntz': 'timestamp', 'timestamp': 'timestamp with time zone', 'binary': 'other'
} -%}
{{ return(kinds[name] if name in kinds else 'ungroupable') }}
{%- endmacro %}
