{% macro job_of(declared, relation, label, rendered=none) -%}
{#- The question of a declaration about a relation, with its columns looked up. `rendered` stands in the place of the relation. -#}
{%- if adapter.type() not in ['duckdb', 'postgres', 'bigquery', 'snowflake', 'databricks'] -%}
{{ sqlrisk.refuse('the adapter ' ~ adapter.type() ~ ' is not known', 'it knows duckdb, postgres, bigquery, snowflake and databricks') }}
{%- endif -%}
{%- if not declared.get('quasi_identifiers') -%}
{{ sqlrisk.refuse('no quasi-identifiers are given for ' ~ label, 'declare them under `config.meta.sqlrisk` of the model, or give the test `quasi_identifiers`') }}
{%- endif -%}
{%- if declared['quasi_identifiers'] is string or declared['quasi_identifiers'] is mapping -%}
{{ sqlrisk.refuse('`quasi_identifiers` of ' ~ label ~ ' is not a list', 'write `[sex, age: {band: 5}]`') }}
{%- endif -%}
{%- do sqlrisk.check_population(declared.get('population')) -%}
{%- for key in ['weight', 'household'] -%}
{%- if declared.get(key) is not none -%}{{ sqlrisk.refuse('`' ~ key ~ '` is not measured in dbt', 'run `sqlrisk dbt test`') }}{%- endif -%}
{%- endfor -%}
{%- set nulls = declared.get('nulls') or 'value' -%}
{%- if nulls == 'wildcard' -%}{{ sqlrisk.refuse('`nulls: wildcard` is not measured in dbt', 'run `sqlrisk dbt test`, or use value or exclude') }}{%- endif -%}
{%- if nulls not in ['value', 'exclude'] -%}{{ sqlrisk.refuse('`nulls: ' ~ nulls ~ '` is not known', 'use value or exclude') }}{%- endif -%}
{%- set entity_counting = declared.get('entity_counting') or 'multiset' -%}
{%- if entity_counting not in ['multiset', 'distinct'] -%}
{{ sqlrisk.refuse('`entity_counting: ' ~ entity_counting ~ '` is not known', 'use multiset or distinct') }}
{%- endif -%}
{%- set sensitive_nulls = declared.get('sensitive_nulls') or 'value' -%}
{%- if sensitive_nulls not in ['value', 'ignore'] -%}
{{ sqlrisk.refuse('`sensitive_nulls: ' ~ sensitive_nulls ~ '` is not known', 'use value or ignore') }}
{%- endif -%}
{%- set unparseable = declared.get('unparseable') -%}
{%- if 'unparseable' in declared and unparseable not in [none, 'null', 'error'] -%}
{{ sqlrisk.refuse('`unparseable: ' ~ unparseable ~ '` is not known', 'use error or "null"') }}
{%- endif -%}
{%- set counting = 'records' if not declared.get('entity_id') else entity_counting -%}
{%- set population = declared.get('population') or {} -%}
{%- if counting == 'distinct' and declared.get('sensitive') -%}
{{ sqlrisk.refuse('people counted by their distinct tuples do not fall into classes with sensitive values', 'leave `sensitive` out, or count multisets') }}
{%- endif -%}
{%- if counting == 'multiset' and population.get('table') and not population.get('entity_id') -%}
{{ sqlrisk.refuse('people are counted by all of their rows, but whose the rows of the population table are is not known', 'give `population.entity_id`, or `entity_counting: distinct`') }}
{%- endif -%}
{%- set job = namespace(
  patterns=adapter.dispatch('sqlrisk_patterns', 'sqlrisk')(), suppressed=declared.get('suppressed'), nulls=nulls, counting=counting,
  ignores_missing=sensitive_nulls == 'ignore', keeps_lost='unparseable' in declared and unparseable in [none, 'null'],
  population=none, release=none, names={}, steps=[], columns={}, arms=[], reserved=[], reread=[], keys=[], key_columns=[],
  policy={}, coded_policy={}, has_codes=false, counted={}, counted_rows=none, release_flags=[], population_flags=[], release_tallies=[], population_tallies=[], tallies=[]
) -%}
{%- set job.suppressed = job.suppressed | string if job.suppressed is not none else none -%}
{%- set job.reserved = [relation.identifier | lower] -%}
{%- set often = (declared.get('sensitive') or declared.get('entity_id')) and adapter.type() == 'duckdb' -%}
{%- set job.release = sqlrisk.rows_of(job, declared, relation, label, {}, declared.get('where'), declared.get('entity_id'), declared.get('sensitive') or [], often, rendered) -%}
{%- if population.get('table') -%}
{%- set register = sqlrisk.named_relation(population['table']) -%}
{%- set job.reserved = job.reserved + [register.identifier | lower] -%}
{%- set job.population = sqlrisk.rows_of(job, declared, register, population['table'], sqlrisk.renamed(population.get('columns')), population.get('where'), population.get('entity_id'), [], often, none) -%}
{%- endif -%}
{{ return(job) }}
{%- endmacro %}
