{% macro check_kinds(job) -%}
{%- for ours in job.release['keys'] -%}
{%- set theirs = job.population['keys'][loop.index0] -%}
{%- if ours['kind'] != theirs['kind'] and not (ours['kind'] in ['integer', 'decimal'] and theirs['kind'] in ['integer', 'decimal']) -%}
{{ sqlrisk.refuse('`' ~ ours['column'] ~ '` is ' ~ ours['kind'] ~ ' in the release, and `' ~ theirs['column'] ~ '` is ' ~ theirs['kind'] ~ ' in the population', 'generalise them to the same kind, or cast one in a model') }}
{%- endif -%}
{%- endfor -%}
{{ return('') }}
{%- endmacro %}
