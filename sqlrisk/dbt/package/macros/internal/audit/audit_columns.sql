{% macro audit_columns() -%}
{{ return(sqlrisk.all_quoted(['invocation_id', 'model', 'relation', 'recorded_at', 'sqlrisk_version', 'fingerprint', 'counted', 'unit', 'size', 'number'])) }}
{%- endmacro %}
