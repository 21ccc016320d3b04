{% macro case_when(conditions, otherwise) -%}
{#- CASE over [condition, value] pairs; `otherwise` alone without any. -#}
{%- if not conditions -%}{{ return(otherwise) }}{%- endif -%}
{%- set ns = namespace(text='CASE') -%}
{%- for condition, value in conditions -%}
{%- set ns.text = ns.text ~ ' WHEN ' ~ condition ~ ' THEN ' ~ value -%}
{%- endfor -%}
{%- if otherwise is not none -%}{%- set ns.text = ns.text ~ ' ELSE ' ~ otherwise -%}{%- endif -%}
{{ return(ns.text ~ ' END') }}
{%- endmacro %}
