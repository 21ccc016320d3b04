{% macro tested_node() -%}
{#- The node that the test being rendered is of. -#}
{%- set id = model.get('attached_node') or model['depends_on']['nodes'][0] -%}
{{ return(graph.nodes[id] if id in graph.nodes else graph.sources[id]) }}
{%- endmacro %}
