{% macro create_audit_tables() -%}
{#- At the start of a run: models that are built at the same time must not make the same table at once. -#}
{%- if not execute -%}{{ return('') }}{%- endif -%}
{%- set ns = namespace(made=[]) -%}
{%- for id in selected_resources -%}
{%- set node = graph.nodes.get(id) or {} -%}
{%- if 'sqlrisk.record_histogram' in (node.get('config') or {}).get('post-hook', []) | string -%}
{%- set sql = sqlrisk.create_audit(sqlrisk.audit_relation(sqlrisk.relation_of(node))) -%}
{%- if sql not in ns.made -%}{%- set ns.made = ns.made + [sql] -%}{%- endif -%}
{%- endif -%}
{%- endfor -%}
{%- for sql in ns.made -%}{%- do run_query(sql) -%}{%- endfor -%}
{{ return('') }}
{%- endmacro %}
