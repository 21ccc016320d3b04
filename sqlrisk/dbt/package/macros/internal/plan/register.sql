{% macro register(job) -%}
{#- The step that holds the population: each person once a tuple where it has an entity id, else its rows. -#}
{%- if not job.population['entity'] -%}{{ return('population') }}{%- endif -%}
{%- do sqlrisk.add(job, 'population_people', 'population_people', {
  'quasi_identifiers': job.key_columns, 'measured': [job.policy['population_measured']], 'tally_sums': sqlrisk.sums_of(job, job.population_tallies)
}, {}) -%}
{{ return('population_people') }}
{%- endmacro %}
