{% macro sensitive_texts(items) -%}
{#- Those that hold text, which is put in bytewise order where the order counts. -#}
{%- set ns = namespace(names=[]) -%}
{%- for item in items -%}{%- if item['is_text'] and item['is_ordered'] -%}{%- set ns.names = ns.names + ['s_' ~ loop.index] -%}{%- endif -%}{%- endfor -%}
{{ return(ns.names) }}
{%- endmacro %}
