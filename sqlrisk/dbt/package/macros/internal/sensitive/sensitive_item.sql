{% macro sensitive_item(item) -%}
{#- `diagnosis`, `"paid:numeric"`, `{paid: numeric}`, `{stage: {ordered: [low, high]}}`. -#}
{%- if item is mapping -%}
  {%- if item | length != 1 -%}{{ sqlrisk.refuse('a sensitive column has one name', 'write each as an item of its own: `- paid: numeric`') }}{%- endif -%}
  {%- set column = (item | list)[0] -%}
  {%- set value = item[column] -%}
  {%- if value is none -%}{{ return({'column': column, 'how': 'categorical', 'order': []}) }}{%- endif -%}
  {%- if value is mapping -%}
    {%- set how = (value | list)[0] -%}
    {%- if how == 'map' -%}{{ sqlrisk.refuse('`' ~ column ~ '`: groups of a sensitive column are not measured in dbt', 'run `sqlrisk dbt test`') }}{%- endif -%}
    {%- if how != 'ordered' or value | length != 1 -%}{{ sqlrisk.refuse('`' ~ column ~ '`: it is not said how its values are compared', 'write `numeric`, `ordered` or `{ordered: [low, high]}`') }}{%- endif -%}
    {{ return({'column': column, 'how': 'ordered', 'order': value[how]}) }}
  {%- endif -%}
  {%- set how, order = value.split('=')[0] | trim, (value.split('=')[1].split(',') if '=' in value else []) -%}
{%- else -%}
  {%- set qi = sqlrisk.quasi_identifier(item) -%}
  {%- set column, how = qi['column'], (qi['how'] if qi['how'] is not none else 'categorical') -%}
  {%- set order = qi['argument'].split(',') if qi['argument'] is not none else [] -%}
{%- endif -%}
{%- if how == 'map' -%}{{ sqlrisk.refuse('`' ~ column ~ '`: groups of a sensitive column are not measured in dbt', 'run `sqlrisk dbt test`') }}{%- endif -%}
{%- if how not in ['categorical', 'numeric', 'ordered'] or (order and how != 'ordered') -%}
{{ sqlrisk.refuse('`' ~ column ~ '`: a sensitive column is not `' ~ how ~ '`', 'known are categorical, numeric, ordered') }}
{%- endif -%}
{{ return({'column': column, 'how': how, 'order': order}) }}
{%- endmacro %}
