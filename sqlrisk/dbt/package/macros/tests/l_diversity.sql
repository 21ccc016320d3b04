{% test l_diversity(model, column, l, quasi_identifiers=none, nulls=none, suppressed=none, entity_id=none, entity_counting=none, population=none, max_excluded=none, kind='distinct', sensitive=none) %}
{%- if execute -%}
{%- if kind not in ['distinct', 'entropy'] -%}{{ sqlrisk.refuse('`kind: ' ~ kind ~ '` of l_diversity is not known', 'known are distinct, entropy') }}{%- endif -%}
{%- set asked = sqlrisk.tested(model, {'quasi_identifiers': quasi_identifiers, 'nulls': nulls, 'suppressed': suppressed, 'entity_id': entity_id, 'entity_counting': entity_counting, 'population': population}, false, sqlrisk.tested_sensitive(column, sensitive)) -%}
{%- set least = sqlrisk.fraction(l, 'l')['value'] -%}
{%- if kind == 'distinct' -%}
{%- set value = sqlrisk.as_real(asked['job'], sqlrisk.quoted('l_distinct')) -%}
{%- set condition = sqlrisk.quoted('arm') ~ " = 'l_histogram' AND " ~ sqlrisk.quoted('l_distinct') ~ ' < ' ~ sqlrisk.below(least) -%}
{%- set columns = {'classes': sqlrisk.quoted('classes'), 'records': sqlrisk.quoted('records')} -%}
{%- else -%}
{%- set value = sqlrisk.quoted('l_entropy') -%}
{%- set condition = sqlrisk.quoted('arm') ~ " = 'sensitive' AND " ~ value ~ ' < ' ~ sqlrisk.below(least) -%}
{%- set columns = {} -%}
{%- endif -%}
{%- set found = [sqlrisk.finding(asked['job'], kind ~ ' l-diversity below ' ~ l, condition, columns, value, 'sqlrisk_counted'), sqlrisk.finding(asked['job'], 'no value counts', sqlrisk.quoted('arm') ~ " = 'sensitive' AND " ~ sqlrisk.quoted('l_entropy') ~ ' IS NULL', {}, none, 'sqlrisk_counted')] -%}
{{ sqlrisk.test_sql(asked, found, max_excluded) }}
{%- endif -%}
{% endtest %}
