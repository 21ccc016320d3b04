{% macro sensitive_names(items) -%}
{%- set ns = namespace(names=[]) -%}
{%- for item in items -%}{%- set ns.names = ns.names + ['s_' ~ loop.index] -%}{%- endfor -%}
{{ return(ns.names) }}
{%- endmacro %}
