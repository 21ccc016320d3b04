{% macro unless(condition, value) -%}
{{ return(sqlrisk.case_when([[condition, 'NULL']] if condition is not none else [], value)) }}
{%- endmacro %}
