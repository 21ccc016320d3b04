{% macro gate() -%}
{%- if not execute -%}{{ return('') }}{%- endif -%}
{%- set declared = sqlrisk.declaration_of(model) -%}
{%- if not declared -%}
{{ sqlrisk.refuse('the model `' ~ model['name'] ~ '` has the gate and declares no policy', 'declare one under `config.meta.sqlrisk` of the model') }}
{%- endif -%}
{%- set limits = sqlrisk.limits_of(declared) -%}
{%- if not limits -%}
{{ sqlrisk.refuse('the model `' ~ model['name'] ~ '` has the gate and declares no limit', 'give `limits` or a limit of an attacker, or take the gate out') }}
{%- endif -%}
{%- set asked = sqlrisk.gated(declared, limits, this, model['name']) -%}
{%- set figures = run_query(asked['sql']).rows[0] -%}
{%- set failed = sqlrisk.failed(declared, limits, asked['job'], figures) -%}
{%- if failed -%}
{%- set stays = 'the version before it stays' if adapter.type() in ['duckdb', 'postgres'] else adapter.type() ~ ' has replaced the version before it: take it away' -%}
{{ exceptions.raise_compiler_error('sqlrisk: the model `' ~ model['name'] ~ '` may not go out, ' ~ stays ~ ': ' ~ failed | join('; ')) }}
{%- endif -%}
{{ return('') }}
{%- endmacro %}
