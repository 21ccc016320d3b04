{% macro tested_sensitive(column, compared) -%}
{#- How the model's declaration compares a sensitive column, unless the test says it. -#}
{%- if compared is not none -%}{{ return({column: compared}) }}{%- endif -%}
{%- set ns = namespace(item=column) -%}
{%- for item in sqlrisk.declaration_of(sqlrisk.tested_node()).get('sensitive') or [] -%}
{%- if sqlrisk.sensitive_item(item)['column'] == column -%}{%- set ns.item = item -%}{%- endif -%}
{%- endfor -%}
{{ return(ns.item) }}
{%- endmacro %}
