{% macro sensitive_flags_of(job) -%}
{%- set ns = namespace(flags=[], left_out=[]) -%}
{%- if job.nulls == 'exclude' -%}
{%- for item in job.release['keys'] -%}{%- set ns.left_out = ns.left_out + [[item['key'] ~ ' IS NULL', 0]] -%}{%- endfor -%}
{%- endif -%}
{%- if job.release['suppressed'] is not none -%}{%- set ns.left_out = ns.left_out + [[job.release['suppressed'], 0]] -%}{%- endif -%}
{%- for item in job.release['sensitive'] -%}
{%- if item['may_fail'] -%}
{%- set name = 'sensitive_unconverted_' ~ loop.index -%}
{%- set sql = sqlrisk.case_when(ns.left_out + [[item['lost'], 1]], '0') ~ ' AS ' ~ sqlrisk.quoted(name) -%}
{%- set ns.flags = ns.flags + [{'name': name, 'sql': sql}] -%}
{%- endif -%}
{%- endfor -%}
{{ return(ns.flags) }}
{%- endmacro %}
