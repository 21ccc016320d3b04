{% macro partition(job) -%}
{%- set ns = namespace(texts=[]) -%}
{%- for item in job.release['keys'] -%}
{%- set key = job.key_columns[loop.index0] -%}
{%- set as_text = item['kind'] == 'float' and not job.has_codes and adapter.type() == 'bigquery' -%}
{%- set ns.texts = ns.texts + [job.patterns['float text'] | replace('@name@', key) if as_text else key] -%}
{%- endfor -%}
{{ return(ns.texts) }}
{%- endmacro %}
