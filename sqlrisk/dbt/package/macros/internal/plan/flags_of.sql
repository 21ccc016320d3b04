{% macro flags_of(job, rows, prefix) -%}
{#- The 0/1 flags of rows that are summed all the way up. -#}
{%- set ns = namespace(flags=[]) -%}
{%- if rows['suppressed'] is not none and not prefix -%}
{%- set ns.flags = [{'name': 'suppressed', 'sql': sqlrisk.flag(rows['suppressed'], 'suppressed')}] -%}
{%- endif -%}
{%- for item in rows['keys'] -%}
{%- if item['may_fail'] -%}
{%- set name = prefix ~ 'unconverted_' ~ loop.index -%}
{%- set ns.flags = ns.flags + [{'name': name, 'sql': sqlrisk.flag(item['lost'], name)}] -%}
{%- endif -%}
{%- endfor -%}
{%- if rows['entity'] -%}
{%- set name = prefix ~ 'unidentified' -%}
{%- set absent = sqlrisk.quoted('source') ~ '.' ~ sqlrisk.quoted(rows['entity']) ~ ' IS NULL' -%}
{%- set ns.flags = ns.flags + [{'name': name, 'sql': sqlrisk.flag(absent, name)}] -%}
{%- endif -%}
{{ return(ns.flags) }}
{%- endmacro %}
