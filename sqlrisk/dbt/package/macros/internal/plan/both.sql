{% macro both(job, name, rows) -%}
{%- if rows | length == 1 -%}{{ return(rows[0]) }}{%- endif -%}
{%- do sqlrisk.add(job, name, 'both', {'quasi_identifiers': job.key_columns}, {'release': rows[0], 'population': rows[1]}) -%}
{{ return(name) }}
{%- endmacro %}
