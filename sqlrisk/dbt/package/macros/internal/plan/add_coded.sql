{% macro add_coded(job, rows, columns) -%}
{#- The step of `rows` with `columns` coded; its name. -#}
{%- set ns = namespace(current=rows, kept=[]) -%}
{%- for column in columns -%}
  {%- set own = sqlrisk.quoted(column) -%}
  {%- set ns.kept = [] -%}
  {%- for name in job.columns[ns.current] -%}
  {%- set ns.kept = ns.kept + ['COALESCE(' ~ sqlrisk.quoted('code') ~ ', 0) AS ' ~ own if name == column else sqlrisk.quoted(name)] -%}
  {%- endfor -%}
  {%- set step = rows ~ '_' ~ column -%}
  {%- do sqlrisk.add(job, step, 'coded', {'columns': ns.kept, 'column': [own]}, {'release': ns.current, 'dictionary': column ~ '_codes'}, job.columns[rows]) -%}
  {%- set ns.current = step -%}
{%- endfor -%}
{{ return(ns.current) }}
{%- endmacro %}
