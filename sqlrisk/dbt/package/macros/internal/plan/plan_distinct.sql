{% macro plan_distinct(job) -%}
{%- set more = ['records', 'partly_missing', 'wholly_missing'] -%}
{%- do sqlrisk.add(job, 'pairs', 'pairs', {
  'quasi_identifiers': job.key_columns, 'measured': [job.policy['pair_measured']],
  'tally_sums': sqlrisk.sums_of(job, job.release_tallies) + [job.patterns['count']]
}, {}) -%}
{%- set names = job.tallies + more -%}
{%- set sizes = {'partition': sqlrisk.partition(job), 'row_tallies': sqlrisk.row_tallies(job.policy, job.tallies, sqlrisk.quoted('records'))} -%}
{%- set sums, arm_sums = {'tally_sums': sqlrisk.sums_of(job, names)}, {'tally_sums': sqlrisk.arm_sums_of(job, names)} -%}
{%- if not job.population -%}
{%- do sqlrisk.add(job, 'pair_sizes', 'pair_sizes', sizes, {}) -%}
{%- do sqlrisk.add(job, 'people', 'people_distinct', sums, {}) -%}
{%- do sqlrisk.arm(job, 'record_sizes', arm_sums, {}) -%}
{%- else -%}
{%- set register = sqlrisk.register(job) -%}
{%- set everyone = dict(sqlrisk.branches(job, ['records']), **{'quasi_identifiers': job.key_columns, 'population_measured': [job.policy['population_measured']]}) -%}
{%- do sqlrisk.add(job, 'everyone', 'everyone_distinct', everyone, {'population': register}) -%}
{%- do sqlrisk.add(job, 'pair_sizes', 'joint_pair_sizes', sizes, {}) -%}
{%- do sqlrisk.add(job, 'people', 'joint_people_distinct', sums, {}) -%}
{%- do sqlrisk.arm(job, 'joint_record_sizes', arm_sums, {}) -%}
{%- if job.population['entity'] -%}{%- do sqlrisk.arm(job, 'population_size', {}, {}) -%}{%- endif -%}
{%- endif -%}
{{ return('') }}
{%- endmacro %}
