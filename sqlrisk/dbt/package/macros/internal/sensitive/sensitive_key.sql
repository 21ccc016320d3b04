{% macro sensitive_key(job, item, column) -%}
{#- A sensitive column over source, as sqlrisk.sql.sensitive.sensitive_key gives it. -#}
{%- set kind, how = column['kind'], item['how'] -%}
{%- if kind == 'ungroupable' -%}
{{ sqlrisk.refuse('sensitive column `' ~ column['name'] ~ '` has the type ' ~ column['type'] ~ ', which cannot be grouped', 'leave it out') }}
{%- endif -%}
{%- set raw = sqlrisk.quoted('source') ~ '.' ~ sqlrisk.quoted(column['name']) -%}
{%- set as_text = job.patterns['text ' ~ kind] -%}
{%- set is_token = job.suppressed is not none and kind in ['text', 'other'] -%}
{%- set token = (as_text | replace('@given@', raw)) ~ ' = ' ~ sqlrisk.literal(job.suppressed) if is_token else none -%}
{%- set given = 'CASE WHEN ' ~ token ~ ' THEN NULL ELSE ' ~ raw ~ ' END' if is_token else raw -%}
{%- set ns = namespace(branches=[], key=none, may_fail=false, is_text=false) -%}
{%- if item['order'] -%}
  {%- for value in item['order'] -%}
  {%- set ns.branches = ns.branches + [[(as_text | replace('@given@', given)) ~ ' = ' ~ sqlrisk.literal(value | string | trim), loop.index]] -%}
  {%- endfor -%}
  {%- set ns.key = sqlrisk.case_when(ns.branches, none) -%}
  {%- set ns.may_fail = true -%}
{%- elif 'sensitive ' ~ how ~ ' ' ~ kind not in job.patterns -%}
  {{ sqlrisk.refuse('sensitive column `' ~ column['name'] ~ '` (' ~ column['type'] ~ '): ' ~ how ~ ' needs numbers', 'write `ordered`') }}
{%- else -%}
  {%- set ns.key = job.patterns['sensitive ' ~ how ~ ' ' ~ kind] | replace('@given@', given) -%}
  {%- set ns.may_fail = (how == 'numeric' and kind in ['text', 'float']) or (how == 'ordered' and kind == 'float') -%}
  {%- set ns.is_text = how != 'numeric' and kind == 'text' -%}
{%- endif -%}
{{ return({
  'column': column['name'], 'key': ns.key, 'may_fail': ns.may_fail, 'is_text': ns.is_text, 'is_ordered': how != 'categorical',
  'lost': 'NOT ' ~ given ~ ' IS NULL AND ' ~ ns.key ~ ' IS NULL'
}) }}
{%- endmacro %}
