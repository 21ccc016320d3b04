{% macro names_of(flags) -%}
{%- set ns = namespace(names=[]) -%}
{%- for flag in flags -%}{%- set ns.names = ns.names + [flag['name']] -%}{%- endfor -%}
{{ return(ns.names) }}
{%- endmacro %}
