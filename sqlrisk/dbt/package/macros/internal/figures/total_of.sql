{% macro total_of(names, condition=none) -%}
{#- The sum of tallies over the rows of the answer; 0 without any. -#}
{%- set ns = namespace(texts=[]) -%}
{%- for name in names -%}{%- set ns.texts = ns.texts + ['COALESCE(' ~ sqlrisk.quoted(name) ~ ', 0)'] -%}{%- endfor -%}
{%- if not ns.texts -%}{{ return('0') }}{%- endif -%}
{{ return('COALESCE(SUM(' ~ ns.texts | join(' + ') ~ '), 0)') }}
{%- endmacro %}
