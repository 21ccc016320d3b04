{% macro sensitive_of_records(job, numbered, number) -%}
{%- set names = sqlrisk.sensitive_names(job.release['sensitive']) -%}
{%- do sqlrisk.add(job, 'sensitive_rows', 'sensitive_rows', {
  'class': [sqlrisk.unless(job.coded_policy['row_left_out'], number)], 'values': sqlrisk.all_quoted(names)
}, {'numbered': numbered}) -%}
{%- set ns = namespace(spreads=[]) -%}
{%- for name in names -%}{%- set ns.spreads = ns.spreads + sqlrisk.spreads(job, loop.index) -%}{%- endfor -%}
{%- do sqlrisk.add(job, 'sensitive_classes', 'sensitive_classes', {'records': ['COUNT(*)'], 'spreads': ns.spreads}, {}) -%}
{%- for name in names -%}
{%- do sqlrisk.sensitive_arms(job, loop.index, {'sensitive_rows': 'sensitive_rows', 'sensitive_classes': 'sensitive_classes'}, 'mixed_values') -%}
{%- endfor -%}
{{ return('') }}
{%- endmacro %}
