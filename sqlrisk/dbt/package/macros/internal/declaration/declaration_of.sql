{% macro declaration_of(node) -%}
{#- `config.meta.sqlrisk` of a node of the graph; empty where it has none. -#}
{%- set meta = node['config'].get('meta') or {} -%}
{%- set declared = meta.get('sqlrisk') -%}
{%- if declared is none -%}{{ return({}) }}{%- endif -%}
{%- if declared is not mapping -%}
{{ sqlrisk.refuse('`config.meta.sqlrisk` of ' ~ node['name'] ~ ' is no mapping', 'write `quasi_identifiers: [...]` under it') }}
{%- endif -%}
{%- set known = sqlrisk.declaration_keys() -%}
{%- for key in declared -%}
{%- if key not in known -%}
{{ sqlrisk.refuse('`' ~ key ~ '` is not a key of the declaration of ' ~ node['name'], sqlrisk.nearest(key, known)) }}
{%- endif -%}
{%- endfor -%}
{{ return(declared) }}
{%- endmacro %}
