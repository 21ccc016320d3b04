{% macro present(job, number) -%}
{%- set code = sqlrisk.quoted('s_' ~ number) -%}
{{ return('CASE WHEN ' ~ code ~ ' > 0 THEN ' ~ code ~ ' END' if job.ignores_missing else code) }}
{%- endmacro %}
