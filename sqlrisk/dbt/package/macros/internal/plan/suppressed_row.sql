{% macro suppressed_row(keys) -%}
{#- Whether nothing is left of a row; none without a token. -#}
{%- set ns = namespace(texts=[], any=false) -%}
{%- for key in keys -%}
{%- set ns.texts = ns.texts + [key['suppressed']] -%}
{%- if key['can_be_token'] -%}{%- set ns.any = true -%}{%- endif -%}
{%- endfor -%}
{{ return(ns.texts | join(' AND ') if ns.any else none) }}
{%- endmacro %}
