{% macro own_name(job, name) -%}
{#- A step must not hide a table of the same name that a later step reads. -#}
{%- set ns = namespace(own=name) -%}
{%- for _ in range(job.reserved | length) -%}
{%- if ns.own | lower in job.reserved -%}{%- set ns.own = ns.own ~ '_' -%}{%- endif -%}
{%- endfor -%}
{{ return(ns.own) }}
{%- endmacro %}
