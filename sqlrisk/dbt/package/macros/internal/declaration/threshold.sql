{% macro threshold(value) -%}
{%- set found = sqlrisk.fraction(value if value is not none else '1/5', 'the threshold') -%}
{%- if found['p'] < 1 or found['p'] > found['q'] -%}
{{ sqlrisk.refuse('the threshold `' ~ found['text'] ~ '` is outside (0, 1]', 'it is a record risk: write `0.2`, `1/11` or `k=11`') }}
{%- endif -%}
{{ return(found) }}
{%- endmacro %}
