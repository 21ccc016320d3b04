{% test t_closeness(model, column, max_t, quasi_identifiers=none, nulls=none, suppressed=none, entity_id=none, entity_counting=none, population=none, max_excluded=none, sensitive=none) %}
{%- if execute -%}
{%- set asked = sqlrisk.tested(model, {'quasi_identifiers': quasi_identifiers, 'nulls': nulls, 'suppressed': suppressed, 'entity_id': entity_id, 'entity_counting': entity_counting, 'population': population}, false, sqlrisk.tested_sensitive(column, sensitive)) -%}
{%- set value = sqlrisk.quoted('t_closeness') -%}
{%- set condition = sqlrisk.quoted('arm') ~ " = 'sensitive' AND " ~ value ~ ' > ' ~ sqlrisk.above(sqlrisk.fraction(max_t, 'max_t')['value']) -%}
{%- set found = [sqlrisk.finding(asked['job'], 't-closeness above ' ~ max_t, condition, {}, value, 'sqlrisk_counted'), sqlrisk.finding(asked['job'], 'no value counts', sqlrisk.quoted('arm') ~ " = 'sensitive' AND " ~ sqlrisk.quoted('l_entropy') ~ ' IS NULL', {}, none, 'sqlrisk_counted')] -%}
{{ sqlrisk.test_sql(asked, found, max_excluded) }}
{%- endif -%}
{% endtest %}
