{% macro sensitive_of_people(job) -%}
{%- do sqlrisk.add(job, 'person_numbers', 'person_numbers', {}, {}) -%}
{%- do sqlrisk.add(job, 'people_classes', 'people_classes', {}, {}) -%}
{%- for name in sqlrisk.sensitive_names(job.release['sensitive']) -%}
{%- set rows, classes = 'sensitive_rows_' ~ loop.index, 'sensitive_classes_' ~ loop.index -%}
{%- do sqlrisk.add(job, rows, 'sensitive_rows_of_people', {'values': [sqlrisk.quoted(name)]}, {}) -%}
{%- do sqlrisk.add(job, classes, 'sensitive_classes', {
  'records': ['MAX(' ~ sqlrisk.quoted('in_class') ~ ')'], 'spreads': sqlrisk.spreads(job, loop.index)
}, {'sensitive_rows': rows}) -%}
{%- do sqlrisk.sensitive_arms(job, loop.index, {'sensitive_rows': rows, 'sensitive_classes': classes}, 'mixed_values_of_people') -%}
{%- endfor -%}
{{ return('') }}
{%- endmacro %}
