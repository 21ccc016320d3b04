{% macro journalist_average(job) -%}
{#- The published maximum of u / sum F and (1/n) sum s/F. -#}
{%- set mean = sqlrisk.average_risk(job, 'matches') -%}
{%- if job.counting == 'distinct' -%}{{ return(mean) }}{%- endif -%}
{%- set classes, matches = sqlrisk.quoted('classes'), sqlrisk.quoted('matches') -%}
{%- set over_classes = sqlrisk.as_real(job, 'SUM(' ~ classes ~ ')') ~ ' / SUM(' ~ matches ~ ' * ' ~ classes ~ ')' -%}
{{ return('CASE WHEN ' ~ over_classes ~ ' > ' ~ mean ~ ' THEN ' ~ over_classes ~ ' ELSE ' ~ mean ~ ' END') }}
{%- endmacro %}
