{% macro plan_records(job) -%}
{%- set slots = {'quasi_identifiers': job.key_columns, 'missing': [job.policy['missing']], 'kept': [], 'tally_sums': sqlrisk.sums_of(job, job.tallies)} -%}
{%- set sums = {'tally_sums': sqlrisk.arm_sums_of(job, job.tallies)} -%}
{%- if not job.population -%}
{%- do sqlrisk.add(job, 'classes', 'classes', slots, {}) -%}
{%- do sqlrisk.arm(job, 'class_sizes', sums, {}) -%}
{%- else -%}
{%- set register = sqlrisk.register(job) -%}
{%- do sqlrisk.add(job, 'everyone', 'everyone', dict(sqlrisk.branches(job, []), **{'quasi_identifiers': job.key_columns}), {'population': register}) -%}
{%- do sqlrisk.add(job, 'classes', 'joint_classes', slots, {}) -%}
{%- do sqlrisk.arm(job, 'joint_sizes', sums, {}) -%}
{%- if job.population['entity'] -%}{%- do sqlrisk.arm(job, 'population_size', {}, {}) -%}{%- endif -%}
{%- endif -%}
{%- if job.release['sensitive'] -%}
{%- set numbered = sqlrisk.numbered(job) -%}
{%- do sqlrisk.sensitive_of_records(job, numbered['steps'][0], numbered['number']) -%}
{%- endif -%}
{{ return('') }}
{%- endmacro %}
