{% macro generalised(job, qi, column) -%}
{#- The quasi-identifier over the column `column` of source, as sqlrisk.sql.quasi_identifier.generalise gives it. -#}
{%- set kind = column['kind'] -%}
{%- if kind == 'ungroupable' -%}
{{ sqlrisk.refuse('`' ~ column['name'] ~ '` has the type ' ~ column['type'] ~ ', which cannot be grouped', 'leave it out') }}
{%- endif -%}
{%- set raw = sqlrisk.quoted('source') ~ '.' ~ sqlrisk.quoted(column['name']) -%}
{%- set is_token = job.suppressed is not none and kind in ['text', 'other'] -%}
{%- set suppressed = (job.patterns['text ' ~ kind] | replace('@given@', raw)) ~ ' = ' ~ sqlrisk.literal(job.suppressed) if is_token else raw ~ ' IS NULL' -%}
{%- set given = 'CASE WHEN ' ~ suppressed ~ ' THEN NULL ELSE ' ~ raw ~ ' END' if is_token else raw -%}
{%- set made = sqlrisk.compiled(job, qi, column, kind, given) -%}
{{ return({
  'column': column['name'], 'key': made['key'], 'kind': made['kind'], 'may_fail': made['may_fail'], 'given': given,
  'must_map': qi['how'] == 'map' and qi['other'] is none,
  'suppressed': suppressed, 'can_be_token': is_token, 'lost': 'NOT ' ~ given ~ ' IS NULL AND ' ~ made['key'] ~ ' IS NULL'
}) }}
{%- endmacro %}
