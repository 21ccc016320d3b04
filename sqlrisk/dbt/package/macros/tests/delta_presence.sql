{% test delta_presence(model, max_delta, quasi_identifiers=none, nulls=none, suppressed=none, entity_id=none, entity_counting=none, population=none, max_excluded=none) %}
{%- if execute -%}
{%- set asked = sqlrisk.tested(model, {'quasi_identifiers': quasi_identifiers, 'nulls': nulls, 'suppressed': suppressed, 'entity_id': entity_id, 'entity_counting': entity_counting, 'population': population}, true) -%}
{%- if asked['job'].counting == 'distinct' -%}{{ sqlrisk.refuse('delta-presence of people counted by their distinct tuples is not known', 'count multisets') }}{%- endif -%}
{%- set delta = sqlrisk.as_real(asked['job'], sqlrisk.quoted('class_size')) ~ ' / ' ~ sqlrisk.quoted('matches') -%}
{%- set bound = sqlrisk.fraction(max_delta, 'max_delta')['value'] -%}
{%- set found = sqlrisk.size_findings(asked['job'], 'delta-presence above ' ~ max_delta, delta ~ ' > ' ~ sqlrisk.above(bound), delta) -%}
{{ sqlrisk.test_sql(asked, [found], max_excluded, true) }}
{%- endif -%}
{% endtest %}
