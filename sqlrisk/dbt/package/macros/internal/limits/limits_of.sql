{% macro limits_of(declared) -%}
{#- Each limit that SQL alone can judge: its key, measure, direction and bound. What it cannot judge is refused by name. -#}
{%- set ns = namespace(limits=[]) -%}
{%- set population = declared.get('population') or {} -%}
{%- set attackers = declared.get('attackers') or {} -%}
{%- set bounds = declared.get('limits') or {} -%}
{%- if attackers is not mapping -%}{{ sqlrisk.refuse('`attackers` is no mapping', 'write `attackers: {prosecutor: {max_highest_risk: 1/5}}`') }}{%- endif -%}
{%- if bounds is not mapping -%}{{ sqlrisk.refuse('`limits` is no mapping', 'write `limits: {min_k: 5}`') }}{%- endif -%}
{%- do sqlrisk.check_population(declared.get('population')) -%}
{%- if declared.get('profile') is not none -%}{{ sqlrisk.refuse('`profile` is not judged by the gate', 'write its limits out, or judge it with `sqlrisk dbt test`') }}{%- endif -%}
{%- for attacker in attackers -%}
  {%- if attacker not in ['prosecutor', 'journalist', 'marketer'] -%}
  {{ sqlrisk.refuse('there is no attacker `' ~ attacker ~ '`', 'known are prosecutor, journalist, marketer') }}
  {%- endif -%}
  {%- set own = attackers[attacker] or {} -%}
  {%- set known = ['threshold', 'max_highest_risk', 'max_average_risk', 'max_share_at_risk', 'estimator'] if attacker != 'marketer' else ['max_average_risk'] -%}
  {%- for key in own -%}
    {%- set path = 'attackers.' ~ attacker ~ '.' ~ key -%}
    {%- if key not in known -%}{{ sqlrisk.refuse('`' ~ path ~ '` is not a key of a policy', sqlrisk.nearest(key, known)) }}{%- endif -%}
    {%- if key[:4] == 'max_' and own[key] is not none -%}
      {%- if attacker != 'prosecutor' -%}{%- do sqlrisk.needs_table(population, path) -%}{%- endif -%}
      {%- if attacker == 'journalist' -%}
        {%- for about in ['description', 'source', 'as_of'] -%}
        {%- if not population.get(about) -%}{{ sqlrisk.refuse('a verdict against a journalist needs `population.' ~ about ~ '`', 'say which population it is, from where, and of when') }}{%- endif -%}
        {%- endfor -%}
      {%- endif -%}
      {%- set threshold = own.get('threshold') if own.get('threshold') is not none else declared.get('threshold') -%}
      {%- set ns.limits = ns.limits + [{'path': path, 'measure': key[4:], 'attacker': attacker, 'number': none, 'threshold': sqlrisk.threshold(threshold), 'direction': 'max', 'bound': sqlrisk.share(own[key], path)}] -%}
    {%- endif -%}
  {%- endfor -%}
{%- endfor -%}
{%- set of_population = ['min_k_map', 'max_delta_presence', 'max_population_uniques'] -%}
{%- set of_sensitive = ['min_l', 'min_entropy_l', 'max_recursive_c', 'max_t', 'max_alpha', 'max_beta', 'max_delta_disclosure'] -%}
{%- set known = ['min_k', 'max_sample_uniques', 'max_excluded', 'recursive_l', 'max_increase'] + of_population + of_sensitive -%}
{%- for key in bounds -%}
  {%- set path = 'limits.' ~ key -%}
  {%- if key not in known -%}{{ sqlrisk.refuse('`' ~ path ~ '` is not a key of a policy', sqlrisk.nearest(key, known)) }}{%- endif -%}
  {%- if bounds[key] is none -%}
  {%- elif key == 'max_increase' -%}{{ sqlrisk.refuse('`limits.max_increase` is about the run before, which the gate does not know', 'judge it with `sqlrisk dbt test`') }}
  {%- elif key == 'recursive_l' -%}
    {%- if bounds[key] | int != 2 -%}{{ sqlrisk.refuse('`limits.recursive_l` above 2 is not measured in dbt', 'judge it with `sqlrisk dbt test`') }}{%- endif -%}
  {%- elif key in of_sensitive -%}
    {%- if not declared.get('sensitive') -%}{{ sqlrisk.refuse('`' ~ path ~ '` is about sensitive columns, and none is declared', 'name them under `sensitive`') }}{%- endif -%}
    {%- for item in declared['sensitive'] -%}
    {%- set ns.limits = ns.limits + [{'path': path, 'measure': key[4:], 'attacker': none, 'number': loop.index, 'column': sqlrisk.sensitive_item(item)['column'], 'threshold': none, 'direction': key[:3], 'bound': sqlrisk.fraction(bounds[key], path)}] -%}
    {%- endfor -%}
  {%- elif key != 'max_excluded' -%}
    {%- if key in of_population -%}{%- do sqlrisk.needs_table(population, path) -%}{%- endif -%}
    {%- if key in ['max_delta_presence', 'max_population_uniques'] and declared.get('entity_id') and declared.get('entity_counting') == 'distinct' -%}
    {{ sqlrisk.refuse('`' ~ path ~ '` is not known for people counted by their distinct tuples', 'count multisets') }}
    {%- endif -%}
    {%- set bound = sqlrisk.fraction(sqlrisk.whole_number(bounds[key], path), path) if key[:3] == 'min' else sqlrisk.share(bounds[key], path) -%}
    {%- set ns.limits = ns.limits + [{'path': path, 'measure': key[4:], 'attacker': none, 'number': none, 'threshold': none, 'direction': key[:3], 'bound': bound}] -%}
  {%- endif -%}
{%- endfor -%}
{{ return(ns.limits) }}
{%- endmacro %}
