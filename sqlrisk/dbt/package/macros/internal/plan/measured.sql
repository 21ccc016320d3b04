{% macro measured(job, coded) -%}
{#- Which rows are measured, over the key columns. -#}
{%- set ns = namespace(absent=[]) -%}
{%- for key in job.key_columns -%}{%- set ns.absent = ns.absent + [key ~ (' = 0' if coded else ' IS NULL')] -%}{%- endfor -%}
{%- set whole, some = ns.absent | join(' AND '), ns.absent | join(' OR ') -%}
{%- set several = ns.absent | length > 1 -%}
{%- set partly = [[some, 1]] if several else [] -%}
{%- set excluded = some if job.nulls == 'exclude' else none -%}
{%- set token = sqlrisk.quoted('suppressed') ~ ' = 1' if job.release['suppressed'] is not none else none -%}
{%- set every = 'SUM(' ~ sqlrisk.quoted('suppressed') ~ ') = COUNT(*)' if token is not none else none -%}
{%- set grouped = '(' ~ excluded ~ ')' if excluded is not none and several else excluded -%}
{{ return({
  'missing': sqlrisk.case_when([[whole, 2]] + partly, '0'),
  'partly': sqlrisk.case_when([[whole, 0]] + partly, '0'),
  'wholly': sqlrisk.case_when([[whole, 1]], '0'),
  'row_left_out': grouped ~ ' OR ' ~ token if excluded is not none and token is not none else (excluded if excluded is not none else token),
  'pair_measured': sqlrisk.case_when(([[excluded, 0]] if excluded is not none else []) + ([[every, 0]] if every is not none else []), '1'),
  'population_left_out': excluded,
  'population_measured': sqlrisk.case_when([[excluded, 0]] if excluded is not none else [], '1')
}) }}
{%- endmacro %}
