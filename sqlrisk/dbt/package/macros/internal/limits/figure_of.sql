{% macro figure_of(job, limit) -%}
{#- The aggregate over the sizes (or, of a sensitive column, over the answer) that a limit is about. -#}
{%- set class_size, matches, records, population_size = sqlrisk.quoted('class_size'), sqlrisk.quoted('matches'), sqlrisk.quoted('records'), sqlrisk.quoted('population_size') -%}
{%- set over = 'class_size' if limit['attacker'] == 'prosecutor' else 'matches' -%}
{%- set measure = limit['measure'] -%}
{%- if limit['number'] is not none -%}
  {%- set columns = {'l': 'l_distinct', 'entropy_l': 'l_entropy', 't': 't_closeness', 'beta': 'basic_beta', 'delta_disclosure': 'delta_present'} -%}
  {%- set infinite = {'recursive_c': 'unbounded', 'delta_disclosure': 'absent'} -%}
  {%- set column = sqlrisk.quoted(columns[measure] if measure in columns else measure) -%}
  {%- set value = 'CASE WHEN ' ~ sqlrisk.quoted(infinite[measure]) ~ ' = 1 THEN 1e300 ELSE ' ~ column ~ ' END' if measure in infinite else column -%}
  {%- set arm = 'l_histogram' if measure == 'l' else 'sensitive' -%}
  {%- set own = sqlrisk.quoted('arm') ~ " = '" ~ arm ~ "' AND " ~ sqlrisk.quoted('number') ~ ' = ' ~ limit['number'] -%}
  {{ return(('MIN' if limit['direction'] == 'min' else 'MAX') ~ '(CASE WHEN ' ~ own ~ ' THEN ' ~ value ~ ' END)') }}
{%- elif measure == 'highest_risk' -%}
  {{ return(sqlrisk.as_real(job, '1') ~ ' / MIN(' ~ sqlrisk.quoted(over) ~ ')') }}
{%- elif measure == 'average_risk' -%}
  {{ return(sqlrisk.journalist_average(job) if limit['attacker'] == 'journalist' else sqlrisk.average_risk(job, over)) }}
{%- elif measure == 'share_at_risk' -%}
  {{ return(sqlrisk.share_at_risk(job, over, limit['threshold'])) }}
{%- elif measure == 'k' -%}
  {{ return('MIN(' ~ class_size ~ ')') }}
{%- elif measure == 'k_map' -%}
  {{ return('MIN(' ~ matches ~ ')') }}
{%- elif measure == 'delta_presence' -%}
  {{ return('MAX(' ~ sqlrisk.as_real(job, class_size) ~ ' / ' ~ matches ~ ')') }}
{%- elif measure == 'sample_uniques' -%}
  {{ return(sqlrisk.as_real(job, 'SUM(CASE WHEN ' ~ class_size ~ ' = 1 THEN ' ~ records ~ ' ELSE 0 END)') ~ ' / SUM(' ~ records ~ ')') }}
{%- endif -%}
{{ return(sqlrisk.as_real(job, 'SUM(CASE WHEN ' ~ class_size ~ ' = 1 AND ' ~ population_size ~ ' = 1 THEN ' ~ records ~ ' ELSE 0 END)') ~ ' / SUM(' ~ records ~ ')') }}
{%- endmacro %}
