{% macro spreads(job, number) -%}
{%- set value = sqlrisk.present(job, number) -%}
{{ return([
  'MIN(' ~ value ~ ') AS ' ~ sqlrisk.quoted('least_' ~ number),
  'MAX(' ~ value ~ ') AS ' ~ sqlrisk.quoted('most_' ~ number),
  (job.patterns['filled'] | replace('@name@', value)) ~ ' AS ' ~ sqlrisk.quoted('filled_' ~ number)
]) }}
{%- endmacro %}
