{% macro named_relation(name) -%}
{#- The relation of a model, seed or snapshot of that name, or `schema.table`. -#}
{%- set ns = namespace(found=none) -%}
{%- for node in graph.nodes.values() -%}
{%- if node['name'] == name and node['resource_type'] in ['model', 'seed', 'snapshot'] -%}{%- set ns.found = node -%}{%- endif -%}
{%- endfor -%}
{%- if ns.found is not none -%}{{ return(sqlrisk.relation_of(ns.found)) }}{%- endif -%}
{%- set parts = (name | string | replace('"', '') | replace('`', '')).split('.') -%}
{%- set schema = parts[-2] if parts | length > 1 else target.schema -%}
{%- set database = parts[-3] if parts | length > 2 else target.database -%}
{%- set relation = adapter.get_relation(database=database, schema=schema, identifier=parts[-1]) -%}
{%- if relation is none -%}
{{ sqlrisk.refuse('there is no table or view `' ~ name ~ '`, and no model of that name', 'check `population.table`') }}
{%- endif -%}
{{ return(relation) }}
{%- endmacro %}
