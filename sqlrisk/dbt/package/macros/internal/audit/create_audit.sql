{% macro create_audit(audit) -%}
{%- set patterns = adapter.dispatch('sqlrisk_patterns', 'sqlrisk')() -%}
{%- set text, whole, time = patterns['type text'], patterns['type bigint'], patterns['type timestamp'] -%}
{%- set types = [text, text, text, time, text, text, text, text, whole, whole] -%}
{%- set ns = namespace(columns=[]) -%}
{%- for column in sqlrisk.audit_columns() -%}{%- set ns.columns = ns.columns + [column ~ ' ' ~ types[loop.index0]] -%}{%- endfor -%}
{{ return('CREATE TABLE IF NOT EXISTS ' ~ audit ~ ' (' ~ ns.columns | join(', ') ~ ')') }}
{%- endmacro %}
