{% macro unmeasurable(job, totals, label) -%}
{#- Raise where figures would be about something else than what was asked. -#}
{%- set unconverted, unidentified, excluded, read, population_people, absent_people = totals -%}
{%- if unconverted | int -%}{{ sqlrisk.refuse('`' ~ label ~ '`: values that do not convert: ' ~ (unconverted | int), 'correct them, or count them as missing with `unparseable: "null"`') }}{%- endif -%}
{%- if unidentified | int -%}{{ sqlrisk.refuse('`' ~ label ~ '`: rows without an entity id: ' ~ (unidentified | int), 'leave them out with `where`, or give them an id') }}{%- endif -%}
{%- if read | int - excluded | int <= 0 -%}{{ sqlrisk.refuse('`' ~ label ~ '` is empty', 'there is no record to measure') }}{%- endif -%}
{%- if job.population and not population_people | int -%}{{ sqlrisk.refuse('the population table of `' ~ label ~ '` is empty', 'check `population.table` and `population.where`') }}{%- endif -%}
{%- if job.population and job.counting == 'multiset' and absent_people | int -%}{{ sqlrisk.refuse('`' ~ label ~ '`: people with other rows than the population table has: ' ~ (absent_people | int), 'they cannot be compared; count distinct tuples') }}{%- endif -%}
{{ return('') }}
{%- endmacro %}
