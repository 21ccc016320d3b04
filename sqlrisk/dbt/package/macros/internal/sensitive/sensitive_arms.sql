{% macro sensitive_arms(job, number, reads, mixed) -%}
{#- The steps and arms of one column, over its rows and classes. -#}
{%- set n = number | string -%}
{%- set key = job.release['sensitive'][number - 1] -%}
{%- set spread = {'least': [sqlrisk.quoted('least_' ~ n)], 'most': [sqlrisk.quoted('most_' ~ n)], 'filled': [sqlrisk.quoted('filled_' ~ n)]} -%}
{%- do sqlrisk.add(job, 'mixed_values_' ~ n, mixed, dict(spread, **{'value': [sqlrisk.present(job, number)]}), reads) -%}
{%- do sqlrisk.add(job, 'sensitive_pairs_' ~ n, 'sensitive_pairs', spread, dict(reads, **{'mixed_values': 'mixed_values_' ~ n})) -%}
{%- do sqlrisk.add(job, 'sensitive_totals_' ~ n, 'sensitive_totals', {}, {'sensitive_pairs': 'sensitive_pairs_' ~ n}) -%}
{%- set totals = {'sensitive_totals': 'sensitive_totals_' ~ n} -%}
{%- do sqlrisk.add(job, 'sensitive_values_' ~ n, 'sensitive_values', {}, totals) -%}
{%- set counted = {'sensitive_pairs': 'sensitive_pairs_' ~ n, 'sensitive_values': 'sensitive_values_' ~ n} -%}
{%- if key['is_ordered'] -%}
{%- do sqlrisk.add(job, 'ordered_shares_' ~ n, 'ordered_shares', {}, counted) -%}
{%- do sqlrisk.add(job, 'ordered_crossings_' ~ n, 'ordered_crossings', {}, dict(counted, **{'ordered_shares': 'ordered_shares_' ~ n})) -%}
{%- do sqlrisk.add(job, 'shares_' ~ n, 'ordered_distances', {}, {'ordered_shares': 'ordered_shares_' ~ n, 'ordered_crossings': 'ordered_crossings_' ~ n}) -%}
{%- else -%}
{%- do sqlrisk.add(job, 'shares_' ~ n, 'categorical_shares', {}, counted) -%}
{%- endif -%}
{%- set distance = job.patterns['t ordered' if key['is_ordered'] else 't categorical'] -%}
{%- do sqlrisk.add(job, 'class_measures_' ~ n, 'class_measures', {'tail': [job.patterns['tail']], 't_closeness': [distance]}, {'shares': 'shares_' ~ n}) -%}
{%- do sqlrisk.add(job, 'measures_by_l_' ~ n, 'measures_by_l', {}, {'class_measures': 'class_measures_' ~ n}) -%}
{%- set by_l = {'measures_by_l': 'measures_by_l_' ~ n} -%}
{%- set missing = 'CASE WHEN ' ~ sqlrisk.quoted('s_' ~ n) ~ ' = 0 THEN 1 ELSE 0 END' -%}
{%- do sqlrisk.arm(job, 'l_histogram', {'number': [n]}, by_l) -%}
{%- do sqlrisk.arm(job, 'sensitive', {'number': [n]}, by_l) -%}
{%- do sqlrisk.arm(job, 'sensitive_whole', {'number': [n], 'missing': [missing]}, dict(totals, **{'sensitive_rows': reads['sensitive_rows']})) -%}
{{ return('') }}
{%- endmacro %}
