{% macro declaration_keys() -%}
{#- As sqlrisk/dbt/tasks.py has them. -#}
{{ return([
  'where', 'quasi_identifiers', 'sensitive', 'sensitive_nulls', 'entity_id', 'entity_counting', 'weight', 'household', 'nulls', 'suppressed',
  'unparseable', 'previous', 'name', 'population', 'profile', 'threshold', 'attackers', 'limits', 'accept_weak', 'seed', 'context',
  'justification', 'agreement', 'measure_only'
]) }}
{%- endmacro %}
