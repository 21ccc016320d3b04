{% macro renamed(columns) -%}
{#- `{release: population}`, or `release=population,...` -#}
{%- if columns is none or columns is undefined -%}{{ return({}) }}{%- endif -%}
{%- if columns is mapping -%}{{ return(columns) }}{%- endif -%}
{%- set ns = namespace(found={}) -%}
{%- for item in (columns | string).split(',') -%}
{%- if '=' not in item -%}{{ sqlrisk.refuse('`population.columns`: `' ~ item ~ '` is no pair', 'write `release=population`') }}{%- endif -%}
{%- set ns.found = dict(ns.found, **{item.split('=')[0] | trim: item.split('=')[1] | trim}) -%}
{%- endfor -%}
{{ return(ns.found) }}
{%- endmacro %}
