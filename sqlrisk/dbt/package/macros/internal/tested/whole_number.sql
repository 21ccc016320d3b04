{% macro whole_number(value, name) -%}
{%- if value is boolean or not modules.re.match('^[0-9]{1,9}$', value | string) -%}
{{ sqlrisk.refuse('`' ~ name ~ ': ' ~ value ~ '` is not a whole number', 'write `' ~ name ~ ': 5`') }}
{%- endif -%}
{{ return(value | int) }}
{%- endmacro %}
