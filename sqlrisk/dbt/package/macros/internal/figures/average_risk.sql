{% macro average_risk(job, over) -%}
{#- The mean over records of 1 over the size `over`. -#}
{%- set classes, records = sqlrisk.quoted('classes'), sqlrisk.quoted('records') -%}
{%- set shares = 'SUM(' ~ sqlrisk.as_real(job, records) ~ ' / ' ~ sqlrisk.quoted(over) ~ ')' -%}
{%- set mean = shares ~ ' / SUM(' ~ records ~ ')' -%}
{{ return(mean) }}
{%- endmacro %}
