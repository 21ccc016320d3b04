{% macro size_findings(job, text, condition, value) -%}
{#- The sizes of classes for which a condition holds. -#}
{%- set columns = {'class_size': sqlrisk.quoted('class_size'), 'classes': sqlrisk.quoted('classes'), 'records': sqlrisk.quoted('records')} -%}
{%- set columns = dict(columns, **({'population_size': sqlrisk.quoted('matches')} if job.population else {})) -%}
{{ return(sqlrisk.finding(job, text, condition, columns, value)) }}
{%- endmacro %}
