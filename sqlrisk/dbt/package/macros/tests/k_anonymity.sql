{% test k_anonymity(model, k, quasi_identifiers=none, nulls=none, suppressed=none, entity_id=none, entity_counting=none, population=none, max_excluded=none) %}
{%- if execute -%}
{%- set least = sqlrisk.whole_number(k, 'k') -%}
{%- set asked = sqlrisk.tested(model, {'quasi_identifiers': quasi_identifiers, 'nulls': nulls, 'suppressed': suppressed, 'entity_id': entity_id, 'entity_counting': entity_counting, 'population': population}) -%}
{%- set found = sqlrisk.size_findings(asked['job'], 'class smaller than ' ~ least, sqlrisk.quoted('class_size') ~ ' < ' ~ least, none) -%}
{{ sqlrisk.test_sql(asked, [found], max_excluded) }}
{%- endif -%}
{% endtest %}
