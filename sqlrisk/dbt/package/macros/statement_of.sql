{% macro statement_of(name, declaration=none) -%}
{%- if not execute -%}{{ return('') }}{%- endif -%}
{%- set ns = namespace(node=none) -%}
{%- for node in graph.nodes.values() -%}
{%- if node['name'] == name and node['resource_type'] in ['model', 'seed', 'snapshot'] -%}{%- set ns.node = node -%}{%- endif -%}
{%- endfor -%}
{%- if ns.node is none -%}{{ sqlrisk.refuse('there is no model `' ~ name ~ '`', 'name a model, a seed or a snapshot') }}{%- endif -%}
{%- set declared = declaration if declaration is not none else sqlrisk.declaration_of(ns.node) -%}
{{ return(sqlrisk.plan(sqlrisk.job_of(declared, sqlrisk.relation_of(ns.node), name))['sql']) }}
{%- endmacro %}
