{% test average_record_risk(model, max_risk, quasi_identifiers=none, nulls=none, suppressed=none, entity_id=none, entity_counting=none, population=none, max_excluded=none, attacker='prosecutor') %}
{%- if execute -%}
{%- set over = sqlrisk.attacker_column(attacker, 'average_record_risk') -%}
{%- set asked = sqlrisk.tested(model, {'quasi_identifiers': quasi_identifiers, 'nulls': nulls, 'suppressed': suppressed, 'entity_id': entity_id, 'entity_counting': entity_counting, 'population': population}, attacker == 'journalist') -%}
{%- set risk = sqlrisk.journalist_average(asked['job']) if over == 'matches' else sqlrisk.average_risk(asked['job'], over) -%}
{%- set found = sqlrisk.whole_finding(asked['job'], 'average record risk above ' ~ max_risk, risk, sqlrisk.fraction(max_risk, 'max_risk')['value']) -%}
{{ sqlrisk.test_sql(asked, [found], max_excluded, attacker == 'journalist') }}
{%- endif -%}
{% endtest %}
