{% macro generalisation_text(column, text) -%}
{#- `band=5`, `weekday`, `map=...` -#}
{%- if '@' in text and text.split('=')[0].split('@')[0] | trim in ['truncate', 'time', 'weekday'] -%}
{{ sqlrisk.refuse('`' ~ column ~ '`: time zones are not read in dbt', 'convert the column in the model') }}
{%- endif -%}
{%- set how = text.split('=')[0] | trim -%}
{%- set argument = text[(text.split('=')[0] | length) + 1:] if '=' in text else none -%}
{{ return({'column': column, 'how': how, 'argument': argument, 'other': none}) }}
{%- endmacro %}
