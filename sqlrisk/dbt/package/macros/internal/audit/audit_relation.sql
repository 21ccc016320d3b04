{% macro audit_relation(relation) -%}
{#- The table of what is on record: beside the model, unless the variable `sqlrisk_audit_table` says otherwise. -#}
{%- set parts = (var('sqlrisk_audit_table', 'sqlrisk_audit') | string | replace('"', '') | replace('`', '')).split('.') -%}
{{ return(api.Relation.create(
  database=parts[-3] if parts | length > 2 else relation.database,
  schema=parts[-2] if parts | length > 1 else relation.schema,
  identifier=parts[-1]
)) }}
{%- endmacro %}
