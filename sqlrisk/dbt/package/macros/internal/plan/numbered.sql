{% macro numbered(job) -%}
{#- The steps of release and population in which rows have the number of their tuple, and that number. -#}
{%- set rows = ['release'] + (['population'] if job.population else []) -%}
{%- set over = sqlrisk.both(job, 'both', rows) -%}
{%- do sqlrisk.add_codes(job, job.keys, [], over) -%}
{%- set sensitive = sqlrisk.sensitive_names(job.release['sensitive']) -%}
{%- do sqlrisk.add_codes(job, sensitive, sqlrisk.sensitive_texts(job.release['sensitive']), 'release') -%}
{%- set coded = [sqlrisk.add_coded(job, 'release', job.keys + sensitive)] -%}
{%- set coded = coded + ([sqlrisk.add_coded(job, 'population', job.keys)] if job.population else []) -%}
{%- set both = sqlrisk.both(job, 'both_coded', coded) -%}
{%- if job.keys | length == 1 -%}{{ return({'steps': coded, 'number': job.key_columns[0]}) }}{%- endif -%}
{%- set half = (job.keys | length) // 2 -%}
{%- set first, second = job.key_columns[:half], job.key_columns[half:] -%}
{%- do sqlrisk.add(job, 'first_half', 'half_tuples', {'half': first}, {'coded': both}) -%}
{%- do sqlrisk.add(job, 'second_half', 'half_tuples', {'half': second}, {'coded': both}) -%}
{%- set ns = namespace(steps=[]) -%}
{%- for step in coded -%}
{%- set slots = {'columns': sqlrisk.all_quoted(job.columns[step]), 'first': first, 'second': second} -%}
{%- do sqlrisk.add(job, 'numbered_' ~ step, 'numbered', slots, {'coded': step}) -%}
{%- set ns.steps = ns.steps + ['numbered_' ~ step] -%}
{%- endfor -%}
{{ return({'steps': ns.steps, 'number': sqlrisk.quoted('tuple')}) }}
{%- endmacro %}
