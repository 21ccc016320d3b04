{% macro reads_of(job, reads) -%}
{%- set ns = namespace(texts={}) -%}
{%- for name in job.names -%}{%- set ns.texts = dict(ns.texts, **{name: sqlrisk.quoted(job.names[name])}) -%}{%- endfor -%}
{%- for name in reads -%}{%- set ns.texts = dict(ns.texts, **{name: sqlrisk.quoted(job.names[reads[name]])}) -%}{%- endfor -%}
{{ return(ns.texts) }}
{%- endmacro %}
