{% macro gated(declared, limits, relation, label) -%}
{#- The question with only what its limits need, and the SQL that gives one row: the totals, and a figure a limit. -#}
{%- set ns = namespace(population=false, sensitive=false, sizes=[], answer=[], names=[]) -%}
{%- for limit in limits -%}
{%- if limit['attacker'] in ['journalist', 'marketer'] or limit['measure'] in ['k_map', 'delta_presence', 'population_uniques'] -%}{%- set ns.population = true -%}{%- endif -%}
{%- if limit['number'] is not none -%}{%- set ns.sensitive = true -%}{%- endif -%}
{%- endfor -%}
{%- set asked = dict(declared, **{'population': declared.get('population') if ns.population else {}, 'sensitive': declared.get('sensitive') if ns.sensitive else []}) -%}
{%- set job = sqlrisk.job_of(asked, relation, label) -%}
{%- set statement = sqlrisk.plan(job) -%}
{%- for limit in limits -%}
  {%- set name = sqlrisk.quoted('figure_' ~ loop.index) -%}
  {%- set text = sqlrisk.figure_of(job, limit) ~ ' AS ' ~ name -%}
  {%- set ns.names = ns.names + [name] -%}
  {%- if limit['number'] is none -%}{%- set ns.sizes = ns.sizes + [text] -%}{%- else -%}{%- set ns.answer = ns.answer + [text] -%}{%- endif -%}
{%- endfor -%}
{%- set absent = 'COALESCE(SUM(CASE WHEN ' ~ sqlrisk.quoted('population_size') ~ ' = 0 THEN ' ~ sqlrisk.quoted('records') ~ ' ELSE 0 END), 0) AS ' ~ sqlrisk.quoted('absent_people') -%}
{%- set totals = sqlrisk.all_quoted(['unconverted', 'unidentified', 'excluded', 'read', 'population_people', 'absent_people']) -%}
{%- set sql -%}
{{ sqlrisk.counted(job, statement) }}
SELECT {{ (totals + ns.names) | join(', ') }}
FROM {{ sqlrisk.quoted('sqlrisk_totals') }}
CROSS JOIN (SELECT {{ ([absent] + ns.sizes) | join(', ') }} FROM {{ sqlrisk.quoted('sqlrisk_sizes') }}) AS {{ sqlrisk.quoted('figures') }}
{%- if ns.answer %}
CROSS JOIN (SELECT {{ ns.answer | join(', ') }} FROM {{ sqlrisk.quoted('sqlrisk_counted') }}) AS {{ sqlrisk.quoted('of_values') }}
{%- endif -%}
{%- endset -%}
{{ return({'job': job, 'sql': sql}) }}
{%- endmacro %}
