{% test max_record_risk(model, max_risk, quasi_identifiers=none, nulls=none, suppressed=none, entity_id=none, entity_counting=none, population=none, max_excluded=none, attacker='prosecutor') %}
{%- if execute -%}
{%- set over = sqlrisk.attacker_column(attacker, 'max_record_risk') -%}
{%- set asked = sqlrisk.tested(model, {'quasi_identifiers': quasi_identifiers, 'nulls': nulls, 'suppressed': suppressed, 'entity_id': entity_id, 'entity_counting': entity_counting, 'population': population}, attacker == 'journalist') -%}
{%- set risk = sqlrisk.as_real(asked['job'], '1') ~ ' / ' ~ sqlrisk.quoted(over) -%}
{%- set bound = sqlrisk.fraction(max_risk, 'max_risk')['value'] -%}
{%- set found = sqlrisk.size_findings(asked['job'], 'record risk above ' ~ max_risk, risk ~ ' > ' ~ sqlrisk.above(bound), risk) -%}
{{ sqlrisk.test_sql(asked, [found], max_excluded, attacker == 'journalist') }}
{%- endif -%}
{% endtest %}
