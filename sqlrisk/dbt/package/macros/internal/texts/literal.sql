{% macro literal(text) -%}
{%- set engine = adapter.type() -%}
{%- set text = text | string -%}
{%- if engine in ['bigquery', 'databricks', 'snowflake'] -%}{%- set text = text | replace('\\', '\\\\') -%}{%- endif -%}
{%- set quote = "\\'" if engine in ['bigquery', 'databricks'] else "''" -%}
{{ return("'" ~ (text | replace("'", quote)) ~ "'") }}
{%- endmacro %}
