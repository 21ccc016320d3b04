{% macro sums_of(job, names) -%}
{%- set ns = namespace(texts=[]) -%}
{%- for name in names -%}{%- set ns.texts = ns.texts + [job.patterns['sum'] | replace('@name@', sqlrisk.quoted(name))] -%}{%- endfor -%}
{{ return(ns.texts) }}
{%- endmacro %}
