{% macro row_tallies(policy, names, records) -%}
{%- set times = ' * ' ~ records if records is not none else '' -%}
{{ return(sqlrisk.all_quoted(names) + [
  (records if records is not none else '1') ~ ' AS ' ~ sqlrisk.quoted('records'),
  policy['partly'] ~ times ~ ' AS ' ~ sqlrisk.quoted('partly_missing'),
  policy['wholly'] ~ times ~ ' AS ' ~ sqlrisk.quoted('wholly_missing')
]) }}
{%- endmacro %}
