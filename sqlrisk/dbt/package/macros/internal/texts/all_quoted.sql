{% macro all_quoted(names) -%}
{%- set ns = namespace(texts=[]) -%}
{%- for name in names -%}{%- set ns.texts = ns.texts + [sqlrisk.quoted(name)] -%}{%- endfor -%}
{{ return(ns.texts) }}
{%- endmacro %}
