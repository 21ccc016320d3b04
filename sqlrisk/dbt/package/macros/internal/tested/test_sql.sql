{% macro test_sql(asked, findings, max_excluded=none, needs_population=false) -%}
{%- set job = asked['job'] -%}
{%- set limits = asked['declared'].get('limits') or {} -%}
{%- set allowed = max_excluded if max_excluded is not none else (limits.get('max_excluded') if limits.get('max_excluded') is not none else 0) -%}
{%- set problems = sqlrisk.problems(job, sqlrisk.fraction(allowed, 'max_excluded')['value'], needs_population) -%}
{{ sqlrisk.counted(job, asked['statement']) }}
{{ (findings + problems) | join('\nUNION ALL\n') }}
{%- endmacro %}
