{% macro branches(job, more) -%}
{%- set own, other = job.release_tallies + more, job.population_tallies -%}
{{ return({
  'release_tallies': sqlrisk.all_quoted(own) + sqlrisk.zeros(other),
  'population_tallies': sqlrisk.zeros(own) + sqlrisk.all_quoted(other)
}) }}
{%- endmacro %}
