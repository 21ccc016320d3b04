{% macro failed(declared, limits, job, figures) -%}
{#- A line for each limit that does not hold. A figure that is null never passes. -#}
{%- set ns = namespace(lines=[]) -%}
{%- do sqlrisk.unmeasurable(job, [figures[0], figures[1], figures[2], figures[3], figures[4], figures[5]], model['name']) -%}
{%- for limit in limits -%}
  {%- set value = figures[5 + loop.index] -%}
  {%- set bound = limit['bound']['value'] -%}
  {%- set what = limit['measure'] if limit['attacker'] is none else limit['attacker'] ~ ' ' ~ limit['measure'] -%}
  {%- set what = what ~ ' of `' ~ limit['column'] ~ '`' if limit['number'] is not none else what -%}
  {%- if value is none -%}
    {%- set ns.lines = ns.lines + [what ~ ' is not known, and ' ~ limit['path'] ~ ' needs it'] -%}
  {%- else -%}
    {%- set room = -1e-9 if limit['measure'] == 'recursive_c' else 1e-9 -%}
    {%- set number = value | float -%}
    {%- set passed = number >= bound - room if limit['direction'] == 'min' else number <= bound + room -%}
    {%- set shown = 'infinite' if number > 1e299 else '%.6g' | format(number) -%}
    {%- if not passed -%}
    {%- set ns.lines = ns.lines + [what ~ ' is ' ~ shown ~ (', below' if limit['direction'] == 'min' else ', above') ~ ' the limit ' ~ limit['bound']['text'] ~ ' (' ~ limit['path'] ~ ')'] -%}
    {%- endif -%}
  {%- endif -%}
{%- endfor -%}
{%- set given = (declared.get('limits') or {}).get('max_excluded') -%}
{%- set allowed = sqlrisk.share(given if given is not none else 0, 'limits.max_excluded') -%}
{%- set share = (figures[2] | float) / (figures[3] | float) -%}
{%- if share > allowed['value'] + 1e-9 -%}
{%- set ns.lines = ns.lines + ['the share of records left out for missing values is ' ~ '%.6g' | format(share) ~ ', above the limit ' ~ allowed['text'] ~ ' (limits.max_excluded)'] -%}
{%- endif -%}
{{ return(ns.lines) }}
{%- endmacro %}
