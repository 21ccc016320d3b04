{% macro add_codes(job, columns, texts, rows) -%}
{%- for column in columns -%}
{%- set template = 'dictionary_bytewise' if column in texts else 'dictionary' -%}
{%- do sqlrisk.add(job, column ~ '_codes', template, {'column': [sqlrisk.quoted(column)]}, {'release': rows}) -%}
{%- endfor -%}
{{ return('') }}
{%- endmacro %}
