{% macro composed(job) -%}
{#- The steps and arms as one statement. -#}
{%- set ns = namespace(columns=[], names=[], arms=[], parts=[], reads=0, ctes=[]) -%}
{%- for arm in job.arms -%}{%- for column in arm['columns'] -%}
{%- if column['name'] not in ns.names -%}
{%- set ns.names = ns.names + [column['name']] -%}
{%- set ns.columns = ns.columns + [column] -%}
{%- endif -%}
{%- endfor -%}{%- endfor -%}
{%- for arm in job.arms -%}
  {%- set own = namespace(columns={}) -%}
  {%- for column in arm['columns'] -%}{%- set own.columns = dict(own.columns, **{column['name']: column['sql']}) -%}{%- endfor -%}
  {%- set ns.parts = [] -%}
  {%- for column in ns.columns -%}
  {%- set absent = 'CAST(NULL AS ' ~ column['type'] ~ ') AS ' ~ sqlrisk.quoted(column['name']) -%}
  {%- set ns.parts = ns.parts + [own.columns[column['name']] if column['name'] in own.columns else absent] -%}
  {%- endfor -%}
  {%- set ns.arms = ns.arms + ['SELECT\n  ' ~ ns.parts | join(',\n  ') ~ '\n' ~ arm['tail'] | trim] -%}
{%- endfor -%}
{%- set ns.parts = ns.arms -%}
{%- for step in job.steps -%}{%- set ns.parts = ns.parts + [step['sql']] -%}{%- endfor -%}
{%- set all = ns.parts | join('\n') -%}
{%- for step in job.steps -%}
  {%- set name = sqlrisk.quoted(step['name']) -%}
  {%- set ns.reads = all.split('FROM ' ~ name) | length + all.split('JOIN ' ~ name) | length - 2 -%}
  {%- set held = ns.reads > 1 and adapter.type() in ['duckdb', 'postgres'] -%}
  {%- set how = '' if not held else ('NOT MATERIALIZED ' if step['name'] in job.reread else 'MATERIALIZED ') -%}
  {%- set ns.ctes = ns.ctes + [name ~ ' AS ' ~ how ~ '(\n' ~ step['sql'] ~ '\n)'] -%}
{%- endfor -%}
{{ return({'sql': 'WITH ' ~ ns.ctes | join(', ') ~ '\n' ~ ns.arms | join('\nUNION ALL\n'), 'columns': ns.names}) }}
{%- endmacro %}
