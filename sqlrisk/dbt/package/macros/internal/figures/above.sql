{% macro above(bound) -%}
{#- Limits are compared with this tolerance, as in sqlrisk/limits.py. -#}
{{ return('%.12f' | format(bound + 1e-9)) }}
{%- endmacro %}
