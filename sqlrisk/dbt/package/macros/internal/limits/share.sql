{% macro share(value, path) -%}
{%- set found = sqlrisk.fraction(value, '`' ~ path ~ '`') -%}
{%- if found['value'] > 1 -%}{{ sqlrisk.refuse('`' ~ path ~ ': ' ~ value ~ '` is outside [0, 1]', 'it is a share') }}{%- endif -%}
{{ return(found) }}
{%- endmacro %}
