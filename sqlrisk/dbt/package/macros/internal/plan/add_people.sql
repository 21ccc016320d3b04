{% macro add_people(job, name, tuples, tallies) -%}
{%- set slots = {'person': [job.patterns['person']], 'tally_sums': sqlrisk.sums_of(job, tallies)} -%}
{%- do sqlrisk.add(job, name, 'people_multiset', slots, {'tuples': tuples}) -%}
{{ return('') }}
{%- endmacro %}
