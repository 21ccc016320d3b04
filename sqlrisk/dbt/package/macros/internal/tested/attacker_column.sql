{% macro attacker_column(attacker, name) -%}
{#- The sizes that an attacker sees: of the release, or of the population. -#}
{%- if attacker not in ['prosecutor', 'journalist'] -%}
{{ sqlrisk.refuse('there is no attacker `' ~ attacker ~ '` for ' ~ name, 'known are prosecutor, journalist') }}
{%- endif -%}
{{ return('matches' if attacker == 'journalist' else 'class_size') }}
{%- endmacro %}
