{% macro check_population(population) -%}
{%- if population is none or population is undefined -%}{{ return('') }}{%- endif -%}
{%- if population is not mapping -%}{{ sqlrisk.refuse('`population` is no mapping', 'write `population: {table: ...}`') }}{%- endif -%}
{%- set known = ['table', 'columns', 'where', 'entity_id', 'size', 'sampling_fraction', 'model', 'description', 'source', 'as_of'] -%}
{%- for key in population -%}
{%- if key not in known -%}{{ sqlrisk.refuse('`population.' ~ key ~ '` is not a key of a policy', sqlrisk.nearest(key, known)) }}{%- endif -%}
{%- endfor -%}
{%- if population.get('table') and (population.get('size') or population.get('sampling_fraction') or population.get('model')) -%}
{{ sqlrisk.refuse('`population` has a table and something else that says how large it is', 'give one of them') }}
{%- endif -%}
{%- if not population.get('table') -%}
{%- for key in ['columns', 'where', 'entity_id'] -%}
{%- if population.get(key) -%}{{ sqlrisk.refuse('`population.' ~ key ~ '` is about a population table', 'give `population.table` too') }}{%- endif -%}
{%- endfor -%}
{%- endif -%}
{{ return('') }}
{%- endmacro %}
