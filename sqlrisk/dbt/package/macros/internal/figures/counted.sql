{% macro counted(job, statement) -%}
{#- The statement, and over it the sizes of the classes that are measured and the totals: three steps for the figures. -#}
{%- set q = sqlrisk.all_quoted(['arm', 'size', 'population_size', 'missing', 'measured', 'classes', 'people', 'suppressed', 'class_size', 'matches', 'records', 'in_release', 'population_people', 'partly_missing', 'wholly_missing']) -%}
{%- set arm, size, population_size, missing, measured, classes, people, suppressed, class_size, matches, records, in_release, population_people, partly, wholly = q -%}
{%- set has_token = 'suppressed' in statement['columns'] -%}
{%- set token = 'COALESCE(' ~ suppressed ~ ', 0)' if has_token else '0' -%}
{%- if job.counting == 'records' -%}
  {%- set main = arm ~ " = 'class_sizes'" -%}
  {%- set kept = main ~ (' AND ' ~ missing ~ ' = 0' if job.nulls == 'exclude' else '') -%}
  {%- set s, c, n = size ~ ' - ' ~ token, classes, '(' ~ size ~ ' - ' ~ token ~ ') * ' ~ classes -%}
  {%- set all_records = 'COALESCE(SUM(' ~ size ~ ' * ' ~ classes ~ '), 0)' -%}
  {%- set left_out = 'COALESCE(SUM(CASE WHEN ' ~ missing ~ ' > 0 THEN ' ~ size ~ ' * ' ~ classes ~ ' ELSE 0 END), 0)' -%}
{%- else -%}
  {%- set main = arm ~ (" = 'class_sizes'" if job.counting == 'multiset' else " = 'record_sizes'") -%}
  {%- if job.counting == 'multiset' -%}
    {%- set kept = main ~ ' AND ' ~ measured ~ ' = 1' -%}
    {%- set s, c, n = size, classes, size ~ ' * ' ~ classes -%}
  {%- else -%}
    {%- set kept = main ~ ' AND NOT ' ~ size ~ ' IS NULL' ~ (' AND ' ~ in_release ~ ' = 1' if job.population else '') -%}
    {%- set s, c, n = size, job.patterns['null whole'], people -%}
  {%- endif -%}
  {%- set all_records = 'COALESCE(SUM(CASE WHEN ' ~ main ~ ' THEN ' ~ records ~ ' ELSE 0 END), 0)' -%}
  {%- set left_out = 'COALESCE(SUM(CASE WHEN ' ~ main ~ ' THEN ' ~ partly ~ ' + ' ~ wholly ~ ' ELSE 0 END), 0)' -%}
{%- endif -%}
{%- set ns = namespace(lost=[], unidentified=[]) -%}
{%- for name in job.tallies -%}
{%- if 'unconverted_' in name -%}
{%- set key = none if name.startswith('sensitive') else job.release['keys'][name.split('_')[-1] | int - 1] -%}
{%- if not job.keeps_lost or (key is not none and key['must_map']) -%}{%- set ns.lost = ns.lost + [name] -%}{%- endif -%}
{%- endif -%}
{%- if 'unidentified' in name -%}{%- set ns.unidentified = ns.unidentified + [name] -%}{%- endif -%}
{%- endfor -%}
{%- set wholly_suppressed = sqlrisk.total_of(['suppressed']) if has_token else '0' -%}
{%- set excluded = left_out ~ ' - ' ~ wholly_suppressed if job.nulls == 'exclude' else '0' -%}
{%- if not job.population -%}
  {%- set people_of_population = '1' -%}
{%- elif job.population['entity'] and job.counting != 'multiset' -%}
  {%- set people_of_population = 'COALESCE(MAX(CASE WHEN ' ~ arm ~ " = 'population' THEN " ~ people ~ ' END), 0)' -%}
{%- elif job.counting == 'distinct' -%}
  {%- set people_of_population = 'COALESCE(SUM(' ~ population_people ~ '), 0)' -%}
{%- else -%}
  {%- set people_of_population = 'COALESCE(SUM(CASE WHEN ' ~ kept ~ ' THEN ' ~ population_size ~ ' * ' ~ classes ~ ' ELSE 0 END), 0)' -%}
{%- endif -%}
{%- set found = population_size if job.population else job.patterns['null whole'] -%}
WITH {{ sqlrisk.quoted('sqlrisk_counted') }} AS (
{{ statement['sql'] }}
), {{ sqlrisk.quoted('sqlrisk_sizes') }} AS (
SELECT
  {{ class_size }},
  {{ population_size }},
  {% if job.population %}CASE WHEN {{ population_size }} < {{ class_size }} THEN {{ class_size }} ELSE {{ population_size }} END{% else %}{{ population_size }}{% endif %} AS {{ matches }},
  {{ sqlrisk.sums_of(job, ['classes', 'records']) | join(',\n  ') }}
FROM (
  SELECT {{ s }} AS {{ class_size }}, {{ found }} AS {{ population_size }}, {{ c }} AS {{ classes }}, {{ n }} AS {{ records }}
  FROM {{ sqlrisk.quoted('sqlrisk_counted') }}
  WHERE {{ kept }}
) AS {{ sqlrisk.quoted('measured') }}
WHERE {{ class_size }} > 0
GROUP BY {{ class_size }}, {{ population_size }}
), {{ sqlrisk.quoted('sqlrisk_totals') }} AS (
SELECT
  {{ sqlrisk.total_of(ns.lost) }} AS {{ sqlrisk.quoted('unconverted') }},
  {{ sqlrisk.total_of(ns.unidentified) }} AS {{ sqlrisk.quoted('unidentified') }},
  {{ excluded }} AS {{ sqlrisk.quoted('excluded') }},
  {{ all_records }} - {{ wholly_suppressed }} AS {{ sqlrisk.quoted('read') }},
  {{ people_of_population }} AS {{ population_people }}
FROM {{ sqlrisk.quoted('sqlrisk_counted') }}
)
{%- endmacro %}
