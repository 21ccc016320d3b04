{% macro package_version() -%}
{{ return('0.1.0') }}
{%- endmacro %}
