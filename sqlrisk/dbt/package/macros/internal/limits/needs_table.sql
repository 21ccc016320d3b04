{% macro needs_table(population, path) -%}
{%- if not population.get('table') -%}
{{ sqlrisk.refuse('`' ~ path ~ '` needs a population table, and the gate estimates nothing', 'give `population.table`, or judge it with `sqlrisk dbt test` and take the gate out') }}
{%- endif -%}
{{ return('') }}
{%- endmacro %}
