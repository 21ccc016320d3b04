{% macro rows_of(job, declared, relation, label, renamed, where, entity, sensitive, often, rendered) -%}
{%- set columns = adapter.get_columns_in_relation(relation) -%}
{%- if not columns -%}{{ sqlrisk.refuse('there is no table or view ' ~ relation, 'build it first') }}{%- endif -%}
{%- set ns = namespace(keys=[], sensitive=[], seen=[], names=[], stored=false) -%}
{%- if job.counted_rows is none -%}
{%- set job.counted_rows = rendered if rendered is not none else relation.render() -%}
{%- if where -%}
{%- set alias = ' AS ' ~ sqlrisk.quoted(relation.identifier) if rendered is none else '' -%}
{%- set job.counted_rows = '(SELECT * FROM ' ~ job.counted_rows ~ alias ~ ' WHERE ' ~ where ~ ')' -%}
{%- endif -%}
{%- endif -%}
{%- for item in declared['quasi_identifiers'] -%}
  {%- set qi = sqlrisk.quasi_identifier(item) -%}
  {%- set ns.names = ns.names + [qi['column']] -%}
  {%- set column = sqlrisk.column_of(columns, renamed[qi['column']] if qi['column'] in renamed else qi['column'], 'quasi-identifier', label) -%}
  {%- if column['name'] in ns.seen -%}{{ sqlrisk.refuse('the quasi-identifier `' ~ column['name'] ~ '` is given twice', 'give each column once') }}{%- endif -%}
  {%- set ns.seen = ns.seen + [column['name']] -%}
  {%- set ns.keys = ns.keys + [sqlrisk.generalised(job, qi, column)] -%}
{%- endfor -%}
{%- for name in renamed -%}
{%- if name not in ns.names -%}{{ sqlrisk.refuse('`population.columns`: `' ~ name ~ '` is not a quasi-identifier', sqlrisk.nearest(name, ns.names)) }}{%- endif -%}
{%- endfor -%}
{%- for item in sensitive -%}
  {%- set parsed = sqlrisk.sensitive_item(item) -%}
  {%- set ns.sensitive = ns.sensitive + [sqlrisk.sensitive_key(job, parsed, sqlrisk.column_of(columns, parsed['column'], 'sensitive column', label))] -%}
{%- endfor -%}
{%- if where is not none and where is defined and not where | trim -%}{{ sqlrisk.refuse('`where` is empty', 'leave it out, or give a condition') }}{%- endif -%}
{%- if often and rendered is none -%}
{%- set stored = adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier) -%}
{%- set ns.stored = stored is not none and stored.is_table -%}
{%- endif -%}
{{ return({
  'source': rendered if rendered is not none else relation.render(), 'own_name': relation.identifier if rendered is none else none,
  'keys': ns.keys, 'where': where, 'entity': sqlrisk.column_of(columns, entity, 'entity id', label)['name'] if entity else none,
  'sensitive': ns.sensitive, 'suppressed': sqlrisk.suppressed_row(ns.keys), 'reread': ns.stored
}) }}
{%- endmacro %}
