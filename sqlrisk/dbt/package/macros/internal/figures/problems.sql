{% macro problems(job, max_excluded, needs_population) -%}
{#- What no test and no gate passes: figures would be about something else than what was asked. -#}
{%- set totals = 'sqlrisk_totals' -%}
{%- set read, excluded = sqlrisk.quoted('read'), sqlrisk.quoted('excluded') -%}
{%- set ns = namespace(found=[]) -%}
{%- for name, text in [['unconverted', 'values that do not convert'], ['unidentified', 'rows without an entity id']] -%}
{%- set ns.found = ns.found + [sqlrisk.finding(job, text, sqlrisk.quoted(name) ~ ' > 0', {'records': sqlrisk.quoted(name)}, none, totals)] -%}
{%- endfor -%}
{%- set ns.found = ns.found + [sqlrisk.finding(job, 'the release is empty', read ~ ' - ' ~ excluded ~ ' <= 0', {'records': read ~ ' - ' ~ excluded}, none, totals)] -%}
{%- if job.nulls == 'exclude' -%}
{%- set beyond = sqlrisk.as_real(job, excluded) ~ ' > ' ~ sqlrisk.above(max_excluded) ~ ' * ' ~ read -%}
{%- set ns.found = ns.found + [sqlrisk.finding(job, 'records left out for missing values', beyond ~ ' AND ' ~ excluded ~ ' > 0', {'records': excluded}, none, totals)] -%}
{%- endif -%}
{%- if needs_population -%}
{%- set ns.found = ns.found + [sqlrisk.finding(job, 'the population table is empty', sqlrisk.quoted('population_people') ~ ' = 0', {}, none, totals)] -%}
{%- if job.counting == 'multiset' -%}
{%- set ns.found = ns.found + [sqlrisk.size_findings(job, 'people with other rows than the population table has', sqlrisk.quoted('population_size') ~ ' = 0', none)] -%}
{%- endif -%}
{%- endif -%}
{{ return(ns.found) }}
{%- endmacro %}
