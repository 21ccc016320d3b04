{% macro plan(job) -%}
{#- The statement that counts the release, and beside it the population: what sqlrisk/sql/plan.py composes. -#}
{%- set numbers = range(1, job.release['keys'] | length + 1) -%}
{%- set ns = namespace(keys=[]) -%}
{%- for number in numbers -%}{%- set ns.keys = ns.keys + ['qi_' ~ number] -%}{%- endfor -%}
{%- set job.keys = ns.keys -%}
{%- set job.key_columns = sqlrisk.all_quoted(ns.keys) -%}
{%- set job.policy = sqlrisk.measured(job, false) -%}
{%- set job.coded_policy = sqlrisk.measured(job, true) -%}
{%- set job.has_codes = job.release['sensitive'] | length > 0 or job.counting == 'multiset' -%}
{%- set job.release_flags = sqlrisk.flags_of(job, job.release, '') + sqlrisk.sensitive_flags_of(job) -%}
{%- set job.population_flags = sqlrisk.flags_of(job, job.population, 'population_') if job.population else [] -%}
{%- set job.release_tallies = sqlrisk.names_of(job.release_flags) -%}
{%- set job.population_tallies = sqlrisk.names_of(job.population_flags) -%}
{%- set job.tallies = job.release_tallies + job.population_tallies -%}
{%- do sqlrisk.add_rows(job, 'release', job.release, job.release_flags) -%}
{%- if job.population -%}
{%- do sqlrisk.check_kinds(job) -%}
{%- do sqlrisk.add_rows(job, 'population', job.population, job.population_flags) -%}
{%- endif -%}
{%- if job.counting == 'records' -%}
{%- do sqlrisk.plan_records(job) -%}
{%- elif job.counting == 'multiset' -%}
{%- do sqlrisk.plan_multiset(job) -%}
{%- else -%}
{%- do sqlrisk.plan_distinct(job) -%}
{%- endif -%}
{{ return(sqlrisk.composed(job)) }}
{%- endmacro %}
