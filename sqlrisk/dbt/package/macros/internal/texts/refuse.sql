{% macro refuse(cause, remedy) -%}
{{ exceptions.raise_compiler_error('sqlrisk: ' ~ cause ~ ': ' ~ remedy) }}
{%- endmacro %}
