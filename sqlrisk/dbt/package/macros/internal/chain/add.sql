{% macro add(job, name, template, slots, reads, columns=none) -%}
{#- Add the step `name`, made by a template; `reads` says which steps stand for the ones that the template names. -#}
{%- set own = sqlrisk.own_name(job, name) -%}
{%- set sql = adapter.dispatch('sqlrisk_step', 'sqlrisk')(template, slots, sqlrisk.reads_of(job, reads)) -%}
{%- set job.names = dict(job.names, **{name: own}) -%}
{%- set job.steps = job.steps + [{'name': own, 'sql': sql | trim}] -%}
{%- if columns is not none -%}{%- set job.columns = dict(job.columns, **{name: columns}) -%}{%- endif -%}
{{ return('') }}
{%- endmacro %}
