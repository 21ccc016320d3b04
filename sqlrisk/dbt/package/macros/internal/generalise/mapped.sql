{% macro mapped(job, argument, other, column, kind, given) -%}
{%- if argument is not mapping -%}
{{ sqlrisk.refuse('`' ~ column['name'] ~ '`: a map from a file is not read in dbt', 'write it in the declaration, `{map: {I10: circulatory}}`') }}
{%- endif -%}
{%- if kind not in ['text', 'integer', 'boolean', 'date', 'other'] -%}
{{ sqlrisk.refuse('`' ~ column['name'] ~ '` (' ~ column['type'] ~ '): map needs text or whole numbers', 'use band, cut or truncate') }}
{%- endif -%}
{%- for key in argument -%}
{%- if key is boolean or key is none or key is float -%}
{{ sqlrisk.refuse('`' ~ column['name'] ~ '`: the value `' ~ key ~ '` of its map is not a text', 'put it in quotes') }}
{%- endif -%}
{%- endfor -%}
{%- set value = job.patterns['text ' ~ kind] | replace('@given@', given) -%}
{%- set ns = namespace(groups=[], branches=[], items=[]) -%}
{%- for key in argument -%}{%- if argument[key] | string not in ns.groups -%}{%- set ns.groups = ns.groups + [argument[key] | string] -%}{%- endif -%}{%- endfor -%}
{%- for group in ns.groups -%}
  {%- set ns.items = [] -%}
  {%- for key in argument -%}{%- if argument[key] | string == group -%}{%- set ns.items = ns.items + [sqlrisk.literal(key)] -%}{%- endif -%}{%- endfor -%}
  {%- set ns.branches = ns.branches + [[value ~ ' IN (' ~ ns.items | join(', ') ~ ')', sqlrisk.literal(group)]] -%}
{%- endfor -%}
{%- set rest = [['NOT ' ~ value ~ ' IS NULL', sqlrisk.literal(other)]] if other is not none else [] -%}
{{ return({'key': sqlrisk.case_when(ns.branches + rest, none), 'kind': 'text', 'may_fail': other is none}) }}
{%- endmacro %}
