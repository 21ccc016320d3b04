{% macro share_at_risk(job, over, threshold) -%}
{#- The share of records in classes of which the risk is strictly above the threshold: s * p < q, in whole numbers. -#}
{%- set records = sqlrisk.quoted('records') -%}
{%- set at_risk = sqlrisk.quoted(over) ~ ' * ' ~ threshold['p'] ~ ' < ' ~ threshold['q'] -%}
{{ return(sqlrisk.as_real(job, 'SUM(CASE WHEN ' ~ at_risk ~ ' THEN ' ~ records ~ ' ELSE 0 END)') ~ ' / SUM(' ~ records ~ ')') }}
{%- endmacro %}
