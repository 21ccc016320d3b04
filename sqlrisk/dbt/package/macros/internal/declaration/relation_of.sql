{% macro relation_of(node) -%}
{{ return(api.Relation.create(database=node['database'], schema=node['schema'], identifier=node.get('alias') or node.get('identifier') or node['name'])) }}
{%- endmacro %}
