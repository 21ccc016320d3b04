{% macro finding(job, text, condition, columns, value, over='sqlrisk_sizes') -%}
{#- A SELECT of what is found wrong: sizes and counts, and never a value of a column. -#}
{%- set ns = namespace(texts=[]) -%}
{%- for name in ['class_size', 'population_size', 'classes', 'records'] -%}
{%- set own = columns[name] if name in columns else job.patterns['null whole'] -%}
{%- set ns.texts = ns.texts + [own ~ ' AS ' ~ sqlrisk.quoted(name)] -%}
{%- endfor -%}
{%- set value = value if value is not none else job.patterns['null real'] -%}
{{ return('SELECT ' ~ sqlrisk.literal(text) ~ ' AS ' ~ sqlrisk.quoted('finding') ~ ', ' ~ ns.texts | join(', ') ~ ', ' ~ value ~ ' AS ' ~ sqlrisk.quoted('value') ~
  '\nFROM ' ~ sqlrisk.quoted(over) ~ ('\nWHERE ' ~ condition if condition else '')) }}
{%- endmacro %}
