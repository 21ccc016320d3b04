{% macro tested(tested_model, given, needs_population=false, needs_sensitive=none) -%}
{#- The question of a generic test: the model's declaration, with the test's own arguments in its place. -#}
{%- set node = sqlrisk.tested_node() -%}
{%- set ns = namespace(declared=sqlrisk.declaration_of(node)) -%}
{%- for key in given -%}
{%- if given[key] is not none -%}{%- set ns.declared = dict(ns.declared, **{key: given[key]}) -%}{%- endif -%}
{%- endfor -%}
{%- set ns.declared = dict(ns.declared, **{'sensitive': [needs_sensitive] if needs_sensitive is not none else []}) -%}
{%- set population = ns.declared.get('population') or {} -%}
{%- if needs_population and not population.get('table') -%}
{{ sqlrisk.refuse('the test of `' ~ node['name'] ~ '` needs a population table', 'give `population: {table: ...}`; what is estimated is judged by `sqlrisk dbt test`') }}
{%- endif -%}
{%- if not needs_population -%}{%- set ns.declared = dict(ns.declared, **{'population': {}}) -%}{%- endif -%}
{%- set rendered = tested_model | string if config.get('where') else none -%}
{%- set job = sqlrisk.job_of(ns.declared, sqlrisk.relation_of(node), node['name'], rendered) -%}
{{ return({'job': job, 'statement': sqlrisk.plan(job), 'declared': ns.declared, 'name': node['name']}) }}
{%- endmacro %}
