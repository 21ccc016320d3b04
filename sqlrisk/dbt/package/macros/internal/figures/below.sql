{% macro below(bound) -%}
{{ return('%.12f' | format(bound - 1e-9)) }}
{%- endmacro %}
