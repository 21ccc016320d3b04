{% macro arm_sums_of(job, names) -%}
{%- set ns = namespace(columns=[]) -%}
{%- for name in names -%}
{%- set sql = job.patterns['sum'] | replace('@name@', sqlrisk.quoted(name)) -%}
{%- set ns.columns = ns.columns + [{'name': name, 'type': job.patterns['type bigint'], 'sql': sql}] -%}
{%- endfor -%}
{{ return(ns.columns) }}
{%- endmacro %}
