{% macro arm(job, template, slots, reads) -%}
{#- Add an arm of the statement. -#}
{%- set made = adapter.dispatch('sqlrisk_arm', 'sqlrisk')(template, slots, sqlrisk.reads_of(job, reads)) -%}
{%- set job.arms = job.arms + [made] -%}
{{ return('') }}
{%- endmacro %}
