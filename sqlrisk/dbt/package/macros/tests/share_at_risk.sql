{% test share_at_risk(model, max_share, threshold=none, quasi_identifiers=none, nulls=none, suppressed=none, entity_id=none, entity_counting=none, population=none, max_excluded=none, attacker='prosecutor') %}
{%- if execute -%}
{%- set over = sqlrisk.attacker_column(attacker, 'share_at_risk') -%}
{%- set asked = sqlrisk.tested(model, {'quasi_identifiers': quasi_identifiers, 'nulls': nulls, 'suppressed': suppressed, 'entity_id': entity_id, 'entity_counting': entity_counting, 'population': population}, attacker == 'journalist') -%}
{%- set own = ((asked['declared'].get('attackers') or {}).get(attacker) or {}).get('threshold') -%}
{%- set declared = own if own is not none else asked['declared'].get('threshold') -%}
{%- set limit = sqlrisk.threshold(threshold if threshold is not none else declared) -%}
{%- set share = sqlrisk.share_at_risk(asked['job'], over, limit) -%}
{%- set found = sqlrisk.whole_finding(asked['job'], 'share of records with a risk above ' ~ limit['text'] ~ ' above ' ~ max_share, share, sqlrisk.fraction(max_share, 'max_share')['value']) -%}
{{ sqlrisk.test_sql(asked, [found], max_excluded, attacker == 'journalist') }}
{%- endif -%}
{% endtest %}
