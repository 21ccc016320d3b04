{% macro flag(condition, name) -%}
{{ return('CASE WHEN ' ~ condition ~ ' THEN 1 ELSE 0 END AS ' ~ sqlrisk.quoted(name)) }}
{%- endmacro %}
