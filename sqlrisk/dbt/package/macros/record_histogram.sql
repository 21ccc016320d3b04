{% macro record_histogram() -%}
{%- if not execute -%}{{ return('') }}{%- endif -%}
{%- set declared = sqlrisk.declaration_of(model) -%}
{%- if not declared -%}
{{ sqlrisk.refuse('the model `' ~ model['name'] ~ '` is to be put on record and declares no policy', 'declare one under `config.meta.sqlrisk` of the model') }}
{%- endif -%}
{%- set job = sqlrisk.job_of(dict(declared, **{'population': {}, 'sensitive': []}), this, model['name']) -%}
{%- set statement = sqlrisk.plan(job) -%}
{%- set counted = 'records' if job.counting == 'distinct' else 'classes' -%}
{%- set zero = 'CAST(0 AS ' ~ job.patterns['type bigint'] ~ ')' -%}
{%- set names = sqlrisk.all_quoted(['unconverted', 'unidentified', 'excluded', 'read']) -%}
{%- set sql -%}
{{ sqlrisk.counted(job, statement) }}
SELECT {{ sqlrisk.quoted('class_size') }} AS {{ sqlrisk.quoted('size') }}, SUM({{ sqlrisk.quoted(counted) }}) AS {{ sqlrisk.quoted('number') }}, 0 AS {{ names[0] }}, 0 AS {{ names[1] }}, 0 AS {{ names[2] }}, 0 AS {{ names[3] }}
FROM {{ sqlrisk.quoted('sqlrisk_sizes') }}
GROUP BY {{ sqlrisk.quoted('class_size') }}
UNION ALL
SELECT 0, 0, {{ names | join(', ') }} FROM {{ sqlrisk.quoted('sqlrisk_totals') }}
{%- endset -%}
{%- set rows = run_query(sql).rows -%}
{%- set audit = sqlrisk.audit_relation(this) -%}
{%- set now = modules.datetime.datetime.now(modules.pytz.utc).strftime('%Y-%m-%d %H:%M:%S.%f') -%}
{%- set about = [
  sqlrisk.literal(invocation_id), sqlrisk.literal(model['unique_id']), sqlrisk.literal(this | string),
  'CAST(' ~ sqlrisk.literal(now) ~ ' AS ' ~ job.patterns['type timestamp'] ~ ')', sqlrisk.literal(sqlrisk.package_version()),
  sqlrisk.literal(sqlrisk.fingerprint(declared)), sqlrisk.literal(counted), sqlrisk.literal('people' if job.counting != 'records' else 'records')
] | join(', ') -%}
{%- set ns = namespace(values=[]) -%}
{%- for row in rows -%}
{%- if row[0] | int == 0 -%}
{%- do sqlrisk.unmeasurable(job, [row[2], row[3], row[4], row[5], 1, 0], model['name']) -%}
{%- else -%}
{%- set ns.values = ns.values + ['(' ~ about ~ ', ' ~ (row[0] | int) ~ ', ' ~ (row[1] | int) ~ ')'] -%}
{%- endif -%}
{%- endfor -%}
{%- do run_query(sqlrisk.create_audit(audit)) -%}
INSERT INTO {{ audit }} ({{ sqlrisk.audit_columns() | join(', ') }})
VALUES
{{ ns.values | join(',\n') }}
{%- endmacro %}
