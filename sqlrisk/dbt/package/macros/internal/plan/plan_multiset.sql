{% macro plan_multiset(job) -%}
{%- set more = ['records', 'partly_missing', 'wholly_missing'] -%}
{%- set numbered = sqlrisk.numbered(job) -%}
{%- set values = sqlrisk.all_quoted(sqlrisk.sensitive_names(job.release['sensitive'])) -%}
{%- do sqlrisk.add(job, 'tuples', 'tuples', {
  'tuple': [sqlrisk.unless(job.coded_policy['row_left_out'], numbered['number'])], 'sensitive': values,
  'row_tallies': sqlrisk.row_tallies(job.coded_policy, job.release_tallies, none)
}, {'release': numbered['steps'][0]}) -%}
{%- do sqlrisk.add_people(job, 'people', 'tuples', job.release_tallies + more) -%}
{%- set names = job.tallies + more -%}
{%- if not job.population -%}
{%- do sqlrisk.add(job, 'classes', 'classes_of_people', {'tally_sums': sqlrisk.sums_of(job, names)}, {}) -%}
{%- do sqlrisk.arm(job, 'class_sizes_of_people', {'tally_sums': sqlrisk.arm_sums_of(job, names)}, {}) -%}
{%- else -%}
{%- do sqlrisk.add(job, 'population_tuples', 'tuples', {
  'tuple': [sqlrisk.unless(job.coded_policy['population_left_out'], numbered['number'])], 'sensitive': [],
  'row_tallies': sqlrisk.all_quoted(job.population_tallies)
}, {'release': numbered['steps'][1]}) -%}
{%- do sqlrisk.add_people(job, 'population_people', 'population_tuples', job.population_tallies) -%}
{%- do sqlrisk.add(job, 'everyone', 'everyone_multiset', sqlrisk.branches(job, more), {}) -%}
{%- do sqlrisk.add(job, 'classes', 'joint_classes_of_people', {'tally_sums': sqlrisk.sums_of(job, names)}, {}) -%}
{%- do sqlrisk.arm(job, 'joint_sizes_of_people', {'tally_sums': sqlrisk.arm_sums_of(job, names)}, {}) -%}
{%- endif -%}
{%- if job.release['sensitive'] -%}{%- do sqlrisk.sensitive_of_people(job) -%}{%- endif -%}
{{ return('') }}
{%- endmacro %}
