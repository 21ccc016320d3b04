{% macro whole_finding(job, text, value, bound) -%}
{#- One row for a figure of the whole release, where it is above its bound. -#}
{%- set columns = {'classes': 'SUM(' ~ sqlrisk.quoted('classes') ~ ')', 'records': 'SUM(' ~ sqlrisk.quoted('records') ~ ')'} -%}
{{ return(sqlrisk.finding(job, text, none, columns, value) ~ '\nHAVING ' ~ value ~ ' > ' ~ sqlrisk.above(bound)) }}
{%- endmacro %}
