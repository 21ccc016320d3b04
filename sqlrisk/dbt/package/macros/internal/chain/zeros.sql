{% macro zeros(names) -%}
{%- set ns = namespace(texts=[]) -%}
{%- for name in names -%}{%- set ns.texts = ns.texts + ['0 AS ' ~ sqlrisk.quoted(name)] -%}{%- endfor -%}
{{ return(ns.texts) }}
{%- endmacro %}
