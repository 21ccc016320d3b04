{% macro quoted(name) -%}
{%- set escaped = name if adapter.type() in ['bigquery', 'databricks'] else name | replace('"', '""') -%}
{{ return(adapter.quote(escaped)) }}
{%- endmacro %}
